import { describe, expect, test } from 'vitest';
import { NO_ARCHIVE } from '../../../src/conversation/intents/archive.ts';
import type { Fact } from '../../../src/conversation/intents/evidence.ts';
import { type Intent, intentKey, learn } from '../../../src/conversation/intents/intent.ts';
import { createOutcomes } from '../../../src/conversation/intents/outcomes.ts';
import { createReconciliation } from '../../../src/conversation/intents/reconcile.ts';
import { createSecrets } from '../../../src/conversation/secrets.ts';
import { SERVED_DEFAULTS } from '../../../src/conversation/served.ts';
import type { Book } from '../../../src/conversation/session/book.ts';
import type { Session } from '../../../src/conversation/session/session.ts';
import { createSessions, sessionKey } from '../../../src/conversation/session/sessions.ts';
import { walletKey } from '../../../src/conversation/session/wallet-doc.ts';
import { listedName } from '../../../src/payments/payments.ts';
import type { Answer } from '../../../src/wallet/answer.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { Operation, Wallet } from '../../../src/wallet/wallet.ts';
import { createVirtualClock } from '../../battery/simulation/clock.ts';
import { createMemory, storeOf } from '../../battery/simulation/memory-store.ts';
import { FATIMA, intent, ORDER, operation, PARTITION, SENT_AT, YOUSSEF } from './sample.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const LOST: Answer<never> = { kind: 'unknown', why: 'timeout' };

interface Wallets {
  readonly listed?: readonly Operation[] | 'lost';
  /** Rows that cannot be read. */
  readonly leftOut?: readonly number[];
  readonly byId?: Operation | 'lost' | 'refused';
}

/** An intent in a store, a wallet that says what a row of the table wants, and what came of it. */
function scene(first: Intent, ageMs: number, says: Wallets = {}, entries: Book['entries'] = []) {
  const clock = createVirtualClock(SENT_AT + ageMs);
  const memory = createMemory(clock.now);
  const store = storeOf(memory, clock, () => ({ thereMs: 0, backMs: 0 }));
  const book: Book = { entries: [{ id: first.id, alike: 'alike', at: SENT_AT, state: 'open' }, ...entries] };
  const put = (key: string, value: unknown) => ({ key, version: 0, value: JSON.stringify(value) });
  memory.commit(PARTITION, { writes: [put(intentKey(first.id), first), put(walletKey(first.wallet), book)] });
  const asked: string[] = [];
  const api: Pick<
    Wallet,
    'operation' | 'operations' | 'topUps' | 'billStatus' | 'cashReference' | 'agentOperations'
  > = {
    topUps: async () => (says.leftOut ? { kind: 'ok', value: { entries: [], leftOut: says.leftOut } } : LOST),
    billStatus: async () => LOST,
    cashReference: async () => LOST,
    agentOperations: async () => LOST,
    operation: async (_wallet, id) => {
      asked.push(`read ${id}`);
      const { byId = says.listed !== 'lost' ? says.listed?.find((each) => each.id === id) : undefined } =
        says;
      if (byId === 'refused') return { kind: 'refused', code: 'http404', description: '' };
      return byId && byId !== 'lost' ? { kind: 'ok', value: byId } : LOST;
    },
    operations: async () => {
      asked.push('listed');
      const { listed = [], leftOut = [] } = says;
      if (listed === 'lost') return LOST;
      const count = listed.length + leftOut.length;
      return { kind: 'ok', value: { operations: listed, count, ...(leftOut.length > 0 && { leftOut }) } };
    },
  };
  const alerts: string[] = [];
  const outcomes = createOutcomes({
    archive: NO_ARCHIVE,
    store,
    sessions: createSessions(store),
    served: SERVED_DEFAULTS,
    pays: () => false,
    pushed: () => {},
    alert: ({ state }) => alerts.push(state),
    now: clock.now,
  });
  const missed: string[] = [];
  const pulse = { missed: (id: string) => void missed.push(id), asked: () => {} };
  const { reconcile, confirm } = createReconciliation({
    outcomes,
    api,
    pulse,
    tellReceived: async () => {},
    references: { executed: async () => 'foreign' },
    secrets: createSecrets('a secrets key of the tests, 32 characters'),
    now: clock.now,
  });
  const dueAt = async () => (await store.scheduled(PARTITION, intentKey(first.id), 1))[0]?.at;
  const doc = (key: string) => JSON.parse(memory.read(PARTITION, key)?.value ?? 'null');
  return {
    reconcile: () => reconcile(first.id),
    confirm: (id: number) => confirm(first, id, 'transfer.received'),
    asked,
    alerts,
    missed,
    passes: (ms: number) => clock.runUntil(clock.now() + ms),
    /** When it is looked for next, from now. */
    nextMs: async () => ((await dueAt()) ?? Number.NaN) - clock.now(),
    says: (now: Wallets) => Object.assign(says, { listed: undefined, byId: undefined }, now),
    found: () => doc(intentKey(first.id)) as Intent,
    entry: () => (doc(walletKey(first.wallet)) as Book).entries[0],
    told: () =>
      ((doc(sessionKey(first.address)) as Session | null)?.outbox ?? []).map(({ screen }) => screen.key),
  };
}

