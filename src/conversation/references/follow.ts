import { OPERATIONS_PAGE_SIZE } from '../../payments/payment.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { CashKind } from '../../wallet/services.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { listedFrom, SKEW_MS } from '../intents/match.ts';
import type { Executed } from '../intents/recipient.ts';
import { createRecord, type WebhookInfo } from '../record/record.ts';
import { partitionOfRef } from '../record/ref.ts';
import type { Secrets } from '../secrets.ts';
import type { LoadedSession, Sessions } from '../session/sessions.ts';
import { walletKey, walletStateOf, walletWrite } from '../session/wallet-doc.ts';
import { messageWrites, outcomeMessage } from './outcome-message.ts';
import {
  looked,
  numberOf,
  openReferences,
  type Reference,
  referenceCodec,
  referenceKey,
  referenceWrite,
  withReference,
} from './reference.ts';

const { CASHOUT } = OPERATION_TYPES;
const LOOK_MAX_MS = 10_000;
/** How long the wallet may take to say what a withdrawal has cost. */
const FEES_MAX_MS = 3_000;
/** How many open references of a customer are looked up when they come. */
const LOOKED_AT_VISIT_MAX = 5;

/** Follows references until they are closed. It only reads. Its findings are written down, and told, once. */
export interface References {
  /** Looks one up, if it is still followed. Called when it is due. */
  look(id: string): Promise<void>;
  /** Looks up those that are open, as their customer is here. Gives whether there were any. */
  lookAtVisit(loaded: LoadedSession): Promise<boolean>;
  /**
   * An event, or an agent's own payment, says that a reference was executed. None of it is believed. `later`: the
   * reference is ours, but the wallet does not say so yet, or its number is still on the way to us. `foreign`: Wasl has
   * not asked for it.
   */
  executed(event: Executed): Promise<'done' | 'later' | 'foreign'>;
}

export interface ReferencesDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly api: Pick<Wallet, 'cashReference' | 'operations'>;
  readonly secrets: Secrets;
  readonly pushed: (loaded: LoadedSession) => void;
  readonly now: () => number;
}

export function createReferences(deps: ReferencesDeps): References {
  return {
    look: (id) => look(deps, id),
    lookAtVisit: (loaded) => lookAtVisit(deps, loaded),
    executed: (event) => executed(deps, event),
  };
}

async function look(deps: ReferencesDeps, id: string, webhook?: WebhookInfo): Promise<void> {
  const reference = await readReference(deps, id);
  if (!reference) return;
  const { api, secrets, now } = deps;
  const number = numberOf(reference, secrets, now());
  if (number === undefined) return apply(deps, reference, (current) => withLostAnswer(current, deps));
  const answer = await api.cashReference(reference.kind, number, { timeoutMs: LOOK_MAX_MS });
  // A refusal is an answer: there is nothing to be seen.
  const found =
    answer.kind === 'ok' ? answer.value : answer.kind === 'refused' ? undefined : ('unanswered' as const);
  const isPaidOut = found !== undefined && found !== 'unanswered' && found.status === STATUSES.COMPLETED;
  const isNews = isPaidOut && reference.kind === 'cash-out' && reference.state !== 'executed';
  const fees = isNews ? await feesTaken(deps, reference, found.executedAt) : undefined;
  await apply(deps, reference, (current) => looked(current, found, now()), { webhook, fees });
}

/**
 * The fees that the wallet took for a withdrawal, of the operation that it lists for it. Undefined where it lists none that fits, or several
 * that cost differently: nobody guesses a fee.
 */
async function feesTaken(
  { api }: ReferencesDeps,
  { wallet, amount, at }: Reference,
  executedAt?: number,
): Promise<Centimes | undefined> {
  const filter = { types: [CASHOUT], from: listedFrom(executedAt ?? at), pageSize: OPERATIONS_PAGE_SIZE };
  const answer = await api.operations(wallet, filter, { timeoutMs: FEES_MAX_MS });
  if (answer.kind !== 'ok' || answer.value.leftOut?.length) return undefined;
  const { operations, count } = answer.value;
  const fees = operations
    .filter((each) => each.type === CASHOUT && each.amount === amount && each.status === STATUSES.COMPLETED)
    .filter((each) => executedAt === undefined || Math.abs(each.at - executedAt) <= SKEW_MS)
    .map((each) => each.fees);
  return count <= operations.length && new Set(fees).size === 1 ? fees[0] : undefined;
}

