import { type OperationStatus, STATUSES } from '../wallet/contract/fields.ts';
import { centimes } from '../wallet/money.ts';
import type { Struck } from './faults.ts';
import type { Operation } from './operation.ts';
import type { Webhooks } from './webhooks.ts';

const FORGED_KEY = 'the-key-of-a-forger';
const FORGED_AMOUNT_TIMES = 10;

/** Which webhooks an operation gives rise to, and when: the one that v2.3 documents, or what its faults make of it. */
export function createNotices(webhooks: Webhooks) {
  return {
    /** A new operation is told to nobody; only a forger says already that it is completed. */
    opened(operation: Operation, struck: Struck): void {
      const completed = { ...operation, status: STATUSES.COMPLETED };
      if ('webhookForgedKey' in struck)
        webhooks.announce('transfer.received', completed, { key: FORGED_KEY });
      if ('webhookForgedAmount' in struck) {
        const forged = { ...completed, amount: centimes(operation.amount * FORGED_AMOUNT_TIMES) };
        webhooks.announce('transfer.received', forged);
      }
    },

    /** @param before the status that the operation had until now */
    moved(operation: Operation, before: OperationStatus, struck: Struck): void {
      if ('webhookNever' in struck) return;
      const { webhookLate: afterMs = 0, webhookOutOfOrder: staleAfterMs } = struck;
      const copies = 'webhookTwice' in struck ? 2 : 1;
      webhooks.announce('transfer.received', operation, { afterMs, copies });
      if (staleAfterMs !== undefined) {
        const stale = { ...operation, status: before };
        webhooks.announce('transfer.received', stale, { afterMs: afterMs + staleAfterMs });
      }
    },
  };
}
export type Notices = ReturnType<typeof createNotices>;