const unknown = (more: Partial<Intent> = {}) => intent({ state: 'unknown', ...more });
const known = (more: Partial<Intent> = {}) => intent({ state: 'accepted', operationId: 7, ...more });

/** What the customer is told, once, of a state that is new. */
const TOLD: { readonly [State in Intent['state']]?: string } = {
  succeeded: 'done',
  failed: 'failed',
  reversed: 'reversed',
  human: 'human',
  'not-found': 'notFound',
};
function newsOf(first: Intent, state: Intent['state']): string[] {
  const sentence = TOLD[state];
  return first.state === state || !sentence ? [] : [`${first.order.kind}.${sentence}`];
}

describe('looking for a payment', () => {
  test.each<[string, Intent, number, Wallets, Intent['state']]>([
    ['its operation is completed', known(), 5, { byId: operation() }, 'succeeded'],
    ['its operation has failed', known(), 5, { byId: operation({ status: 3 }) }, 'failed'],
    ['its operation is cancelled', known(), 5, { byId: operation({ status: 4 }) }, 'failed'],
    ['its operation is open', known(), 5, { byId: operation({ status: 1 }) }, 'accepted'],
    ['its operation cannot be read', known(), 5, { byId: 'lost' }, 'accepted'],
    ['its operation is another payment', known(), 5, { byId: operation({ amount: centimes(1) }) }, 'human'],
    ['exactly one matches', unknown(), 5, { listed: [operation()] }, 'succeeded'],
    ['exactly one matches, and has failed', unknown(), 5, { listed: [operation({ status: 3 })] }, 'failed'],
    ['exactly one matches, and is open', unknown(), 5, { listed: [operation({ status: 1 })] }, 'accepted'],
    [
      'one matches, but was listed before the send',
      unknown({ before: [7] }),
      5,
      { listed: [operation()] },
      'unknown',
    ],
    ['two match', unknown(), 5, { listed: [operation(), operation({ id: 8 })] }, 'human'],
    ['none matches', unknown(), 120, { listed: [operation({ direction: 1 })] }, 'unknown'],
    ['none matches, an hour before the horizon', unknown(), 71 * 3600, {}, 'unknown'],
    ['none matches at the horizon', unknown(), 72 * 3600, {}, 'not-found'],
    ['a row that cannot be read may be it, at the horizon', unknown(), 72 * 3600, { leftOut: [7] }, 'human'],
    [
      'a row that cannot be read, and was listed before the send, at the horizon',
      unknown({ before: [7] }),
      72 * 3600,
      { leftOut: [7] },
      'not-found',
    ],
    [
      'a row of its history that cannot be read may be it, at the horizon',
      unknown({ order: { kind: 'top-up', from: FATIMA, to: YOUSSEF, amount: ORDER.amount, operator: 1 } }),
      72 * 3600,
      { leftOut: [7] },
      'human',
    ],
    [
      'exactly one matches, beside a row that cannot be read',
      unknown(),
      5,
      { listed: [operation()], leftOut: [9] },
      'succeeded',
    ],
    [
      'exactly one matches, of an unknown status',
      unknown(),
      5,
      { listed: [operation({ status: 0 })] },
      'accepted',
    ],
    ['its operation is of an unknown status', known(), 5, { byId: operation({ status: 0 }) }, 'accepted'],
    ['the list cannot be read', unknown(), 5, { listed: 'lost' }, 'unknown'],
    ['one matches at the horizon', unknown(), 72 * 3600, { listed: [operation()] }, 'succeeded'],
    ['it is still open at the horizon', known(), 72 * 3600, { byId: operation({ status: 1 }) }, 'human'],
    ['its process may still bring the answer', intent(), 44, {}, 'sent'],
    ['its process has not brought an answer', intent(), 46, {}, 'unknown'],
    [
      'it has succeeded already',
      intent({ state: 'succeeded' }),
      99,
      { listed: [operation({ status: 3 })] },
      'succeeded',
    ],
    ['a person looks at it already', intent({ state: 'human' }), 99, { listed: [operation()] }, 'human'],
  ])('%s', async (_case, first, ageSeconds, says, state) => {
    const { reconcile, found, told, alerts } = scene(first, ageSeconds * SECOND, says);
    await reconcile();
    expect(found().state).toBe(state);
    expect(told()).toEqual(newsOf(first, state));
    // Also where it is nothing new: somebody must.
    expect(alerts).toEqual(state === 'human' ? ['human'] : []);
  });
});

