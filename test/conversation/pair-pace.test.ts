import { beforeEach, describe, expect, test } from 'vitest';
import type { Address, Push } from '../../src/conversation/incoming.ts';
import { newSession, pairWaitMs, withOneMore } from '../../src/conversation/session/session.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, STORES, theWorld } from '../kit/world.ts';

const EVERY_MS = 6_000;
const BURST = 8;
addTestChannel('paired', { pairPace: { everyMs: EVERY_MS, burst: BURST } });
const AT = Date.UTC(2026, 10, 30);
const PAIRED: Address = 'paired:x' as Address;

/** The session of a person who was just sent so many messages. */
const sent = (count: number, address = PAIRED, at = AT) =>
  Array.from({ length: count }).reduce<ReturnType<typeof newSession>>(
    (session) => withOneMore(session, address, at),
    newSession(at),
  );

test.each([
  ['nothing was sent', 0, 0, 0],
  ['a burst less one', BURST - 1, 0, 0],
  ['a burst', BURST, 0, EVERY_MS],
  ['a burst, a moment ago', BURST, EVERY_MS - 1, 1],
  ['a burst, one pace ago', BURST, EVERY_MS, 0],
  ['twice a burst', 2 * BURST, 0, BURST * EVERY_MS],
  ['a hundred quick answers: nobody is silenced for longer than a burst takes', 100, 0, BURST * EVERY_MS],
])('after %s', (_, count, laterMs, waitMs) => {
  expect(pairWaitMs(sent(count), PAIRED, AT + laterMs)).toBe(waitMs);
});

test('a clock that was an hour ahead silences nobody for longer either', () =>
  expect(pairWaitMs(sent(1, PAIRED, AT + 3_600_000), PAIRED, AT)).toBe(BURST * EVERY_MS));

test('a channel without such a limit counts nothing', () =>
  expect(sent(100, 'telegram:42')).toEqual(newSession(AT)));

describe.each(STORES)('messages to one person, on %s', (store) => {
  const handed: Address[] = [];
  const world = theWorld({
    store,
    deliver: async (address: Address, _: Push) => {
      handed.push(address);
      return { status: 'delivered' };
    },
  });
  let chat: Customer;
  const got = () => handed.filter((address) => address === chat.address).length;
  const getsMoney = async () => {
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(chat.phone).says('20').enters();
    await world.rests();
  };
  beforeEach(async () => {
    handed.length = 0;
    chat = inTestChannel(world, world.customer(), 'paired');
    await chat.isAtMenu();
  });

  test('replies count, and a message behind a burst of them waits, also for a process that has just begun', async () => {
    for (let i = 0; i < BURST; i++) await chat.goes('menu').sees('menu.choose');
    await world.restarts();
    await getsMoney();
    expect(got()).toBe(0);
    await world.passes(BURST * EVERY_MS);
    await expect.poll(got).toBe(1);
  });

  test('a message far under the limit goes at once', async () => {
    await world.passes(BURST * EVERY_MS);
    await getsMoney();
    await expect.poll(got).toBe(1);
  });
});
