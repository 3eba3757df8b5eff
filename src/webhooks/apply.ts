import { z } from 'zod';
import type { Engine } from '../conversation/engine.ts';
import type { Intent } from '../conversation/intents/intent.ts';
import type { Rebuilt } from '../conversation/intents/rebuild.ts';
import type { WebhookInfo } from '../conversation/record/record.ts';
import { EVENTS, type EventMeaning } from '../payments/events.ts';
import { dateTime, decimal, OPERATION_TYPES, STATUSES } from '../wallet/contract/fields.ts';
import { type EventKind, webhookBody } from '../wallet/contract/webhooks.ts';
import { fromDecimal, parseAmounts } from '../wallet/money.ts';
import { type OnOdd, oddFields } from '../wallet/odd-fields.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import { momentOf } from '../wallet/times.ts';
import type { Facts, Wallet } from '../wallet/wallet.ts';
import type { ApplyResult } from './inbox.ts';

const { OPEN, COMPLETED, CANCELED } = STATUSES;
/** Partner API v2.3: sens 1 CREDIT, 2 DEBIT. */
const CREDIT = 1;
const DEBIT = 2;

/** Cash is told by the event of its reference, and an agent's part in it is the agent's own doing. */
const CASH: ReadonlySet<number> = new Set([OPERATION_TYPES.CASHIN, OPERATION_TYPES.CASHOUT]);
/** A debit of longer ago is no news. It is less than the time for which a wallet's own payments are known. */
const NEWS_MS = 24 * 3_600_000;
/**
 * For this time a debit may still turn out to be an open payment of Wasl. Then it is told all the same: it has left the wallet, and a
 * payment that stays open for days must not hide a theft.
 */
const OWN_MS = 3_600_000;

/** The message for a wallet's owner by kind, with the type of the operation. */
type MoneyReceived = Extract<EventMeaning, { kind: 'received' }>;
/** The direction of a reference's cash, with the type of the operation. */
type OfReference = Extract<EventMeaning, { kind: 'reference' }>;

/** The result for a webhook about a payment that the store does not know. */
const REBUILT: Readonly<Record<Rebuilt, ApplyResult>> = {
  rebuilt: 'done',
  foreign: 'done',
  later: 'later',
  unknowable: 'kept',
};

const text = z.string().catch('');
/**
 * The one field that is needed: the event's name. Any other field may be missing or odd, and then tells less about
 * where to look.
 */
const hint = z.object({
  EventId: z.enum(Object.keys(EVENTS) as [EventKind, ...EventKind[]]),
  WebhookId: z.string().min(1).max(200).optional().catch(undefined),
  CRequestId: text,
  /** Undefined where it cannot be read. 0 where there is no operation. */
  OperationId: z
    .union([
      z.int().min(0),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ])
    .optional()
    .catch(undefined),
  OperationStatus: z.int().optional().catch(undefined),
  ExecutedAt: dateTime.optional().catch(undefined),
  Amount: decimal.optional().catch(undefined),
  PrimaryAccountNumber: text,
  SecondaryAccountNumber: text,
  Reference: text,
  GatewayOrderId: text,
  GatewayTrackId: text,
});
/** `happenedAt`: by our clock. NaN where the time cannot be read. */
type Hint = z.output<typeof hint> & { readonly happenedAt: number };

interface ApplyDeps {
  readonly engine: Pick<
    Engine,
    | 'intentOf'
    | 'paymentOf'
    | 'reconcile'
    | 'confirm'
    | 'rebuild'
    | 'tellReceived'
    | 'tellLevel'
    | 'levelChanged'
    | 'referenceExecuted'
  >;
  readonly api: Pick<Wallet, 'operation'>;
  readonly onOdd: OnOdd;
  /** How far the wallet's clock is ahead of ours, in ms: its event is dated by it. */
  readonly skewMs: () => number;
  readonly now: () => number;
}

/**
 * Applies webhooks. The body is only a hint: what it says about money, and whose it is, is read again by operation id
 * before anybody reads of it (docs/safety-hazards.md).
 */
export function createApply(
  engine: ApplyDeps['engine'],
  api: ApplyDeps['api'],
  {
    onOdd = () => {},
    skewMs = () => 0,
    now = Date.now,
  }: Partial<Pick<ApplyDeps, 'onOdd' | 'skewMs' | 'now'>> = {},
): (raw: string) => Promise<ApplyResult> {
  const deps = { engine, api, onOdd, skewMs, now };
  return async (raw) => {
    const event = read(raw, deps);
    if (!event) return 'kept';
    const meaning = EVENTS[event.EventId];
    if (meaning.kind === 'received') return received(deps, event, meaning);
    if (meaning.kind === 'level') return levelUpdated(deps, event);
    if (meaning.kind === 'reference') return referenceExecuted(deps, event, meaning);
    return followed(deps, event, meaning);
  };
}

