import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import type { TransferRequest } from '../wallet/wallet.ts';
import { DEFAULT_REASON, type PaymentMethod, type Placed } from './payment.ts';

export interface TransferOrder extends Placed {
  readonly kind: 'transfer';
  readonly to: Msisdn;
  readonly beneficiaryId?: number;
}

/** Money for a person, by their number. Wallets of other providers can be paid as well. */
export const transfer = {
  type: OPERATION_TYPES.TRANSFER,
  guard: 'list',

  said: {
    called: 'transfer.called',
    calledAs: ['transfer', 'numbered'],
    values: ({ to }) => ({ to: { phone: to } }),
    /** A name is shown only where the preview gives one, or the operator lets the wallet be asked. A wallet of another provider is pointed out. */
    confirmation({ openLoop, recipientName, maskedName }) {
      const isNamed = (recipientName ?? maskedName) !== undefined;
      if (openLoop)
        return {
          confirm: 'transfer.confirmOpenLoop',
          askPin: isNamed ? 'transfer.askPinOpenLoopNamed' : 'transfer.askPinOpenLoop',
        };
      return isNamed
        ? { confirm: 'transfer.confirmNamed', askPin: 'transfer.askPinNamed' }
        : { confirm: 'transfer.confirm', askPin: 'transfer.askPin' };
    },
    done: (_facts, _order, { recipientName, maskedName }) =>
      (recipientName ?? maskedName) ? 'transfer.doneNamed' : undefined,
  },
  alike: { beneficiary: ({ to }) => to },
  listed: { statementName: 'statement.sent', beneficiary: ({ to }) => to, receiver: ({ to }) => to },
  payee: { isNamed: 'masked', asked: ({ to }) => ({ phone: to }), again: ({ to }) => ({ to }) },
  followed: {
    takenBack: 'read',
    /** The sender's outcome and the recipient's notice in one event (open question 7). */
    events: { 'transfer.received': { kind: 'received', as: 'money', type: OPERATION_TYPES.TRANSFER } },
    async rebuild({ receiver, amount }, from) {
      const to = readPhone(receiver);
      return { kind: 'ok', value: to && { kind: 'transfer', from, to, amount } };
    },
  },

  preview: (order, { api, call }) => api.previewTransfer(requestOf(order), call),
  execute: (order, { api, call }) => api.transfer(requestOf(order), call),
} satisfies PaymentMethod<TransferOrder>;

function requestOf({ from, to, amount, beneficiaryId }: TransferOrder): TransferRequest {
  return { from, to, amount, reason: DEFAULT_REASON, ...(beneficiaryId !== undefined && { beneficiaryId }) };
}
