import type { Sentence, Value, Values } from '../../machines/kit/screen.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import type { MerchantQr } from '../wallet/qr/merchant-qr.ts';
import type { MerchantPaymentRequest } from '../wallet/services.ts';
import { DEFAULT_REASON, type PaymentMethod, type Placed } from './payment.ts';

/** A QR code as it is sent, with what it says of itself where that can be read. */
export type ScannedQr = Pick<MerchantQr, 'content'> & Partial<MerchantQr>;

/** The merchant: by number, or by what their QR code says. */
type Merchant = { readonly to: Msisdn } | { readonly qr: ScannedQr };

/** To a merchant: by number, or by what their QR code says. */
export type MerchantPaymentOrder = Placed & { readonly kind: 'merchant-payment' } & Merchant;

/** Money for a merchant. The owner of a QR code is not known before the wallet says so. */
export const merchantPayment = {
  type: OPERATION_TYPES.MOBILE_PAYMENT,
  guard: 'list',

  said: {
    called: 'merchant-payment.called',
    calledAs: ['merchant', 'numbered'],
    values: (order) => ({ merchant: merchantOf(order) }),
    /** A name is shown only where the preview gives one. */
    confirmation: ({ recipientName, maskedName }) =>
      (recipientName ?? maskedName)
        ? { confirm: 'merchant-payment.confirmNamed', askPin: 'merchant-payment.askPinNamed' }
        : { confirm: 'merchant-payment.confirm', askPin: 'merchant-payment.askPin' },
    done: (_facts, _order, { recipientName, maskedName }) =>
      (recipientName ?? maskedName) ? 'merchant-payment.doneNamed' : undefined,
  },
  alike: { beneficiary: merchantKey },
  listed: {
    statementName: 'statement.payment',
    beneficiary: () => '',
    receiver: (order) => ('to' in order ? order.to : undefined),
  },
  payee: {
    isNamed: 'whole',
    asked: (order) => ('to' in order ? { phone: order.to } : undefined),
    again: (order) => ('to' in order ? { to: order.to } : undefined),
  },
  followed: {
    takenBack: 'read',
    /** The payer's outcome and the merchant's notice in one event (open question 7). */
    events: {
      'payment.received': { kind: 'received', as: 'payment', type: OPERATION_TYPES.MOBILE_PAYMENT },
    },
    async rebuild({ receiver, amount }, from) {
      const to = readPhone(receiver);
      return { kind: 'ok', value: to && { kind: 'merchant-payment', from, to, amount } };
    },
  },

  preview: (order, { api, call }) => api.previewMerchantPayment(requestOf(order), call),
  execute: (order, { api, call }) => api.payMerchant(requestOf(order), call),
} satisfies PaymentMethod<MerchantPaymentOrder>;

/** The payee: the number, or the code's own text, which proves nothing. */
export function merchantOf(paid: {
  readonly to?: Msisdn | undefined;
  readonly qr?: ScannedQr | undefined;
}): Value {
  if (paid.to) return { phone: paid.to };
  const { name, arName, city } = paid.qr ?? {};
  if (name === undefined) return { say: 'merchant-payment.unnamed' };
  const values: Values = { name: { name, ...(arName && { arName }) } };
  const sentence: Sentence = city
    ? { key: 'merchant-payment.byCodeIn', values: { ...values, city: { name: city } } }
    : { key: 'merchant-payment.byCode', values };
  return { lines: [sentence] };
}

/** Two payments to a merchant are the same to the customer, unless each is for a code of its own. */
export function merchantKey(paid: Merchant): string {
  if ('to' in paid) return paid.to;
  const { merchant, reference, content } = paid.qr;
  return merchant === undefined ? content : [merchant, reference].filter(Boolean).join(' ');
}

function requestOf(order: MerchantPaymentOrder): MerchantPaymentRequest {
  const { from, amount } = order;
  return 'to' in order
    ? { from, amount, to: order.to, reason: DEFAULT_REASON }
    : { from, amount, qrContent: order.qr.content };
}