/** No operation, and no level in it (Partner API v2.3, "Event kinds"): the wallet that it names is read. */
async function levelUpdated(
  { engine }: ApplyDeps,
  { PrimaryAccountNumber, CRequestId }: Hint,
): Promise<ApplyResult> {
  const wallet = readPhone(PrimaryAccountNumber);
  if (!wallet) return 'kept';
  // Drops the cached data of the wallet, which is read again at its next visit.
  await engine.levelChanged(wallet);
  return (await engine.tellLevel(wallet, CRequestId)) === 'later' ? 'later' : 'done';
}

/** A payment has begun or ended. Its operation is read for that, as for everything about money. */
async function followed(
  deps: ApplyDeps,
  event: Hint,
  { kind }: Pick<EventMeaning, 'kind'>,
): Promise<ApplyResult> {
  const { engine } = deps;
  const { EventId, OperationStatus: status, Amount } = event;
  const { intent, id, isOpen } = await paymentOfEvent(engine, event);
  if (!intent) {
    if (isOpen) return kind === 'ended' ? notifyPayer(deps, event) : 'later';
    const lost = await rebuilt(engine, event);
    return lost === 'foreign' && kind === 'ended' ? notifyPayer(deps, event) : REBUILT[lost];
  }
  if (id === undefined) return 'later';
  if (id === 0) return 'kept';
  const amount = Amount === undefined ? undefined : fromDecimal(Amount);
  const said = { amount, status, facts: gatewayFacts(event) };
  const confirmed = await engine.confirm(intent, id, EventId, webhookInfo(event), said);
  return confirmed === 'known' || (confirmed === 'open' && kind === 'begun') ? 'done' : 'later';
}

interface PaymentOfEvent {
  readonly intent?: Intent | undefined;
  /** The operation. Undefined where it cannot be known. */
  readonly id: number | undefined;
  /** Nothing says which payment is meant, and one of the payer's may be it. */
  readonly isOpen?: boolean | undefined;
}

/** The payment of ours that an event is about. Where the event does not name it, or its operation, the wallet is asked. */
async function paymentOfEvent(
  engine: ApplyDeps['engine'],
  { CRequestId, OperationId: id, PrimaryAccountNumber }: Hint,
): Promise<PaymentOfEvent> {
  const payer = readPhone(PrimaryAccountNumber);
  if (CRequestId === '') return { id, ...(payer && id && (await engine.paymentOf(payer, id))) };
  const intent = await engine.intentOf(CRequestId);
  if (!intent || id !== undefined) return { intent, id };
  return { intent, id: (await engine.reconcile(intent.id))?.operationId };
}

function webhookInfo({ happenedAt, WebhookId }: Hint): WebhookInfo {
  return { ...(happenedAt && { happenedAt }), ...(WebhookId && { id: WebhookId }) };
}

/** No intent: somebody else's payment, or one of ours that the store has lost. */
function rebuilt(engine: ApplyDeps['engine'], event: Hint): Promise<Rebuilt> {
  return engine.rebuild({
    requestId: event.CRequestId,
    operationId: event.OperationId ?? 0,
    event: event.EventId,
    payer: event.PrimaryAccountNumber,
    webhook: webhookInfo(event),
    facts: gatewayFacts(event),
  });
}

/** The gateway's id of a card payment. The answer has it too, but may have been lost. */
function gatewayFacts({ GatewayOrderId: orderId, GatewayTrackId: trackId }: Hint): Facts | undefined {
  return orderId && trackId ? { orderId, trackId } : undefined;
}

/** The sender's outcome and the recipient's notice in one event (open question 7): of a transfer, and of a payment. */
async function received(deps: ApplyDeps, event: Hint, kind: MoneyReceived): Promise<ApplyResult> {
  const { engine } = deps;
  const recipient = readPhone(event.SecondaryAccountNumber);
  const { intent, id, isOpen } = await paymentOfEvent(engine, event);
  if (id === undefined) return intent ? 'later' : 'kept';
  if (id === 0 || !(intent || recipient || readPhone(event.PrimaryAccountNumber))) return 'kept';
  if (intent) {
    const confirmed = await engine.confirm(intent, id, event.EventId, webhookInfo(event));
    if (confirmed !== 'known') return 'later';
  }
  const lost = intent ? undefined : await rebuilt(engine, event);
  const isPaidHere = intent !== undefined || lost === 'rebuilt';
  const notified = recipient ? await notifyRecipient(deps, id, recipient, kind, isPaidHere) : 'done';
  if (notified !== 'done') return notified;
  if (isOpen || lost === 'foreign') return notifyPayer(deps, event);
  return lost ? REBUILT[lost] : 'done';
}

/**
 * A reference was executed at a network. Its number finds it, because the request id is that of the executing party,
 * and the reference is read by that number. A reference that Wasl did not request is told as well, once the wallet
 * shows its operation.
 */
