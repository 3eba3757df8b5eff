import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis } from '../kit/redis-server.ts';
import { createTown, untilTheEnd } from './failover-town.ts';
import { heardBy } from './town/listener.ts';
import { faultsOf, judge, report } from './town/oracle.ts';
import type { Payer } from './town/payer.ts';
import { randomOf } from './town/random.ts';

const LONG = process.env.LONG === '1';
const SEED = Number(process.env.SEED ?? 1);
const CUTS = LONG ? 500 : 50;
/** Of so many cuts, one comes together with a wallet whose list lags: the documented residue, counted apart. */
const LAGS_EVERY = 5;
const PAYERS = 6;
const LIES_SHOWN = 10;
const AOF = ['--appendonly', 'yes', '--appendfsync', 'always', '--auto-aof-rewrite-percentage', '0'];
const FILE = 'appendonlydir/appendonly.aof.1.incr.aof';

/** The files of a Wasl that six customers had just paid with. */
interface Left {
  readonly directory: string;
  readonly bytes: number;
  readonly aheadMs: number;
  readonly orders: readonly Pick<Payer, 'phone' | 'errand'>[];
}

const home = mkdtempSync(join(tmpdir(), 'wasl-cut-'));
const random = randomOf(SEED);
const figures = {
  cuts: 0,
  histories: 0,
  executions: 0,
  forgotten: 0,
  warnings: 0,
  'double payments': 0,
  'lost outcomes': 0,
  texts: 0,
  false: 0,
  'false after a loss': 0,
};
const lies: string[] = [];
const residue = { cuts: 0, 'double payments': 0 };
let left: Left;

beforeAll(async () => {
  left = await work();
});
afterAll(() => {
  report('T2', {
    ...figures,
    residue: `${residue['double payments']} in ${residue.cuts} cuts with a list that lagged`,
    seed: SEED,
  });
  rmSync(home, { recursive: true, force: true });
});

test.each(Array.from({ length: CUTS }, (_, i) => i))('cut %i of the append-only file', async (i) => {
  // The first keeps everything, the second nothing.
  const offset = i === 0 ? left.bytes : i === 1 ? 0 : random.between(0, left.bytes);
  const lags = i % LAGS_EVERY === LAGS_EVERY - 1;
  const { verdict, warnings, heard } = await restart(offset, lags, random.chance(1 / 2));
  const where = `seed ${SEED}, ${offset} of ${left.bytes} bytes, ${lags ? 'the list lags' : 'the list is right'}`;
  expect(verdict.lostOutcomes, where).toEqual([]);
  expect(verdict.ledgerFaults, where).toEqual([]);
  if (offset === left.bytes) expect(faultsOf(verdict), where).toEqual([]);
  figures.histories += PAYERS;
  figures.texts += heard.texts;
  figures.false += heard.lies.length;
  figures['false after a loss'] += heard.afterLoss;
  lies.push(...heard.lies.map((lie) => `${where}: ${lie}`));
  figures['lost outcomes'] += verdict.lostOutcomes.length;
  if (lags) {
    residue.cuts++;
    residue['double payments'] += verdict.doublePayments;
    return;
  }
  figures.cuts++;
  figures.executions += verdict.executions.length;
  figures.forgotten += verdict.forgotten.length;
  figures.warnings += warnings;
  figures['double payments'] += verdict.doublePayments;
  expect(verdict.doublePayments, where).toBe(0);
});

test('the store forgot payments, and a lagging list hid them', () => {
  expect(figures.forgotten).toBeGreaterThan(0);
  expect(residue['double payments']).toBeGreaterThan(0);
});

test('T10: customers read nothing false, apart from payments that the store has forgotten', () => {
  expect(figures.texts).toBeGreaterThan(figures.histories);
  expect(lies.slice(0, LIES_SHOWN)).toEqual([]);
});

/** Six customers pay, some of them at the same time. Then everything ends at once. */
async function work(): Promise<Left> {
  const directory = join(home, 'left');
  mkdirSync(directory);
  const redis = await startRedis({ args: ['--dir', directory, ...AOF] });
  const town = await createTown({ file: join(directory, 'sandbox.db') });
  const wasl = await town.opens(redis.url, random);
  const payers = town.payers(PAYERS, wasl.receive);
  for (let i = 0; i < PAYERS; i += 3) {
    await Promise.all(payers.slice(i, i + 3).map((payer) => payer.pays()));
    await wasl.passes(2_000);
  }
  await wasl.passes(5_000);
  await wasl.close();
  await redis.kill();
  const { aheadMs } = town.clock;
  await town.close();
  const orders = payers.map(({ phone, errand }) => ({ phone, errand }));
  return { directory, bytes: statSync(join(directory, FILE)).size, aheadMs, orders };
}

/** A Redis comes up with the first `offset` bytes of what it had, and everybody pays the same again. */
async function restart(offset: number, lags: boolean, repeatsPin: boolean) {
  const directory = mkdtempSync(join(home, 'cut-'));
  cpSync(left.directory, directory, { recursive: true });
  truncateSync(join(directory, FILE), offset);
  const redis = await startRedis({ args: ['--dir', directory, ...AOF, '--aof-load-truncated', 'yes'] });
  const town = await createTown({ file: join(directory, 'sandbox.db'), aheadMs: left.aheadMs });
  town.list.lags = lags;
  const wasl = await town.opens(redis.url, random);
  const payers = town.payers(left.orders, wasl.receive);
  for (const payer of payers) {
    if (repeatsPin) await payer.typesPinAgain();
    await payer.pays();
  }
  await untilTheEnd(town, wasl, payers);
  const wallets = payers.map(({ phone }) => phone);
  const verdict = await judge({ ...town, store: wasl.store, wallets });
  const heard = heardBy(town.listener, verdict, wallets);
  const warnings = payers.filter(({ seen }) => seen.includes('transfer.confirmAgain')).length;
  await wasl.close();
  await town.close();
  await redis.kill();
  rmSync(directory, { recursive: true, force: true });
  return { verdict, warnings, heard };
}
