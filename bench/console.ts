import { setTimeout as sleep } from 'node:timers/promises';
import { Hono, type MiddlewareHandler } from 'hono';
import { createEngine } from '../src/conversation/engine.ts';
import type { Address } from '../src/conversation/incoming.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import type { Settings } from '../src/records/settings.ts';
import type { Renderer } from '../src/screen/renderer.ts';
import type { Store } from '../src/store/store.ts';
import type { Guarded } from '../src/support/access/guard.ts';
import type { PagesOptions } from '../src/support/pages/options.ts';
import { pages } from '../src/support/pages/routes.ts';
import type { StuckWebhooks } from '../src/support/queue.ts';
import { createSessionIds } from '../src/support/session-id.ts';
import { ASKS_FROM_500 } from '../test/kit/first-payments.ts';
import { never } from './measure.ts';
import { instantWallet, walletOf } from './transfers.ts';

/** So many sessions are watched, each on a page of its own, while their customers go on. */
const WATCHED = 200;
const TURNS = 2_000;
const TURNS_PER_SECOND = 50;
const AGENTS = 10;
const LANGUAGE = 'fr';

interface ConsoleFigures {
  readonly watched: number;
  readonly turnsPerSecond: number;
  /** From the answer to a customer's turn until the stream of whoever watches brings it. Aim: 300 ms. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** What is asked for by a supervisor: the guard has its tests. */
export const asAgent: MiddlewareHandler<Guarded> = async (c, next) => {
  const id = `agent${c.req.header('x-agent')}`;
  c.set('language', LANGUAGE);
  c.set('who', { id, name: id, role: 'supervisor', sessionId: id, csrf: id, language: LANGUAGE });
  await next();
};

/** No webhook waits for a person. */
const NO_SETTINGS: Settings = { of: async () => ({ version: 0, all: [] }), change: never };
/** Records without a row: these pages ask for no figures. */
export const NO_RECORDS = {
  records: { settings: NO_SETTINGS, isWell: async () => true } as PagesOptions['records'],
  names: { find: async () => [] },
};
export const NO_WEBHOOKS: StuckWebhooks = {
  stuck: async () => [],
  find: async () => undefined,
  content: async () => undefined,
  retry: async () => false,
  close: async () => false,
};

/** Agents watch sessions by the console's own pages and streams, in the process that also takes the customers' turns. */
export async function benchConsole(store: Store, renderer: Renderer): Promise<ConsoleFigures[]> {
  const secrets = createSecrets('a secrets key for the bench, 32 characters');
  const engine = createEngine({
    served: { safety: ASKS_FROM_500 },
    store,
    api: instantWallet(new Map()),
    secrets,
    sendCode: async () => 'none',
    deliver: async () => 'held',
    alone: false,
  });
  const shown = pages({
    desk: engine.desk,
    store,
    ...NO_RECORDS,
    secrets,
    renderer,
    audit: { append: async () => {}, part: (work) => work(), during: (_, work) => work() },
    webhooks: NO_WEBHOOKS,
    isStillIn: async () => true,
    agents: async () => [],
    refusesApproval: async () => undefined,
    log: { say: never },
    now: Date.now,
  });
  const app = new Hono().use(asAgent).route('/', shown.routes);
  const ids = createSessionIds(secrets);
  const addresses = Array.from({ length: WATCHED }, (_, n): Address => `ussd:${walletOf(8_000_000 + n)}`);
  let turn = 0;
  const turns = async (n: number, text: string) => {
    const address = addresses[n] ?? never();
    const inputs = text ? [{ type: 'said', text } as const] : [];
    await engine.receive({ address, id: `bench-${turn++}`, dialog: 'bench', inputs }, 10_000);
  };
  for (const n of addresses.keys()) {
    await turns(n, '');
    await turns(n, '1');
  }

  const news = new Map<number, () => void>();
  const watching = addresses.map((address, n) => watch(address, n));
  await sleep(3_000);
  const ms: number[] = [];
  const told: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < TURNS; i++) {
    const n = (i * 7) % WATCHED;
    const heard = new Promise<void>((resolve) => news.set(n, resolve));
    await turns(n, i % 2 === 0 ? '1' : '0');
    const answeredAt = performance.now();
    told.push(heard.then(() => void ms.push(performance.now() - answeredAt)));
    await sleep(Math.max(0, startedAt + (i * 1_000) / TURNS_PER_SECOND - performance.now()));
  }
  await Promise.all(told);
  const seconds = (performance.now() - startedAt) / 1_000;
  await shown.close();
  await Promise.all(watching);
  await engine.close();
  ms.sort((a, b) => a - b);
  const at = (share: number) => Math.round(ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0);
  return [
    {
      watched: WATCHED,
      turnsPerSecond: Math.round(TURNS / seconds),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
    },
  ];

  /** Opens a session's page and reads its stream: each piece that comes is news. */
  async function watch(address: Address, n: number): Promise<void> {
    const headers = { 'x-agent': String(n % AGENTS) };
    const path = `/sessions/${ids.idOf(address)}`;
    const page = await (await app.request(path, { headers })).text();
    const [, look = never()] = /live\?look=([\w-]+)/.exec(page) ?? [];
    const stream = await app.request(`${path}/live?look=${look}`, { headers });
    for await (const _chunk of stream.body ?? never()) news.get(n)?.();
  }
}
