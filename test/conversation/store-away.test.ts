import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { partitionOf } from '../../src/store/partition.ts';
import { REDIS_DEADLINE_MS } from '../../src/store/redis-connection.ts';
import { startMovingLine } from '../kit/moving-line.ts';
import { startRedisPair } from '../kit/redis-server.ts';
import { type FragileRedis, fragileRedis } from '../kit/store-faults.ts';
import { type Customer, createWorld, RECIPIENT, type World } from '../kit/world.ts';

/** Longer than a command waits for Redis, and shorter than a turn's deadline. */
const AWAY_MS = REDIS_DEADLINE_MS + 1_000;

let redis: FragileRedis;
let world: World;
beforeEach(async () => {
  redis = await fragileRedis();
  world = await createWorld({ store: redis.store });
});
afterEach(async () => {
  redis.goesOn();
  await world.close();
  await redis.close();
});

/** How many turns of a customer were committed. */
async function turnsOf({ phone }: Customer): Promise<number> {
  return (await world.store.turns(partitionOf(phone), 100)).length;
}

/** Redis stands still, and goes on while the customer still waits. */
async function standsStill(): Promise<void> {
  redis.stalls();
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  redis.goesOn();
}

test('a store that is away when a turn begins costs the customer some seconds, and no turn', async () => {
  const fatima = world.customer({ channel: 'ussd' });
  await fatima.isAtMenu();
  const away = standsStill();
  await fatima.chooses('transfer').sees('transfer.askRecipient');
  await away;
});

test('a store that is away when a turn is committed has it once', async () => {
  const fatima = world.customer({ channel: 'web' });
  await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).sees('transfer.askAmount');
  const before = await turnsOf(fatima);
  const preview = world.wallet.holds('previewTransfer');
  const turn = fatima.says('100').sees('transfer.askPinOpenLoop');
  await preview.reached;
  const away = standsStill();
  preview.go();
  await turn;
  await away;
  expect(await turnsOf(fatima)).toBe(before + 1);
  await fatima.enters().sees('transfer.processing');
});

test('the turn follows a Redis that fails over behind its address, even in the claim of a payment', async () => {
  const pair = await startRedisPair();
  const line = await startMovingLine(pair.primary.port);
  const own = await createWorld({ store: { url: `redis://127.0.0.1:${line.port}`, replicasMin: 1 } });
  onTestFinished(async () => {
    await own.close();
    line.close();
    await pair.stop();
  });
  const fatima = own.customer({ channel: 'ussd' });
  await fatima.isAtMenu().chooses('transfer').says(RECIPIENT).says('100').sees('transfer.askPinOpenLoop');
  await pair.swap();
  line.moves(pair.replica.port);
  await fatima.enters().sees('transfer.processing');
  expect(own.wallet.calls(fatima.phone, 'transfer')).toHaveLength(1);
});
