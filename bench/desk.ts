import { Hono } from 'hono';
import type { CaseKind } from '../src/conversation/cases/case.ts';
import { createEngine } from '../src/conversation/engine.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import { createArchive } from '../src/records/archive.ts';
import { createNames } from '../src/records/names.ts';
import { openPostgresRecords } from '../src/records/postgres.ts';
import { createRecorder } from '../src/records/recorder.ts';
import { createRenderer } from '../src/screen/renderer.ts';
import { openRedisStore } from '../src/store/redis.ts';
import { pages } from '../src/support/pages/routes.ts';
import { ASKS_FROM_500 } from '../test/kit/first-payments.ts';
import { startPostgres } from '../test/kit/postgres-server.ts';
import { startRedis } from '../test/kit/redis-server.ts';
import { asAgent, NO_WEBHOOKS } from './console.ts';
import { measure, quantile } from './measure.ts';
import { bareCopy, fillEvents, fillNames, nameOf, numberOf, requestOf, SETTINGS } from './records.ts';
import { instantWallet, walletOf } from './transfers.ts';

const SECRETS = createSecrets('a secrets key for the bench, 32 characters');
const LOOKS = 50;
/** Before them, so that the page's code is compiled, as in a process that runs. */
const FIRST_LOOKS = 30;
/** Pages are compared with how they are among so few. */
const FEW = 10_000;
const DIALS_AT_ONCE = 32;
/** As many as the inbox lists: a large desk, where each answered one waits for a day. */
const CASES = 10_000;
const OPENED_AT_ONCE = 32;
const KINDS: readonly CaseKind[] = ['asked', 'stuck', 'payment', 'webhook'];

/**
 * The console's own pages among many sessions and events, in one process with Redis and PostgreSQL beside it. Aims: a search among
 * 10 million events in under 300 ms, and each page among a million sessions as fast as among ten thousand.
 * @param size how many sessions there are @param events absent: as many
 */
export async function benchDesk(size: number, events = size): Promise<readonly object[]> {
  const [redis, postgres] = [await startRedis(), await startPostgres(SETTINGS)];
  const store = await openRedisStore({ url: redis.url, recorded: true });
  const records = openPostgresRecords(postgres.url);
  try {
    await records.isWell();
    await timed(`${events} events are made`, () => fillEvents(postgres.url, events));
    await timed(`${size} names are made`, () =>
      fillNames(postgres.url, size, (word) => SECRETS.digest(`name ${word}`)),
    );
    const rows: object[] = [];
    let there = 0;
    for (const count of new Set([Math.min(FEW, size), size])) {
      const desk = openDesk(store, records);
      await timed(`${count} sessions are made`, () => desk.fills(there, count));
      // As where it is run: streams have the last turns, and the records all.
      const recorder = createRecorder({ store, records, turnsMax: 1e9, onProgress() {}, now: Date.now });
      await timed('they are recorded', () => recorder.drain());
      there = count;
      await desk.opens();
      rows.push(...(await desk.looks(count, events)));
      await desk.close();
    }
    return [...rows, await bareCopy(postgres.url, events)];
  } finally {
    await records.close();
    await store.close();
    await Promise.all([redis.stop(), postgres.stop()]);
  }
}

