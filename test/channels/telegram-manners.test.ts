import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/conversation/incoming.ts';
import { drawQr } from '../../src/wallet/qr/draw.ts';
import type { Message } from './bot-api/chats.ts';
import { type BotCustomer, createBotCustomer, paid, RECIPIENT } from './bot-api/customer.ts';
import { buttonsOf } from './bot-api/person.ts';
import { theBotStage, until } from './bot-api/stage.ts';

/** A payment is open for longer than a machine stands still. */
const SETTLES_MS = 5_000;
const NO_CODE = new TextEncoder().encode('no picture');

/** A bot whose log and requests are checked after each test. */
function theCheckedBot() {
  const stage = theBotStage({ settings: { settleAfterMs: SETTLES_MS } });
  const someone = (language: Language = 'fr') =>
    createBotCustomer(stage, stage.world.customer({ balance: '1000' }).phone, language);
  /** The calls of the Bot API that something leads to. */
  async function callsOf(work: () => PromiseLike<unknown>): Promise<string[]> {
    const before = stage.api.calls.length;
    await work();
    return stage.api.calls.slice(before).map(({ method }) => method);
  }
  const copied = ({ person }: BotCustomer) =>
    buttonsOf(person.screen()).flatMap(({ copy_text: copies }) => copies?.text ?? []);

  afterEach(() => {
    expect(stage.api.broken(), 'requests that the Bot API refuses').toEqual([]);
    expect(stage.api.unanswered(), 'presses without an answer').toEqual([]);
    expect(stage.log.lines).toEqual([]);
  });

  return { stage, someone, callsOf, copied };
}

describe('the screens of a chat', () => {
  const { stage, someone, callsOf } = theCheckedBot();

  test('a screen does not wait for the answer to the press or for deletions', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer');
    const held = stage.api.holds('editMessageReplyMarkup');
    const said = fatima.person.says(RECIPIENT);
    await until(() => /Quel montant/.test(fatima.person.screen().text), 'the next question is there');
    held.go();
    await said;
  });

  test('a request that goes on by phone says so once, in the place of its question', async () => {
    const { world } = stage;
    const customer = world.customer({ language: 'fr' });
    const fatima = createBotCustomer(stage, customer.phone, 'fr');
    await fatima.isAtMenu().chooses('top-up').says(RECIPIENT).sees('top-up.chooseOperator');
    await world.passes(2 * 60_000);
    await customer.dials().chooses('fr').dials().sees('top-up.resume').chooses('continue');
    await customer.sees('top-up.chooseOperator');
    const texts = () => fatima.person.visible().map(({ text }) => text);
    await until(() => texts().some((text) => /Vous continuez/.test(text)), 'the chat says so');
    await world.rests();
    expect(texts().filter((text) => /Vous continuez/.test(text))).toHaveLength(1);
    expect(texts().some((text) => /opérateur/.test(text))).toBe(false);
  });

  test.each([
    ['at once', 0, 0, ''],
    ['after a while', 2_500, 1, "Ce menu n'est plus valable."],
  ] as const)('a second press on the screen that was just left: %s', async (_, ms, shown, answer) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('shopping').chooses('voucher').chooses('1').chooses('article1');
    await fatima.sees('voucher.chooseForValid');
    const picture = fatima.person.screen();
    const data = buttonsOf(picture)[0]?.callback_data ?? '';
    await fatima.person.pressesData(data, picture);
    stage.world.clock.ahead += ms;
    const confirm = fatima.person.screen();
    let query = '';
    const calls = await callsOf(async () => {
      query = await fatima.person.pressesData(data, picture);
    });
    expect(stage.api.answerTo(query)).toBe(answer);
    expect(calls.filter((method) => method === 'sendMessage')).toHaveLength(shown);
    if (shown === 0) expect(fatima.person.screen()).toEqual(confirm);
  });

  test('a digit too many on the keypad is silence', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const keypad = fatima.person.screen();
    const key = buttonsOf(keypad)[0]?.callback_data ?? '';
    await fatima.enters().sees('balance.shown');
    const query = await fatima.person.pressesData(key, keypad);
    expect(stage.api.answerTo(query)).toBe('');
    expect(fatima.person.screen().text).toMatch(/^Votre solde/);
  });

  test('an outcome is a new message, and "en cours" goes after it has come', async () => {
    const fatima = someone();
    await paid(fatima);
    const processing = fatima.person.screen();
    expect(processing.text).toMatch(/^⏳/);
    const calls = await callsOf(() => stage.world.passes(SETTLES_MS + 500));
    expect(calls).toEqual(['sendMessage', 'deleteMessage']);
    const outcome = fatima.person.screen();
    expect(outcome).toMatchObject({ edits: 0, text: expect.stringMatching(/^✅/m) });
    expect(outcome.id).toBeGreaterThan(processing.id);
    expect(fatima.person.visible().map(({ id }) => id)).not.toContain(processing.id);
  });

  test('an outcome that Telegram does not take leaves "en cours" in the chat', async () => {
    const fatima = someone();
    await paid(fatima);
    stage.api.goesWrong('sendMessage', 'serverError');
    await stage.world.passes(SETTLES_MS + 500);
    expect(fatima.person.screen().text).toMatch(/^⏳/);
    await stage.world.passes(2_000);
    await fatima.hears('transfer.done');
  });
});

