import type { Engine } from '../conversation/engine.ts';
import type { Received } from '../conversation/received.ts';
import { partitionOfRef } from '../conversation/ref.ts';
import { type WalletEvent, webhookBody } from '../wallet/contract/webhooks.ts';
import { readPhone } from '../wallet/phone.ts';
import type { Wallet } from '../wallet/wallet.ts';
import type { Applied } from './inbox.ts';

/** Partner API v2.3, "Operation and transaction statuses". */
const OPEN = 1;
const COMPLETED = 2;
/** Partner API v2.3, "Event kinds": money that has reached a wallet, and what its owner is told it is. */
const RECEIVED: Readonly<Record<string, Received['as'] | undefined>> = {
  'transfer.received': 'money',
  'payment.received': 'payment',
};
/** Partner API v2.3, "Event kinds": how a bill payment ends. */
const BILL_EVENTS: ReadonlySet<string> = new Set([
  'payment.confirmed',
  'payment.cancelled',
  'payment.refunded',
  'payment.failed',
]);

/**
 * Applies webhooks. The body is only a hint: what it says about money is read again by operation id before anybody is
 * told (docs/safety.md, hazards).
 */
export function createApply(
  engine: Pick<Engine, 'intentOf' | 'confirm' | 'tellReceived'>,
  api: Pick<Wallet, 'operation'>,
): (raw: string) => Promise<Applied> {
  return async (raw) => {
    const event = read(raw);
    if (!event) return 'kept';
    const as = RECEIVED[event.EventId];
    if (as) return received(event, as);
    return BILL_EVENTS.has(event.EventId) ? billEnded(event) : 'done';
  };

  /** How a bill payment ended at the creditor: read by its operation, like everything about money. */
  async function billEnded({
    EventId,
    OperationId: id,
    CRequestId,
    ExecutedAt,
  }: WalletEvent): Promise<Applied> {
    const intent = await engine.intentOf(CRequestId);
    // Not ours: somebody else's payment. Like ours but unknown: it may still come back.
    if (!intent) return isOurs(CRequestId) ? 'later' : 'done';
    if (id === 0) return 'kept';
    const confirmed = await engine.confirm(intent, id, `webhook ${EventId}`, Date.parse(ExecutedAt));
    return confirmed === 'known' ? 'done' : 'later';
  }

  /** The sender's outcome and the recipient's notice in one event (open question 7): of a transfer, and of a payment. */
  async function received(event: WalletEvent, as: Received['as']): Promise<Applied> {
    const { OperationId: id, CRequestId } = event;
    const sender = readPhone(event.PrimaryAccountNumber);
    const recipient = readPhone(event.SecondaryAccountNumber ?? '');
    const intent = await engine.intentOf(CRequestId);
    const reader = intent?.wallet ?? recipient ?? sender;
    if (!reader || id === 0) return 'kept';
    if (intent) {
      const confirmed = await engine.confirm(
        intent,
        id,
        `webhook ${event.EventId}`,
        Date.parse(event.ExecutedAt),
      );
      if (confirmed !== 'known') return 'later';
    }
    // A request id like ours without its intent: an orphan. It is tried again, in case the intent comes back.
    const end: Applied = intent === undefined && isOurs(CRequestId) ? 'later' : 'done';
    const answer = recipient && (await api.operation(reader, id));
    if (!answer) return end;
    if (answer.kind !== 'ok' || answer.value.status === OPEN) return 'later';
    if (answer.value.status === COMPLETED) {
      const { amount } = answer.value;
      await engine.tellReceived({ as, operationId: id, to: recipient, from: sender, amount });
    }
    return end;
  }
}

function isOurs(requestId: string): boolean {
  return partitionOfRef(requestId) !== undefined;
}

function read(raw: string): WalletEvent | undefined {
  try {
    return webhookBody.safeParse(JSON.parse(raw)).data?.data;
  } catch {
    return undefined;
  }
}