describe('a look at a payment', () => {
  test('the operation found by one look is claimed, and its outcome is read by its id', async () => {
    const { reconcile, asked, found, entry } = scene(unknown(), 5 * SECOND, { listed: [operation()] });
    await reconcile();
    expect(asked).toEqual(['listed', 'read 7']);
    expect(found().operationId).toBe(7);
    expect(entry()).toMatchObject({ state: 'done', operationId: 7 });
  });

  test('an operation that another payment has claimed is not taken', async () => {
    const other = { id: 'other', alike: 'alike', at: SENT_AT, state: 'done', operationId: 7 } as const;
    const { reconcile, found } = scene(unknown(), 5 * SECOND, { listed: [operation()] }, [other]);
    await reconcile();
    expect(found()).toMatchObject({ state: 'unknown' });
  });

  test('the list is not read when the operation is known', async () => {
    const { reconcile, asked } = scene(known(), 5 * SECOND, { byId: operation() });
    await reconcile();
    expect(asked).toEqual(['read 7']);
  });

  test('a second look changes nothing and tells nothing twice', async () => {
    const { reconcile, found, told } = scene(unknown(), 5 * SECOND, { listed: [operation()] });
    await reconcile();
    const once = found();
    await reconcile();
    expect(found()).toEqual(once);
    expect(told()).toEqual(['transfer.done']);
  });
});

describe('a webhook names an operation, which is read', () => {
  test.each<[string, Partial<Intent>, Operation | 'lost', string, Intent['state'], string?]>([
    ['completed, before the answer', {}, operation(), 'known', 'succeeded'],
    ['completed, after an unknown answer', { state: 'unknown' }, operation(), 'known', 'succeeded'],
    ['completed, after the horizon', { state: 'not-found' }, operation(), 'known', 'succeeded'],
    ['failed', { state: 'accepted' }, operation({ status: 3 }), 'known', 'failed'],
    ['still open', { state: 'accepted' }, operation({ status: 1 }), 'open', 'accepted'],
    ['cannot be read', { state: 'accepted' }, 'lost', 'unreadable', 'accepted'],
    [
      'success, then failed: the money came back',
      { state: 'succeeded', operationId: 7 },
      operation({ status: 3 }),
      'known',
      'reversed',
    ],
    [
      'success, then cancelled: it came back too',
      { state: 'succeeded', operationId: 7 },
      operation({ status: 4 }),
      'known',
      'reversed',
    ],
    ['failure, then success', { state: 'failed', operationId: 7 }, operation(), 'known', 'human'],
    ['refused, then success', { state: 'rejected' }, operation(), 'known', 'human'],
    ['never sent, then success', { state: 'unsent' }, operation(), 'known', 'human'],
    ['never sent, then still open', { state: 'unsent' }, operation({ status: 1 }), 'open', 'accepted'],
    [
      'another operation than the one it became',
      { state: 'accepted', operationId: 6 },
      operation(),
      'known',
      'human',
      'pay.double',
    ],
    [
      'same request, other amount',
      { state: 'unknown' },
      operation({ amount: centimes(1) }),
      'known',
      'human',
    ],
    [
      'same request, other recipient',
      { state: 'unknown' },
      operation({ receiver: '+212611111111' }),
      'known',
      'human',
    ],
    ['same request, other type', { state: 'unknown' }, operation({ type: 9 }), 'known', 'human'],
    ['the outcome that is known', { state: 'succeeded', operationId: 7 }, operation(), 'known', 'succeeded'],
  ])('%s', async (_case, first, byId, result, state, sentence) => {
    const { confirm, found, told } = scene(intent(first), 30 * SECOND, { byId });
    expect(await confirm(7)).toBe(result);
    expect(found().state).toBe(state);
    expect(told()).toEqual(sentence ? [sentence] : newsOf(intent(first), state));
  });

  test('an operation of another payment proves nothing about this one', async () => {
    const other = { id: 'other', alike: 'alike', at: SENT_AT, state: 'done', operationId: 7 } as const;
    const { confirm, found } = scene(intent(), HOUR, { byId: operation() }, [other]);
    await confirm(7);
    expect(found()).toMatchObject({ state: 'human' });
    expect(found().audit.at(-1)?.[2]).toMatchObject({
      kind: 'learnt',
      fact: { kind: 'webhook' },
      conflict: { kind: 'owned', operationId: 7, owner: 'other' },
    });
  });
});

