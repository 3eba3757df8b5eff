import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { CASES } from '../conversation/cases/case.ts';
import type { CaseEvent } from '../conversation/cases/changes.ts';
import type { CaseTable } from '../conversation/cases/table.ts';
import type { Log } from '../log/lines.ts';
import { codec, jsonOf, type KeyedDoc } from '../store/codec.ts';
import type { Store } from '../store/store.ts';
import { readDocs } from '../store/update.ts';

const MINUTE_MS = 60_000;
/** Waits between attempts. The last one repeats. */
const BACKOFF_MS = [5_000, 30_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** With the waits above this is a little over three days. Then the webhook is given up, and the log says so. */
const TRIES_MAX = 76;
const SEND_MAX_MS = 10_000;

/** An event on its way, and how often it was tried to deliver it. */
interface Outgoing extends CaseEvent {
  readonly tries: number;
}
const eventCodec = codec<Outgoing>(
  'case event',
  z.object({
    type: z.custom<CaseEvent['type']>((value) => typeof value === 'string'),
    at: z.number(),
    case: z.custom<CaseEvent['case']>((value) => typeof value === 'object' && value !== null),
    tries: z.number(),
  }),
);
function eventKey(id: string): string {
  return `case-event:${id}`;
}
/** Events that are handed on in one round. */
const ROUND_MAX = 500;

/**
 * Moves events of cases from the outbox in the records, where a transaction writes them with their cases, to the store. An event
 * that comes twice has the same name, and is sent once. Rejects with `StoreDown`.
 */
export async function handOn(
  table: CaseTable,
  store: Pick<Store, 'commit'>,
  now: () => number,
): Promise<void> {
  for (const [id, event] of await table.read((tx) => tx.outbox(ROUND_MAX))) {
    const doc = { key: eventKey(id), version: 0, value: '' };
    const first = { ...(jsonOf(event) as CaseEvent), tries: 0 };
    await store.commit(CASES, { writes: [eventCodec.write(doc, first, { dueAt: now() })], durable: true });
    await table.write((tx) => tx.sent(id));
  }
}

interface OutgoingDeps {
  readonly store: Store;
  /** Where the company's own tools take events of cases, and what each is signed with. */
  readonly url: string;
  readonly key: string;
  readonly log: Pick<Log, 'say'>;
  readonly now: () => number;
}

/**
 * Delivers the events of cases that were handed on: at least once each, in no order, signed as Standard
 * Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<HMAC-SHA256 of "id.timestamp.body">`). Gives what the
 * worker calls with the name of one that is due. A receiver answers 2xx once it has kept it.
 */
export function createOutgoing(deps: OutgoingDeps): (id: string) => Promise<void> {
  return async (id) => {
    const [doc] = await readDocs(deps.store, CASES, [eventKey(id)]);
    const event = eventCodec.read(doc);
    if (!event) return;
    const isTaken = await send(deps, id, event);
    if (!isTaken && event.tries + 1 >= TRIES_MAX)
      deps.log.say('An event of a case was given up', { id, type: event.type });
    const isOver = isTaken || event.tries + 1 >= TRIES_MAX;
    // Where another process was faster it was sent twice, which its id tells.
    await deps.store.commit(CASES, { writes: [isOver ? gone(doc) : later(deps, doc, event)] });
  };
}

function gone({ key, version }: KeyedDoc) {
  return { key, version, value: null };
}

function later({ now }: OutgoingDeps, doc: KeyedDoc, event: Outgoing) {
  const wait = BACKOFF_MS[Math.min(event.tries, BACKOFF_MS.length - 1)] ?? MINUTE_MS;
  return eventCodec.write(doc, { ...event, tries: event.tries + 1 }, { dueAt: now() + wait });
}

async function send({ url, key, now }: OutgoingDeps, id: string, event: CaseEvent): Promise<boolean> {
  const { type, at, case: about } = event;
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: about });
  const timestamp = Math.floor(now() / 1_000);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MAX_MS),
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
