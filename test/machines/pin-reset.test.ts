import { describe, expect, test } from 'vitest';
import { pageOf } from '../../src/channels/ussd/page.ts';
import { RESET_CODES_MAX, RESET_TRIES_MAX } from '../../src/conversation/effects/account.ts';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { LOST, loses, refused, UNSENT } from '../kit/meddler.ts';
import { CHANNELS_ON, type Customer, PIN, STORES, theWorld } from '../kit/world.ts';

const OLD = '7391';
const NEW = '5937';
const SEALED = /"(?:proof|first)":"[\w-]{40,}"/;

const begins = (fatima: Customer) =>
  fatima
    .isAtMenu()
    .chooses('account')
    .chooses('pin-reset')
    .sees('pin-reset.explain', { phone: fatima.phone });
const isSentACode = (fatima: Customer) =>
  fatima.walks(begins).chooses('send').sees('pin-reset.askCode', { phone: fatima.phone });
const typesTheCode = (fatima: Customer) => fatima.walks(isSentACode).entersCodeFromSms().sees('pin.askNew');
const typesHalf = (fatima: Customer) => fatima.walks(typesTheCode).enters(NEW).sees('pin.repeatNew');
const reads = (pin: string, screen: string) => (fatima: Customer) =>
  fatima.goes('menu').chooses('balance').enters(pin).sees(screen);

describe.each(STORES)('resetting the PIN, on %s', (store) => {
  const world = theWorld({ store, bot: 'webhook' });

  test.each(CHANNELS_ON[store])('by the code of an SMS, on %s', async (channel) => {
    const fatima = world.customer({ channel });
    await fatima.walks(begins).chooses('send').sees('pin-reset.askCode').isTold('pin-reset.sent');
    await fatima.entersCodeFromSms().sees('pin.askNew').enters(NEW);
    await fatima.enters(NEW).sees('menu.choose').isTold('pin-reset.resetUntil');
    await fatima.walks(reads(PIN, 'balance.askPin')).enters(NEW).sees('balance.shown');
  });

  test.each(CHANNELS_ON[store])('opens a temporarily locked wallet, on %s', async (channel) => {
    const hamza = world.customer({ channel, status: 4 });
    await hamza.arrives().sees('menu.lockedForNow').chooses('pin-reset').sees('pin-reset.explain');
    await hamza.chooses('send').entersCodeFromSms().enters(NEW).enters(NEW);
    // A chat that was never linked still asks for the PIN once.
    if (channel !== 'ussd') await hamza.sees('unlocking.askPin').isTold('pin-reset.resetUntil').enters(NEW);
    await hamza.sees('menu.choose').chooses('balance').enters(NEW).sees('balance.shown');
  });

  test('codes and PINs are stored nowhere, and nothing sealed stays', async () => {
    const people = [1, 2, 3].map(() => world.customer({ pin: OLD }));
    const [one, two, three] = people as [Customer, Customer, Customer];
    await one.walks(typesHalf);
    expect(JSON.stringify(await world.session(one))).toMatch(SEALED);
    await one.enters(OLD).isTold('pin.differ').enters(NEW).repeats().enters(NEW).sees('menu.choose');
    await two.walks(typesHalf).meanwhile(() => world.restarts());
    await two.dials().chooses('leave');
    await three.walks(typesHalf).after(121_000);
    await three.enters(NEW);
    for (const each of people) expect(JSON.stringify(await world.session(each))).not.toMatch(SEALED);
    const codes = people.flatMap(({ phone }) =>
      world.sms(phone).flatMap((sms) => sms.match(/\d{3}-\d{3}/g) ?? []),
    );
    expect(codes).toHaveLength(3);
    const stored = await world.everythingStored();
    for (const secret of [OLD, NEW, ...codes, ...codes.map((code) => code.replace('-', ''))]) {
      expect(new RegExp(`(?<![\\w+-])${secret}(?![\\w-])`).exec(stored), secret).toBeNull();
    }
  });

  test('a process that dies during the call never calls again', async () => {
    const fatima = world.customer();
    await fatima.walks(typesHalf);
    await world.crashesDuring('resetPin', fatima.enters(NEW));
    await world.passes(60_000);
    const again = world.again(fatima);
    await again.dials().sees('menu.choose').isTold('pin-reset.notKnown').walks(reads(PIN, 'balance.shown'));
    expect(world.wallet.calls(fatima.phone, 'resetPin')).toHaveLength(1);
    expect(JSON.stringify(await world.session(fatima))).not.toMatch(SEALED);
  });
});

const world = theWorld();

const resets = (who: Customer) =>
  who.entersCodeFromSms().enters(NEW).enters(NEW).sees('menu.choose').isTold('pin-reset.resetUntil');

