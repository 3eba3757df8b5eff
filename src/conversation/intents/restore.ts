import type { KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { type Update, update } from '../../store/update.ts';
import { entered } from '../session/book.ts';
import type { Session } from '../session/session.ts';
import { type Sessions, sessionWrite } from '../session/sessions.ts';
import { walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import { type Intent, intentCodec, intentKey } from './intent.ts';
import { entryOf, intentWrite } from './pay.ts';

interface RestoreDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly now: () => number;
}

/** A claim has written the documents of its effect, and the session of the conversation that asked for it. */
export interface Claimed {
  readonly docs: readonly KeyedDoc[];
  readonly session?: Session | undefined;
}

/**
 * Writes an intent again whose claim the store has lost after it had acknowledged it (docs/safety.md, "The truth").
 * Only the process that has sent the payment knows it then: no event ever comes of a top-up or a voucher. An intent
 * that is there is not touched.
 * @returns the intent; undefined where the claim wrote none. Rejects with `StoreDown`.
 */
export async function restored(
  deps: RestoreDeps,
  id: string,
  { docs, session }: Claimed,
): Promise<Intent | undefined> {
  const intent = intentCodec.read(docs.find(({ key }) => key === intentKey(id)));
  if (!intent) return undefined;
  const keys = [intentKey(id), walletKey(intent.wallet)] as const;
  return update(deps.store, partitionOf(intent.wallet), keys, (...now) =>
    written(deps, intent, session, now),
  );
}

/** Intent, wallet and session in one commit. */
async function written(
  { sessions, now }: RestoreDeps,
  lost: Intent,
  claimed: Session | undefined,
  [doc, walletDoc]: readonly [doc: KeyedDoc, walletDoc: KeyedDoc],
): Promise<Update<Intent>> {
  const { id, wallet, address, state } = lost;
  if (doc.version > 0) return { result: lost };
  const intent: Intent = { ...lost, audit: [...lost.audit, [now(), state, { kind: 'restored' }]] };
  const before = walletStateOf(walletDoc);
  const others = { entries: before.value.entries.filter((entry) => entry.id !== id) };
  const loaded = await sessions.load(address, now());
  const session = goneOnWith(loaded.session, claimed);
  const isTheirs = loaded.partition === partitionOf(wallet) && (loaded.version > 0 || claimed !== undefined);
  const writes = [
    intentWrite(doc, intent, now()),
    walletWrite(wallet, before, { ...before.value, ...entered(others, entryOf(intent), now()) }),
    ...(isTheirs ? [sessionWrite({ ...loaded, session })] : []),
  ];
  return { writes, durable: true, result: intent };
}

/**
 * The session as the claim had left it. The store's older one may wait for the answer to a PIN, and would then say that nothing was sent.
 * A customer who has said something since stays where they are. The payment is named above their screen.
 */
function goneOnWith(now: Session, claimed: Session | undefined): Session {
  const last = now.seen.at(-1);
  const isBefore = last === undefined || claimed?.seen.includes(last);
  if (!claimed || !isBefore || now.owner) return { ...now, contact: now.screen };
  const outbox = (now.outbox ?? []).filter(({ screen }) => !screen.key.endsWith('.notSentAt'));
  return { ...claimed, outbox, screen: Math.max(claimed.screen, now.screen) };
}
