import { describe, expect, test } from 'vitest';
import { CHATS_ON, LOST, loses, PIN, RECIPIENT, refused, STORES, theWorld, UNSENT } from '../kit/world.ts';

const WRONG = '4321';

describe.each(STORES)('the PIN that unlocks a chat, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHATS_ON[store])(
    'a wrong one: the tries left, a warning, then the lock, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      await fatima.arrives();
      await fatima.enters(WRONG).sees('unlocking.askPin').isTold('pin.wrongWithTries', { count: 2 });
      await fatima.enters(WRONG).sees('unlocking.askPin').isTold('pin.lastTry');
      await fatima.enters(WRONG).sees('pin.locked');
      await fatima.goes('menu').sees('menu.lockedForNow');
      expect((await world.session(fatima)).linked).toBeUndefined();
    },
  );
});

describe('the PIN that unlocks a chat', () => {
  const world = theWorld();

  test.each(["j'ai oublié mon code", 'نسيت الرمز', 'i forgot my pin'])(
    'is chosen anew where it was forgotten, and then typed: %s',
    async (words) => {
      const fatima = world.customer({ channel: 'web' });
      await fatima.arrives().enters(WRONG).says(words).sees('pin-reset.explain');
      await fatima.goes('back').sees('unlocking.askPin').says(words).chooses('send').entersCodeFromSms();
      await fatima.enters().enters().sees('unlocking.askPin').isTold('pin-reset.resetUntil');
      expect((await world.session(fatima)).linked).toBeUndefined();
      await fatima.enters().sees('menu.choose');
    },
  );

  test('a wallet that tells no tries is believed', async () => {
    world.wallet.next('login', refused('26001'));
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().enters(WRONG).sees('unlocking.askPin').isTold('pin.wrong');
    await fatima.enters().sees('menu.choose');
  });

  test.each([
    ['the answer was lost', LOST],
    ['the try was counted and the answer lost', loses],
  ] as const)('%s: it may have cost a try', async (_, instead) => {
    world.wallet.next('login', instead);
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().enters().sees('unlocking.askPin').isTold('pin.lost').enters().sees('menu.choose');
  });

  test.each([
    ['it was never sent', UNSENT, 'problem.unavailable'],
    ['the wallet is locked meanwhile', refused('90005'), 'problem.90005'],
    ['a refusal that nobody knows', refused('47110'), 'problem.other'],
  ] as const)('%s', async (_, instead, told) => {
    world.wallet.next('login', instead);
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().enters().sees('pin.refused').isTold(told).goes('menu').sees('unlocking.askPin');
  });

  test.each([
    ['letters', 'pin.noPin'],
    ['12345', 'pin.format'],
    ['', 'pin.format'],
    ['🙂', 'pin.format'],
    ['12 34', 'pin.format'],
  ])('%j is no PIN and costs no try', async (text, told) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().says(text).sees('unlocking.askPin').isTold(told);
    expect(world.wallet.calls(fatima.phone, 'login')).toEqual([]);
  });

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['envoyer 200 à 0655000000', 'transfer.askPinOpenLoop', { amount: 20_000 }],
    ['solde', 'balance.askPin', {}],
    ['بغيت نخلص فاتورة الماء', 'bill-payment.found', {}],
  ])('"%s" is kept until it was typed', async (words, key, values) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().says(words).sees('unlocking.askPin').isTold('unlocking.kept');
    await fatima.enters(WRONG).sees('unlocking.askPin').enters().sees(key, values);
  });

  test('nothing leads past it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives();
    for (const command of ['/menu', '/back', '/cancel', '/start']) {
      await fatima.says(command).sees('unlocking.askPin');
    }
  });

  test('left alone for two minutes it closes, and can be gone on with', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().after(2 * 60_000);
    await fatima.hears('pin.lapsed').opens().sees('pin.lapsed').chooses('continue').sees('unlocking.askPin');
    await fatima.enters().sees('menu.choose');
  });

  test('an order after its time was over is kept, and the PIN asked again before it', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().after(2 * 60_000);
    await fatima.hears('pin.lapsed').says(`envoyer 100 à ${RECIPIENT}`).sees('unlocking.askPin');
    await fatima.enters().sees('transfer.askPinOpenLoop', { amount: 100_00 });
  });

  test('a PIN after its time was over is not taken, but leads to where it is asked for', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.arrives().after(2 * 60_000);
    await fatima.hears('pin.lapsed').says(PIN).sees('unlocking.askPin');
    await fatima.enters().sees('menu.choose');
  });

  test('a chat is linked for good: the PIN is not asked again at the menu', async () => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.isAtMenu().after(3_600_000);
    await fatima.opens().sees('menu.choose');
  });
});

describe.each(STORES)('guessing PINs over several channels, on %s', (store) => {
  const world = theWorld({ store, settings: { pinAttemptsMax: 10 } });

  test('five are let through to the wallet in 15 minutes', async () => {
    const ussd = world.customer();
    const chat = world.chatOf(ussd);
    await ussd.isAtMenu().chooses('balance');
    await chat.arrives();
    for (let i = 0; i < 3; i++) await chat.enters(WRONG).isTold('pin.wrongWithTries');
    for (let i = 0; i < 2; i++) await ussd.enters(WRONG).isTold('pin.wrongWithTries');
    await ussd.enters().sees('pin.refused').isTold('pin.tooMany');
    await chat.enters().sees('pin.refused').isTold('pin.tooMany');
    expect(world.wallet.calls(ussd.phone, 'login')).toHaveLength(5);
    await world.passes(15 * 60_000);
    await chat.goes('menu').sees('unlocking.askPin').enters().sees('menu.choose');
  });

  test('a right PIN clears the count', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu();
    for (let round = 0; round < 3; round++) {
      await fatima.chooses('balance').enters(WRONG).enters(WRONG).enters().sees('balance.shown').goes('menu');
    }
  });

  test('tries at the same moment are counted one by one', async () => {
    const ussd = world.customer();
    await ussd.isAtMenu().chooses('balance');
    const chats = [1, 2, 3, 4].map(() => world.chatOf(ussd));
    for (const chat of chats) await chat.arrives();
    for (let i = 0; i < 2; i++) await Promise.all([ussd, ...chats].map((each) => each.enters(WRONG)));
    expect(world.wallet.calls(ussd.phone, 'login')).toHaveLength(5);
  });
});