describe('the code of a reset', () => {
  test('is checked with the new PIN, and a wrong one alone is typed again', async () => {
    const fatima = world.customer();
    await fatima.walks(isSentACode).says('000-001').sees('pin.askNew').isTold('pin-reset.checkedLast');
    await fatima.enters(NEW).enters(NEW).sees('pin-reset.askCode').isTold('problem.90003');
    await fatima.says('000-002').sees('pin-reset.askCode').isTold('problem.90003');
    await fatima.entersCodeFromSms().sees('menu.choose').isTold('pin-reset.resetUntil');
    await fatima.walks(reads(NEW, 'balance.shown'));
  });

  test.each([
    ['two minutes later', (it: Customer) => it.after(120_000).opens()],
    ['after another code', (it: Customer) => it.chooses('resend')],
    ['after a dial', (it: Customer) => it.dials().chooses('continue')],
    ['after a step back', (it: Customer) => it.goes('back').chooses('send')],
  ])('that was wrong keeps no PIN %s', async (_, path) => {
    const fatima = world.customer();
    await fatima.walks(isSentACode).says('000-001').enters(NEW).enters(NEW).isTold('problem.90003');
    expect(JSON.stringify(await world.session(fatima))).toMatch(SEALED);
    await fatima.walks(path).sees('pin-reset.askCode');
    expect(JSON.stringify(await world.session(fatima))).not.toMatch(SEALED);
    await fatima.walks(resets);
  });

  test.each(['12345', 'ab-123', '1234567', '12-34-56', '🙂'])('%j is no code', async (text) => {
    const fatima = world.customer();
    await fatima.walks(isSentACode).says(text).sees('pin-reset.askCode').isTold('pin-reset.codeFormat');
    expect(world.wallet.calls(fatima.phone, 'resetPin')).toEqual([]);
  });

  test('expires, and another one can be asked for', async () => {
    const fatima = world.customer();
    await fatima.walks(isSentACode).after(10 * 60_000);
    await fatima.entersCodeFromSms().enters(NEW);
    await fatima.enters(NEW).sees('pin-reset.askCode').isTold('problem.90004');
    await fatima.chooses('resend').isTold('pin-reset.sent').entersCodeFromSms().enters(NEW);
    await fatima.enters(NEW).sees('menu.choose').isTold('pin-reset.resetUntil');
  });

  test('is sent a limited number of times in an hour, and the last one still counts', async () => {
    const fatima = world.customer();
    await fatima.walks(isSentACode);
    for (let i = 1; i < RESET_CODES_MAX; i++) await fatima.chooses('resend').isTold('pin-reset.sent');
    await fatima.chooses('resend').sees('pin-reset.askCode').isTold('pin-reset.tooMany');
    expect(fatima.reply().screen.choices).toEqual([]);
    await fatima.goes('menu').chooses('account').chooses('pin-reset').chooses('send');
    await fatima.sees('pin-reset.askCode').isTold('pin-reset.tooMany');
    expect(world.wallet.calls(fatima.phone, 'resendOtp')).toHaveLength(RESET_CODES_MAX);
    await fatima.walks(resets);
    await world.passes(3_600_000);
    await fatima.dials().chooses('account').chooses('pin-reset').chooses('send').isTold('pin-reset.sent');
  });

  test.each([
    ['is perhaps sent, when the answer is lost', LOST, 'pin-reset.askCode', 'pin-reset.maybeSent'],
    ['is not sent', UNSENT, 'pin-reset.explain', 'problem.unavailable'],
    ['is refused for a while', refused('20008'), 'pin-reset.refused', 'pin-reset.tooMany'],
    ['is refused to a locked wallet', refused('90006'), 'pin-reset.refused', 'problem.90006'],
    ['is refused in the wallet’s own words', refused('47110'), 'pin-reset.refused', 'problem.other'],
  ] as const)('%s', async (_, instead, screen, told) => {
    const fatima = world.customer();
    await fatima.walks(begins);
    world.wallet.next('resendOtp', instead);
    await fatima.chooses('send').sees(screen).isTold(told).goes('menu').sees('menu.choose');
  });
});

describe('guessing the code, over all channels', () => {
  const world = theWorld({ settings: { otpTriesMax: 20 } });

  test('is limited in an hour', async () => {
    const ussd = world.customer();
    const chat = world.chatOf(ussd);
    await ussd.walks(isSentACode);
    await chat.isAtMenu().chooses('account').chooses('pin-reset').chooses('send');
    for (const each of [chat, ussd]) await each.says('000-001').enters(NEW).enters(NEW);
    for (let i = 2; i < RESET_TRIES_MAX; i++) {
      await (i % 2 ? ussd : chat).says('000-001').sees('pin-reset.askCode').isTold('problem.90003');
    }
    for (const each of [ussd, chat]) {
      await each.says('000-001').sees('pin-reset.refused').isTold('pin-reset.tooMany');
    }
    expect(world.wallet.calls(ussd.phone, 'resetPin')).toHaveLength(RESET_TRIES_MAX);
  });
});

