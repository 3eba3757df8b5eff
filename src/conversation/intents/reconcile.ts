import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Ended, Found } from '../../payments/payment.ts';
import { listedName, methodOf } from '../../payments/payments.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Facts, Operation, OperationStatus, Wallet } from '../../wallet/wallet.ts';
import type { WebhookInfo } from '../record/record.ts';
import { type Book, listedIn } from '../session/book.ts';
import { openForWallet } from '../session/wallet-secret.ts';
import type { Fact, ReadOperation } from './evidence.ts';
import { type Intent, isOpen, unfinished } from './intent.ts';
import { historyOf, listOperations } from './look-alikes.ts';
import { findOperation, listedFrom, lookAlikesOf, matches, sentThere } from './match.ts';
import type { Outcomes } from './outcomes.ts';
import { withFact } from './pay.ts';
import type { Pulse } from './pulse.ts';
import { type RecipientDeps, tellRecipient } from './recipient.ts';
import { horizonMs, isLookedAgain, lookedAgainAt, mayBeTakenBack } from './schedule.ts';

/** How long the process that sends is left to bring the answer itself. */
const ANSWER_AWAITED_MS = 45_000;
/** How long payments that the list cannot tell apart are left to their webhooks, which distinguish them, before a person does. */
const CONTESTED_MS = 3_600_000;
/** A bank's page is answered within minutes, or not at all. */
const AT_BANK_MS = 10 * 60_000;
/** How long one question to the wallet may take. */
const PATIENCE = { timeoutMs: 10_000 };
/** v2.3, "Operation and transaction statuses". An open or unknown status says nothing. */
const ENDS: Readonly<Record<OperationStatus | 0, Ended | undefined>> = {
  0: undefined,
  1: undefined,
  2: 'succeeded',
  3: 'failed',
  4: 'failed',
};

/** The result of a look at a payment. */
type Look =
  /** There was nothing to ask. */
  | { readonly kind: 'none' }
  /** The wallet did not answer: this was no look. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'operation'; readonly operation: Operation | undefined }
  | { readonly kind: 'found'; readonly found: Found | undefined }
  | { readonly kind: 'listed'; readonly listed: readonly Operation[]; readonly leftOut: readonly number[] }
  /** After the success: is there a second operation? If the list does not show it, the order's own key is asked. */
  | { readonly kind: 'again'; readonly listed: readonly Operation[]; readonly found?: Found | undefined };

/** An event's words about its operation. They count as a fact only where the wallet shows the operation to nobody. */
interface Said {
  readonly amount?: Centimes | undefined;
  readonly status?: number | undefined;
  /** Facts that no read gives again. */
  readonly facts?: Facts | undefined;
}

/** Finds out outcomes. It only reads: nothing is sent again, and "not found" is said at the horizon only. */
export interface Reconciliation {
  /** Looks for an intent once. Called when it is due. Gives the intent as it is then. */
  reconcile(id: string): Promise<Intent | undefined>;
  /** The wallet's own data of an operation that a webhook named. The body was only a hint. This is the fact. */
  confirm(
    intent: Intent,
    operationId: number,
    event: string,
    webhook?: WebhookInfo,
    said?: Said,
  ): Promise<'known' | 'open' | 'unreadable'>;
}

interface ReconciliationDeps extends RecipientDeps {
  readonly outcomes: Pick<Outcomes, 'intentOf' | 'apply'>;
  readonly api: Pick<
    Wallet,
    'operation' | 'operations' | 'topUps' | 'billStatus' | 'cashReference' | 'agentOperations'
  >;
  readonly pulse: Pick<Pulse, 'missed' | 'asked'>;
}

export function createReconciliation(deps: ReconciliationDeps): Reconciliation {
  return {
    reconcile: (id) => reconcile(deps, id),
    confirm: (intent, operationId, event, webhook, said) =>
      confirm(deps, intent, operationId, event, webhook, said),
  };
}

