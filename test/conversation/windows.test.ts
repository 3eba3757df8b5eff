import { beforeEach, describe, expect, test } from 'vitest';
import { canPush } from '../../src/conversation/channel.ts';
import type { Address, Push } from '../../src/conversation/incoming.ts';
import { addTestChannel, inTestChannel } from '../kit/test-channel.ts';
import { type Customer, DAY_MS, HOUR_MS, theWorld } from '../kit/world.ts';

const AGENT = { id: 'a', name: 'Amina' };
addTestChannel('daily');
addTestChannel('brief', { pushes: { withinMs: 10 * 60_000 } });

test.each([
  ['ussd:+212600000001', 0, false],
  ['web:x', 0, true],
  ['telegram:42', 400 * DAY_MS, true],
  ['daily:x', 0, true],
  ['daily:x', DAY_MS - 1, true],
  ['daily:x', DAY_MS, false],
] as const)('%s, %i ms after the last message, pushes: %s', (at, ms, pushes) => {
  const address = at as Address;
  const now = 1_000 * DAY_MS;
  expect(canPush(address, { heard: now - ms }, now)).toBe(pushes);
});

test('a chat with a window that has heard nothing yet is closed', () => {
  expect(canPush('daily:x' as Address, {}, 1_000 * DAY_MS)).toBe(false);
});

describe('in a chat that takes messages for a day after the last one of its customer', () => {
  const handed: (readonly [Address, string])[] = [];
  const world = theWorld({
    deliver: async (address: Address, push: Push) => {
      if (push.isClosed) return 'held';
      handed.push([address, push.screen.key]);
      return { status: 'delivered' };
    },
  });
  const to = (chat: Customer) => handed.filter(([address]) => address === chat.address).map(([, key]) => key);
  const getsMoney = async (chat: Customer) => {
    const sender = world.customer();
    await sender.isAtMenu();
    await sender.chooses('transfer').says(chat.phone).says('20').enters();
    await world.rests();
  };
  let chat: Customer;
  beforeEach(async () => {
    handed.length = 0;
    chat = inTestChannel(world, world.customer(), 'daily');
    await chat.isAtMenu();
  });

  test('money received within the day is told at once', async () => {
    await world.passes(23 * HOUR_MS);
    await getsMoney(chat);
    await expect.poll(() => to(chat)).toEqual(['received.from']);
  });

  test('money received later waits, is not tried again and again, and is told once when the customer writes', async () => {
    await world.passes(25 * HOUR_MS);
    await getsMoney(chat);
    await world.passes(2 * HOUR_MS);
    expect(to(chat)).toEqual([]);
    await chat.goes('menu');
    await world.rests();
    expect(to(chat)).toEqual(['received.from']);
    await chat.goes('menu');
    await world.rests();
    expect(to(chat)).toEqual(['received.from']);
  });

  test('an input that Wasl itself caused opens no window: an agent who steps in waits as well', async () => {
    await world.passes(25 * HOUR_MS);
    const { desk } = world.engine;
    expect((await world.engine.desk.session(chat.address))?.canPush).toBe(false);
    await desk.takeOver(chat.address, AGENT);
    await desk.write(chat.address, AGENT, 'Bonjour');
    await world.rests();
    expect(to(chat)).toEqual([]);
    expect((await world.engine.desk.session(chat.address))?.canPush).toBe(false);
    await chat.says('oui ?');
    await world.rests();
    expect(to(chat).length).toBeGreaterThan(0);
    expect((await world.engine.desk.session(chat.address))?.canPush).toBe(true);
  });

  test('a screen that cannot be shown takes no answer: what is typed next shows it first', async () => {
    const brief = inTestChannel(world, world.customer(), 'brief');
    await brief.isAtMenu();
    await brief.chooses('transfer').sees('transfer.askRecipient');
    await world.passes(11 * 60_000);
    expect(await world.engine.desk.toMenu(brief.address, AGENT)).toBe('done');
    await brief.says('1').sees('menu.choose');
  });
});