describe('the new PIN of a reset', () => {
  test('two that differ are asked again, and nothing was sent', async () => {
    const fatima = world.customer();
    await fatima.walks(typesHalf).enters('5938').sees('pin.askNew').isTold('pin.differ');
    expect(world.wallet.calls(fatima.phone, 'resetPin')).toEqual([]);
    await fatima.enters(NEW).enters(NEW).sees('menu.choose').isTold('pin-reset.resetUntil');
  });

  test.each([
    ['before it is chosen', typesTheCode],
    ['before it is repeated', typesHalf],
  ])('a customer who waits two minutes %s types the code again', async (_, path) => {
    const fatima = world.customer();
    await fatima.walks(path).after(120_000);
    await fatima.opens().sees('pin-reset.askCode').isTold('problem.expired');
    expect(JSON.stringify(await world.session(fatima))).not.toMatch(SEALED);
    await fatima.walks(resets);
  });

  test('a code that has expired meanwhile is asked for again', async () => {
    const fatima = world.customer();
    await fatima.walks(typesTheCode).after(80_000);
    await fatima.enters(NEW).after(80_000);
    await fatima.enters(NEW).sees('pin-reset.askCode').isTold('problem.expired');
    expect(world.wallet.calls(fatima.phone, 'resetPin')).toEqual([]);
  });

  test.each([
    ['was not made', LOST, PIN],
    ['was made', loses, NEW],
  ] as const)('a lost answer is told as lost: the reset %s', async (_, instead, pin) => {
    const fatima = world.customer();
    await fatima.walks(typesHalf);
    world.wallet.next('resetPin', instead);
    await fatima.enters(NEW).sees('menu.choose').isTold('pin-reset.notKnown');
    await fatima.walks(reads(pin, 'balance.shown'));
    expect(world.wallet.calls(fatima.phone, 'resetPin')).toHaveLength(1);
  });

  test.each([
    ['was never sent', UNSENT, 'pin-reset.askCode', 'problem.unavailable'],
    ['does not take it', refused('26005'), 'pin-reset.askCode', 'problem.26005'],
    ['says no in its own words', refused('47110'), 'pin-reset.askCode', 'problem.other'],
    ['takes no more codes', refused('20008'), 'pin-reset.refused', 'pin-reset.tooMany'],
    ['is locked for good', refused('90006'), 'pin-reset.refused', 'problem.90006'],
    ['is gone', refused('20005'), 'pin-reset.refused', 'problem.20005'],
  ] as const)('the wallet %s', async (_, instead, screen, told) => {
    const fatima = world.customer();
    await fatima.walks(typesHalf);
    world.wallet.next('resetPin', instead);
    await fatima.enters(NEW).sees(screen).isTold(told);
    expect(JSON.stringify(await world.session(fatima))).not.toMatch(SEALED);
  });

  test('earlier wrong PINs count no more', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('balance');
    for (let i = 0; i < 3; i++) await fatima.enters('4321');
    await fatima.sees('pin.locked').isToldNothing();
    expect(pageOf(world.renderer, fatima.reply())).toMatchObject({ pages: 1, choices: 1 });
    await fatima.goes('menu').chooses('pin-reset').chooses('send');
    await fatima.entersCodeFromSms().enters(NEW).enters(NEW).sees('menu.choose').chooses('balance');
    await fatima.enters('4321').enters('4321').isTold('pin.lastTry').enters(NEW).sees('balance.shown');
  });

  test.each(LANGUAGES)(
    'is one answer away on the page that says of the third wrong PIN, in %s',
    async (language) => {
      const fatima = world.customer({ language });
      await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
      for (let i = 0; i < 3; i++) await fatima.enters('4321');
      await fatima.sees('transfer.notSent').isTold('pin.locked');
      const page = pageOf(world.renderer, fatima.reply());
      expect(page).toMatchObject({ pages: 1, choices: 1 });
      expect(page.text).toMatch(/100.*0655000000/);
      await fatima.says('1').sees('pin-reset.explain');
    },
  );

  test('back leads from each step to the one before', async () => {
    const fatima = world.customer();
    await fatima.walks(typesHalf).goes('back').sees('pin.askNew').goes('back').sees('pin-reset.askCode');
    await fatima.goes('back').sees('pin-reset.explain').goes('back').sees('account.choose');
  });

  test.each([
    ['at the code', isSentACode],
    ['at the new PIN', typesTheCode],
    ['at its repetition', typesHalf],
  ])('a redial %s goes on at the code', async (_, path) => {
    const fatima = world.customer();
    await fatima.walks(path).dials().sees('pin-reset.resume').chooses('continue').sees('pin-reset.askCode');
    expect(JSON.stringify(await world.session(fatima))).not.toMatch(SEALED);
    await fatima.walks(resets);
  });
});
