import { describe, expect, test } from 'vitest';
import { addressesOf } from '../../src/conversation/session/linking.ts';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON, type Customer, DAY_MS, PIN, STORES, theWorld } from '../kit/world.ts';

const begins = (fatima: Customer) =>
  fatima.isAtMenu().chooses('account').chooses('closing').sees('closing.askReason');
const explains = (fatima: Customer) => fatima.walks(begins).chooses('ending').sees('closing.explain');
const asksPin = (fatima: Customer) => fatima.walks(explains).chooses('continue').sees('closing.askPin');
const isSure = (fatima: Customer) =>
  fatima.walks(asksPin).enters().sees('closing.confirm', { phone: fatima.phone });

/** The next owner of a number. */
const SARA = {
  ...({ firstName: 'Sara', lastName: 'Alaoui', level: 1, status: 3, pin: '2468' } as const),
  balance: 700 as never,
};

describe.each(STORES)('closing the wallet, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('an empty one, and the next visit begins anew, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '0' });
    await fatima.walks(isSure).chooses('close').sees('closing.closed').goes('menu').sees('consent.ask');
    const { linked, consent, wallet } = await world.session(fatima);
    expect({ linked, consent, wallet }).toEqual({
      // The SIM proves the number on USSD, while a chat is no longer linked.
      linked: channel === 'ussd' ? true : undefined,
      consent: undefined,
      wallet: fatima.phone,
    });
  });

  test.each(CHANNELS_ON[store])('one with money in it stays open, on %s', async (channel) => {
    const fatima = world.customer({ channel, balance: '0.05' });
    await fatima.walks(isSure).chooses('close').sees('closing.kept').isTold('problem.90009');
    await fatima.goes('menu').sees('menu.choose');
  });

  test('a lost phone can be kept from paying first', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('account').chooses('closing').chooses('lostPhone');
    await fatima.sees('closing.explain').chooses('freeze').sees('freeze.frozen');
  });

  test('every chat of the wallet starts anew, in the middle of any conversation', async () => {
    const ussd = world.customer({ balance: '0' });
    const chats = [1, 2, 3].map(() => world.chatOf(ussd));
    const [closer, reader, idle] = chats as [Customer, Customer, Customer];
    for (const chat of chats) await chat.isAtMenu();
    await reader.chooses('balance').enters().sees('balance.empty').goes('menu').chooses('statement').enters();
    await ussd.isAtMenu().chooses('transfer').says('0655000000').sees('transfer.askAmount');
    await closer.chooses('account').chooses('closing').chooses('lostPhone').chooses('continue').enters();
    await closer.chooses('close').sees('closing.closed');

    expect(await addressesOf(world.store, ussd.phone)).toEqual([ussd.address]);
    for (const chat of chats) expect((await world.session(chat)).linked).toBeUndefined();
    await idle.opens().sees('consent.ask');
    await reader.says('1').sees('consent.ask');
    await ussd.dials().sees('consent.ask');

    // Somebody opens a wallet with the number again: the chats of before see nothing of it without its PIN.
    world.sandbox.addCustomer({ phone: ussd.phone, ...SARA });
    for (const chat of chats) await chat.goes('menu').sees('unlocking.askPin');
    await closer.enters(PIN).sees('unlocking.askPin').isTold('pin.wrongWithTries');
    expect(await addressesOf(world.store, ussd.phone)).toEqual([ussd.address]);
  });
});

