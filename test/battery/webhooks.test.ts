import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { type Intent, intentKey } from '../../src/conversation/intents/intent.ts';
import type { Session } from '../../src/conversation/session/session.ts';
import { sessionKey } from '../../src/conversation/session/sessions.ts';
import { walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { listening } from '../../src/http/listening.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { webhookRoutes } from '../../src/webhooks/routes.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { startRedis } from '../kit/redis-server.ts';
import { report } from './town/oracle.ts';
import { randomOf } from './town/random.ts';
import { joinWasl } from './town/wasl.ts';
import { createStorm, type Delivery, eventOf, LATE_MAX_MS, type Payment, SECRETS } from './webhooks-storm.ts';

const LONG = process.env.LONG === '1';
const DELIVERIES = LONG ? 10_000 : 1_000;
const MALFORMED = DELIVERIES / 10;
const SEED = Number(process.env.SEED ?? (LONG ? Date.now() % 1_000_000 : 261_120));
const KEYS = ['the key of today, 32 characters!', 'the key of yesterday, 32 chars!!'];
/** The storm is let loose in so many waves, with time passing in between. */
const WAVES = 12;
const AT_ONCE = 16;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The webhooks' door over real HTTP, the real engine behind it, and a wallet that tells the truth when it is asked. */
async function door(kind: 'sqlite' | 'redis', payments: readonly Payment[]) {
  const directory = newDirectory('webhooks');
  const redis = kind === 'redis' ? await startRedis() : undefined;
  if (redis) closing.push(() => redis.stop());
  const real = await (redis ? openRedisStore({ url: redis.url }) : openSqliteStore({ directory }));
  closing.push(() => real.close());
  const saved = new Map<string, number>();
  const store: Store = {
    ...real,
    async commit(partition, commit) {
      const done = await real.commit(partition, commit);
      for (const { key, version } of commit.writes) {
        if (done && version === 0 && key.startsWith('webhook:')) saved.set(key, (saved.get(key) ?? 0) + 1);
      }
      return done;
    },
  };
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const operations = new Map(payments.map(({ operation }) => [operation.id, operation]));
  const api = {
    operation: async (wallet, id) => {
      const found = operations.get(id);
      if (!found) return { kind: 'refused', code: '90016', description: '' };
      return { kind: 'ok', value: { ...found, direction: found.receiver === wallet ? 1 : 2 } };
    },
    operations: async () => ({ kind: 'ok', value: { operations: [], count: 0 } }),
  } as Pick<Wallet, 'operation' | 'operations'> as Wallet;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const applied = new Map<string, number>();
  const { engine, inbox, worker, background, rests } = joinWasl({
    ...{ store, api, secrets: SECRETS, alone: !redis, now: clock.now, onError },
    deliver: async () => 'held',
    apply: (real) => async (raw) => {
      const result = await real(raw);
      if (result === 'done') applied.set(raw, (applied.get(raw) ?? 0) + 1);
      return result;
    },
  });
  closing.push(async () => {
    await worker.stop();
    await background.done();
    await engine.close();
  });
  const server = await listening(webhookRoutes({ inbox, keys: KEYS, onError }), 0, '127.0.0.1');
  closing.push(() => server.close());
  const post = async (body: string, key = KEYS[0] as string) => {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json', 'X-Api-Key': key, 'C-Webhook-Id': randomUUID() };
    const response = await fetch(`${server.url}/wallet`, { method: 'POST', headers, body });
    await response.text();
    return { status: response.status, ms: performance.now() - startedAt };
  };
  const down = () => (redis ? redis.kill() : real.close());
  return { store, clock, saved, applied, errors, post, rests, down };
}

type Door = Awaited<ReturnType<typeof door>>;

async function plant(store: Store, { intent }: Payment): Promise<void> {
  const { id, wallet, order } = intent;
  const put = (key: string, value: unknown) => ({ key, version: 0, value: JSON.stringify(value) });
  const entry = { id, alike: id, at: intent.sentAt, state: 'open' };
  const recipient: Session = {
    seen: [],
    screen: 0,
    page: 0,
    at: intent.sentAt,
    wallet: order.to,
    linked: true,
  };
  await store.commit(partitionOf(wallet), {
    writes: [put(intentKey(id), intent), put(walletKey(wallet), { entries: [entry] })],
  });
  await store.commit(partitionOf(order.to), { writes: [put(sessionKey(`ussd:${order.to}`), recipient)] });
}

async function inWaves(storm: readonly Delivery[], at: Door, take: (each: Delivery) => Promise<void>) {
  for (let wave = 0; wave < WAVES; wave++) {
    const isNow = ({ afterMs }: Delivery) => Math.floor((afterMs / (LATE_MAX_MS + 1)) * WAVES) === wave;
    const queue = storm.filter(isNow);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let each = queue.shift(); each; each = queue.shift()) await take(each);
      }),
    );
    await at.rests();
    at.clock.ahead += LATE_MAX_MS / WAVES;
  }
}

