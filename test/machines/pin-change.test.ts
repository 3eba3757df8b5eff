import { describe, expect, test } from 'vitest';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON, type Customer, PIN, STORES, theWorld, type World } from '../kit/world.ts';

const OLD = '7391';
const NEW = '5937';
const WRONG = '8264';
const SEALED = /"(?:proof|first)":"[\w-]{40,}"/g;

const begins = (fatima: Customer) =>
  fatima.isAtMenu().chooses('account').chooses('pin-change').sees('pin-change.askOldPin');
/** The old PIN, and the new one once. */
const typesHalf = (fatima: Customer) =>
  fatima.walks(begins).enters().sees('pin.askNew').enters(NEW).sees('pin.repeatNew');
const changes = (fatima: Customer) => fatima.walks(typesHalf).enters(NEW);
const reads = (pin: string, screen: string) => (fatima: Customer) =>
  fatima.goes('menu').chooses('balance').enters(pin).sees(screen);

const sealedIn = async (world: World, fatima: Customer) =>
  JSON.stringify(await world.session(fatima)).match(SEALED)?.length ?? 0;

describe.each(STORES)('changing the PIN, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('the new one counts and the old one does not, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.walks(changes).sees('pin-change.changedUntil');
    await fatima.walks(reads(PIN, 'balance.askPin')).isTold('pin.wrongWithTries', { count: 2 });
    await fatima.enters(NEW).sees('balance.shown');
  });

  test.each(CHANNELS_ON[store])(
    'a wrong old one: the tries left, a warning, then the lock, on %s',
    async (channel) => {
      const fatima = world.customer({ channel });
      const tries = (it: Customer) => it.enters(WRONG);
      await fatima.walks(begins);
      await fatima.walks(tries).sees('pin-change.askOldPin').isTold('pin.wrongWithTries', { count: 2 });
      await fatima.walks(tries).sees('pin-change.askOldPin').isTold('pin.lastTry');
      await fatima.walks(tries).sees('pin-change.unchanged').isTold('pin.locked');
      await fatima.goes('menu').sees('menu.lockedForNow');
    },
  );

  test('only sealed PINs outlive a turn, and each is gone when it was used', async () => {
    const fatima = world.customer();
    await fatima.walks(begins).enters();
    expect(await sealedIn(world, fatima)).toBe(1);
    await fatima.enters(NEW);
    expect(await sealedIn(world, fatima)).toBe(2);
    await fatima.goes('back').sees('pin.askNew');
    expect(await sealedIn(world, fatima)).toBe(1);
    await fatima.enters(NEW).enters(NEW).sees('pin-change.changedUntil');
    expect(await sealedIn(world, fatima)).toBe(0);
  });

  test('the PINs are nowhere to be found, wherever it went wrong', async () => {
    const rounds: ((fatima: Customer) => Customer)[] = [
      (it) => it.enters(OLD).enters(NEW).enters(WRONG).sees('pin.askNew'),
      (it) => it.enters(OLD).enters(OLD).enters(OLD).sees('pin.askNew').isTold('pin-change.same'),
      (it) => it.enters(WRONG).sees('pin-change.askOldPin'),
      (it) => it.enters(OLD).enters(NEW).dials().sees('pin-change.resume'),
      (it) =>
        it
          .enters(OLD)
          .enters(NEW)
          .meanwhile(() => world.restarts())
          .says('0'),
      (it) => it.enters(OLD).enters(NEW).after(121_000).enters(NEW),
      (it) => it.enters(OLD).enters(NEW).repeats().enters(NEW).repeats().sees('pin-change.changedUntil'),
    ];
    for (const round of rounds) await world.customer({ pin: OLD }).walks(begins).walks(round);
    const stored = await world.everythingStored();
    for (const pin of [OLD, NEW, WRONG]) {
      expect(new RegExp(`(?<![\\w+-])${pin}(?![\\w-])`).exec(stored), pin).toBeNull();
    }
    expect(world.errors).toEqual([]);
  });

  test('a process that dies during the call leaves it unknown, and never calls again', async () => {
    const fatima = world.customer();
    await fatima.walks(typesHalf);
    await world.crashesDuring('changePin', fatima.enters(NEW));
    await world.passes(60_000);
    const again = world.again(fatima);
    await again.dials().sees('menu.choose').isTold('pin-change.notKnown').chooses('balance');
    await again.enters().sees('balance.shown');
    expect(world.wallet.calls(fatima.phone, 'changePin')).toHaveLength(1);
    expect(await sealedIn(world, fatima)).toBe(0);
  });
});

const world = theWorld();

