import { methodOfType, type Order } from '../../payments/payments.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { type Update, update } from '../../store/update.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { Facts, Operation, Wallet } from '../../wallet/wallet.ts';
import { ownAddress } from '../channel.ts';
import { createRecord, type WebhookInfo } from '../record/record.ts';
import { isOurRef, partitionOfRef } from '../record/ref.ts';
import type { Secrets } from '../secrets.ts';
import { entered } from '../session/book.ts';
import { type LoadedSession, mayRead, type Sessions, sessionWrite, withWallet } from '../session/sessions.ts';
import { walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import { type Intent, intentKey, needsPerson } from './intent.ts';
import { needsOf } from './needs-person.ts';
import { notified } from './notification.ts';
import { paymentEvent } from './outcomes.ts';
import { entryOf, intentWrite, withFact } from './pay.ts';
import { readOperation } from './reconcile.ts';
import { withOutcome } from './taken-payments.ts';

/** Partner API v2.3: sens 1 CREDIT. */
const CREDIT = 1;

/** The content of an authentic webhook about a payment. All of it but the request id is a hint. */
export interface Trace {
  readonly requestId: string;
  readonly operationId: number;
  readonly event: string;
  /** The number of the wallet that has paid, as the body has it. */
  readonly payer: string;
  readonly webhook: WebhookInfo;
  /** Facts that only the event has. */
  readonly facts?: Facts | undefined;
}

/**
 * The result of a rebuild. `foreign`: the request is none of ours. `later`: the wallet did not say. `unknowable`: the
 * request is ours, but the wallet does not tell what was paid, so a person must look.
 */
export type Rebuilt = 'rebuilt' | 'foreign' | 'later' | 'unknowable';

export interface RebuildDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly api: Pick<Wallet, 'operation' | 'billPayments'>;
  readonly secrets: Pick<Secrets, 'digests'>;
  readonly pushed: (loaded: LoadedSession) => void;
  readonly alert: (intent: Intent) => void;
  readonly now: () => number;
}

/**
 * Writes down again an intent that the store has lost (docs/safety.md, "The truth"). The tag in the request id proves
 * that it is ours, and the wallet says what was paid and how it ended. Its customer reads it wherever they can. An
 * intent that exists is never touched, so doing it twice changes nothing.
 */
export async function rebuild(deps: RebuildDeps, trace: Trace): Promise<Rebuilt> {
  if (!isOurRef(trace.requestId, deps.secrets)) return 'foreign';
  const payer = readPhone(trace.payer);
  // An intent lives in the partition of the wallet that pays.
  if (!payer || trace.operationId === 0 || partitionOf(payer) !== partitionOfRef(trace.requestId))
    return 'unknowable';
  const read = await deps.api.operation(payer, trace.operationId);
  if (read.kind !== 'ok') return 'later';
  const operation = read.value;
  const method = methodOfType(operation.type);
  const isCredit = method?.listed.side === 'credit';
  const owner = isCredit ? operation.receiver : operation.sender;
  // The wallet shows the operation to this customer as money that they have paid, or brought in. So it is theirs,
  // whatever the body says.
  const isTheirs = (operation.direction === CREDIT) === isCredit && (readPhone(owner) ?? payer) === payer;
  const order = isTheirs ? await method?.followed.rebuild?.(operation, payer, deps.api) : undefined;
  if (!order) return 'unknowable';
  if (order.kind !== 'ok') return 'later';
  if (!order.value) return 'unknowable';
  const before = lost(trace, payer, order.value, operation, deps.now());
  const keys = [intentKey(before.id), walletKey(payer)] as const;
  const { intent, notified: reached } = await update(deps.store, partitionOf(payer), keys, (...docs) =>
    written(deps, trace, before, operation, docs),
  );
  for (const loaded of reached) deps.pushed(loaded);
  if (intent && needsPerson(intent)) deps.alert(intent);
  return 'rebuilt';
}

/** The intent as it may have been before anything was known of it. */
function lost(
  { requestId: id, event, facts }: Trace,
  wallet: Msisdn,
  order: Order,
  { amount, fees, total, at: sentAt }: Operation,
  now: number,
): Omit<Intent, 'address'> {
  return {
    id,
    wallet,
    order: { ...order, amount },
    quote: { fees, total, openLoop: false, at: sentAt, alike: [] },
    state: 'sent',
    sentAt,
    before: [],
    evidence: [],
    ...(facts && { facts }),
    audit: [[now, 'sent', { kind: 'rebuilt', event }]],
  };
}

/** The written documents. Empty where the intent was there already. */
interface Written {
  readonly intent?: Intent;
  readonly notified: readonly LoadedSession[];
}

/** Intent, wallet and every session that has a message about it, in one commit. */
async function written(
  deps: RebuildDeps,
  { event, webhook }: Trace,
  { id, wallet, ...rest }: Omit<Intent, 'address'>,
  operation: Operation,
  [doc, walletDoc]: readonly [doc: KeyedDoc, walletDoc: KeyedDoc],
): Promise<Update<Written>> {
  const { now } = deps;
  const startedAt = now();
  if (doc.version > 0) return { result: { notified: [] } };
  const reached = await reachable(deps, wallet);
  const [first] = reached;
  if (!first) throw new Error('a wallet always has its number');
  const known = walletStateOf(walletDoc);
  const fact = { kind: 'webhook', event, operation: readOperation(rest, operation) } as const;
  const intent = withFact({ id, wallet, address: first.address, ...rest }, fact, known.value, now());
  const others = known.value.entries.filter((each) => each.id !== id);
  const book = entered({ entries: others }, { ...entryOf(intent), isRebuilt: true }, now());
  const value = withOutcome({ ...known.value, ...book }, intent, rest);
  const walletAfter = walletWrite(wallet, known, value);
  const state = { version: walletAfter.next, value };
  const rewritten = reached.map((loaded) => {
    const session = notified(loaded.session, intent, now());
    const write = sessionWrite({ ...loaded, session });
    const isChanged = session !== loaded.session;
    return { write, isChanged, loaded: withWallet({ ...loaded, session, version: write.next }, state) };
  });
  const changed = rewritten.filter(({ isChanged }) => isChanged);
  const turn = createRecord({
    before: first,
    after: rewritten[0]?.loaded ?? first,
    event: paymentEvent(intent),
    webhook,
    ran: [],
    caseUpdates: needsOf(intent, now()),
    startedAt,
    now: now(),
  });
  const writes = [intentWrite(doc, intent, now()), walletAfter, ...changed.map(({ write }) => write)];
  return {
    writes,
    ...turn,
    durable: true,
    result: { intent, notified: changed.map(({ loaded }) => loaded) },
  };
}

/** Every session in which a wallet's customer can read about its money, the one they used last first. */
async function reachable({ sessions, now }: RebuildDeps, wallet: Msisdn): Promise<LoadedSession[]> {
  const found = await sessions.everywhere(wallet);
  const linked = found.filter((loaded) => mayRead(loaded, wallet, now()));
  return linked.length > 0
    ? linked.sort((a, b) => b.session.at - a.session.at)
    : [await sessions.load(ownAddress(wallet), now())];
}
