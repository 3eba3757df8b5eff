import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundled, SHORT_LIVED } from '../kit/bundled.ts';
import { type PostgresServer, startPostgres } from '../kit/postgres-server.ts';
import { type RedisServer, startRedis } from '../kit/redis-server.ts';
import {
  DEEDS,
  PARTITIONS_USED,
  PAYMENTS_EACH,
  type Recorded,
  type RecordingOptions,
  TURNS_EACH,
  TURNS_WITH_NEWS,
} from './records-history.ts';
import { report } from './town/oracle.ts';

const program = await bundled(join(import.meta.dirname, 'records-process.ts'));
/** The long form dies at every moment, the short one at those between which something is written. */
const LONG = process.env.LONG === '1';
/** `PART=2/10` plays every tenth moment of the long form, from the second one on. */
const [PART = 1, PARTS = 1] = (process.env.PART ?? '1/1').split('/').map(Number);
if (LONG) vi.setConfig({ testTimeout: 60 * 60_000 });
const DEATHS = [
  'before records.record',
  'statement INSERT #2',
  'statement COMMIT #2',
  'after records.record #2',
  'after store.recorded #2',
  'before store.commit #2',
  'after store.commit #3',
  'before records.setLook #2',
  // An account that was changed in SQL, and not in its copy yet.
  'before settings.change',
  'after settings.change',
  'after settings.change #3',
  // The entry of a deed is in the outbox, and not in the chain yet.
  'before audit.add',
  'after audit.add',
];

const TURNS = PARTITIONS_USED.map(() => Array.from({ length: TURNS_EACH }, (_, i) => i));
const PAYMENTS = Array.from({ length: PARTITIONS_USED.length * PAYMENTS_EACH }, () => [false, true, false]);

const CASES = PARTITIONS_USED.map(() =>
  TURNS_WITH_NEWS.map((i, n) => `${n === 0 ? 'opened' : 'askedAgain'} ${i}`),
);

describe.each(['sqlite', 'redis and postgres'] as const)('T13: the recorder dies, on %s', (kind) => {
  const directory = mkdtempSync(join(tmpdir(), 'wasl-recording-'));
  let redis: RedisServer | undefined;
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    if (kind === 'sqlite') return;
    redis = await startRedis();
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await redis?.stop();
    await postgres?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Plays a history in a process of its own. Only its finished deeds on accounts are known where it has died. */
  async function play(
    how: Omit<RecordingOptions, 'place'>,
  ): Promise<{ readonly done: readonly string[]; readonly recorded?: Recorded }> {
    const place = redis && postgres ? { redis: redis.url, postgres: postgres.url } : { directory };
    const argument = JSON.stringify({ place, ...how } satisfies RecordingOptions);
    const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'wasl-compile-cache') };
    const child = spawn(process.execPath, [...SHORT_LIVED, program, argument], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the recorder ended by ${signal ?? code}`);
    const lines = output.trim().split('\n').filter(Boolean);
    return signal === 'SIGKILL'
      ? { done: lines }
      : { done: lines.slice(0, -1), recorded: JSON.parse(lines.at(-1) ?? '') };
  }

  test('at any moment: no turn, payment, update of a case or entry of the audit is lost or recorded twice', async () => {
    // The first one makes tables as well.
    await play({ history: 0 });
    const { recorded: first } = await play({ history: 1 });
    expect(first).toMatchObject({ turns: TURNS, payments: PAYMENTS, cases: CASES });
    expect(first).toMatchObject({ deeds: DEEDS, audited: DEEDS, isAuditWhole: true });
    const moments = first?.trace.length ?? 0;
    expect(moments).toBeGreaterThan(40);
    const every = Array.from({ length: moments }, (_, i) => `anything #${i + 1}`);
    const points = LONG ? every.filter((_, i) => i % PARTS === PART - 1) : DEATHS;
    const wrong: object[] = [];
    for (const [i, point] of points.entries()) {
      const history = 2 * i + 2;
      const { done, recorded } = await play({ history, point });
      expect(recorded, point).toBeUndefined();
      const { recorded: found } = await play({ history: history + 1, unfinished: history });
      const isWhole = isDeepStrictEqual(
        [found?.turns, found?.payments, found?.cases],
        [TURNS, PAYMENTS, CASES],
      );
      // One more may be done, of which nobody has been told.
      const deeds = found?.deeds ?? [];
      const areDeedsKept =
        found?.deeds !== undefined &&
        isDeepStrictEqual(deeds, DEEDS.slice(0, deeds.length)) &&
        [done.length, done.length + 1].includes(deeds.length);
      // An entry is before its deed: of a process that died in between, one deed more is in the audit.
      const entries = found?.audited ?? [];
      const areAudited =
        found?.isAuditWhole === true &&
        isDeepStrictEqual(entries, DEEDS.slice(0, entries.length)) &&
        [deeds.length, deeds.length + 1].includes(entries.length);
      if (!isWhole || !areDeedsKept || !areAudited) wrong.push({ point, done, found });
    }
    report(`T13, ${kind}`, { moments, deaths: points.length, wrong: wrong.length });
    expect(wrong).toEqual([]);
  });
});
