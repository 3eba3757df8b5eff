import { Api } from 'grammy';
import { afterEach, describe, expect, test } from 'vitest';
import { createStage } from '../../src/channels/telegram/show.ts';
import type { Renderer } from '../../src/screen/renderer.ts';
import { invented } from '../kit/invented.ts';
import { PIN } from '../kit/world.ts';
import { createBotCustomer, paid, RECIPIENT } from './bot-api/customer.ts';
import { buttonsOf, createPerson } from './bot-api/person.ts';
import { createBotStage, theBotStage, until } from './bot-api/stage.ts';

/** Shorter than a wallet that does not answer, and longer than a machine needs to ask it. */
const SHORT_MS = 1_000;

type Updates = 'webhook' | 'polling';

/** A bot whose log and requests are checked after each test. */
function theCheckedBot(updates: Updates) {
  const stage = theBotStage({ updates });
  const someone = () => createBotCustomer(stage, stage.world.customer().phone);

  afterEach(() => {
    expect(stage.api.broken()).toEqual([]);
    for (const line of stage.log.lines) {
      expect(line).not.toContain(stage.api.token);
      expect(line).not.toContain('canary');
    }
  });

  return { stage, someone };
}

describe.each<Updates>(['webhook', 'polling'])('an update that comes again, by %s', (updates) => {
  const { stage, someone } = theCheckedBot(updates);

  test('an update that comes twice is one, and is answered once', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    const { length } = fatima.person.visible();
    await fatima.repeats().repeats();
    expect(fatima.person.visible()).toHaveLength(length);
    await fatima.says('100').sees('transfer.askPinOpenLoop');
  });

  test('an update that comes again hours after its conversation was left is the same one', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    await stage.world.passes(20 * 3_600_000);
    const { length } = fatima.person.visible();
    await fatima.repeats();
    expect(fatima.person.visible()).toHaveLength(length);
  });

  test('every update twice: money is sent once', async () => {
    stage.api.updates.twice();
    const fatima = someone();
    await paid(fatima);
    stage.api.updates.twice(false);
    expect(stage.world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
    expect(stage.world.wallet.calls(fatima.phone, 'login')).toHaveLength(2);
  });

  test('a press and a text at the same moment: one of them counts, and one menu is left', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    const screen = fatima.person.screen();
    const back = buttonsOf(screen).find(({ text }) => text === 'Retour');
    await Promise.all([
      fatima.person.says(RECIPIENT),
      fatima.person.pressesData(back?.callback_data ?? '', screen),
    ]);
    expect(fatima.person.menus().length).toBeLessThanOrEqual(1);
    expect(fatima.person.screen().text).toMatch(/Que souhaitez-vous faire|Quel montant|Ce menu n'est plus/);
  });
});

