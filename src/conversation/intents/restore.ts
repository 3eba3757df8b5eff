import type { KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { type Update, update } from '../../store/update.ts';
import { entered } from '../session/book.ts';
import { type Sessions, sessionWrite } from '../session/sessions.ts';
import { walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import { type Intent, intentCodec, intentKey } from './intent.ts';
import { entryOf, intentWrite } from './pay.ts';

interface RestoreDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly now: () => number;
}

/**
 * Writes an intent again whose claim the store has lost after it had acknowledged it (docs/safety.md, "The truth"). Only the
 * process that has sent it knows it then: no event ever comes of a top-up or a voucher. One that is there is not touched.
 * @param docs the documents as the claim had left them
 * @returns the intent; undefined where the claim wrote none. Rejects with `StoreDown`.
 */
export async function restored(
  deps: RestoreDeps,
  id: string,
  docs: readonly KeyedDoc[],
): Promise<Intent | undefined> {
  const claimed = intentCodec.read(docs.find(({ key }) => key === intentKey(id)));
  if (!claimed) return undefined;
  const audit = [...claimed.audit, [deps.now(), claimed.state, { kind: 'restored' }] as const];
  const intent: Intent = { ...claimed, audit };
  const keys = [intentKey(id), walletKey(intent.wallet)] as const;
  return update(deps.store, partitionOf(intent.wallet), keys, (...now) => written(deps, intent, now));
}

/** Intent, wallet and session in one commit. */
async function written(
  { sessions, now }: RestoreDeps,
  intent: Intent,
  [doc, walletDoc]: readonly [doc: KeyedDoc, walletDoc: KeyedDoc],
): Promise<Update<Intent>> {
  const { id, wallet, address } = intent;
  if (doc.version > 0) return { result: intent };
  const before = walletStateOf(walletDoc);
  const others = { entries: before.value.entries.filter((entry) => entry.id !== id) };
  const loaded = await sessions.load(address, now());
  const { session } = loaded;
  // The conversation stands where it stood before the claim: the payment is named above it.
  const named = sessionWrite({ ...loaded, session: { ...session, contact: session.screen } });
  const isTheirs = loaded.partition === partitionOf(wallet) && loaded.version > 0;
  const writes = [
    intentWrite(doc, intent, now()),
    walletWrite(wallet, before, { ...before.value, ...entered(others, entryOf(intent), now()) }),
    ...(isTheirs ? [named] : []),
  ];
  return { writes, durable: true, result: intent };
}