async function reconcile(deps: ReconciliationDeps, id: string): Promise<Intent | undefined> {
  const { outcomes, pulse, now } = deps;
  const intent = await outcomes.intentOf(id);
  if (!intent) return undefined;
  pulse.asked(id);
  const look = await lookFor(deps, intent);
  if (look.kind === 'unanswered') pulse.missed(id);
  const after = await outcomes.apply(intent, (current, book) => ({
    intent: looked(current, book, look, now()),
  }));
  // The order's own key has told the end with the second look.
  const isAgain = look.kind === 'again' && !('found' in look);
  if (!after || !(isAgain || intent.operationId === undefined) || !isFollowed(after)) return after;
  const isNext = isAgain ? !isLookedAgain(after, now()) : after.operationId !== undefined;
  return isNext ? reconcile(deps, id) : after;
}

/** Its operation is read for how it has ended, or whether that was taken back. */
function isFollowed(intent: Intent): boolean {
  return isOpen(intent) || mayBeTakenBack(intent);
}

async function confirm(
  deps: ReconciliationDeps,
  intent: Intent,
  operationId: number,
  event: string,
  webhook: WebhookInfo | undefined,
  said: Said | undefined,
): Promise<'known' | 'open' | 'unreadable'> {
  const { outcomes, now } = deps;
  const answer = await readById(deps, intent, operationId);
  const read = answer.kind === 'ok' ? readOperation(intent, answer.value) : undefined;
  const operation = read?.ended ? read : (saidOperation(intent, answer, operationId, said) ?? read);
  if (!operation) return 'unreadable';
  await outcomes.apply(intent, (current, book) => {
    const facts = { ...said?.facts, ...current.facts };
    const known = Object.keys(facts).length > 0 ? { ...current, facts } : current;
    const ended = operation === read ? endOf(current, operation) : operation;
    return { intent: withFact(known, { kind: 'webhook', event, operation: ended }, book, now()), webhook };
  });
  return operation.ended ? 'known' : 'open';
}

/** The operation as the end of its own payment. A later change by another payment is the end of that other payment. */
function endOf({ order, state }: Intent, operation: ReadOperation): ReadOperation {
  const isChanged =
    state === 'succeeded' && operation.ended && methodOf(order).followed.isChangedLater?.(order);
  return isChanged ? { id: operation.id, ended: 'succeeded' } : operation;
}

function readById(
  { api }: ReconciliationDeps,
  { order, wallet }: Intent,
  id: number,
): Promise<Answer<Operation>> {
  const { followed } = methodOf(order);
  return followed.read?.(order, id, { api, call: PATIENCE }) ?? api.operation(wallet, id, PATIENCE);
}

/** The operation by the event's own words, where the wallet does not show it to the payer, or shows it as open. */
function saidOperation(
  { order }: Intent,
  { kind }: Answer<Operation>,
  id: number,
  said: Said | undefined,
): ReadOperation | undefined {
  const { endByEvent } = methodOf(order).followed;
  if (said?.status === undefined || !endByEvent || (kind !== 'ok' && kind !== 'refused')) return undefined;
  // Without its amount nothing shows that it is this payment.
  if (said.amount === undefined) return undefined;
  const ended = endByEvent(order, said.status);
  const isOther = said.amount !== order.amount;
  return { id, ...(ended && { ended }), ...(isOther && { isOther: true as const }) };
}

