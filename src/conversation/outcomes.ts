import { receipt } from '../../machines/kit/order.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import type { Centimes } from '../wallet/money.ts';
import type { Msisdn } from '../wallet/phone.ts';
import {
  hasEnded,
  INTENT_KEPT_MS,
  type Intent,
  intentKey,
  moved,
  partitionOfRef,
  slotKey,
} from './intent.ts';
import { hasTag, tell } from './machines.ts';
import { createRecord } from './record.ts';
import { enqueue, type Outgoing, type Session } from './session.ts';
import { type createSessions, type Loaded, sessionWrite } from './sessions.ts';
import { addressesOf } from './wallet-doc.ts';

/** How long it is remembered that a customer was told of money received. */
const TOLD_MS = 7 * 24 * 3_600_000;

export interface Received {
  readonly operationId: number;
  readonly to: Msisdn;
  readonly from: Msisdn | undefined;
  readonly amount: Centimes;
}

/** Applies facts about money to intents and sessions. Applying a fact again changes nothing. */
export function createOutcomes(
  store: Store,
  sessions: ReturnType<typeof createSessions>,
  pushed: (address: Loaded) => void,
  now: () => number,
) {
  return {
    /** The intent that a request id belongs to; undefined when it is none of ours. */
    async intentOf(requestId: string): Promise<Intent | undefined> {
      const partition = partitionOfRef(requestId);
      if (partition === undefined) return undefined;
      const [doc] = await store.read(partition, [intentKey(requestId)]);
      return doc && (JSON.parse(doc.value) as Intent);
    },

    /** Ends an intent, frees its wallet's slot and tells the customer, in one commit. */
    async applyOutcome(
      id: string,
      outcome: 'succeeded' | 'failed',
      operationId: number,
      why: string,
    ): Promise<void> {
      const partition = partitionOfRef(id) as number;
      for (;;) {
        const startedAt = now();
        const [doc] = await store.read(partition, [intentKey(id)]);
        if (!doc) return;
        const intent = JSON.parse(doc.value) as Intent;
        if (hasEnded(intent)) return;
        const [slot] = await store.read(partition, [slotKey(intent.wallet)]);
        const loaded = await sessions.load(intent.address, now());
        const after = moved(intent, outcome, now(), why, operationId);
        const session = told(loaded.session, after, now());
        const ours = slot && (JSON.parse(slot.value) as { intent: string }).intent === id;
        const writes = [
          {
            key: doc ? intentKey(id) : '',
            version: doc.version,
            value: JSON.stringify(after),
            keepUntil: now() + INTENT_KEPT_MS,
          },
          ...(ours ? [{ key: slotKey(intent.wallet), version: slot.version, value: null }] : []),
          ...(loaded.partition === partition ? [sessionWrite({ ...loaded, session })] : []),
        ];
        const next = { ...loaded, version: loaded.version + 1, session };
        const turn = createRecord({
          before: loaded,
          after: next,
          event: `outcome ${outcome}`,
          ran: [],
          startedAt,
          now: now(),
        });
        if (!(await store.commit(partition, { writes, turn, durable: true }))) continue;
        pushed(next);
        return;
      }
    },

    /** Tells a customer, wherever they can be told, that money has come. Once per operation and address. */
    async tellReceived({ operationId, to, from, amount }: Received): Promise<void> {
      const partition = partitionOf(to);
      for (const { address } of await sessions.ofWallet(to, await addressesOf(store, to))) {
        const message: Outgoing = {
          id: `received-${operationId}`,
          screen: {
            key: from ? 'received.from' : 'received.money',
            values: {
              amount: { money: amount },
              reference: { code: String(operationId) },
              ...(from && { from: { phone: from } }),
            },
            expects: 'nothing',
          },
          money: true,
          tries: 0,
          tryAt: now(),
        };
        const marker = {
          key: `told:${operationId}:${address}`,
          version: 0,
          value: '1',
          keepUntil: now() + TOLD_MS,
        };
        for (;;) {
          const [done] = await store.read(partition, [marker.key]);
          const loaded = await sessions.load(address, now());
          if (done || loaded.partition !== partition || !loaded.session.linked) break;
          const session = enqueue(loaded.session, message);
          if (
            !(await store.commit(partition, {
              writes: [sessionWrite({ ...loaded, session }), marker],
              durable: true,
            }))
          )
            continue;
          pushed({ ...loaded, version: loaded.version + 1, session });
          break;
        }
      }
    },
  };
}

/** The session after its customer is told: by the conversation that waits for it, else by a message beside it. */
function told(session: Session, intent: Intent, now: number): Session {
  // The answer is on its way to the conversation, and brings the outcome with it.
  if (session.underway?.ref === intent.id) return session;
  const message = { id: `outcome-${intent.id}`, money: true, tries: 0, tryAt: now };
  const outcome = intent.state === 'succeeded' ? 'succeeded' : 'failed';
  const operationId = intent.operationId ?? 0;
  for (const place of ['conversation', 'suspended'] as const) {
    const conversation = session[place];
    if (session.intent !== intent.id || !conversation || !hasTag(conversation, 'sent')) continue;
    const step = tell(conversation, { type: 'outcome', outcome, operationId, at: now }, now);
    const screen = receipt(intent.order, intent.quote, outcome, operationId);
    const screenId = session.screen + 1;
    const shown = place === 'conversation' ? { screen: screenId } : {};
    return enqueue(
      { ...session, [place]: step.conversation, ...shown },
      { ...message, screen, ...(place === 'conversation' && { screenId }) },
    );
  }
  return enqueue(session, { ...message, screen: receipt(intent.order, intent.quote, outcome, operationId) });
}
