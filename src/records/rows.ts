import { caseUpdatesIn } from '../conversation/cases/update.ts';
import type { TurnRecord } from '../conversation/record/record.ts';
import { isObject } from '../store/codec.ts';
import type { Partition, TurnEntry } from '../store/store.ts';
import type { EventRow } from './records.ts';
import { talliesOfTurn } from './tallies.ts';

/** The first number of an id that is a moment of Redis: greater than any count of the embedded store. */
const MOMENT_MIN = 1_000_000_000_000;

type Fields = Partial<Record<keyof TurnRecord | 'refs' | 'cases', unknown>>;

/**
 * The row of a turn record. It is not checked as a whole, which would cost more than writing it. A record that a later
 * release wrote in another form is kept as it is, and found by the parts that this release knows. The same entry always
 * makes the same row.
 */
export function rowOf(partition: Partition, { id, record, payments = [] }: TurnEntry): EventRow {
  const fields: Fields = fieldsOf(withoutNul(record));
  const { at, address, wallet, event, ran, webhook, refs: named } = fields;
  const calls = Array.isArray(ran) ? ran.map((each) => (isObject(each) ? each.ref : undefined)) : [];
  // An event that is no turn names itself how it is found.
  const others: readonly unknown[] = Array.isArray(named) ? named : [];
  const refs = [...payments, paymentOf(event), ...calls, webhookOf(webhook), ...others].filter(
    (ref): ref is string => typeof ref === 'string' && !ref.includes('\0'),
  );
  const caseUpdates = caseUpdatesIn(fields.cases);
  const happenedAt = typeof at === 'number' && Number.isSafeInteger(at) ? at : momentOf(id);
  return {
    partition,
    id,
    at: happenedAt,
    tallies: talliesOfTurn(fields, happenedAt),
    ...(caseUpdates.length > 0 && { caseUpdates }),
    address: typeof address === 'string' ? address : '',
    ...(typeof wallet === 'string' && { wallet }),
    kind: isObject(event) && typeof event.kind === 'string' ? event.kind : '',
    refs: [...new Set(refs)],
    record: record.replaceAll('\0', NUL_READ_AS),
  };
}

/** PostgreSQL refuses a text with a NUL, and with it the whole batch. Only a forged record has one in a place that is a column. */
const NUL_READ_AS = '\ufffd';

function withoutNul(record: string): string {
  return record.includes('\\u0000') ? record.replaceAll('\\u0000', '\\ufffd') : record;
}

function paymentOf(event: unknown): unknown {
  return isObject(event) && (event.kind === 'payment' || event.kind === 'delivery')
    ? event.intent
    : undefined;
}

/** The id of a webhook is the wallet's to choose: one with a space in it would be two names (`postgres.ts`). */
function webhookOf(id: unknown): unknown {
  return typeof id === 'string' && /^[\w.:-]{1,200}$/.test(id) ? id.toLowerCase() : undefined;
}

/** The moment when an entry was written, for a record that does not say when it happened. 0: the id does not say either. */
function momentOf(id: string): number {
  const [moment = 0] = id.split('-').map(Number);
  return moment >= MOMENT_MIN ? moment : 0;
}

function fieldsOf(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
