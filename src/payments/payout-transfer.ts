import { OPERATION_TYPES, STATUSES } from '../wallet/contract/fields.ts';
import type { Rib } from '../wallet/rib.ts';
import type { AgentTransferRequest } from '../wallet/services.ts';
import { type Ended, OPERATIONS_PAGE_SIZE, type PaymentMethod, type Placed, whole } from './payment.ts';

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
/** How many pages of the list one operation is looked for on. */
const PAGES_MAX = 20;
const ENDS: Readonly<Partial<Record<number, Ended>>> = {
  [STATUSES.COMPLETED]: 'succeeded',
  [STATUSES.FAILED]: 'failed',
  [STATUSES.CANCELED]: 'failed',
};

/**
 * Money for an account of a bank from the float of the principal agent. It has no key of its own, and no number by which it could be read:
 * its event ends it, by our request id, or the list of all operations where the key may read that. It is never sent again.
 */
export const payoutTransfer = {
  ofAgent: 'principal',
  madeIn: 'payouts',
  inBulk: true,
  followedMs: FOLLOWED_MS,
  endsWithPerson: true,
  type: OPERATION_TYPES.BANK_TRANSFER,
  statementName: 'statement.bankTransfer',
  called: 'payout-transfer.called',
  // Those of bank transfers say how it ended: they are found by our request id.
  events: {},

  values: ({ rib, holder }) => ({ to: { name: holder }, account: { account: rib } }),
  beneficiary: ({ file, line }) => `${file}/${line}`,
  alike: ({ file, line }) => `${file}/${line}`,
  listedBeneficiary: ({ rib }) => rib,
  receiver: ({ rib }) => rib,
  endByEvent: (_order, status) => ENDS[status],

  guard: {
    async lines({ code }, api, page, call, from) {
      const filter = { code, types: [OPERATION_TYPES.BANK_TRANSFER], from, page };
      return whole(await api.agentOperations({ ...filter, pageSize: OPERATIONS_PAGE_SIZE }, call));
    },
  },
  preview: (order, { api, call }) => api.previewAgentTransfer(requestOf(order), call),
  execute: (order, { api, call }) => api.agentTransfer(requestOf(order), call),
  async read({ code }, id, { api, call }) {
    const types = [OPERATION_TYPES.BANK_TRANSFER];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const answer = await api.agentOperations({ code, types, page, pageSize: OPERATIONS_PAGE_SIZE }, call);
      if (answer.kind !== 'ok') return answer;
      const found = answer.value.operations.find((each) => each.id === id);
      if (found) return { kind: 'ok', value: { ...found, direction: 2 } };
      if (answer.value.operations.length === 0 && !answer.value.leftOut) break;
    }
    return { kind: 'refused', code: 'http404', description: '' };
  },
} satisfies PaymentMethod<PayoutTransferOrder>;

function requestOf({ code, rib, holder, amount, reason }: PayoutTransferOrder): AgentTransferRequest {
  return { code, rib, holder, amount, reason };
}