describe.each<Updates>(['webhook', 'polling'])('a screen that is lost on the way, by %s', (updates) => {
  const { stage, someone } = theCheckedBot(updates);

  test.each([
    ['Telegram fails', 'serverError'],
    ['the connection breaks', 'noConnection'],
  ] as const)('a screen that could not be shown comes later: %s', async (_, fault) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    stage.api.goesWrong('sendMessage', fault);
    await fatima.says(RECIPIENT);
    await stage.world.passes(2_000);
    await fatima.sees('transfer.askAmount').says('100').sees('transfer.askPinOpenLoop');
  });

  test('a screen whose answer was lost may come twice, and only the second one answers', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    stage.api.goesWrong('sendMessage', 'lostAnswer');
    await fatima.says(RECIPIENT);
    await stage.world.passes(2_000);
    const asked = fatima.person.visible().filter(({ text }) => /Quel montant|Montant/.test(text));
    expect(asked).toHaveLength(2);
    await fatima.says('100');
    expect(stage.replies.get(fatima.address)?.screen.key).toBe('transfer.askPinOpenLoop');
  });

  test('money received whose answer was lost is not told a second time until its customer writes, and is a reminder then', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    stage.api.goesWrong('sendMessage', 'lostAnswer');
    const sender = stage.world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(fatima.phone).says('20').enters();
    const told = () => fatima.person.visible().filter(({ text }) => /20,00/.test(text));
    await expect.poll(() => told().length).toBe(1);
    await stage.world.passes(600_000);
    expect(told()).toHaveLength(1);
    await fatima.goes('menu');
    await stage.world.rests();
    expect(told()).toHaveLength(2);
    expect(told()[1]?.text).toContain('Rappel');
  });

  test('whichever copy of such a screen is pressed, one menu is left', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    stage.api.goesWrong('sendMessage', 'lostAnswer');
    await fatima.says('100');
    await stage.world.passes(2_000);
    const [copy, shown] = fatima.person.menus();
    expect(copy?.text).toBe(shown?.text);
    await fatima.person.presses('Annuler', copy);
    await fatima.sees('transfer.cancelled');
  });

  test('the copy that was not answered says so when it is pressed, and loses its buttons', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    stage.api.goesWrong('sendMessage', 'lostAnswer');
    await fatima.says('100');
    await stage.world.passes(2_000);
    const [copy] = fatima.person.menus();
    await fatima.says('/balance');
    const query = await fatima.person.presses('Retour', copy);
    expect(stage.api.answerTo(query)).toBe("Ce menu n'est plus valable.");
    await fatima.sees('balance.askPin');
  });

  test('a change in place whose answer was lost leaves one menu, too', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    stage.api.goesWrong('editMessageText', 'lostAnswer');
    await fatima.chooses('account');
    await stage.world.passes(2_000);
    await fatima.sees('account.choose').goes('back').sees('menu.choose');
  });
});

describe.each<Updates>(['webhook', 'polling'])('an outage of Telegram or the wallet, by %s', (updates) => {
  const { stage, someone } = theCheckedBot(updates);

  test('Telegram is down for minutes: the outcome of a payment comes by SMS, and the chat says it at the next visit', async () => {
    const fatima = someone();
    await paid(fatima);
    stage.api.down();
    await stage.world.passes(2_000);
    await stage.world.passes(60_000);
    await stage.world.passes(120_000);
    const heard = () => fatima.person.visible().filter(({ text }) => /✅ .*100,00/.test(text));
    expect(heard()).toEqual([]);
    expect(stage.world.sms(fatima.phone)).toEqual([expect.stringMatching(/100,00 DH .*effectué/)]);
    stage.api.down(false);
    await stage.world.passes(300_000);
    await fatima.says('/menu');
    await stage.world.rests();
    expect(stage.world.sms(fatima.phone)).toHaveLength(1);
    expect(heard()).toHaveLength(1);
  });

  test('when Telegram is back, the first call that succeeds brings the owed messages of every chat', async () => {
    const [fatima, youssef] = [someone(), someone()];
    await paid(fatima);
    await youssef.isAtMenu();
    stage.api.down();
    // The outcome is tried again and again. The last wait is far longer than this test.
    for (const ms of [2_000, 1_000, 5_000, 30_000, 60_000, 60_000]) await stage.world.passes(ms);
    stage.api.down(false);
    await youssef.goes('menu');
    const heard = () => fatima.person.visible().filter(({ text }) => /✅ .*100,00/.test(text));
    await expect.poll(() => heard().length).toBe(1);
    await stage.world.passes(300_000);
    expect(heard()).toHaveLength(1);
  });

  test('a wallet that is too slow is said so beside the screen, which can be answered again', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    const call = stage.world.wallet.holds('previewTransfer');
    stage.patience.ms = SHORT_MS;
    await fatima.says('100');
    stage.patience.ms = Number.POSITIVE_INFINITY;
    expect(fatima.person.screen().text).toMatch(/^Le service est lent/);
    expect(fatima.person.menus()).toEqual([]);
    call.go();
    await fatima.says('100').sees('transfer.askPinOpenLoop');
  });

  test('a slow login goes on, and its result is a message', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const call = stage.world.wallet.holds('login');
    // For the digits before the last one the bot has all the time that it needs.
    for (const digit of PIN.slice(0, -1)) await fatima.person.presses(digit);
    stage.patience.ms = SHORT_MS;
    await fatima.person.presses(PIN.slice(-1));
    stage.patience.ms = Number.POSITIVE_INFINITY;
    expect(fatima.person.screen().text).toMatch(/^Un instant/);
    call.go();
    await fatima.hears('balance.shown');
    expect(fatima.person.menus()).toHaveLength(1);
    await fatima.says('/menu');
  });

  test('of three screens that were owed only the last is shown', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
    stage.api.goesWrong('sendMessage', 'serverError', 'serverError');
    await fatima.says(RECIPIENT).says('100');
    const { length } = fatima.person.visible();
    await stage.world.passes(10_000);
    expect(fatima.person.visible()).toHaveLength(length + 1);
    await fatima.sees('transfer.askPinOpenLoop');
  });

  test('a blocked bot stays silent, and messages about money wait for the customer', async () => {
    const fatima = someone();
    await paid(fatima);
    await fatima.person.blocks();
    await stage.world.passes(2_000);
    const { length } = fatima.person.visible();
    const before = stage.api.calls.filter(({ came }) => came.startsWith('Forbidden')).length;
    await stage.world.passes(3_600_000);
    expect(stage.api.calls.filter(({ came }) => came.startsWith('Forbidden'))).toHaveLength(before);
    expect(fatima.person.visible()).toHaveLength(length);
    await fatima.person.unblocks();
    expect(fatima.person.screen().text).toMatch(/✅ .*100,00/);
    expect(fatima.person.visible(), 'in place of "en cours"').toHaveLength(length);
    await stage.world.passes(1_000);
    expect(await stage.world.engine.waiting(fatima.address)).toEqual([]);
  });
});

