import type { Engine } from '../conversation/engine.ts';
import type { Rebuilt } from '../conversation/intents/rebuild.ts';
import type { News } from '../conversation/record/record.ts';
import { EVENTS, type EventMeaning } from '../payments/events.ts';
import { STATUSES } from '../wallet/contract/fields.ts';
import { type WalletEvent, webhookBody } from '../wallet/contract/webhooks.ts';
import { fromDecimal } from '../wallet/money.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import type { Facts, Wallet } from '../wallet/wallet.ts';
import type { Applied } from './inbox.ts';

const { OPEN, COMPLETED, CANCELED } = STATUSES;
/** Partner API v2.3: sens 1 CREDIT, 2 DEBIT. */
const CREDIT = 1;
const DEBIT = 2;

/** What the owner of a wallet reads that it is, and the type of its operation. */
type MoneyReceived = Extract<EventMeaning, { kind: 'received' }>;
/** Which way the cash of a reference went, and the type of its operation. */
type OfReference = Extract<EventMeaning, { kind: 'reference' }>;

/** What becomes of the webhook of a payment that the store knows nothing of. */
const REBUILT: Readonly<Record<Rebuilt, Applied>> = {
  rebuilt: 'done',
  foreign: 'done',
  later: 'later',
  unknowable: 'kept',
};

interface ApplyDeps {
  readonly engine: Pick<
    Engine,
    'intentOf' | 'confirm' | 'rebuild' | 'tellReceived' | 'tellLevel' | 'levelChanged' | 'referenceExecuted'
  >;
  readonly api: Pick<Wallet, 'operation'>;
}

/**
 * Applies webhooks. The body is only a hint: what it says about money, and whose it is, is read again by operation id
 * before anybody reads of it (docs/safety.md, hazards).
 */
