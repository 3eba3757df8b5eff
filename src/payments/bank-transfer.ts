import type { Value } from '../../machines/kit/screen.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type Rib, ribEnd, ribIn } from '../wallet/rib.ts';
import { ENDED, type PaymentMethod, type Placed } from './payment.ts';

export interface BankTransferOrder extends Placed {
  readonly kind: 'bank-transfer';
  readonly rib: Rib;
  /** The holder's name. Absent where the store had lost the payment, because the wallet does not tell it. */
  readonly holder?: string;
  /** As the operator's table calls the bank. */
  readonly bank?: string;
  /** The reason that the holder reads, or `BANK_REASON` where the customer gave none. */
  readonly reason?: string;
  /** The saved beneficiary whose RIB it is. */
  readonly beneficiaryId?: number;
}

/** The reason where the customer gave none: the API requires one. */
export const BANK_REASON = 'Virement';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Money for an account of a bank, by its RIB. The wallet debits it at once, the bank answers when it does (Partner API v2.3,
 * "Event kinds": settled, rejected or returned), and can send back what it had taken.
 */
export const bankTransfer = {
  type: OPERATION_TYPES.BANK_TRANSFER,
  guard: 'list',

  said: {
    called: 'bank-transfer.called',
    calledAs: ['transfer'],
    accepted: 'bank-transfer.accepted',
    values: (order) => ({
      to: order.holder === undefined ? { say: 'bank-transfer.holder' } : { name: order.holder },
      account: accountOf(order),
      end: { code: ribEnd(order.rib) },
      reason: { name: order.reason ?? BANK_REASON },
    }),
  },
  alike: { beneficiary: ({ rib }) => rib, forMs: DAY_MS },
  listed: {
    statementName: 'statement.bankTransfer',
    beneficiary: ({ rib }) => rib,
    receiver: ({ rib }) => rib,
    about: () => 'statement.aboutBank',
  },
  payee: {
    asked: ({ rib }) => ({ code: `RIB ...${ribEnd(rib)}` }),
    again: ({ rib, holder }) => ({ rib, ...(holder !== undefined && { holder }) }),
  },
  followed: {
    takenBack: 'event',
    events: {
      'bank-transfer.initiated': { kind: 'begun' },
      'bank-transfer.completed': ENDED,
      /** Beside the payer's own event, where the RIB is that of a wallet here. */
      'bank-transfer.received': { kind: 'received', as: 'money', type: OPERATION_TYPES.BANK_TRANSFER },
    },
    forMs: 14 * DAY_MS,
    async rebuild({ receiver, amount }, from) {
      const rib = ribIn(receiver);
      return { kind: 'ok', value: rib && { kind: 'bank-transfer', from, rib, amount } };
    },
  },

  preview: (order, { api, call }) => api.previewBankTransfer(requestOf(order), call),
  execute: (order, { api, call }) => api.bankTransfer(requestOf(order), call),
} satisfies PaymentMethod<BankTransferOrder>;

/** An account with its bank, where the operator's table names that. */
export function accountOf({ rib, bank }: Pick<BankTransferOrder, 'rib' | 'bank'>): Value {
  const account = { account: rib };
  return bank === undefined
    ? account
    : { lines: [{ key: 'bank-transfer.accountAt', values: { account, bank: { name: bank } } }] };
}

function requestOf({
  from,
  rib,
  holder = '',
  amount,
  reason = BANK_REASON,
  beneficiaryId,
}: BankTransferOrder) {
  return { from, rib, holder, amount, reason, ...(beneficiaryId !== undefined && { beneficiaryId }) };
}
