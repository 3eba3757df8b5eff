import { afterEach, describe, expect, test } from 'vitest';
import { createBotCustomer } from './bot-api/customer.ts';
import { buttonsOf } from './bot-api/person.ts';
import { theBotStage, until } from './bot-api/stage.ts';

const stage = theBotStage();
const someone = () => createBotCustomer(stage, stage.world.customer().phone);
type Someone = ReturnType<typeof someone>;
const keypad = ({ person }: Someone) => person.menus().at(-1) ?? person.screen();
const digits = (fatima: Someone) =>
  buttonsOf(keypad(fatima))
    .map(({ text }) => text)
    .filter((text) => /^\d$/.test(text));
const tap = (fatima: Someone, label: string) => fatima.person.presses(label, keypad(fatima));

afterEach(() => {
  expect(stage.api.broken()).toEqual([]);
  expect(stage.log.lines).toEqual([]);
});

describe('the keypad', () => {
  test('has every digit once, in an order of its own each time', async () => {
    const fatima = someone();
    const orders = new Set<string>();
    await fatima.isAtMenu();
    for (let i = 0; i < 8; i++) {
      await fatima.chooses('balance').sees('balance.askPin');
      expect(digits(fatima).toSorted()).toEqual([...'0123456789']);
      orders.add(digits(fatima).join(''));
      await fatima.goes('menu');
    }
    expect(orders.size).toBeGreaterThan(6);
  });

  test('shows dots, takes back, and goes when its screen is left', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const { id } = keypad(fatima);
    const dots = () => keypad(fatima).text.split('\n').at(-1);
    expect(dots()).toBe('○ ○ ○ ○');
    await tap(fatima, '1');
    await tap(fatima, '9');
    expect(dots()).toBe('● ● ○ ○');
    await tap(fatima, '⌫');
    expect(dots()).toBe('● ○ ○ ○');
    await tap(fatima, '⌫');
    await tap(fatima, '⌫');
    expect(dots()).toBe('○ ○ ○ ○');
    expect(keypad(fatima).id).toBe(id);
    await fatima.enters().sees('balance.shown');
    expect(fatima.person.screen().id, 'its result stands in its place').toBe(id);
    expect(buttonsOf(fatima.person.screen()).map(({ text }) => text)).toEqual([
      'Relevé',
      'Mon plafond',
      'Menu',
    ]);
  });

  test('a wrong PIN is asked again in the same message, in another order', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance');
    const [{ id }, before] = [keypad(fatima), digits(fatima).join('')];
    await fatima.enters('4321').sees('balance.askPin').isTold('pin.wrongWithTries');
    expect(keypad(fatima).id).toBe(id);
    expect(digits(fatima).join('')).not.toBe(before);
    await fatima.enters().sees('balance.shown');
  });

  test('the buttons send no digit, and no tapped digit is stored', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance');
    const before = stage.api.calls.length;
    for (const digit of ['9', '7', '3']) await tap(fatima, digit);
    const session = await stage.world.session(fatima as never);
    expect(Object.keys(session.keypad ?? {})).toEqual(['screen', 'at', 'sealed']);
    expect(stage.world.secrets.open(session.keypad?.sealed as never, fatima.address, Date.now())).toBe(
      undefined,
    );
    for (const { callback_data: data } of buttonsOf(keypad(fatima)))
      expect(data).toMatch(/^[kn]:\d+:(\d|e)$/);
    const sent = JSON.stringify(stage.api.calls.slice(before).map(({ payload }) => payload.text ?? ''));
    expect(sent).not.toMatch(/\d{2}/);
    // The place of a digit is another one than the digit, or the order would be none.
    const places = buttonsOf(keypad(fatima)).flatMap(({ text, callback_data: data }) =>
      /^\d$/.test(text) && data?.endsWith(`:${text}`) ? [text] : [],
    );
    expect(places.length).toBeLessThan(10);
    await tap(fatima, '1');
    await fatima.sees('balance.askPin').isTold('pin.wrongWithTries');
  });

  test('a key of an older prompt is no digit of this one', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance');
    const old = keypad(fatima);
    await fatima.goes('menu').chooses('balance').sees('balance.askPin');
    const [key] = buttonsOf(old);
    await fatima.person.pressesData(key?.callback_data ?? '', old);
    expect(keypad(fatima).text).toContain('○ ○ ○ ○');
  });

  test('after two minutes it closes by itself: the prompt goes, and can be gone on with', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance');
    const { id } = keypad(fatima);
    await tap(fatima, '1');
    await stage.world.passes(121_000);
    await fatima.hears('pin.lapsed');
    expect(fatima.person.visible().map((message) => message.id)).not.toContain(id);
    await fatima.person.presses('Continuer');
    await fatima.sees('balance.askPin').enters().sees('balance.shown');
  });
});