describe.each(STORES)('a wallet closed elsewhere, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test('after a wallet was closed elsewhere, the next owner of its number finds no linked chat', async () => {
    const ussd = world.customer({ balance: '0' });
    const chat = world.chatOf(ussd);
    await ussd.isAtMenu();
    await chat.isAtMenu();
    await chat.goes('help').chooses('freeze').chooses('yes').sees('freeze.frozen');
    const closed = await world.api.unregister({ phone: ussd.phone, reason: 3 });
    expect(closed).toMatchObject({ kind: 'ok' });

    await ussd.dials().sees('consent.ask');
    expect((await world.session(chat)).linked).toBeUndefined();
    expect(await addressesOf(world.store, ussd.phone)).toEqual([ussd.address]);
    world.sandbox.addCustomer({ phone: ussd.phone, ...SARA });
    await ussd.dials().goes('menu').sees('menu.choose');
    expect(ussd.reply().screen.first).toBeUndefined();
    await chat.goes('menu').sees('linking.askPhone');
  });

  test('after a wallet was closed elsewhere, the chat that notices it first is unlinked as well', async () => {
    const chat = world.customer({ channel: 'web', balance: '0' });
    await chat.isAtMenu();
    await world.api.unregister({ phone: chat.phone, reason: 3 });
    await chat.goes('menu').sees('linking.askPhone');
    expect(await addressesOf(world.store, chat.phone)).not.toContain(chat.address);
    world.sandbox.addCustomer({ phone: chat.phone, ...SARA });
    await chat.goes('menu').sees('linking.askPhone');
  });

  test('after an unlinked wallet was closed elsewhere, nothing is frozen', async () => {
    const ussd = world.customer({ balance: '0' });
    const chat = world.chatOf(ussd);
    await chat.isAtMenu();
    await chat.goes('help').chooses('freeze').chooses('yes').sees('freeze.frozen');
    await chat.goes('menu').chooses('account').chooses('unlink').chooses('unlink').sees('linking.askPhone');
    await world.api.unregister({ phone: ussd.phone, reason: 3 });
    await ussd.arrives().sees('consent.ask');
    world.sandbox.addCustomer({ phone: ussd.phone, ...SARA });
    await ussd.dials().goes('menu').sees('menu.choose');
    expect(ussd.reply().screen.first).toBeUndefined();
  });

  test('a new owner elsewhere is noticed by the profile within a day', async () => {
    const ussd = world.customer({ balance: '0' });
    const [first, second] = [world.chatOf(ussd), world.chatOf(ussd)];
    for (const chat of [ussd, first, second]) await chat.isAtMenu();
    await first.goes('help').chooses('freeze').chooses('yes').sees('freeze.frozen');
    await world.api.unregister({ phone: ussd.phone, reason: 3 });
    world.sandbox.addCustomer({ phone: ussd.phone, ...SARA });
    await world.passes(DAY_MS);

    await first.goes('menu').sees('linking.askPhone');
    await second.goes('menu').sees('linking.askPhone');
    expect(await addressesOf(world.store, ussd.phone)).toEqual([ussd.address]);
    await ussd.dials().sees('menu.choose');
    expect(ussd.reply().screen.first).toBeUndefined();
    await first.says(ussd.phone).entersCodeFromSms().sees('unlocking.askPin');
    await first.enters(SARA.pin).sees('menu.choose');
  });

  test('a new owner who registers here finds nothing of the previous one', async () => {
    const ussd = world.customer({ balance: '0' });
    const old = world.chatOf(ussd);
    await old.isAtMenu();
    await old.goes('help').chooses('freeze').chooses('yes').sees('freeze.frozen');
    await world.api.unregister({ phone: ussd.phone, reason: 3 });
    const chat = world.chatOf(ussd);
    await chat.arrives().sees('consent.ask').chooses('agree').says('Sara').says('Alaoui');
    await chat.says('AB123456');
    await chat.chooses('confirm').entersCodeFromSms().enters().enters().sees('onboarding.opened');
    expect(await addressesOf(world.store, ussd.phone)).toEqual([chat.address, ussd.address]);
    await chat.goes('menu').sees('menu.choose');
    expect(chat.reply().screen.first).toBeUndefined();
    await old.goes('menu').sees('linking.askPhone');
  });
});

describe.each(STORES)('a process that dies while the wallet closes, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test('after a process dies during the call, the wallet itself has the outcome', async () => {
    const fatima = world.customer({ balance: '0' });
    await fatima.walks(isSure);
    await world.crashesDuring('unregister', fatima.chooses('close'));
    await world.passes(60_000);
    await world.again(fatima).dials().sees('menu.choose').isTold('closing.kept');
    expect(world.wallet.calls(fatima.phone, 'unregister')).toHaveLength(1);
  });

  test('the process dies after the wallet was closed', async () => {
    const fatima = world.customer({ channel: 'web', balance: '0' });
    await fatima.walks(isSure);
    const made = Promise.withResolvers<void>();
    world.wallet.next('unregister', (async (ask: () => Promise<unknown>) => {
      await ask();
      made.resolve();
      return new Promise(() => {});
    }) as never);
    void fatima.chooses('close').then(undefined, () => {});
    await made.promise;
    await world.crashes();
    await world.passes(60_000);
    await world.again(fatima).hears('closing.closed');
    expect((await world.session(fatima)).linked).toBeUndefined();
    expect(world.wallet.calls(fatima.phone, 'unregister')).toHaveLength(1);
  });
});

const world = theWorld();