describe.each<Updates>(['webhook', 'polling'])('a message at its limits, by %s', (updates) => {
  const { stage, someone } = theCheckedBot(updates);

  test('a message that is gone is not edited: the screen comes as a new one', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const screen = fatima.person.screen();
    const { chat } = fatima.person;
    chat.messages = chat.messages.filter((message) => message !== screen);
    const account = buttonsOf(screen).find(({ text }) => text === 'Mon compte');
    await fatima.person.pressesData(account?.callback_data ?? '', screen);
    await fatima.sees('account.choose');
  });

  test('a press that Telegram has given up is no trouble', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const { now } = stage.api.clock;
    stage.api.clock.now = () => now() + 151_000;
    const screen = fatima.person.screen();
    const [first] = buttonsOf(screen);
    const pressed = fatima.person.pressesData(first?.callback_data ?? '', screen);
    await pressed;
    stage.api.clock.now = now;
    await fatima.sees('transfer.askRecipient');
  });

  test('a text of 4,096 characters, and one of nothing but spaces', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says('x'.repeat(4_096)).sees('transfer.askRecipient');
    await fatima.says('\u2003').sees('transfer.askRecipient');
  });

  test('a screen of more than 4,096 characters comes in parts, with its buttons under the last', async () => {
    const person = createPerson(stage.api);
    const key = invented('a.b');
    const long = 'une ligne <&>\n'.repeat(700);
    const renderer: Pick<Renderer, 'chat'> = {
      chat: (screen) => ({
        text: screen.key === key ? long : screen.key,
        choices: [],
        direction: 'ltr',
        idle: [],
      }),
    };
    const own = createStage(
      new Api(stage.api.token, { apiRoot: stage.api.url }),
      renderer,
      async () => undefined,
    );
    const shown = { screen: { key, expects: 'choice' }, language: 'fr', screenId: 1 } as const;
    const view = await own.show(person.id, shown);
    expect(
      person
        .visible()
        .map(({ text }) => text)
        .join('\n'),
    ).toBe(long.trim());
    expect(person.visible()).toHaveLength(3);
    expect(person.menus()).toEqual([person.screen()]);
    await own.show(person.id, { ...shown, view, pressed: { message: person.screen().id, keys: [] } });
    expect(person.menus()).toEqual([person.screen()]);
  });

  test('no error quotes a message or the token', async () => {
    const person = createPerson(stage.api, { language: 'fr' });
    stage.api.goesWrong('sendMessage', 'noConnection');
    await person.says('canary 4711');
    stage.api.goesWrong('sendMessage', 'serverError');
    await person.says('canary 4712');
    await stage.world.passes(60_000);
    expect(person.visible().length).toBeGreaterThan(0);
  });
});

