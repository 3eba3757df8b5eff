import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { versionAfter } from '../../store/version.ts';
import { createRecord } from '../record.ts';
import { partitionOfRef } from '../ref.ts';
import { type createSessions, type Loaded, sessionWrite } from '../sessions.ts';
import { type Book, bookKey, EMPTY_BOOK, noted, openIn, ownerOf } from './book.ts';
import { type Intent, type IntentState, intentKey, learn, needsPerson } from './intent.ts';
import { noteNames } from './names.ts';
import { facts, intentWrite } from './pay.ts';
import { told } from './told.ts';

/** A fact about an intent, and where it came from. */
export interface Fact {
  readonly state: IntentState;
  readonly why: string;
  readonly operationId?: number;
  /** The wallet's list alone says that this operation is ours. */
  readonly isByList?: boolean;
  /** Two people have settled it: what one of them proposed is done with. */
  readonly settles?: true;
  /** When it happened, in ms since 1970, where a webhook says so. */
  readonly happenedAt?: number;
}

/** What a fact means for an intent as it stands now; undefined: nothing. */
type Decide = (intent: Intent, book: Book) => Fact | undefined;

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
    async apply(intent: Pick<Intent, 'id' | 'wallet'>, decide: Decide): Promise<void> {
      while (!(await applied(intent, decide)));
    },
  };

  /** False when somebody was faster and it must be looked at again. */
  async function applied({ id, wallet }: Pick<Intent, 'id' | 'wallet'>, decide: Decide): Promise<boolean> {
    const startedAt = now();
    const partition = partitionOf(wallet);
    const [doc, bookDoc] = await store.read(partition, [intentKey(id), bookKey(wallet)]);
    if (!doc) return true;
    const intent = JSON.parse(doc.value) as Intent;
    const book = bookDoc ? (JSON.parse(bookDoc.value) as Book) : EMPTY_BOOK;
    const fact = decide(intent, book);
    const after = fact ? claimed(intent, book, fact, now()) : intent;
    const written = intentWrite({ ...doc, key: intentKey(id) }, after, now());
    if (after === intent) {
      // Whoever should look at it is reminded for as long as nobody has.
      if (needsPerson(after)) alert(after);
      // Nothing new, and nothing to write where nothing is checked any more.
      return written.dueAt === null || store.commit(partition, { writes: [written] });
    }
    // Other names were noted when it was sent.
    if (after.operationId !== intent.operationId) await noteNames(store, after, now());
    const loaded = await sessions.load(intent.address, now());
    const session = told(loaded.session, after, now());
    const rewritten = sessionWrite({ ...loaded, session });
    const bookAfter = noted(book, id, facts(after));
    const next = { ...loaded, version: rewritten.next, session, open: openIn(bookAfter) };
    // Written also where telling is left to the answer under way: that may have been thought of without this fact.
    const awaited = session.underway?.ref === id;
    const reached = loaded.partition === partition && (session !== loaded.session || awaited);
    const bookVersion = bookDoc?.version ?? 0;
    const value = JSON.stringify(bookAfter);
    const writes: Write[] = [
      written,
      { key: bookKey(wallet), version: bookVersion, next: versionAfter(bookVersion), value },
    ];
    if (reached) writes.push(rewritten);
    const event = `intent ${after.state}`;
    const happenedAt = fact?.happenedAt;
    const turn = createRecord({
      before: loaded,
      after: next,
      event,
      happenedAt,
      ran: [],
      startedAt,
      now: now(),
    });
    if (!(await store.commit(partition, { writes, turn, durable: true }))) return false;
    if (reached) pushed(next);
    if (needsPerson(after)) alert(after);
    return true;
  }
}

/** The intent after a fact. An operation that already belongs to another payment proves nothing about this one. */
function claimed(
  intent: Intent,
  book: Book,
  { state, why, operationId, isByList, settles }: Fact,
  at: number,
): Intent {
  const owner = operationId === undefined ? undefined : ownerOf(book, operationId);
  if (owner !== undefined && owner !== intent.id) {
    return learn(intent, 'human', at, `${why}: operation ${operationId} belongs to ${owner}`);
  }
  const { proposal: _done, ...unproposed } = intent;
  const after = learn(settles ? unproposed : intent, state, at, why, operationId);
  return isByList && after !== intent ? { ...after, isByList } : after;
}