describe('a look without an answer of the wallet', () => {
  test.each<[string, Partial<Intent>, Wallets, Wallets]>([
    ['the list', { state: 'unknown' }, { listed: 'lost' }, { listed: [] }],
    [
      'the operation',
      { state: 'accepted', operationId: 7 },
      { byId: 'lost' },
      { byId: operation({ status: 1 }) },
    ],
  ])(
    'does not count (%s): it is repeated soon, and the schedule goes on from the answer',
    async (_, first, silent, speaks) => {
      const { reconcile, nextMs, passes, says, found, missed } = scene(intent(first), 2 * HOUR, {
        ...silent,
      });
      for (const seconds of [5, 10, 20, 30, 60, 60, 60]) {
        await reconcile();
        expect(await nextMs()).toBe(seconds * SECOND);
        await passes(seconds * SECOND);
      }
      expect(missed).toHaveLength(7);
      expect(found().state).toBe(first.state);
      says(speaks);
      await reconcile();
      expect(found().unanswered).toBeUndefined();
      // Two hours and a few minutes after the send: the next one is that of the third hour.
      expect(await nextMs()).toBe(HOUR - 245 * SECOND);
    },
  );

  test('proves no horizon: nothing is "not found" before the wallet has said so', async () => {
    const { reconcile, found, says } = scene(intent({ state: 'unknown' }), 73 * HOUR, { listed: 'lost' });
    await reconcile();
    expect(found().state).toBe('unknown');
    says({ listed: [] });
    await reconcile();
    expect(found().state).toBe('not-found');
  });

  test('a refusal is an answer', async () => {
    const first = intent({ state: 'accepted', operationId: 7 });
    const { reconcile, found, missed } = scene(first, 2 * HOUR, { byId: 'refused' });
    await reconcile();
    expect(found().unanswered).toBeUndefined();
    expect(missed).toEqual([]);
  });
});

describe('after a success the list is read once more', () => {
  const done = () => learn(intent(), webhookOf(operation()), SENT_AT);

  test('a minute later, and not before', async () => {
    const { reconcile, asked, nextMs, passes } = scene(done(), 20 * SECOND, { listed: [operation()] });
    await reconcile();
    expect(asked).toEqual([]);
    expect(await nextMs()).toBe(40 * SECOND);
    await passes(40 * SECOND);
    await reconcile();
    expect(asked).toEqual(['listed', 'read 7']);
    expect(await nextMs()).toBe(HOUR - 60 * SECOND);
  });

  test.each<[string, Operation, readonly number[], Book['entries']?]>([
    ['like it', operation({ id: 8 }), [8]],
    ['of another amount', operation({ id: 8, amount: centimes(1) }), []],
    ['to somebody else', operation({ id: 8, receiver: '+212611111111' }), []],
    ['long before it', operation({ id: 8, at: SENT_AT - HOUR }), []],
    [
      'that belongs to another payment',
      operation({ id: 8 }),
      [],
      [{ id: 'other', alike: 'alike', at: SENT_AT, state: 'done', operationId: 8 }],
    ],
    [
      'that a payment just like it has made, whose operation nobody knows yet',
      operation({ id: 8 }),
      [],
      [{ id: 'other', alike: listedName(intent().order), at: SENT_AT, state: 'open' }],
    ],
  ])('one %s', async (_, second, expected, entries) => {
    const { reconcile, found, told } = scene(done(), HOUR, { listed: [operation(), second] }, entries);
    await reconcile();
    const isDoubled = expected.length > 0;
    expect(found()).toMatchObject({ state: isDoubled ? 'human' : 'succeeded', operationId: 7 });
    expect(found().evidence.at(-1)).toMatchObject({ kind: 'look-alikes', operationIds: expected });
    expect(told()).toEqual(isDoubled ? ['pay.alike'] : []);
  });

  test('an unanswered list is asked for again', async () => {
    const { reconcile, found, nextMs } = scene(done(), HOUR, { listed: 'lost' });
    await reconcile();
    expect(found().evidence).toHaveLength(1);
    expect(await nextMs()).toBe(5 * SECOND);
  });
});

function webhookOf({ id }: Operation): Fact {
  return { kind: 'webhook', event: 'transfer.received', operation: { id, ended: 'succeeded' } };
}
