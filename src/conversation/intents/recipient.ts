import { methodOf } from '../../payments/payments.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Received } from '../session/received.ts';
import type { Intent } from './intent.ts';

/** How long the wallet may take to show the recipient's side. */
const READ_MAX_MS = 10_000;
/** Partner API v2.3: sens 1 CREDIT. */
const CREDIT = 1;

export interface RecipientDeps {
  readonly api: Pick<Wallet, 'operation'>;
  /** Once per operation and address. */
  readonly tellReceived: (received: Received) => Promise<void>;
}

/**
 * Tells who has received a payment, where no event of the wallet does: a refund. What is told is what the wallet shows the
 * recipient of the operation. Telling it again changes nothing.
 * @returns false where the wallet did not answer, so that it is to be tried again
 */
export async function tellRecipient(
  { api, tellReceived }: RecipientDeps,
  { order, state, operationId, wallet }: Intent,
): Promise<boolean> {
  const { recipientHears: as, receiver, type } = methodOf(order);
  const to = readPhone(receiver(order) ?? '');
  if (as === undefined || to === undefined || state !== 'succeeded' || operationId === undefined) return true;
  const answer = await api.operation(to, operationId, { timeoutMs: READ_MAX_MS });
  // The wallet of another provider shows nothing here.
  if (answer.kind !== 'ok') return answer.kind === 'refused';
  const { status, direction, amount } = answer.value;
  const isTheirs = answer.value.type === type && direction === CREDIT && status === STATUSES.COMPLETED;
  if (isTheirs) await tellReceived({ as, operationId, to, from: wallet, amount });
  return true;
}