async function referenceExecuted(deps: ApplyDeps, event: Hint, of: OfReference): Promise<ApplyResult> {
  const { engine } = deps;
  const { OperationId: id, PrimaryAccountNumber, SecondaryAccountNumber, Reference: reference } = event;
  const numbers = [PrimaryAccountNumber, SecondaryAccountNumber].flatMap((text) => readPhone(text) ?? []);
  const wallets = [...new Set(numbers)];
  const found = await engine.referenceExecuted({
    kind: of.of,
    reference,
    wallets,
    webhook: webhookInfo(event),
  });
  if (found !== 'foreign') return found;
  if (id === undefined) return 'kept';
  // A principal agent's reference names no wallet.
  if (id === 0 || wallets.length === 0) return 'done';
  const results = await Promise.all(wallets.map((wallet) => notifyHolder(deps, id, wallet, of)));
  return results.find((each) => each === 'later') ?? results.find((each) => each === 'kept') ?? 'done';
}

/** Notifies the holder of a wallet of cash that went in or out, if the wallet shows them the operation. */
async function notifyHolder(
  { engine, api }: ApplyDeps,
  id: number,
  wallet: Msisdn,
  { of, type }: OfReference,
): Promise<ApplyResult> {
  const answer = await api.operation(wallet, id);
  if (answer.kind !== 'ok' || answer.value.status === OPEN) return 'later';
  const { status, amount, fees, direction } = answer.value;
  const isTheirs = direction === (of === 'cash-in' ? CREDIT : DEBIT) && answer.value.type === type;
  if (status !== COMPLETED && status !== CANCELED) return 'done';
  if (!isTheirs) return status === COMPLETED ? 'kept' : 'done';
  const as = of === 'cash-in' ? 'deposit' : 'withdrawal';
  const undone = status === CANCELED && ({ undone: true } as const);
  await engine.tellReceived({ as, operationId: id, to: wallet, from: undefined, amount, fees, ...undone });
  return 'done';
}

/**
 * Notifies the recipient named in the body, if the wallet shows them the operation as money that has come, or was taken
 * back since.
 */
async function notifyRecipient(
  { engine, api }: ApplyDeps,
  id: number,
  to: Msisdn,
  { as, type }: MoneyReceived,
  isPaidHere: boolean,
): Promise<ApplyResult> {
  const answer = await api.operation(to, id);
  // Our payer has just read it, so it is there: only not theirs, or theirs with another provider.
  if (answer.kind === 'refused' && isPaidHere) return 'done';
  if (answer.kind !== 'ok' || answer.value.status === OPEN) return 'later';
  const { status, amount, direction, sender, receiver } = answer.value;
  if (status !== COMPLETED && status !== CANCELED) return 'done';
  // A receiver that is no number (a RIB, the id of an account) contradicts nobody.
  const isTheirs = direction === CREDIT && (readPhone(receiver) ?? to) === to;
  // The body says something else than the wallet: nobody is notified, and a person looks at it.
  if (!isTheirs || answer.value.type !== type) return status === COMPLETED ? 'kept' : 'done';
  const undone = status === CANCELED && ({ undone: true } as const);
  await engine.tellReceived({ as, operationId: id, to, from: readPhone(sender), amount, ...undone });
  return 'done';
}

/**
 * Notifies the owner of a wallet of a payment that was made outside Wasl, if the wallet shows it as money that has left. An
 * event with a strange request id may still be about a payment of ours, whose outcome they read as such.
 */
async function notifyPayer({ engine, api, now, skewMs }: ApplyDeps, event: Hint): Promise<ApplyResult> {
  const { OperationId: id, PrimaryAccountNumber } = event;
  const payer = readPhone(PrimaryAccountNumber);
  if (!payer || !id) return 'done';
  const { intent, isOpen } = await engine.paymentOf(payer, id);
  if (intent) return 'done';
  const answer = await api.operation(payer, id);
  if (answer.kind === 'refused') return 'done';
  if (answer.kind !== 'ok' || answer.value.status === OPEN) return 'later';
  const { status, total, direction, type, at } = answer.value;
  if (isOpen && at - skewMs() > now() - OWN_MS) return 'later';
  const isDebit = direction === DEBIT && !CASH.has(type);
  const undone = status === CANCELED && ({ undone: true } as const);
  const isNews = undone || (status === COMPLETED && at - skewMs() > now() - NEWS_MS);
  if (!isDebit || !isNews) return 'done';
  await engine.tellReceived({
    as: 'debit',
    operationId: id,
    to: payer,
    from: undefined,
    amount: total,
    at,
    ...undone,
  });
  return 'done';
}

/** Counts breaches of the contract. Only a body that does not name its event is left to a person. */
function read(raw: string, { onOdd, skewMs }: Pick<ApplyDeps, 'onOdd' | 'skewMs'>): Hint | undefined {
  try {
    const body = parseAmounts(raw) as { data?: unknown };
    const { error } = webhookBody.safeParse(body);
    for (const field of error ? oddFields(error) : []) onOdd('webhook', field);
    const event = hint.safeParse(body.data).data;
    return event && { ...event, happenedAt: momentOf(event.ExecutedAt ?? '') - skewMs() };
  } catch {
    return undefined;
  }
}
