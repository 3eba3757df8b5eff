import { methodOf } from '../../payments/payments.ts';
import type { Answer } from '../../wallet/answer.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { CashKind } from '../../wallet/services.ts';
import type { Operation, Wallet } from '../../wallet/wallet.ts';
import type { WebhookInfo } from '../record/record.ts';
import type { Secrets } from '../secrets.ts';
import type { Received } from '../session/received.ts';
import { openForWallet } from '../session/wallet-secret.ts';
import type { Intent } from './intent.ts';
import { listedFrom } from './match.ts';

/** How long the wallet may take to show the recipient's side. */
const READ_MAX_MS = 10_000;
/** Partner API v2.3: sens 1 CREDIT, 2 DEBIT. */
const CREDIT = 1;
const DEBIT = 2;

/** The event that a reference was executed, with its customer. None of it is believed. */
export interface Executed {
  readonly kind: CashKind;
  readonly reference: string;
  /** The numbers that may have asked for it: whose it is, is looked for under each. */
  readonly wallets: readonly Msisdn[];
  /** The event that says so: when it happened, and its id. */
  readonly webhook: WebhookInfo;
}

export interface RecipientDeps {
  readonly api: Pick<Wallet, 'operation' | 'operations'>;
  /** Those that Wasl has asked for. */
  readonly references: { executed(event: Executed): Promise<'done' | 'later' | 'foreign'> };
  readonly secrets: Secrets;
  readonly now: () => number;
  /** Once per operation and address. */
  readonly tellReceived: (received: Received) => Promise<void>;
}

/**
 * Tells the recipient of a payment where no event of the wallet does: of a refund, or of cash at an agent. The message
 * is what the wallet shows them of the operation. Telling it again changes nothing.
 * @returns false where the wallet did not answer, so that it is to be tried again
 */
export async function tellRecipient(deps: RecipientDeps, intent: Intent): Promise<boolean> {
  const { api, tellReceived } = deps;
  const { order, state, operationId, wallet } = intent;
  const { payee: { hears: as } = {}, listed, type } = methodOf(order);
  if (as === undefined || state !== 'succeeded') return true;
  if (as !== 'refund') return tellCustomer(deps, intent, as);
  const to = readPhone(listed.receiver(order) ?? '');
  if (to === undefined || operationId === undefined) return true;
  const answer = await api.operation(to, operationId, { timeoutMs: READ_MAX_MS });
  // The wallet of another provider shows nothing here.
  if (answer.kind !== 'ok') return answer.kind === 'refused';
  const { status, direction, amount } = answer.value;
  const isTheirs = answer.value.type === type && direction === CREDIT;
  const undone = status === STATUSES.CANCELED && ({ undone: true } as const);
  if (isTheirs && (undone || status === STATUSES.COMPLETED))
    await tellReceived({ as, operationId, to, from: wallet, amount, ...undone });
  return true;
}

/**
 * Tells a customer of an agent what was executed with their reference. Where Wasl has asked for the reference, it looks
 * the reference up. Else it uses the operation that the customer's wallet lists.
 */
async function tellCustomer(
  deps: RecipientDeps,
  { order, wallet, sentAt, skewMs = 0 }: Intent,
  as: 'deposit' | 'withdrawal',
): Promise<boolean> {
  if (!('madeAt' in order) || !order.customer) return true;
  const { references, secrets, now, tellReceived } = deps;
  const { customer: to, amount, number } = order;
  const reference = 'code' in number ? number.code : openForWallet(secrets, number.sealed, wallet, now());
  if (reference === undefined) return true;
  const kind: CashKind = as === 'deposit' ? 'cash-in' : 'cash-out';
  // Of a line that the store has lost the reference is lost, too.
  const result = reference
    ? await references.executed({ kind, reference, wallets: [to], webhook: { happenedAt: sentAt } })
    : 'foreign';
  if (result !== 'foreign') return result === 'done';
  const operation = await listedTo(deps, to, { order, sentAt, skewMs }, as === 'deposit' ? CREDIT : DEBIT);
  if (operation.kind !== 'ok') return operation.kind === 'refused';
  if (operation.value === undefined) return true;
  const { id: operationId, fees } = operation.value;
  await tellReceived({ as, operationId, to, from: undefined, amount, fees });
  return true;
}

/** The newest operation of a customer that an agent's execution can be. */
async function listedTo(
  { api }: RecipientDeps,
  customer: Msisdn,
  { order, sentAt, skewMs }: Pick<Intent, 'order' | 'sentAt' | 'skewMs'>,
  direction: 1 | 2,
): Promise<Answer<Operation | undefined>> {
  const { type } = methodOf(order);
  const filter = { types: [type], direction, from: listedFrom(sentAt, skewMs) };
  const answer = await api.operations(customer, filter, { timeoutMs: READ_MAX_MS });
  if (answer.kind !== 'ok') return answer;
  const isIt = (each: Operation) =>
    each.type === type &&
    each.direction === direction &&
    each.amount === order.amount &&
    each.status === STATUSES.COMPLETED;
  const [newest] = answer.value.operations.filter(isIt).sort((a, b) => b.at - a.at);
  return { kind: 'ok', value: newest };
}
