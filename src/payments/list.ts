/* Written by `npm run generate`, not by hand. */

import { type AgentCashInOrder, agentCashIn } from './agent-cash-in.ts';
import { type AgentCashOutOrder, agentCashOut } from './agent-cash-out.ts';
import { type B2bTopUpOrder, b2bTopUp } from './b2b-top-up.ts';
import { type BankTransferOrder, bankTransfer } from './bank-transfer.ts';
import { type BillPaymentOrder, billPayment } from './bill-payment.ts';
import { type CardCaptureOrder, cardCapture } from './card-capture.ts';
import { type CardCashInOrder, cardCashIn } from './card-cash-in.ts';
import { type CardPaymentOrder, cardPayment } from './card-payment.ts';
import { type CardRefundOrder, cardRefund } from './card-refund.ts';
import { type CardReverseOrder, cardReverse } from './card-reverse.ts';
import { type FloatCardOrder, floatCard } from './float-card.ts';
import { type MerchantPaymentOrder, merchantPayment } from './merchant-payment.ts';
import { type MerchantRefundOrder, merchantRefund } from './merchant-refund.ts';
import { type PayoutOrder, payout } from './payout.ts';
import { type PayoutTransferOrder, payoutTransfer } from './payout-transfer.ts';
import { type TopUpOrder, topUp } from './top-up.ts';
import { type TransferOrder, transfer } from './transfer.ts';
import { type VoucherOrder, voucher } from './voucher.ts';
import type { PaymentMethod } from './payment.ts';

/** A money movement as the customer asked for it. */
export type Order = AgentCashInOrder | AgentCashOutOrder | B2bTopUpOrder | BankTransferOrder | BillPaymentOrder | CardCaptureOrder | CardCashInOrder | CardPaymentOrder | CardRefundOrder | CardReverseOrder | FloatCardOrder | MerchantPaymentOrder | MerchantRefundOrder | PayoutOrder | PayoutTransferOrder | TopUpOrder | TransferOrder | VoucherOrder;

/** Every way to pay, by its kind, which is the id of the machine that makes it where it names no other. */
export const PAYMENTS = {
  'agent-cash-in': agentCashIn,
  'agent-cash-out': agentCashOut,
  'b2b-top-up': b2bTopUp,
  'bank-transfer': bankTransfer,
  'bill-payment': billPayment,
  'card-capture': cardCapture,
  'card-cash-in': cardCashIn,
  'card-payment': cardPayment,
  'card-refund': cardRefund,
  'card-reverse': cardReverse,
  'float-card': floatCard,
  'merchant-payment': merchantPayment,
  'merchant-refund': merchantRefund,
  'payout': payout,
  'payout-transfer': payoutTransfer,
  'top-up': topUp,
  'transfer': transfer,
  'voucher': voucher,
} satisfies { readonly [Kind in Order['kind']]: PaymentMethod<Extract<Order, { kind: Kind }>> };
