import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { createRecord } from '../record.ts';
import { partitionOfRef } from '../ref.ts';
import { type createSessions, type Loaded, sessionWrite } from '../sessions.ts';
import { type Book, bookKey, noted, ownerOf } from './book.ts';
import { type Intent, type IntentState, intentKey, learn } from './intent.ts';
import { facts, intentWrite } from './pay.ts';
import { told } from './told.ts';

/** A fact about an intent, and where it came from. */
export interface Fact {
  readonly state: IntentState;
  readonly why: string;
  readonly operationId?: number;
}

/** Applies facts to intents: intent, the wallet's book and the customer's session change in one commit. */
export function createOutcomes(
  store: Store,
  sessions: ReturnType<typeof createSessions>,
  pushed: (loaded: Loaded) => void,
  /** Told when a payment needs a person. */
  alert: (intent: Intent) => void,
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

    /**
     * Applies what was learnt, again until nobody was in between, and tells the customer if the state has changed. A
     * fact without news only sets the next check. Applying a fact again changes nothing.
     */
    async apply(
      { id, wallet }: Pick<Intent, 'id' | 'wallet'>,
      decide: (intent: Intent, book: Book) => Fact | undefined,
    ): Promise<void> {
      for (;;) {
        const startedAt = now();
        const partition = partitionOf(wallet);
        const [doc, bookDoc] = await store.read(partition, [intentKey(id), bookKey(wallet)]);
        if (!doc) return;
        const intent = JSON.parse(doc.value) as Intent;
        const loaded = await sessions.load(intent.address, now());
        const book = JSON.parse(bookDoc?.value ?? '{"entries":[]}') as Book;
        const fact = decide(intent, book);
        const after = fact ? claimed(intent, book, fact, now()) : intent;
        const writes: Write[] = [intentWrite({ ...doc, key: intentKey(id) }, after, now())];
        if (after === intent) {
          // Nothing new, and nothing to write where nothing is checked any more.
          if (writes[0]?.dueAt === null || (await store.commit(partition, { writes }))) return;
          continue;
        }
        writes.push({
          key: bookKey(intent.wallet),
          version: bookDoc?.version ?? 0,
          value: JSON.stringify(noted(book, id, facts(after))),
        });
        const session = told(loaded.session, after, now());
        const next = { ...loaded, version: loaded.version + 1, session };
        const reached = loaded.partition === partition && session !== loaded.session;
        if (reached) writes.push(sessionWrite({ ...loaded, session }));
        const event = `intent ${after.state}`;
        const turn = createRecord({ before: loaded, after: next, event, ran: [], startedAt, now: now() });
        if (!(await store.commit(partition, { writes, turn, durable: true }))) continue;
        if (reached) pushed(next);
        if (after.state === 'human') alert(after);
        return;
      }
    },
  };
}

/** The intent after a fact. An operation that already belongs to another payment proves nothing about this one. */
function claimed(intent: Intent, book: Book, { state, why, operationId }: Fact, at: number): Intent {
  const owner = operationId === undefined ? undefined : ownerOf(book, operationId);
  if (owner !== undefined && owner !== intent.id) {
    return learn(intent, 'human', at, `${why}: operation ${operationId} belongs to ${owner}`);
  }
  return learn(intent, state, at, why, operationId);
}