describe('secrets that are typed', () => {
  const mine = ({ person }: Someone) =>
    person.chat.messages.filter(({ by }) => by === 'person').map(({ text }) => text);

  test('a PIN is erased at once, with a warning, and is taken', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin').says('1234').sees('balance.shown');
    expect(mine(fatima)).not.toContain('1234');
    expect(fatima.person.screen().text).toMatch(/^N'écrivez pas votre code PIN/);
    expect(fatima.person.menus()).toHaveLength(1);
  });

  test('it is erased before the wallet has answered', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance').sees('balance.askPin');
    const call = stage.world.wallet.holds('login');
    const said = fatima.says('1234');
    await call.reached;
    await until(() => !mine(fatima).includes('1234'), 'it is erased while the wallet thinks');
    call.go();
    await said.sees('balance.shown');
  });

  test.each(['1 2 3 4', '12345', '١٢٣٤', 'pin 1234'])(
    'text that may be a secret is erased, too: %s',
    async (text) => {
      const fatima = someone();
      await fatima.isAtMenu().chooses('balance').says(text);
      expect(mine(fatima)).not.toContain(text);
    },
  );

  test('a PIN that was not asked for is erased and does nothing', async () => {
    const fatima = someone();
    await fatima.isAtMenu().says('1234').sees('menu.choose');
    expect(mine(fatima)).not.toContain('1234');
    expect(fatima.person.screen().text).toMatch(/^N'écrivez pas votre code PIN/);
  });

  test('an amount of four digits is an amount', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('1234');
    expect(mine(fatima)).toContain('1234');
  });

  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    'ma carte: 5500-0000-0000-0004 12/27',
    '٤١١١١١١١١١١١١١١١',
  ])('a card number is erased and kept nowhere: %s', async (text) => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('transfer').says(text).sees('transfer.askRecipient');
    await fatima.isTold('nav.cardNumber');
    expect(mine(fatima)).not.toContain(text);
    const stored = await stage.world.everythingStored();
    expect(/4111.?1111.?1111|5500.?0000.?0000|٤١١١١١١١/.test(stored)).toBe(false);
  });

  test('a card number is erased at a bill, too, as no contract has so many digits', async () => {
    const fatima = someone();
    await fatima.isAtMenu().says('/bill redal').sees('bill-payment.askUnder');
    await fatima.says('4111 1111 1111 1111').sees('bill-payment.askUnder').isTold('nav.cardNumber');
    expect(mine(fatima)).not.toContain('4111 1111 1111 1111');
  });

  test('the customer reads when a secret cannot be erased', async () => {
    const fatima = someone();
    await fatima.isAtMenu().chooses('balance');
    stage.api.goesWrong('deleteMessage', { refuses: "message can't be deleted" });
    await fatima.says('1234').sees('balance.shown');
    expect(fatima.person.screen().text).toMatch(/Effacez-le vous-même/);
  });

  test('a code of an SMS is erased once it is used, without a word', async () => {
    const { phone } = stage.world.customer();
    const fatima = createBotCustomer(stage, phone);
    await fatima.opens().says(phone).sees('linking.askCode').entersCodeFromSms().sees('unlocking.askPin');
    expect(mine(fatima).filter((text) => /\d{3}-\d{3}/.test(text))).toEqual([]);
    expect(fatima.person.screen().text).not.toContain('effacé');
  });
});