/** One without a number: its answer has never come. */
function withLostAnswer(reference: Reference, { now }: ReferencesDeps): Reference {
  return reference.state === 'asked' ? { ...reference, state: 'lost', since: now() } : reference;
}

async function lookAtVisit(deps: ReferencesDeps, { session, wallet }: LoadedSession): Promise<boolean> {
  const all = session.linked ? openReferences(wallet.value, deps.now()) : [];
  const open = all.slice(0, LOOKED_AT_VISIT_MAX);
  for (const { id } of open) await look(deps, id);
  return open.length > 0;
}

async function executed(
  deps: ReferencesDeps,
  { kind, reference, wallets, webhook }: Executed,
): Promise<'done' | 'later' | 'foreign'> {
  const { secrets, now } = deps;
  for (const wallet of wallets) {
    const known = await referencesOf(deps, wallet, kind);
    const ours = known.find((each) => numberOf(each, secrets, now()) === reference);
    if (ours) {
      await look(deps, ours.id, webhook);
      const after = await readReference(deps, ours.id);
      return after?.state === 'open' ? 'later' : 'done';
    }
    // The event may overtake the answer to the request. Then nobody knows yet whose number that is, whatever amount the
    // event says.
    if (known.some(({ state }) => state === 'asked')) return 'later';
  }
  return 'foreign';
}

async function referencesOf({ store }: ReferencesDeps, wallet: Msisdn, kind: CashKind): Promise<Reference[]> {
  const partition = partitionOf(wallet);
  const [walletDoc] = await readDocs(store, partition, [walletKey(wallet)]);
  const { references = [] } = walletStateOf(walletDoc).value;
  const keys = references.filter((each) => each.kind === kind).map(({ id }) => referenceKey(id));
  return (await readDocs(store, partition, keys)).flatMap((doc) => referenceCodec.readable(doc) ?? []);
}

async function readReference({ store }: ReferencesDeps, id: string): Promise<Reference | undefined> {
  const partition = partitionOfRef(id);
  if (partition === undefined) return undefined;
  const [doc] = await readDocs(store, partition, [referenceKey(id)]);
  return referenceCodec.read(doc);
}

/** Changes a reference and tells its customer. It starts again if another process was in between. */
async function apply(
  deps: ReferencesDeps,
  { id, wallet }: Reference,
  change: (current: Reference) => Reference,
  {
    webhook,
    fees,
  }: { readonly webhook?: WebhookInfo | undefined; readonly fees?: Centimes | undefined } = {},
): Promise<void> {
  const startedAt = deps.now();
  const keys = [referenceKey(id), walletKey(wallet)] as const;
  const informed = await update(
    deps.store,
    partitionOf(wallet),
    keys,
    async (doc, walletDoc): Promise<Update<readonly LoadedSession[]>> => {
      const before = referenceCodec.read(doc);
      if (!before) return { result: [] };
      const after = change(before);
      const write = referenceWrite(doc, after);
      if (after.state === before.state) return { writes: [write], result: [] };
      const state = walletStateOf(walletDoc);
      const writes = [write, walletWrite(wallet, state, withReference(state.value, after))];
      const message = outcomeMessage(after, deps.now(), fees);
      if (!message) return { writes, durable: true, result: [] };
      const [first, ...others] = await messageWrites(deps, after, message);
      if (!first) return { writes, durable: true, result: [] };
      const turn = createRecord({
        before: first.before,
        after: first.after,
        event: { kind: 'reference', id, from: before.state, to: after.state },
        webhook,
        ran: [],
        startedAt,
        now: deps.now(),
      });
      const all = [first, ...others];
      return {
        writes: [...writes, ...all.map((each) => each.write)],
        ...turn,
        durable: true,
        result: all.map((each) => each.after),
      };
    },
  );
  for (const loaded of informed) deps.pushed(loaded);
}
