import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RedisPair, startRedisPair } from '../kit/redis-server.ts';
import { type Customer, createWorld, RECIPIENT, type World } from '../kit/world.ts';

describe('payments whose commit must be on a replica', () => {
  let pair: RedisPair;
  let world: World;
  beforeAll(async () => {
    pair = await startRedisPair();
    world = await createWorld({ store: { url: pair.primary.url, replicasMin: 1 } });
  });
  afterAll(async () => {
    process.kill(pair.replica.pid, 'SIGCONT');
    await world.close();
    await pair.stop();
  });
  const atPin = () => world.customer().isAtMenu().chooses('transfer').says(RECIPIENT).says('100');
  const sent = ({ phone }: Customer) => world.wallet.calls(phone, 'transfer').length;

  test('are sent while there is one', async () => {
    const fatima = atPin();
    await fatima.enters().sees('transfer.processing');
    expect(sent(fatima)).toBe(1);
  });

  test('are not sent while it hangs, and only the payer reads so', async () => {
    const [first, second, third] = [atPin(), atPin(), atPin()];
    for (const customer of [first, second, third]) await customer.sees('transfer.askPinOpenLoop');
    process.kill(pair.replica.pid, 'SIGSTOP');
    // The first customer finds out that it is missing. The next ones are told at once.
    const waits = first.enters().sees('transfer.notSent').isTold('problem.unavailable');
    await third.goes('menu').sees('menu.choose').chooses('balance').enters().sees('balance.shown');
    await waits;
    await second.enters().sees('transfer.notSent').isTold('problem.unavailable');
    for (const customer of [first, second]) {
      expect(sent(customer)).toBe(0);
      await customer.dials().sees('menu.choose');
      // Nothing is open. The first answer is repeated, as it may have been lost.
      const told = customer.reply().missed.map(({ screen }) => screen.key);
      expect(told).toEqual(customer === first ? ['transfer.notSentAt'] : []);
      expect((await world.session(customer)).underway).toBeUndefined();
    }
  });

  test('are called impossible before the first question, while it is known to be missing', async () => {
    expect(world.store.lacksReplicas()).toBe(true);
    const fatima = world.customer().isAtMenu();
    await fatima.chooses('transfer').sees('transfer.askRecipient').isTold('pay.notNow');
    await fatima.goes('menu').chooses('balance').sees('balance.askPin').isToldNothing();
  });

  test('are sent again when it is back', async () => {
    process.kill(pair.replica.pid, 'SIGCONT');
    const tries = async () => {
      const fatima = atPin();
      await fatima.enters();
      return sent(fatima);
    };
    await expect.poll(tries, { interval: 100 }).toBe(1);
    expect(world.store.lacksReplicas()).toBe(false);
    expect(world.errors).toEqual([]);
  });
});
