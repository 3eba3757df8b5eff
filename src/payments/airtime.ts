import type { Sentence } from '../../machines/kit/screen.ts';
import { OPERATION_TYPES } from '../wallet/contract/fields.ts';
import { OPERATORS, type Operator } from '../wallet/contract/telco.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { TopUpProduct } from '../wallet/services.ts';
import type { PaymentMethod, Placed } from './payment.ts';

/** Airtime for a phone, from any kind of wallet. */
export interface AirtimeOrder extends Placed {
  /** The number that is topped up. */
  readonly to: Msisdn;
  readonly operator: Operator;
  /** Absent: a classic top-up, in dirhams. */
  readonly product?: TopUpProduct;
}

/** The common part of every way to pay for airtime. */
export const AIRTIME = {
  type: OPERATION_TYPES.RECHARGE,
  said: {
    calledAs: ['airtime', 'numbered'],
    values: ({ to, operator, product }: AirtimeOrder) => ({
      to: { phone: to },
      operator: { name: OPERATORS[operator] },
      pass: { lines: product ? [passOf(product)] : [] },
      product: product
        ? { name: product.name, ...(product.arName && { arName: product.arName }) }
        : { say: 'top-up.classic' },
    }),
  },
  alike: { beneficiary: ({ to }: AirtimeOrder) => to },
  listed: {
    statementName: 'statement.topUp',
    beneficiary: ({ to }: AirtimeOrder) => to,
    receiver: ({ to }: AirtimeOrder) => to,
  },
  followed: { takenBack: 'read', events: {} },
} satisfies Pick<PaymentMethod<AirtimeOrder>, 'type' | 'alike' | 'listed' | 'followed'> & {
  said: Pick<PaymentMethod<AirtimeOrder>['said'], 'calledAs' | 'values'>;
};

/** The whole choice, because the PIN confirms it. */
function passOf({ name, arName }: TopUpProduct): Sentence {
  return { key: 'top-up.pass', values: { product: { text: name, ...(arName && { arText: arName }) } } };
}
