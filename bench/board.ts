import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Desk } from '../src/conversation/desk/desk.ts';
import { createEngine } from '../src/conversation/engine.ts';
import { readRecord } from '../src/conversation/record/record.ts';
import { createSecrets } from '../src/conversation/secrets.ts';
import type { Renderer } from '../src/screen/renderer.ts';
import type { Store } from '../src/store/store.ts';
import { pages } from '../src/support/pages/routes.ts';
import { ASKS_FROM_500 } from '../test/kit/first-payments.ts';
import { asAgent, NO_RECORDS, NO_WEBHOOKS } from './console.ts';
import { instantWallet, walletOf } from './transfers.ts';

/** Ten agents look at the live list while so many customers go on, each of their turns one record. */
const AGENTS = 10;
const CUSTOMERS = 200_000;
const SECONDS = 20;
const TICK_MS = 10;
const PLACES = [
  'menu.choosing',
  'transfer.askingAmount',
  'transfer.askingPin',
  'balance.shown',
  'top-up.askingAmount',
];

interface BoardFigures {
  readonly turnsPerSecond: number;
  readonly agents: number;
  /** Of one core, with the reading of the records, and all pages. */
  readonly cpuPercent: number;
  /** What the agents' streams have sent, each of them in a second. */
  readonly kilobytesPerAgentAndSecond: number;
}

/** The live list under all of a country's turns, as its process hears of them: as text. Without turns, and with 5,000 a second. */
export async function benchBoard(store: Store, renderer: Renderer): Promise<BoardFigures[]> {
  const figures: BoardFigures[] = [];
  for (const perSecond of [0, 50, 5_000]) figures.push(await play(store, renderer, perSecond));
  return figures;
}

async function play(store: Store, renderer: Renderer, perSecond: number): Promise<BoardFigures> {
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
  let hear = (_json: string) => {};
  const watch: Desk['watch'] = async ({ turn }) => {
    hear = (json) => {
      const record = readRecord(json);
      if (record) turn(record);
    };
    return async () => {};
  };
  const shown = pages({
    desk: { ...engine.desk, watch },
    store,
    ...NO_RECORDS,
    secrets,
    renderer,
    audit: { append: async () => {}, part: (work) => work(), during: (_, work) => work() },
    webhooks: NO_WEBHOOKS,
    isStillIn: async () => true,
    agents: async () => [],
    refusesApproval: async () => undefined,
    log: { say: () => {} },
    now: Date.now,
  });
  const app = new Hono().use(asAgent).route('/', shown.routes);
  let bytes = 0;
  const streams = Array.from({ length: AGENTS }, async (_, n) => {
    const stream = await app.request('/live', { headers: { 'x-agent': String(n) } });
    for await (const chunk of stream.body ?? []) bytes += chunk.length;
  });
  // Until the board is as full as it gets.
  await sleep(1_000);
  for (let n = 0; n < perSecond * 12; n++) hear(recordOf(n));
  await sleep(2_000);

  const before = process.cpuUsage();
  bytes = 0;
  const startedAt = performance.now();
  let told = 0;
  while (performance.now() - startedAt < SECONDS * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; told < due; told++) hear(recordOf(told));
    await sleep(TICK_MS);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const sent = bytes;
  await shown.close();
  await Promise.all(streams);
  await engine.close();
  return {
    turnsPerSecond: Math.round(told / seconds),
    agents: AGENTS,
    cpuPercent: Math.round((user + system) / 1_000 / seconds / 10),
    kilobytesPerAgentAndSecond: Math.round(sent / 1_000 / AGENTS / seconds),
  };
}

/** A turn as the store has it. */
function recordOf(n: number): string {
  const customer = (n * 7_919) % CUSTOMERS;
  const wallet = walletOf(5_000_000 + customer);
  const [from, to] = [PLACES[n % PLACES.length], PLACES[(n + 1) % PLACES.length]];
  const language = ['fr', 'ar', 'en'][customer % 3];
  return `{"v":2,"at":${Date.now()},"address":"ussd:${wallet}","wallet":"${wallet}","language":"${language}","event":{"kind":"input","input":{"type":"said","text":"1"}},"from":"${from}","to":"${to}","screen":{"key":"transfer.askAmount","values":{"to":{"phone":"${wallet}"}},"expects":"amount"},"ran":[{"effect":"preview","ref":"r-1","ms":42,"outcome":{"kind":"ok"}}],"ms":44}`;
}
