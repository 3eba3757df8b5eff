import { describe, expect, test } from 'vitest';
import type { EffectEnv } from '../../../src/conversation/effects/effect.ts';
import { listOperations, preview } from '../../../src/conversation/intents/look-alikes.ts';
import type { Entry } from '../../../src/conversation/session/book.ts';
import { SAFETY_DEFAULTS } from '../../../src/conversation/session/safety.ts';
import { alikeName } from '../../../src/payments/payments.ts';
import type { LookAlike } from '../../../src/payments/quote.ts';
import { centimes } from '../../../src/wallet/money.ts';
import type { Operation, OperationFilter } from '../../../src/wallet/wallet.ts';
import { createVirtualClock } from '../../battery/simulation/clock.ts';
import { ok } from '../../kit/meddler.ts';
import { ORDER, operation, SENT_AT } from './sample.ts';

const MIN = 60_000;
const entry = (more: Partial<Entry> = {}): Entry => ({
  id: 'ours',
  alike: alikeName(ORDER),
  at: SENT_AT - MIN,
  state: 'done',
  ...more,
});

/** A wallet that lists some operations, as the API does: of a type, since a moment, in pages. */
function listing(all: readonly Operation[]): Parameters<typeof listOperations>[0] {
  return {
    topUps: async () => ({ kind: 'unknown', why: 'never asked' }),
    agentOperations: async () => ({ kind: 'unknown', why: 'never asked' }),
    operations: async (_wallet, { types, from, page = 1, pageSize = 10 }: OperationFilter = {}) => {
      const found = all.filter(({ type, at }) => types?.includes(type) && at >= (from?.getTime() ?? 0));
      const operations = found.slice((page - 1) * pageSize, page * pageSize);
      return ok({ operations, count: found.length });
    },
  };
}

async function alike(entries: readonly Entry[], listed: readonly Operation[]): Promise<readonly LookAlike[]> {
  const clock = createVirtualClock(SENT_AT);
  const quoted = { fees: centimes(0), total: ORDER.amount, openLoop: false };
  const env = {
    api: { ...listing(listed), previewTransfer: async () => ok(quoted) },
    walletDoc: { entries },
    call: { requestId: 'one' },
    now: clock.now,
    skewMs: () => 0,
    served: { safety: SAFETY_DEFAULTS },
  } as unknown as EffectEnv;
  const answer = await preview.run({ order: ORDER }, env);
  if (answer.kind !== 'ok') throw new Error(answer.kind);
  return answer.value.alike;
}

const recent = operation({ at: SENT_AT - MIN });

describe('the questions before a payment', () => {
  test.each<[string, readonly Entry[], readonly Operation[], readonly string[]]>([
    ['nothing like it', [], [], []],
    ['our own payment', [entry()], [], ['ours']],
    ['our own payment, which is the listed operation', [entry({ operationId: 7 })], [recent], ['ours']],
    ['our own payment, and one made elsewhere', [entry({ operationId: 8 })], [recent], ['ours', '7']],
    ['one made elsewhere', [], [recent], ['7']],
    ['our own that is still open, however old', [entry({ state: 'open', at: 0 })], [], ['ours']],
    ['our own that moved nothing', [entry({ state: 'void' })], [], []],
    ['our own of long ago', [entry({ at: SENT_AT - 16 * MIN })], [], []],
    [
      'our own of long ago, executed just now',
      [entry({ at: SENT_AT - 16 * MIN, operationId: 7 })],
      [recent],
      ['7'],
    ],
    ['one made elsewhere long ago', [], [operation({ at: SENT_AT - 16 * MIN })], []],
    ['one that is still open', [], [operation({ at: SENT_AT - MIN, status: 1 })], ['7']],
    ['one that has failed', [], [operation({ at: SENT_AT - MIN, status: 3 })], []],
    ['one of another amount', [], [operation({ at: SENT_AT - MIN, amount: centimes(1) })], []],
    ['money that came in', [], [operation({ at: SENT_AT - MIN, direction: 1 })], []],
  ])('%s', async (_case, entries, listed, ids) => {
    expect((await alike(entries, listed)).map(({ id }) => id)).toEqual(ids);
  });

  test('the look-alikes with an unknown outcome are marked', async () => {
    const open = entry({ id: 'open', state: 'open', at: SENT_AT - 3 * MIN });
    expect((await alike([entry(), open], [])).map((each) => each.open ?? false)).toEqual([false, true]);
  });
});

describe('all pages are read', () => {
  const many = (count: number) => Array.from({ length: count }, (_, id) => operation({ id }));
  const since = new Date(0);

  test.each([0, 1, 49, 50, 51, 999])('%i operations', async (count) => {
    const answer = await listOperations(listing(many(count)), ORDER, since, {});
    expect(answer).toEqual(ok({ operations: many(count), leftOut: [] }));
  });

  test('a list beyond all limits is not read in part, so that the answer is unknown', async () => {
    expect((await listOperations(listing(many(1_100)), ORDER, since, {})).kind).toBe('unknown');
  });

  test('a page of unreadable rows is not the last one, and their ids are stored', async () => {
    const pages = [{ operations: [], leftOut: [1, 0] }, { operations: [operation({ id: 3 })] }];
    const api = {
      ...listing([]),
      operations: async (_phone: unknown, { page = 1 }: { page?: number } = {}) =>
        ok({ count: 3, ...(pages[page - 1] ?? { operations: [] }) }),
    };
    expect(await listOperations(api, ORDER, since, {})).toEqual(
      ok({ operations: [operation({ id: 3 })], leftOut: [1, 0] }),
    );
  });
});