describe('the new PIN', () => {
  test('two new ones that differ are asked again, and cost no try', async () => {
    const fatima = world.customer();
    await fatima.walks(begins).enters();
    for (let i = 0; i < 6; i++) {
      await fatima.enters(NEW).enters('5938').sees('pin.askNew').isTold('pin.differ');
    }
    await fatima.enters(NEW).enters('letters').sees('pin.askNew').isTold('pin.differ');
    expect(world.wallet.calls(fatima.phone, 'changePin')).toEqual([]);
    await fatima.enters(NEW).enters(NEW).sees('pin-change.changedUntil');
  });

  test('the same PIN as before is asked for again and costs no try', async () => {
    const fatima = world.customer({ pin: OLD });
    await fatima.walks(begins).enters(OLD).enters(OLD);
    await fatima.enters(OLD).sees('pin.askNew').isTold('pin-change.same').enters(NEW);
    await fatima.enters('٥٩٣٧').sees('pin-change.changedUntil');
    expect(world.wallet.calls(fatima.phone, 'changePin')).toHaveLength(1);
  });

  test.each([
    ['letters', 'pin.noPin'],
    ['12345', 'pin.format'],
    ['123', 'pin.format'],
    ['12 34', 'pin.format'],
    ['🙂', 'pin.format'],
    ['\u202e', 'pin.format'],
  ])('%j is no PIN, old or new', async (text, told) => {
    const fatima = world.customer();
    await fatima.walks(begins).says(text).sees('pin-change.askOldPin').isTold(told).enters();
    await fatima.says(text).sees('pin.askNew').isTold('pin.format');
    expect(world.wallet.calls(fatima.phone, 'changePin')).toEqual([]);
  });

  test.each([
    ['before the new one', (it: Customer) => it.enters()],
    ['before it is repeated', (it: Customer) => it.enters().enters(NEW)],
  ])('a customer who waits two minutes %s begins again, with a sentence', async (_, path) => {
    const fatima = world.customer({ channel: 'web' });
    await fatima.walks(begins).walks(path);
    await fatima.after(120_000).hears('pin-change.askOldPin');
    await fatima.opens().sees('pin-change.askOldPin').isTold('problem.expired');
    expect(await sealedIn(world, fatima)).toBe(0);
    await fatima.enters().enters(NEW).enters(NEW).sees('pin-change.changedUntil');
  });

  test('an old PIN that has expired meanwhile is asked for again and costs no try', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    // Five tries in a quarter of an hour would be all that there are.
    for (let i = 0; i < 5; i++) {
      await fatima.enters().after(80_000);
      await fatima.enters(NEW).after(80_000);
      await fatima.enters(NEW).sees('pin-change.askOldPin').isTold('problem.expired');
      expect(await sealedIn(world, fatima)).toBe(0);
    }
    expect(world.wallet.calls(fatima.phone, 'changePin')).toEqual([]);
    await fatima.enters().enters(NEW).enters(NEW).sees('pin-change.changedUntil');
  });
});