describe('the door of the webhook', () => {
  const stage = theBotStage();
  const post = (headers: Record<string, string>, body = '{"update_id":1}') =>
    fetch(`${stage.url}/telegram/webhook`, { method: 'POST', headers, body });
  const known = () => ({ 'x-telegram-bot-api-secret-token': stage.api.updates.webhook?.secret ?? '' });

  test.each([
    ['no secret', {}],
    ['another one', { 'x-telegram-bot-api-secret-token': 'guess' }],
    ['an empty one', { 'x-telegram-bot-api-secret-token': '' }],
  ])('is closed to %s', async (_, headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(401);
  });

  test.each([
    ['no JSON', '{', 400],
    ['no update', '{}', 400],
    ['an id that is none', '{"update_id":"1"}', 400],
    ['too much', `{"update_id":1,"x":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ['an update of another kind', '{"update_id":1,"poll":{}}', 200],
  ])('answers Telegram’s requests by a status: %s', async (_, body, status) => {
    expect((await post(known(), body)).status).toBe(status);
  });

  test('asks only for updates that it reads', () => {
    expect(stage.api.updates.webhook?.allowed).toEqual([
      'message',
      'edited_message',
      'callback_query',
      'my_chat_member',
    ]);
  });
});

describe.each(['webhook', 'polling'] as const)(
  'an update that is not saved comes again, by %s',
  (updates) => {
    test('a store that fails for a while', async () => {
      const stage = await createBotStage({ updates });
      const fatima = createBotCustomer(stage, stage.world.customer().phone);
      await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
      const { commit } = stage.world.store;
      let failures = 0;
      Object.assign(stage.world.store, {
        commit: async (...args: Parameters<typeof commit>) => {
          if (failures++ < 3) throw new Error(`the store is down, says canary ${RECIPIENT}`);
          return commit(...args);
        },
      });
      await fatima.says(RECIPIENT).sees('transfer.askAmount');
      expect(failures).toBeGreaterThan(3);
      // Said once, however often the update comes again, true whether she has just paid or not, and gone once it is answered.
      const isSorry = (text = '') => /Si vous venez de payer/.test(text);
      expect(stage.api.calls.filter(({ payload }) => isSorry(String(payload.text)))).toHaveLength(1);
      expect(fatima.person.visible().filter(({ text }) => isSorry(text))).toEqual([]);
      expect(stage.log.lines.join()).toContain('An error ended turns');
      expect(stage.log.lines.join()).not.toContain('canary');
      if (updates === 'webhook') {
        expect(stage.api.updates.answers.map(({ status }) => status)).toContain(503);
      }
      await stage.close();
    });

    test('a process that stops in between: the next one goes on', async () => {
      const stage = await createBotStage({ updates });
      const fatima = createBotCustomer(stage, stage.world.customer().phone);
      await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
      await stage.world.restarts();
      await fatima.says(RECIPIENT).sees('transfer.askAmount').goes('back').sees('transfer.askRecipient');
      expect(fatima.person.menus()).toHaveLength(1);
      await stage.close();
    });
  },
);

test('Telegram cannot be reached at the start: the bot begins when it can', async () => {
  const stage = await createBotStage({ updates: 'polling' });
  stage.api.down();
  const late = stage.another();
  const before = stage.api.commands.size;
  stage.api.commands.clear();
  late.start();
  stage.api.down(false);
  await until(() => stage.api.commands.size === before, 'it has introduced itself');
  await late.close();
  await stage.close();
});
