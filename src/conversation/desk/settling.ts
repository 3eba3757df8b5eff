import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import type { Agreed } from '../intents/evidence.ts';
import { type Intent, intentKey, learn, needsPerson, type Reason, readIntent } from '../intents/intent.ts';
import type { Outcomes } from '../intents/outcomes.ts';
import { intentWrite } from '../intents/pay.ts';
import { outcomeMessage } from '../intents/told.ts';
import { enqueue, hasRoom, type Outgoing, type Session } from '../session/session.ts';
import { type createSessions, type Loaded, sessionWrite } from '../session/sessions.ts';
import type { Acted, Desk } from './desk.ts';

type Settling = Pick<Desk, 'resend' | 'propose' | 'approve' | 'withdraw'>;

export interface SettlingOptions {
  readonly store: Store;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly outcomes: Outcomes;
  readonly pushed: (loaded: Loaded) => void;
  readonly now: () => number;
}

/** Payments whose outcome people find out: one agent says how it ended and how they know, another one agrees. */
export function createSettling({ store, sessions, outcomes, pushed, now }: SettlingOptions): Settling {
  return {
    async resend(id, by) {
      const intent = await outcomes.intentOf(id);
      if (!intent) return 'notFound';
      for (;;) {
        const loaded = await sessions.load(intent.address, now());
        const { session, partition } = loaded;
        const message = outcomeMessage(intent, now());
        // The chat may be somebody else's by now.
        if (!message || !session.linked || session.wallet !== intent.wallet) return 'notNow';
        const after = toldAgain(session, message, now());
        if (!after) return 'notNow';
        const written = sessionWrite({ ...loaded, session: after });
        if (await store.commit(partition, { writes: [written] })) {
          pushed({ ...loaded, version: written.next, session: after });
          return change(id, (current) => noted(current, { kind: 'told-again', by: by.id }, now()));
        }
      }
    },

    propose: (id, by, settlement) =>
      change(id, (intent) => {
        // One that another agent may be reading is first taken back.
        if (intent.proposal || !needsPerson(intent)) return 'notNow';
        if ((settlement.as === 'handedOver') !== isMissingCode(intent)) return 'notNow';
        const { as, evidence } = settlement;
        const why = { kind: 'proposed', by: by.id, as, evidence } as const;
        return noted({ ...intent, proposal: { by: by.id, at: now(), ...settlement } }, why, now());
      }),

    withdraw: (id, by) =>
      change(id, ({ proposal, ...intent }) =>
        proposal ? noted(intent, { kind: 'withdrawn', by: by.id }, now()) : 'notNow',
      ),

    async approve(id, by, at) {
      const intent = await outcomes.intentOf(id);
      const proposal = intent?.proposal;
      if (!intent) return 'notFound';
      // Only what they have read: it may have been taken back, and another one made.
      if (proposal?.at !== at) return 'notNow';
      if (proposal.by === by.id) return 'sameAgent';
      const { as, evidence, operationId } = proposal;
      const agreed: Agreed = { by: proposal.by, approvedBy: by.id, evidence };
      if (as === 'handedOver') return change(id, (current) => handedOver(current, intent, agreed, now()));
      let settled = false;
      await outcomes.apply(intent, (current) => {
        // Something may have come to light since, or another proposal.
        settled = current.proposal?.at === proposal.at && needsPerson(current);
        if (!settled) return undefined;
        const { proposal: _done, ...unproposed } = current;
        const fact = { kind: 'settled', as, proposedAt: proposal.at, ...agreed } as const;
        const named = operationId === undefined ? fact : { ...fact, operationId };
        return { intent: learn(unproposed, named, now()) };
      });
      return settled ? 'done' : 'notNow';
    },
  };

  /** Changes an intent's document, again until nobody was in between. */
  async function change(id: string, to: (intent: Intent) => Intent | Exclude<Acted, 'done'>): Promise<Acted> {
    for (;;) {
      const intent = await outcomes.intentOf(id);
      if (!intent) return 'notFound';
      const partition = partitionOf(intent.wallet);
      const [doc] = await store.read(partition, [intentKey(id)]);
      if (!doc) return 'notFound';
      const after = to(readIntent(doc.value));
      if (typeof after === 'string') return after;
      const write = intentWrite({ ...doc, key: intentKey(id) }, after, now());
      if (await store.commit(partition, { writes: [write], durable: true })) return 'done';
    }
  }
}

/**
 * The session after an outcome is told again: one that still waits is tried at once, not said twice. Undefined when another
 * message would be lost for it.
 */
function toldAgain(session: Session, message: Outgoing, now: number): Session | undefined {
  const { outbox = [] } = session;
  const waits = ({ id }: Outgoing) => id.startsWith(message.id);
  if (outbox.some(waits))
    return { ...session, outbox: outbox.map((each) => (waits(each) ? { ...each, tryAt: now } : each)) };
  // A page that is open knows what it has shown by its id.
  return hasRoom(session) ? enqueue(session, { ...message, id: `${message.id}-${now}` }) : undefined;
}

/** A voucher that is paid, and whose code no answer has brought. */
function isMissingCode({ state }: Intent): boolean {
  return state === 'succeeded';
}

function handedOver(current: Intent, seen: Intent, agreed: Agreed, at: number): Intent | 'notNow' {
  const { proposal, facts, ...intent } = current;
  if (proposal?.at !== seen.proposal?.at || !needsPerson(current)) return 'notNow';
  const after: Intent = { ...intent, facts: { ...facts, codeSent: 'yes' } };
  return noted(after, { kind: 'handed-over', ...agreed }, at);
}

function noted(intent: Intent, why: Reason, at: number): Intent {
  return { ...intent, audit: [...intent.audit, [at, intent.state, why]] };
}