describe('the buttons and albums of a chat', () => {
  const { stage, someone, copied } = theCheckedBot();

  test.each(LANGUAGES)('the empty field shows a hint of the expected text, in %s', async (language) => {
    const fatima = someone(language);
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
    const { markup, text } = fatima.person.screen();
    expect(markup).toEqual({ force_reply: true, input_field_placeholder: expect.stringContaining('200') });
    expect(text).toMatch(/\/back.*\/menu.*\/help/);
    await fatima.goes('back').sees('transfer.askRecipient');
  });

  test('a reference and a RIB are copied by a button, which stays when the chat goes on', async () => {
    const fatima = someone();
    await paid(fatima);
    await stage.world.passes(SETTLES_MS + 500);
    const { id, text } = fatima.person.screen();
    const [reference] = copied(fatima);
    expect(text).toMatch(new RegExp(`Référence\\s:\\s${reference}`));
    await fatima.goes('menu').sees('menu.choose');
    const outcome = fatima.person.visible().find((message) => message.id === id) as Message;
    expect(buttonsOf(outcome)).toEqual([
      { text: 'Copier la référence', copy_text: { text: String(reference) } },
    ]);
    await fatima.chooses('account').chooses('profile');
    if (stage.replies.get(fatima.address)?.keypad) await fatima.enters();
    await fatima.sees('profile.shown');
    expect(fatima.person.screen().text).toContain(copied(fatima)[0]);
    expect(copied(fatima)).toEqual([expect.stringMatching(/^\d{24}$/)]);
  });

  test('the button that goes on is green, and the one that cannot be undone is red', async () => {
    const fatima = someone();
    const styles = () => buttonsOf(fatima.person.screen()).flatMap(({ style }) => style ?? []);
    await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').enters();
    await stage.world.passes(SETTLES_MS + 500);
    await fatima.goes('menu').chooses('transfer').says(RECIPIENT).says('100').sees('transfer.confirmAgain');
    expect(styles()).toEqual(['success']);
    await fatima.opens('unlink').sees('unlink.confirm');
    expect(styles()).toEqual(['danger']);
  });

  test('an album is one answer', async () => {
    const fatima = someone();
    await fatima.isAtMenu();
    const { length } = fatima.person.visible();
    for (let i = 0; i < 3; i++)
      await fatima.person.sendsPhoto(NO_CODE, `none${i}`, 'an album without a code');
    expect(fatima.person.visible()).toHaveLength(length + 1);
    await fatima.person.sendsPhoto(NO_CODE, 'none4');
    expect(fatima.person.visible()).toHaveLength(length + 2);
  });

  test('a code in an album is read wherever it is in it, once', async () => {
    const fatima = someone();
    const code = (await drawQr('https://example.com', 6))?.png ?? NO_CODE;
    await fatima.isAtMenu();
    const photos = [NO_CODE, code, code, NO_CODE];
    const turns = () => stage.world.engine.desk.turns(fatima.address, 50).then(({ length }) => length);
    const before = await turns();
    for (const [i, bytes] of photos.entries()) await fatima.person.sendsPhoto(bytes, `c${i}`, 'with a code');
    expect(await turns()).toBe(before + 2);
  });

  test('the bot’s profile describes it in each language', () => {
    const { profile } = stage.api;
    for (const code of ['', ...LANGUAGES]) {
      expect(profile.get(`description ${code}`)).toBeTruthy();
      expect(profile.get(`short ${code}`)).toBeTruthy();
    }
    expect(profile.get('description ar')).toMatch(/الرمز السري/);
    expect(profile.get('menu button')).toBe('{"type":"commands"}');
    expect(profile.get('photo')).toBe('wasl.jpg');
  });
});