describe('closing the wallet', () => {
  test.each([
    ['ending', 3],
    ['lostPhone', 4],
    ['other', 5],
  ])('the reason %s is told to the wallet as %d', async (choice, reason) => {
    const fatima = world.customer({ balance: '0' });
    await fatima.walks(begins).chooses(choice).chooses('continue').enters();
    await fatima.chooses('close').sees('closing.closed');
    expect(world.wallet.told(fatima.phone, 'unregister')).toEqual([[{ phone: fatima.phone, reason }]]);
  });

  test('nothing is closed before the last answer, and the first choice there keeps the wallet', async () => {
    const fatima = world.customer({ balance: '0' });
    await fatima.walks(isSure).says('1').sees('closing.kept').isToldNothing();
    await fatima.goes('menu').chooses('account').chooses('closing').chooses('other').chooses('keep');
    await fatima.sees('closing.kept');
    expect(world.wallet.calls(fatima.phone, 'unregister')).toEqual([]);
  });

  test('a wrong PIN closes nothing', async () => {
    const fatima = world.customer({ balance: '0' });
    await fatima.walks(asksPin);
    await fatima.enters('4321').sees('closing.askPin').isTold('pin.wrongWithTries', { count: 2 });
    await fatima.enters('4321').isTold('pin.lastTry').enters('4321').sees('pin.locked');
    expect(world.wallet.calls(fatima.phone, 'unregister')).toEqual([]);
  });

  test.each([
    ['was never asked', UNSENT, 'closing.kept', 'problem.unavailable'],
    ['still holds money', refused('90009'), 'closing.kept', 'problem.90009'],
    ['says no in its own words', refused('47110'), 'closing.kept', 'problem.other'],
    ['is open after a lost answer', LOST, 'closing.kept', 'closing.lost'],
  ] as const)('the wallet %s', async (_, instead, screen, told) => {
    const fatima = world.customer({ channel: 'web', balance: '0' });
    await fatima.walks(isSure);
    world.wallet.next('unregister', instead);
    await fatima.chooses('close').sees(screen).isTold(told).goes('menu').sees('menu.choose');
    expect((await world.session(fatima)).linked).toBe(true);
    expect(world.wallet.calls(fatima.phone, 'unregister')).toHaveLength(1);
  });

  test.each([
    ['is closed, and the answer lost', loses],
    ['was closed before', refused('20005')],
  ] as const)('the wallet %s', async (_, instead) => {
    const fatima = world.customer({ channel: 'web', balance: '0' });
    await fatima.walks(isSure);
    world.wallet.next('unregister', instead);
    await fatima.chooses('close').sees('closing.closed').isToldNothing();
    expect((await world.session(fatima)).linked).toBeUndefined();
  });

  test('the outcome is unknown', async () => {
    const fatima = world.customer({ channel: 'web', balance: '0' });
    await fatima.walks(isSure);
    world.wallet.next('unregister', loses);
    world.wallet.next('customerStatus', LOST);
    await fatima.chooses('close').sees('closing.notKnown').goes('menu').sees('linking.askPhone');
  });
});

describe('a wallet that is not closed yet', () => {
  test('a customer who opens a wallet again is told everything once', async () => {
    const fatima = world.customer({ balance: '0' });
    await fatima.walks(isSure).chooses('close').goes('menu').chooses('agree').says('Fatima');
    await fatima.says('Amrani').says('AB123456').chooses('confirm').entersCodeFromSms().enters();
    await fatima.enters().sees('onboarding.opened').goes('menu').sees('menu.choose');
    expect(await addressesOf(world.store, fatima.phone)).toEqual([fatima.address]);
  });

  test('back leads from each step to the one before, and never past the PIN', async () => {
    const fatima = world.customer();
    await fatima.walks(isSure).goes('back').sees('closing.explain').goes('back').sees('closing.askReason');
    await fatima.goes('back').sees('account.choose');
  });

  test.each([
    ['at the explanation', explains],
    ['at the PIN', asksPin],
    ['at the last question', isSure],
  ])('a redial %s leaves it', async (_, path) => {
    const fatima = world.customer({ balance: '0' });
    await fatima.walks(path).dials().sees('menu.choose').isToldNothing();
    expect(world.wallet.calls(fatima.phone, 'unregister')).toEqual([]);
  });

  test('a finder of the phone does not meet the last question', async () => {
    const fatima = world.customer();
    await fatima.walks(isSure).after(120_000);
    await fatima.says('2').sees('closing.explain').chooses('keep').sees('closing.kept');
  });
});
