import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import { type RedisCluster, redisClient, startRedisCluster } from '../kit/redis-server.ts';
import { createWorld, type World } from '../kit/world.ts';

/** A cluster refuses a commit that touches two partitions (CROSSSLOT), even if our own checks missed it. */
describe('on a Redis Cluster of three nodes', () => {
  let cluster: RedisCluster;
  let world: World;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    world = await createWorld({ store: { url: cluster.url } });
  });
  afterAll(async () => {
    await world?.close();
    await cluster?.stop();
  });

  test.each(LANGUAGES)('a wallet is opened, linked, paid from and paid to, in %s', async (language) => {
    const salma = world.stranger({ channel: 'web', language });
    await salma.arrives().chooses('agree').says('Salma').says('Idrissi').says('AB123456');
    await salma.chooses('confirm').entersCodeFromSms().enters().enters().sees('onboarding.opened');
    const fatima = world.customer({ language });
    const tablet = world.chatOf(fatima, language);
    await tablet.isAtMenu();
    await fatima.isAtMenu().chooses('transfer').says(salma.phone).says('100');
    await fatima.enters('4321').isTold('pin.wrongWithTries').enters().sees('transfer.processing');
    await salma.after(1_500).hears('received.from', { amount: 10_000, from: fatima.phone });
    await fatima.dials().sees('menu.choose').isTold('transfer.done');
    await tablet.chooses('balance').enters().sees('balance.shown', { balance: 40_000 });
    expect(world.errors).toEqual([]);
  });

  test('it goes on after the process was killed', async () => {
    const fatima = world.customer();
    await fatima.isAtMenu().chooses('transfer').says('0655000000').says('100');
    await world.crashesDuring('transfer', fatima.enters());
    await world.passes(60_000);
    await world.again(fatima).dials().sees('menu.choose').isTold('transfer.notConfirmed');
    expect(world.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
  });

  test('every node holds some of the customers', async () => {
    for (let i = 0; i < 12; i++) await world.customer().isAtMenu();
    const keys = await Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const client = await redisClient(url).connect();
        const held = await client.keys('*session:*');
        client.destroy();
        return held.length;
      }),
    );
    expect(Math.min(...keys)).toBeGreaterThan(0);
  });
});