/** Delivers everything. Each answer must be right at once, and 200 only for an event that is saved by then. */
async function breaksLoose(storm: readonly Delivery[], at: Door) {
  const answered: number[] = [];
  const wrong: string[] = [];
  await inWaves(storm, at, async ({ kind, body, webhookId }) => {
    const isForged = kind === 'forged';
    const { status, ms } = await at.post(body, isForged ? 'a key of nobody' : KEYS[answered.length % 2]);
    answered.push(ms);
    if (status !== (isForged ? 401 : 200)) wrong.push(`${kind} was answered ${status}`);
    const isTaken = at.saved.has(`webhook:${webhookId}`);
    if (webhookId !== undefined && isTaken === isForged)
      wrong.push(`${kind} ${webhookId} is ${isForged ? '' : 'not '}taken`);
  });
  return { answered, wrong };
}

/** Open payments are settled, and done ones are returned. The wallet tells of the latter. */
async function saysOnceMore(payments: readonly Payment[], at: Door): Promise<string[]> {
  const wrong: string[] = [];
  for (const payment of payments) {
    if (payment.fate === 'opensLate') payment.operation.status = 2;
    if (payment.fate !== 'reversed') continue;
    payment.operation.status = 4;
    const body = JSON.stringify({
      data: { ...eventOf(payment), WebhookId: `again-${payment.operation.id}` },
    });
    if ((await at.post(body)).status !== 200) wrong.push('a reversal was not taken');
  }
  for (let hour = 0; hour < 3; hour++) {
    await at.rests();
    at.clock.ahead += 3_600_000;
  }
  return wrong;
}