/** Asks the wallet: by the operation's id where it is known, else by the order's own key, else by its list. */
async function lookFor(deps: ReconciliationDeps, intent: Intent): Promise<Look> {
  const { api, now } = deps;
  const { operationId, order } = intent;
  if (isLookedAgain(intent, now())) {
    if (now() < lookedAgainAt(intent)) return { kind: 'none' };
    // Before the look is written down: a process that dies in between leaves it to the next one.
    if (!(await tellRecipient(deps, intent))) return { kind: 'unanswered' };
    if (methodOf(order).ofAgent && !historyOf(order))
      return lookOf(await foundBy(deps, intent), (found) => ({ kind: 'again', listed: [], found }));
    return lookOf(await listedSince(api, intent), (listing) => ({
      kind: 'again',
      listed: listing?.operations ?? [],
    }));
  }
  if (!isFollowed(intent)) return { kind: 'none' };
  // As above: of a refund that was taken back its recipient is told, too.
  const hears = !isOpen(intent) && methodOf(order).payee?.hears === 'refund';
  if (hears && !(await tellRecipient(deps, intent))) return { kind: 'unanswered' };
  if (operationId !== undefined) {
    const answer = await readById(deps, intent, operationId);
    return lookOf(answer, (operation) => ({ kind: 'operation', operation }));
  }
  if (methodOf(order).followed.find)
    return lookOf(await foundBy(deps, intent), (found) => ({ kind: 'found', found }));
  return lookOf(await listedSince(api, intent), (listing) => ({
    kind: 'listed',
    listed: listing?.operations ?? [],
    leftOut: listing?.leftOut ?? [],
  }));
}

/** The payment that the order's own key finds. Undefined where the order has no such key. */
async function foundBy(
  { api, secrets, now }: ReconciliationDeps,
  intent: Intent,
): Promise<Answer<Found | undefined>> {
  const { order, wallet } = intent;
  const sentAt = sentThere(intent);
  const openKept = (sealed: Sealed) => openForWallet(secrets, sealed, wallet, now());
  const found = methodOf(order).followed.find?.(order, { api, call: PATIENCE, openKept, sentAt });
  return found ?? { kind: 'ok', value: undefined };
}

/** Only an answered question counts as a look. A refusal answers that there is nothing to see. */
function lookOf<T>(answer: Answer<T>, look: (value: T | undefined) => Look): Look {
  if (answer.kind === 'ok') return look(answer.value);
  return answer.kind === 'refused' ? look(undefined) : { kind: 'unanswered' };
}

function listedSince(api: ReconciliationDeps['api'], { order, sentAt, skewMs }: Intent) {
  return listOperations(api, order, listedFrom(sentAt, skewMs), PATIENCE);
}

/** The intent after a look, as it is now: it may have moved on since it was read. */
function looked(current: Intent, book: Book, look: Look, now: number): Intent {
  if (look.kind === 'none') return current;
  const { unanswered = 0, ...rest } = current;
  const asked: Intent = look.kind === 'unanswered' ? { ...rest, unanswered: unanswered + 1 } : rest;
  const age = now - current.sentAt;
  const learnAll = (intent: Intent, all: readonly Fact[]) =>
    all.reduce((known, fact) => withFact(known, fact, book, now), intent);
  if (look.kind === 'again')
    return isLookedAgain(current, now) ? learnAll(asked, again(current, look, book)) : asked;
  if (mayBeTakenBack(current)) return learnAll(asked, takenBackIn(current, look, book, age));
  if (!isOpen(current)) return asked;
  const isSilent = current.state === 'sent' && age > ANSWER_AWAITED_MS;
  const after = isSilent ? learnAll(asked, [{ kind: 'no-answer' }]) : asked;
  if (look.kind === 'unanswered') return after;
  const known = learnAll(after, factsIn(after, look, book, age));
  if (known !== after) return known;
  if (age >= horizonMs(known)) return learnAll(known, [horizon(known, look)]);
  return age >= AT_BANK_MS ? unfinished(known, 'late', now) : known;
}

/** The facts of a look at a success: it was taken back, or an operation that no answer has named is found. */
function takenBackIn(intent: Intent, look: Look, book: Book, ageMs: number): Fact[] {
  return factsIn(intent, look, book, ageMs).filter((fact) => {
    if (fact.kind === 'read')
      return !fact.operation.isOther && endOf(intent, fact.operation).ended === 'failed';
    return fact.kind === 'only-match' || (fact.kind === 'own-key' && fact.ended === 'failed');
  });
}

function again(
  intent: Intent,
  { listed, found }: Pick<Extract<Look, { kind: 'again' }>, 'listed' | 'found'>,
  book: Book,
): Fact[] {
  const undone = found?.state === 'failed' ? foundFacts(intent.order.kind, found) : [];
  return [{ kind: 'look-alikes', operationIds: lookAlikesOf(intent, listed, book) }, ...undone];
}

