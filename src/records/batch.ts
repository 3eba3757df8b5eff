import { applyCaseUpdate } from '../conversation/cases/apply.ts';
import { CASE_DEFAULTS } from '../conversation/cases/changes.ts';
import type { CaseUpdate } from '../conversation/cases/update.ts';
import type { Steps } from '../store/steps.ts';
import { positionOf } from '../store/turn-id.ts';
import { caseTx } from './case-rows.ts';
import { PAYMENT, paymentsIn } from './payment-row.ts';
import { type Batch, type EventRow, isDamage, type PaymentRow } from './records.ts';
import type { Database } from './statements.ts';
import { type Counted, summed, takenBack, talliesOfPayment } from './tallies.ts';
import { addTallies } from './tally-query.ts';

const CURSOR = { partition: 'smallint', position: 'bigint' };
const EVENT_ROW = {
  ...CURSOR,
  ...{ at: 'bigint', address: 'text', wallet: 'text', kind: 'text', refs: 'text[]', record: 'text' },
};
const PAYMENT_ROW = {
  ...{ id: 'uuid', wallet: 'text', sentAt: 'bigint', state: 'text', steps: 'int', names: 'text[]' },
  ...{ document: 'text', lookAt: 'bigint' },
};
const TALLY = {
  ...{ at: 'bigint', shard: 'smallint', what: 'text', name: 'text', detail: 'text', channel: 'text' },
  ...{ language: 'text', n: 'bigint', ms: 'bigint' },
};
const ID = { id: 'uuid' };
const PAYMENT_COLUMNS = Object.keys(PAYMENT_ROW).map((name) => `"${name}"`);

/** Writes a batch (`Records.record`). */
export function* recordBatch(db: Database, { events, payments, cursors, ...more }: Batch): Steps<void> {
  yield* db.longWrite;
  const counted = [...(yield* addEvents(db, events, more)), ...(yield* addPayments(db, payments))];
  const shard = shardOf(events, payments);
  const sums = summed(counted).map((each) => ({ ...each, shard }));
  yield* db.listed(addTallies(db.rows(TALLY)), TALLY, sums);
  const moved = cursors.map(({ partition, to }) => ({ partition, position: `${positionOf(to)}` }));
  const move = `INSERT INTO cursor SELECT partition, position FROM ${db.rows(CURSOR)} WHERE TRUE
    ON CONFLICT (partition) DO UPDATE SET position = excluded.position`;
  yield* db.listed(move, CURSOR, moved);
}

/** Gives what is to be counted: of events that are there already, nothing. */
function* addEvents(
  db: Database,
  events: readonly EventRow[],
  more: Pick<Batch, 'settings' | 'onRefused'>,
): Steps<readonly Counted[]> {
  if (events.length === 0) return [];
  const positioned = events.map(({ tallies: _counted, caseUpdates: _told, id, ...event }) => ({
    ...event,
    position: `${positionOf(id)}`,
  }));
  const [column, value] = db.refs;
  const from = db.rows(EVENT_ROW);
  const insert = `INSERT INTO event (partition, position, at, address, wallet, kind, record${column})
    SELECT partition, position, at, address, wallet, kind, record${value} FROM ${from} WHERE TRUE
    ON CONFLICT DO NOTHING RETURNING partition, CAST(position AS text) AS position, at`;
  const rows = yield* db.listed(insert, EVENT_ROW, positioned);
  if (db.nameEvents) yield* db.listed(db.nameEvents(from), EVENT_ROW, positioned);
  const added = new Set(rows.map(({ partition, position, at }) => `${partition} ${position} ${at}`));
  const fresh = events.filter(({ partition, id, at }) =>
    added.delete(`${partition} ${positionOf(id)} ${at}`),
  );
  yield* applyCases(
    db,
    fresh.flatMap(({ caseUpdates = [] }) => caseUpdates),
    more,
  );
  return fresh.flatMap(({ tallies = [] }) => tallies);
}

/** Applies updates of cases, one at a time, as people have few. One that cannot be applied is put aside. */
function* applyCases(
  { lock, isBug }: Database,
  updates: readonly CaseUpdate[],
  { settings = CASE_DEFAULTS, onRefused }: Pick<Batch, 'settings' | 'onRefused'>,
): Steps<void> {
  for (const each of updates) {
    yield { text: 'SAVEPOINT before', values: [] };
    try {
      yield* applyCaseUpdate(caseTx(lock), settings, each);
    } catch (error) {
      if (!isDamage(error) && !isBug(error)) throw error;
      yield { text: 'ROLLBACK TO before', values: [] };
      onRefused?.(each, error);
    }
    yield { text: 'RELEASE before', values: [] };
  }
}

/**
 * A copy that has taken fewer steps than the one that is there is older. Gives what is to be counted. First those that are new:
 * from then on all are there, and are locked before it is read what they were.
 */
function* addPayments(db: Database, paid: readonly PaymentRow[]): Steps<readonly Counted[]> {
  if (paid.length === 0) return [];
  const rows = db.rows(PAYMENT_ROW);
  const insert = `INSERT INTO payment (${PAYMENT_COLUMNS}) SELECT ${PAYMENT_COLUMNS} FROM ${rows} WHERE TRUE
    ON CONFLICT DO NOTHING RETURNING id`;
  const added = yield* db.listed(insert, PAYMENT_ROW, paid);
  if (db.namePayments) yield* db.listed(db.namePayments(rows), PAYMENT_ROW, paid);
  const isNew = new Set(added.map(({ id }) => id));
  const fresh = paid.filter(({ id }) => isNew.has(id)).flatMap(talliesOfPayment);
  const rest = paid.filter(({ id }) => !isNew.has(id));
  if (rest.length === 0) return fresh;
  const find = `${PAYMENT} WHERE id IN (SELECT id FROM ${db.rows(ID)}) ORDER BY id ${db.lock}`;
  const known = paymentsIn(
    yield* db.listed(
      find,
      ID,
      rest.map(({ id }) => ({ id })),
    ),
  );
  const before = new Map(known.map((row) => [row.id, row]));
  const changed = rest.filter(({ id, steps }) => (before.get(id)?.steps ?? 0) < steps);
  const update = `UPDATE payment SET wallet = row.wallet, state = row.state, steps = row.steps, names = row.names,
    document = row.document, "lookAt" = row."lookAt" FROM ${rows} WHERE payment.id = row.id AND payment."sentAt" = row."sentAt"`;
  yield* db.listed(update, PAYMENT_ROW, changed);
  const was = changed.flatMap(({ id }) => before.get(id) ?? []);
  return [...fresh, ...changed.flatMap(talliesOfPayment), ...takenBack(was.flatMap(talliesOfPayment))];
}

/** Recorders of several groups count the same things at the same time: each in rows of its own, so that none waits for another. */
function shardOf(events: Batch['events'], payments: Batch['payments']): number {
  const partition = events[0]?.partition ?? Number.parseInt(payments[0]?.id.slice(0, 2) ?? '0', 16);
  return partition >> 5;
}