describe.each(['sqlite', 'redis'] as const)('T5: a storm of webhooks, on %s', (kind) => {
  test(`${DELIVERIES} deliveries (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const { payments, storm } = createStorm(randomOf(SEED), DELIVERIES, MALFORMED, Date.now());
    const at = await door(kind, payments);
    for (const payment of payments) await plant(at.store, payment);
    const { answered, wrong } = await breaksLoose(storm, at);
    wrong.push(...(await saysOnceMore(payments, at)));

    expect(wrong).toEqual([]);
    expect(at.errors).toEqual([]);
    expect([...at.saved.values()].every((times) => times === 1)).toBe(true);
    expect(
      [...at.applied.values()].every((times) => times === 1),
      'each is applied once',
    ).toBe(true);
    const unreadable = [...at.saved.keys()].filter((key) => key.startsWith('webhook:unreadable-')).length;
    const withoutId = storm.filter(({ webhookId }) => webhookId === undefined);
    expect(unreadable).toBe(new Set(withoutId.map(({ body }) => body)).size);
    const faults = (await Promise.all(payments.map((payment) => judge(at.store, payment)))).flat();
    expect(faults).toEqual([]);
    const kept = await keptFor(
      at,
      storm.filter((each) => each.kind === 'malformed'),
    );
    expect(kept.every((state) => state === 'kept')).toBe(true);
    report(`T5 webhooks on ${kind}`, {
      seed: SEED,
      deliveries: storm.length,
      ...Object.fromEntries(
        ['duplicate', 'forged', 'malformed', 'orphan'].map((sort) => [
          sort,
          storm.filter((each) => each.kind === sort).length,
        ]),
      ),
      payments: payments.length,
      applied: at.applied.size,
      saved: at.saved.size,
      'acknowledged p99 ms': Math.round(
        answered.sort((a, b) => a - b)[Math.floor(answered.length * 0.99)] ?? 0,
      ),
    });
  });

  test('too large: 413; the store is down: 503, and never 200 for what is not saved', async () => {
    const at = await door(kind, []);
    expect((await at.post('x'.repeat(70_000))).status).toBe(413);
    expect((await at.post('x'.repeat(70_000), 'a key of nobody')).status).toBe(413);
    expect((await at.post('{}')).status).toBe(200);
    expect(at.saved.size).toBe(1);
    await at.down();
    for (const body of ['{}', JSON.stringify({ data: { WebhookId: 'lost' } })]) {
      expect((await at.post(body)).status).toBe(503);
    }
    expect((await at.post('{}', 'a key of nobody')).status).toBe(401);
    expect(at.saved.size).toBe(1);
  });
});

const ENDS: Readonly<Record<Payment['fate'], readonly Intent['state'][]>> = {
  succeeded: ['succeeded'],
  failed: ['failed'],
  // A process that hears of it only after the return has never known it otherwise.
  reversed: ['reversed', 'failed'],
  conflicting: ['human'],
  opensLate: ['succeeded'],
};

/** Faults of a payment's end, and of the messages to its two customers. */
async function judge(store: Store, { intent, fate, operation }: Payment): Promise<string[]> {
  const { id, wallet, order } = intent;
  const [doc, session] = await store.read(partitionOf(wallet), [intentKey(id), sessionKey(intent.address)]);
  const [other] = await store.read(partitionOf(order.to), [sessionKey(`ussd:${order.to}`)]);
  const { state, operationId, audit } = JSON.parse(doc?.value ?? '{}') as Intent;
  const idsOf = (value = '{}') =>
    ((JSON.parse(value) as Partial<Session>).outbox ?? []).map((message) => message.id);
  const toldOnce = (ids: readonly string[], name: string) => ids.filter((each) => each === name).length === 1;
  const faults: string[] = [];
  const say = (what: string) => faults.push(`${fate} ${id}: ${what}`);
  if (!ENDS[fate].includes(state)) say(`is ${state}`);
  if (fate !== 'conflicting' && operationId !== operation.id) say(`is operation ${operationId}`);
  const states = audit.map(([, each]) => each).filter((each, i, all) => each !== all[i - 1]);
  if (new Set(states).size !== states.length) say('went through a state twice');
  if (!toldOnce(idsOf(session?.value), `${state}-${id}`))
    say(`its customer was told ${idsOf(session?.value)}`);
  const received = idsOf(other?.value);
  const expected = fate === 'failed' || (fate === 'reversed' && state === 'failed') ? 0 : 1;
  if (received.length !== expected && fate !== 'reversed') say(`its recipient was told ${received}`);
  return faults;
}

async function keptFor(at: Door, deliveries: readonly Delivery[]): Promise<string[]> {
  const keys = [
    ...deliveries.flatMap(({ webhookId }) => (webhookId === undefined ? [] : [`webhook:${webhookId}`])),
    ...[...at.saved.keys()].filter((key) => key.startsWith('webhook:unreadable-')),
  ];
  return Promise.all(
    keys.map(async (key) => {
      const [doc] = await at.store.read(partitionOf(key), [key]);
      return (JSON.parse(doc?.value ?? '{}') as { state?: string }).state ?? 'gone';
    }),
  );
}