/** The facts of a look about an intent. An operation found in the list is ours, and is read by its id. */
function factsIn(intent: Intent, look: Look, book: Book, ageMs: number): Fact[] {
  const { operationId, order } = intent;
  if (look.kind === 'operation') {
    const { operation } = look;
    if (!operation || operation.id !== operationId) return [];
    const read = readOperation(intent, operation);
    return read.ended || read.isOther ? [{ kind: 'read', operation: read }] : [];
  }
  if (operationId !== undefined) return [];
  if (look.kind === 'found') {
    const found = look.found && ownOf(intent, look.found, book, intent.sentAt + ageMs);
    return found ? foundFacts(order.kind, found) : [];
  }
  if (look.kind !== 'listed') return [];
  const match = findOperation(intent, look.listed, book);
  if (match.kind === 'contested') return ageMs >= CONTESTED_MS ? [{ kind: 'contested' }] : [];
  const found = match.kind === 'one' ? [match.operation.id] : match.kind === 'several' ? match.ids : [];
  const [operation] = found;
  if (operation === undefined) return [];
  // The list does not name the payer. It may show another payer's payment, on another terminal of the merchant's.
  const paidByOther = methodOf(order).waitsFor === 'other';
  if (paidByOther && ageMs < Math.min(CONTESTED_MS, horizonMs(intent))) return [];
  return paidByOther || found.length > 1
    ? [{ kind: 'several', operationIds: found }]
    : [{ kind: 'only-match', operationId: operation }];
}

/** The wallet writes whole seconds, and its clock is known to the second. */
const CLOCK_MS = 2_000;

/**
 * The result that an agent's reference gives for one of several payments that tried to execute it. A reference is
 * executed once, so only one of them can have done that. Undefined while the answer to another one may be on its way.
 * An execution from before this payment was sent may be an earlier payment's: nobody can say which one has done it.
 */
function ownOf(
  { id, order, sentAt }: Intent,
  found: Found,
  { entries }: Book,
  now: number,
): Found | undefined {
  if (!methodOf(order).ofAgent || found.state !== 'succeeded') return found;
  const name = listedName(order);
  const others = entries.filter((entry) => entry.id !== id && listedIn(entry) === name);
  if (others.some(({ state }) => state === 'done')) return { state: 'failed' };
  const open = others.filter(({ state }) => state === 'open');
  if (found.at !== undefined && found.at < sentAt - CLOCK_MS && open.some(({ at }) => at < sentAt)) return {};
  return open.some(({ at }) => at > now - ANSWER_AWAITED_MS) ? undefined : found;
}

/** An operation that the order's own key names is read by its id. Without an id the key tells the end. */
function foundFacts(order: string, { operationId, state }: Found): Fact[] {
  if (operationId !== undefined) return [{ kind: 'own-key', order, operationId }];
  return state ? [{ kind: 'own-key', order, ended: state }] : [];
}

/** One that is known and never ends is not "not found": a person asks the wallet. */
function horizon({ operationId, order, before }: Intent, look: Look): Fact {
  // One of the rows that cannot be read may be this payment.
  const mayBeThere = look.kind === 'listed' && look.leftOut.some((id) => id === 0 || !before.includes(id));
  return {
    kind: 'horizon',
    ...((methodOf(order).followed.endsWithPerson || mayBeThere) && { unlisted: true as const }),
    ...(operationId !== undefined && { operationId }),
    ...(look.kind === 'found' && look.found && { exists: true as const }),
  };
}

/** An operation as evidence: how it ended, and whether it is the payment that was ordered at all. */
export function readOperation({ order }: Pick<Intent, 'order'>, operation: Operation): ReadOperation {
  const ended = ENDS[operation.status];
  return {
    id: operation.id,
    ...(ended && { ended }),
    ...(!matches(operation, order) && { isOther: true as const }),
  };
}