describe('the answers to a change of PIN', () => {
  test.each([
    ['the change was not made', LOST, PIN],
    ['the change was made', loses, NEW],
  ] as const)('a lost answer is told as lost: %s', async (_, instead, pin) => {
    const fatima = world.customer();
    await fatima.walks(typesHalf);
    world.wallet.next('changePin', instead);
    await fatima.enters(NEW).sees('pin-change.notKnown').walks(reads(pin, 'balance.shown'));
    expect(world.wallet.calls(fatima.phone, 'changePin')).toHaveLength(1);
    expect(await sealedIn(world, fatima)).toBe(0);
  });

  test.each([
    ['was never sent', UNSENT, 'pin-change.unchanged', 'problem.unavailable'],
    ['is locked meanwhile', refused('90005'), 'pin-change.unchanged', 'problem.90005'],
    ['says no in its own words', refused('47110'), 'pin-change.unchanged', 'problem.other'],
    ['tells no tries', refused('26001'), 'pin-change.askOldPin', 'pin.wrong'],
    ['does not take the new PIN', refused('26005'), 'pin-change.askOldPin', 'problem.26005'],
  ] as const)('the wallet %s', async (_, instead, screen, told) => {
    const fatima = world.customer();
    await fatima.walks(typesHalf);
    world.wallet.next('changePin', instead);
    await fatima.enters(NEW).sees(screen).isTold(told);
    expect(await sealedIn(world, fatima)).toBe(0);
    await fatima.walks(reads(PIN, 'balance.shown'));
  });

  test.each([
    ['an answer that was lost', LOST, 'pin-change.askOldPin', 'pin.lost'],
    ['a wallet that is locked', refused('90005'), 'pin-change.unchanged', 'problem.90005'],
    ['a call that was never made', UNSENT, 'pin-change.unchanged', 'problem.unavailable'],
  ] as const)('the old PIN is checked before a new one is typed: %s', async (_, instead, screen, told) => {
    const fatima = world.customer();
    await fatima.walks(begins);
    world.wallet.next('login', instead);
    await fatima.enters().sees(screen).isTold(told);
    expect(await sealedIn(world, fatima)).toBe(0);
    expect(world.wallet.calls(fatima.phone, 'changePin')).toEqual([]);
  });

  test('the wallet does not answer twice in a row: the customer reads it once each time, and is told to come back later', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    for (const [screen, told] of [
      ['pin-change.askOldPin', 'pin.lost'],
      ['pin-change.unchanged', 'pin.unchecked'],
    ] as const) {
      world.wallet.next('login', LOST);
      await fatima.enters().sees(screen).isTold(told);
    }
    expect(await sealedIn(world, fatima)).toBe(0);
    await fatima.walks(reads(PIN, 'balance.shown'));
  });

  test('an obvious PIN is refused with the reason', async () => {
    const fatima = world.customer({ pin: OLD });
    await fatima.walks(begins).enters(OLD).sees('pin.askNew');
    for (const weak of ['1234', '0000', '1998'])
      await fatima.enters(weak).sees('pin.askNew').isTold('pin.weak');
    await fatima.enters(NEW).sees('pin.repeatNew').enters(NEW).sees('pin-change.changedUntil');
  });
});

describe('the way through a change of PIN', () => {
  test('back leads from each step to the one before', async () => {
    const fatima = world.customer();
    await fatima.walks(typesHalf).goes('back').sees('pin.askNew').goes('back').sees('pin-change.askOldPin');
    await fatima.goes('back').sees('account.choose');
  });

  test.each([
    ['at the new one', (it: Customer) => it.enters()],
    ['at its repetition', (it: Customer) => it.enters().enters(NEW)],
  ])('a redial %s goes on at the old PIN, or leaves it', async (_, path) => {
    const fatima = world.customer();
    await fatima.walks(begins).walks(path).dials().sees('pin-change.resume');
    await fatima.chooses('continue').sees('pin-change.askOldPin');
    expect(await sealedIn(world, fatima)).toBe(0);
    await fatima.walks(path).dials().chooses('leave').sees('menu.choose');
    expect(await sealedIn(world, fatima)).toBe(0);
  });

  test('leaving deletes the sealed PINs', async () => {
    for (const way of ['menu', 'cancel'] as const) {
      const fatima = world.customer();
      await fatima.walks(typesHalf).goes(way).sees('menu.choose');
      expect(await sealedIn(world, fatima)).toBe(0);
    }
  });
});

describe.each(STORES)('guessing the old PIN, on %s', (store) => {
  const world = theWorld({ store, settings: { pinAttemptsMax: 20 } });

  test('counts together with every login, over all channels', async () => {
    const ussd = world.customer();
    const chat = world.chatOf(ussd);
    await chat.isAtMenu().chooses('account').chooses('pin-change');
    await ussd.isAtMenu().chooses('balance');
    for (let i = 0; i < 3; i++) await chat.enters(WRONG).isTold('pin.wrongWithTries');
    for (let i = 0; i < 2; i++) await ussd.enters(WRONG).isTold('pin.wrongWithTries');
    await chat.enters().sees('pin-change.unchanged').isTold('pin.tooMany');
    await ussd.enters().sees('pin.refused').isTold('pin.tooMany');
    expect(world.wallet.calls(ussd.phone, 'changePin')).toEqual([]);
    await world.passes(15 * 60_000);
    await chat.goes('menu').chooses('account').chooses('pin-change');
    await chat.enters().enters(NEW).enters(NEW).sees('pin-change.changedUntil');
  });

  test('a right one clears the count', async () => {
    const fatima = world.customer();
    await fatima.walks(begins);
    const tries = (it: Customer) => it.enters(WRONG).isTold('pin.wrongWithTries');
    for (let i = 0; i < 4; i++) await fatima.walks(tries);
    await fatima.enters().enters(NEW).enters(NEW).sees('pin-change.changedUntil').goes('menu');
    await fatima.chooses('account').chooses('pin-change');
    for (let i = 0; i < 4; i++) await fatima.walks(tries);
    await fatima.enters(NEW).enters(OLD).enters(OLD).sees('pin-change.changedUntil');
  });
});
