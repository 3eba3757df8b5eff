import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import type { Rib } from '../wallet/rib.ts';
import type { AgentTransferRequest } from '../wallet/services.ts';
import { inAgentList } from './agent-list.ts';
import { OPERATIONS_PAGE_SIZE, type PaymentMethod, type Placed } from './payment.ts';

/** A line of a file of payouts to an account of a bank. */
export interface PayoutTransferOrder extends Placed {
  readonly kind: 'payout-transfer';
  /** The principal agent's. */
  readonly code: string;
  readonly rib: Rib;
  readonly holder: string;
  readonly reason: string;
  /** The file, by its digest, and the line of it. */
  readonly file: string;
  readonly line: number;
}

const DAY_MS = 24 * 3_600_000;
/** As long as that of a customer's own: the bank answers when it does. */
const FOLLOWED_MS = 14 * DAY_MS;

/**
 * Money for a bank account from the float of the principal agent. It has no key of its own, and no number to read it
 * by. Its event ends it, by our request id, or the list of all operations where the key may read it. It is never sent
 * again.
 */
export const payoutTransfer = {
  ofAgent: 'principal',
  madeIn: 'payouts',
  inBulk: true,
  type: OPERATION_TYPES.BANK_TRANSFER,

  said: {
    called: 'payout-transfer.called',
    calledAs: ['transfer'],
    values: ({ rib, holder }) => ({ to: { name: holder }, account: { account: rib } }),
  },
  alike: {
    beneficiary: ({ file, line }) => `${file}/${line}`,
    name: ({ file, line }) => `${file}/${line}`,
  },
  listed: {
    statementName: 'statement.bankTransfer',
    beneficiary: ({ rib }) => rib,
    receiver: ({ rib }) => rib,
  },
  followed: {
    takenBack: 'event',
    // Those of bank transfers say how it ended: they are found by our request id.
    events: {},
    forMs: FOLLOWED_MS,
    endsWithPerson: true,
    ...inAgentList(OPERATION_TYPES.BANK_TRANSFER, 2),
  },

  guard: {
    lines({ code }, api, page, call, from) {
      const filter = { code, types: [OPERATION_TYPES.BANK_TRANSFER], from, page };
      return api.agentOperations({ ...filter, pageSize: OPERATIONS_PAGE_SIZE }, call);
    },
  },
  preview: (order, { api, call }) => api.previewAgentTransfer(requestOf(order), call),
  execute: (order, { api, call }) => api.agentTransfer(requestOf(order), call),
} satisfies PaymentMethod<PayoutTransferOrder>;

function requestOf({ code, rib, holder, amount, reason }: PayoutTransferOrder): AgentTransferRequest {
  return { code, rib, holder, amount, reason };
}