export function createApply(
  engine: ApplyDeps['engine'],
  api: ApplyDeps['api'],
): (raw: string) => Promise<Applied> {
  const deps = { engine, api };
  return async (raw) => {
    const event = read(raw);
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
  { PrimaryAccountNumber, CRequestId }: WalletEvent,
): Promise<Applied> {
  const wallet = readPhone(PrimaryAccountNumber);
  if (!wallet) return 'kept';
  // What is remembered of the wallet is found out anew at its next visit.
  await engine.levelChanged(wallet);
  return (await engine.tellLevel(wallet, CRequestId)) === 'later' ? 'later' : 'done';
}

/** That a payment has begun, or how it ended: read by its operation, like everything about money. */
async function followed(
  { engine }: ApplyDeps,
  event: WalletEvent,
  { kind }: Pick<EventMeaning, 'kind'>,
): Promise<Applied> {
  const { EventId, OperationId: id, OperationStatus, CRequestId, Amount } = event;
  const intent = await engine.intentOf(CRequestId);
  if (!intent) return REBUILT[await rebuilt(engine, event)];
  if (id === 0) return 'kept';
  const said = { amount: fromDecimal(Amount), status: OperationStatus, facts: gatewayFacts(event) };
  const confirmed = await engine.confirm(intent, id, EventId, newsOf(event), said);
  return confirmed === 'known' || (confirmed === 'open' && kind === 'begun') ? 'done' : 'later';
}

function newsOf({ ExecutedAt, WebhookId }: WalletEvent): News {
  return { happenedAt: Date.parse(ExecutedAt), webhook: WebhookId };
}

/** No intent: somebody else's payment, or one of ours that the store has lost. */
function rebuilt(engine: ApplyDeps['engine'], event: WalletEvent): Promise<Rebuilt> {
  return engine.rebuild({
    requestId: event.CRequestId,
    operationId: event.OperationId,
    event: event.EventId,
    payer: event.PrimaryAccountNumber,
    news: newsOf(event),
    facts: gatewayFacts(event),
  });
}

/** What the gateway calls a card payment: its answer says it too, but that may have been lost. */
function gatewayFacts(event: WalletEvent): Facts | undefined {
  const { GatewayOrderId: orderId, GatewayTrackId: trackId } = 'GatewayOrderId' in event ? event : {};
  return orderId && trackId ? { orderId, trackId } : undefined;
}

/** The sender's outcome and the recipient's notice in one event (open question 7): of a transfer, and of a payment. */
async function received(deps: ApplyDeps, event: WalletEvent, kind: MoneyReceived): Promise<Applied> {
  const { engine } = deps;
  const { EventId, OperationId: id, CRequestId } = event;
  const recipient = readPhone(event.SecondaryAccountNumber ?? '');
  const intent = await engine.intentOf(CRequestId);
  if (id === 0 || !(intent || recipient || readPhone(event.PrimaryAccountNumber))) return 'kept';
  if (intent) {
    const confirmed = await engine.confirm(intent, id, EventId, newsOf(event));
    if (confirmed !== 'known') return 'later';
  }
  const lost = intent ? undefined : await rebuilt(engine, event);
  const isPaidHere = intent !== undefined || lost === 'rebuilt';
  const notified = recipient ? await notifyRecipient(deps, id, recipient, kind, isPaidHere) : 'done';
  return notified === 'done' && lost ? REBUILT[lost] : notified;
}

/**
 * A reference was executed at a network: found by its number, as the request's id is that of whoever has executed it, and read by
 * that. One that Wasl has not asked for is told all the same, once the wallet shows its operation.
 */
async function referenceExecuted(deps: ApplyDeps, event: WalletEvent, of: OfReference): Promise<Applied> {
  const { engine } = deps;
  const { OperationId: id, Amount, PrimaryAccountNumber, SecondaryAccountNumber } = event;
  const numbers = [PrimaryAccountNumber, SecondaryAccountNumber ?? ''].flatMap(
    (text) => readPhone(text) ?? [],
  );
  const wallets = [...new Set(numbers)];
  const reference = ('Reference' in event && event.Reference) || '';
  const amount = fromDecimal(Amount);
  const found = await engine.referenceExecuted({
    kind: of.of,
    reference,
    wallets,
    amount,
    news: newsOf(event),
  });
  if (found !== 'foreign') return found;
  // A principal agent's reference names no wallet.
  if (id === 0 || wallets.length === 0) return 'done';
  const told = await Promise.all(wallets.map((wallet) => notifyHolder(deps, id, wallet, of)));
  return told.find((each) => each === 'later') ?? told.find((each) => each === 'kept') ?? 'done';
}

/** Notifies the holder of a wallet of cash that went in or out, if the wallet shows them the operation. */
async function notifyHolder(
  { engine, api }: ApplyDeps,
  id: number,
  wallet: Msisdn,
  { of, type }: OfReference,
): Promise<Applied> {
  const answer = await api.operation(wallet, id);
  if (answer.kind !== 'ok' || answer.value.status === OPEN) return 'later';
  const { status, amount, direction } = answer.value;
  const isTheirs = direction === (of === 'cash-in' ? CREDIT : DEBIT) && answer.value.type === type;
  if (status !== COMPLETED && status !== CANCELED) return 'done';
  if (!isTheirs) return status === COMPLETED ? 'kept' : 'done';
  const as = of === 'cash-in' ? 'deposit' : 'withdrawal';
  const undone = status === CANCELED && ({ undone: true } as const);
  await engine.tellReceived({ as, operationId: id, to: wallet, from: undefined, amount, ...undone });
  return 'done';
}

/** Notifies the recipient whom the body names, if the wallet shows them the operation as money that has come; or has been taken back since. */
async function notifyRecipient(
  { engine, api }: ApplyDeps,
  id: number,
  to: Msisdn,
  { as, type }: MoneyReceived,
  isPaidHere: boolean,
): Promise<Applied> {
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

function read(raw: string): WalletEvent | undefined {
  try {
    return webhookBody.safeParse(JSON.parse(raw)).data?.data;
  } catch {
    return undefined;
  }
}
