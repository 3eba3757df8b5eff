import type { Value } from '../../machines/kit/screen.ts';
import { ERRORS } from '../wallet/contract/errors.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { normalised } from '../wallet/letters.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { VoucherArticle, VoucherRequest } from '../wallet/services.ts';
import type { PaymentMethod, Placed } from './payment.ts';

export interface VoucherOrder extends Placed {
  readonly kind: 'voucher';
  /** The beneficiary of the voucher: the customer's own number, or the number of the person who gets it as a gift. */
  readonly to: Msisdn;
  /** How that person is called: free text. */
  readonly beneficiary: string;
  readonly brand: string;
  readonly article: Pick<VoucherArticle, 'sku' | 'providerId' | 'name'>;
}

const GONE_FROM_CATALOG = {
  kind: 'refused',
  code: String(ERRORS.articleUnknown.code),
  description: '',
} as const;

/** A voucher of a brand. It has no event, and its code is only ever in the answer (docs/safety.md: a lost voucher code). */
export const voucher = {
  type: OPERATION_TYPES.VOUCHER,
  guard: 'list',

  said: {
    called: 'voucher.called',
    calledAs: ['voucher'],
    values: ({ to, beneficiary, brand, article }) => ({
      to: { phone: to },
      beneficiary: { name: beneficiary },
      brand: { name: brand },
      article: { name: article.name },
      shop: shopOf(article.name, brand),
    }),
    done: ({ codeSent }) => (codeSent ? 'voucher.done' : 'voucher.doneWithoutCode'),
  },
  alike: { beneficiary: ({ to, article }) => `${to} ${article.providerId}/${article.sku}` },
  listed: {
    statementName: 'statement.voucher',
    beneficiary: ({ to }) => to,
    receiver: ({ to }) => to,
    about: ({ from, to }) => (to === from ? 'statement.aboutVoucher' : 'statement.aboutGift'),
  },
  payee: { again: ({ from, to, beneficiary: holder }) => (to === from ? undefined : { to, holder }) },
  followed: {
    takenBack: 'read',
    events: {},
    isIncomplete: ({ codeSent }) => !codeSent,
  },

  async preview(order, { api, call }) {
    const answer = await api.previewVoucher(requestOf(order), call);
    // Another price than the catalog's: it is chosen again, from a catalog that is read again.
    const isOther = answer.kind === 'ok' && answer.value.total - answer.value.fees !== order.amount;
    return isOther ? GONE_FROM_CATALOG : answer;
  },
  execute: (order, { api, call }) => api.buyVoucher(requestOf(order), call),
} satisfies PaymentMethod<VoucherOrder>;

/** The shop, to be said behind an article that does not name it: `Souk Frais 50 DH` does. */
export function shopOf(article: string, brand: string): Value {
  // A note such as "(test)" is no part of the name.
  const own = normalised(brand.replace(/\(.*\)/, '')).trim();
  return {
    lines: normalised(article).includes(own)
      ? []
      : [{ key: 'voucher.ofShop', values: { brand: { name: brand } } }],
  };
}

function requestOf({ from, to, beneficiary, article }: VoucherOrder): VoucherRequest {
  return { from, to, beneficiary, sku: article.sku, providerId: article.providerId };
}
