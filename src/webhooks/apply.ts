import type { Engine } from '../conversation/engine.ts';
import { type WalletEvent, webhookBody } from '../wallet/contract/webhooks.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import type { Operation, Wallet } from '../wallet/wallet.ts';
import type { Applied } from './inbox.ts';

/** Partner API v2.3, "Operation and transaction statuses". */
const OPEN = 1;
const COMPLETED = 2;

/**
 * Applies webhooks. The body is only a hint: what it says about money is read again by operation id before anybody is
 * told (docs/safety.md, hazards).
 */
export function createApply(
  engine: Pick<Engine, 'intentOf' | 'applyOutcome' | 'tellReceived'>,
  api: Pick<Wallet, 'operation'>,
): (raw: string) => Promise<Applied> {
  return async (raw) => {
    const event = read(raw);
    if (!event) return 'kept';
    return event.EventId === 'transfer.received' ? transferReceived(event) : 'done';
  };

  /** The sender's outcome and the recipient's notice in one event (open question 7). */
  async function transferReceived(event: WalletEvent): Promise<Applied> {
    const sender = readPhone(event.PrimaryAccountNumber);
    const recipient = readPhone(event.SecondaryAccountNumber ?? '');
    const intent = await engine.intentOf(event.CRequestId);
    const reader = intent?.wallet ?? sender ?? recipient;
    if (!reader || event.OperationId === 0) return 'kept';

    const answer = await api.operation(reader, event.OperationId);
    if (answer.kind !== 'ok') return 'later';
    const operation = answer.value;
    if (operation.status === OPEN) return 'later';
    const completed = operation.status === COMPLETED;

    if (intent) {
      if (operation.amount !== intent.order.amount) return 'kept';
      await engine.applyOutcome(
        intent.id,
        completed ? 'succeeded' : 'failed',
        operation.id,
        `webhook ${event.EventId}`,
      );
    }
    if (completed && recipient) await engine.tellReceived(received(operation, recipient, sender));
    return 'done';
  }
}

function received({ id, amount }: Operation, to: Msisdn, from: Msisdn | undefined) {
  return { operationId: id, to, from, amount };
}

function read(raw: string): WalletEvent | undefined {
  try {
    return webhookBody.safeParse(JSON.parse(raw)).data?.data;
  } catch {
    return undefined;
  }
}
