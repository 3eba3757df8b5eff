import { afterEach, describe, expect, test } from 'vitest';
import type { Conversations } from '../../src/conversation/incoming.ts';
import { UNGUARDED } from '../kit/world.ts';
import { createBotCustomer } from './bot-api/customer.ts';
import { createBotStage, theBotStage, until } from './bot-api/stage.ts';

const CARD = '4111 1111 1111 1111';
type Someone = ReturnType<typeof createBotCustomer>;
const mine = ({ person }: Someone) =>
  person.chat.messages.filter(({ by }) => by === 'person').map(({ text }) => text);

describe('secrets typed into a chat', () => {
  const stage = theBotStage();
  const someone = () => createBotCustomer(stage, stage.world.customer().phone);
  const isAskedPin = (fatima: Someone) => fatima.isAtMenu().chooses('balance').sees('balance.askPin');

  afterEach(() => {
    expect(stage.api.broken()).toEqual([]);
    expect(stage.log.lines).toEqual([]);
  });

  test.each([
    ['a PIN', '1234', /N'écrivez pas votre code PIN/],
    ['a card number', CARD, /Ne donnez jamais un numéro de carte/],
  ])('goes from a message that was edited: %s', async (_, text, warning) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says('bonjour').sees('transfer.askRecipient');
    await fatima.person.edits(text);
    expect(mine(fatima)).not.toContain(text);
    expect(fatima.person.screen().text).toMatch(/^Un message modifié n'est pas relu/);
    expect(fatima.person.screen().text).toMatch(warning);
    await fatima.sees('transfer.askRecipient');
  });

  test('an edited answer stays', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('12').sees('transfer.askPinOpenLoop');
    await fatima.goes('back').sees('transfer.askAmount');
    await fatima.person.edits('1234');
    expect(mine(fatima)).toContain('1234');
    expect(fatima.person.screen().text).not.toContain('code PIN');
  });

  const file = { file_id: 'x', file_unique_id: 'x' };
  test.each([
    ['a photo', { photo: [{ ...file, width: 1, height: 1 }] }],
    ['a file', { document: { ...file, mime_type: 'application/pdf' } }],
    ['a film', { video: { ...file, width: 1, height: 1, duration: 1 } }],
  ])('goes with %s that it stands under', async (_, body) => {
    const fatima = someone();
    await fatima.isAtMenu();
    const before = mine(fatima).length;
    await fatima.person.sendsOther({ ...body, caption: `${CARD} 12/27` });
    expect(mine(fatima)).toHaveLength(before);
    expect(fatima.person.screen().text).toMatch(/Ne donnez jamais un numéro de carte/);
    await fatima.person.sendsOther({ ...body, caption: 'voici' });
    expect(mine(fatima)).toHaveLength(before + 1);
  });

  test.each([
    ['Telegram asks for patience', { tooMany: 1 }],
    ['Telegram fails', 'serverError'],
    ['the connection breaks', 'noConnection'],
    ['the answer is lost', 'lostAnswer'],
  ] as const)('is tried again: %s', async (_, fault) => {
    const fatima = someone();
    await isAskedPin(fatima);
    stage.api.goesWrong('deleteMessage', fault);
    await fatima.says('1234').sees('balance.shown');
    expect(mine(fatima)).not.toContain('1234');
    expect(fatima.person.screen().text).toMatch(/^N'écrivez pas votre code PIN/);
  });

  test.each([
    ['Telegram asks for more patience than that', [{ tooMany: 6 }]],
    ['it is too old', [{ refuses: "message can't be deleted" }]],
    ['Telegram keeps failing', ['serverError', 'serverError', 'serverError']],
  ] as const)('and cannot be erased is said so: %s', async (_, faults) => {
    const fatima = someone();
    await isAskedPin(fatima);
    stage.api.goesWrong('deleteMessage', ...faults);
    await fatima.says('1234').sees('balance.shown');
    expect(fatima.person.screen().text).toMatch(/Effacez-le vous-même/);
  });

  test('is said so of a code, too', async () => {
    const { phone } = stage.world.customer();
    const fatima = createBotCustomer(stage, phone);
    await fatima.opens().says(phone).sees('linking.askCode');
    stage.api.goesWrong('deleteMessage', { refuses: "message can't be deleted" });
    await fatima.entersCodeFromSms().sees('unlocking.askPin');
    expect(fatima.person.screen().text).toMatch(/Effacez-le vous-même/);
  });
});

describe.each(['webhook', 'polling'] as const)(
  'are erased at once when the bot cannot judge them yet, by %s',
  (updates) => {
    test.each(['1234', CARD, 'ma carte 4111111111111111'])('behind a slow turn: %s', async (text) => {
      const stage = await createBotStage({ updates });
      const fatima = createBotCustomer(stage, stage.world.customer().phone);
      await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
      const call = stage.world.wallet.holds('login');
      const entered = fatima.enters();
      await Promise.all([entered, walks()]);
      await stage.close();

      async function walks(): Promise<void> {
        await call.reached;
        const said = fatima.person.says(text);
        await until(() => !mine(fatima).includes(text), 'it is erased while the wallet thinks');
        call.go();
        await said;
        expect(fatima.person.menus().length).toBeLessThanOrEqual(1);
      }
    });

    test('are erased while the store is down, and the turn is taken when it is back', async () => {
      const stage = await createBotStage({ updates });
      const fatima = createBotCustomer(stage, stage.world.customer().phone);
      await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
      const { read } = stage.world.store;
      Object.assign(stage.world.store, { read: () => Promise.reject(new Error('the store is down')) });
      const said = fatima.person.says('1234');
      await until(() => !mine(fatima).includes('1234'), 'it is erased although nothing can be read');
      Object.assign(stage.world.store, { read });
      await said;
      await fatima.sees('balance.shown');
      expect(fatima.person.screen().text).toMatch(/^N'écrivez pas votre code PIN/);
      await stage.close();
    });
  },
);

test('an amount that looked like one, behind a slow turn, is read, and its customer told', async () => {
  const stage = await createBotStage({ updates: 'polling', safety: UNGUARDED });
  const fatima = createBotCustomer(stage, stage.world.customer({ balance: '5000' }).phone);
  await fatima.isAtMenu().chooses('transfer').sees('transfer.askRecipient');
  const engine: { receive: Conversations['receive'] } = stage.world.engine;
  const { receive } = engine;
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  engine.receive = async (...turn) => {
    await gate;
    return receive(...turn);
  };
  const said = [fatima.person.says('0655000000'), fatima.person.says('1500')];
  await until(() => !mine(fatima).includes('1500'), 'it is erased while the turn before it is slow');
  go();
  await Promise.all(said);
  await fatima.sees('transfer.askPinOpenLoop', { amount: 150_000 });
  expect(fatima.person.screen().text).toMatch(/^Par précaution, nous avons effacé votre message/);
  await stage.close();
});