/** Says on the side how long the making takes, which is no part of what is measured. */
async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.error(`${what}: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

/** An engine with its customers, and the console's pages before it. */
function openDesk(
  store: Awaited<ReturnType<typeof openRedisStore>>,
  records: ReturnType<typeof openPostgresRecords>,
) {
  const secrets = SECRETS;
  const engine = createEngine({
    served: { safety: ASKS_FROM_500 },
    store,
    // The wallet's own answer is not what is measured.
    api: { ...instantWallet(new Map()), profile: async () => ({ kind: 'unknown', why: 'timeout' }) },
    secrets,
    sendCode: async () => 'none',
    deliver: async () => 'held',
    alone: false,
    archive: createArchive(records),
    caseTable: records.cases,
  });
  const shown = pages({
    desk: engine.desk,
    store,
    records,
    secrets,
    renderer: createRenderer(),
    audit: { append: async () => {}, part: (work) => work(), during: (_, work) => work() },
    names: createNames({ records, secrets, now: Date.now }),
    webhooks: NO_WEBHOOKS,
    isStillIn: async () => true,
    agents: async () => [],
    refusesApproval: async () => undefined,
    log: { say: () => {} },
    now: Date.now,
  });
  const app = new Hono().use(asAgent).route('/', shown.routes);
  let searches = 0;
  const looked = async (path: string, q?: string) => {
    // A new agent for each search: nobody may make as many in an hour as are measured.
    const headers = { 'x-agent': q === undefined ? '1' : `${process.pid}-${searches++}` };
    const asked = q === undefined ? {} : { method: 'POST', body: new URLSearchParams({ q }) };
    const answer = await app.request(path, { ...asked, headers });
    const to = answer.headers.get('location')?.replace(/^\/support/, '');
    const page = to === undefined ? answer : await app.request(to, { headers });
    if (page.status !== 200 || to?.includes('said='))
      throw new Error(`${path} ${q ?? ''} answers ${page.status}`);
    await page.text();
  };
  return {
    looked,
    /** Customers dial, one after the other. */
    async fills(from: number, to: number): Promise<void> {
      await measure(to - from, DIALS_AT_ONCE, 1, async (i) => {
        const address = `ussd:${walletOf(from + i)}` as const;
        await engine.receive({ address, id: `desk-${from + i}`, dialog: 'desk', inputs: [] }, 10_000);
      });
    },
    /** Cases of every kind, about customers and about what has no customer: an inbox on a bad day. */
    async opens(): Promise<void> {
      await measure(CASES, OPENED_AT_ONCE, 1, async (i) => {
        const [kind, wallet] = [KINDS[i % KINDS.length] ?? 'asked', walletOf(i)];
        const address = `ussd:${wallet}` as const;
        const whose = { address, wallet, language: 'fr', about: 'transfer.askingAmount' } as const;
        const subject = kind === 'payment' || kind === 'webhook' ? requestOf(i) : address;
        await engine.desk.cases.open({ kind, subject, ...(kind !== 'webhook' && whose) });
      });
    },
    async looks(sessions: number, events: number): Promise<object[]> {
      const PAGES: readonly (readonly [page: string, look: (i: number) => Promise<void>])[] = [
        ['live list', () => looked('/')],
        ['inbox', () => looked('/inbox?show=all')],
        ['inbox, by how long they wait', () => looked('/inbox?show=unassigned&sort=waiting')],
        ['inbox, by owner, its page 50', () => looked('/inbox?show=all&sort=owner&page=50')],
        ['number beside the inbox', () => looked('/inbox/news')],
        ['inbox, its last page', () => looked('/inbox?show=all&page=100')],
        ['today', () => looked('/today')],
        ['figures', () => looked('/figures')],
        ['search of a number, and its page', (i) => looked('/search', numberOf((i * 37) % (events / 20)))],
        ['search of a request', (i) => looked('/search', requestOf((i * 37) % events))],
        [
          'search of a whole name, shared by many',
          (i) => looked('/search', nameOf((i * 37) % (events / 20)).join(' ')),
        ],
        ['search of the commonest first name', () => looked('/search', nameOf(0)[0])],
        ['page of who is there now', (i) => looked('/search', walletOf((i * 37) % sessions))],
      ];
      // The board is made of the day's turns once, when the first agent comes.
      await looked('/');
      const rows: object[] = [];
      for (const [page, look] of PAGES) {
        await measure(FIRST_LOOKS, 1, 1, look);
        const { us, cpuUs } = await measure(LOOKS, 1, 1, async (i, took) => {
          const startedAt = performance.now();
          await look(i);
          took((performance.now() - startedAt) * 1_000);
        });
        const at = (share: number) => Math.round(quantile(us, share) / 100) / 10;
        rows.push({
          page,
          sessions,
          events,
          p50Ms: at(0.5),
          p99Ms: at(0.99),
          cpuMs: Math.round(cpuUs / LOOKS / 100) / 10,
        });
      }
      return rows;
    },
    async close(): Promise<void> {
      await shown.close();
      await engine.close();
    },
  };
}
