import type { Values } from '../../../machines/kit/screen.ts';
import { orderValues } from '../../payments/payments.ts';
import type { Intent } from '../intents/intent.ts';

/** The recipient or the purpose of a payment, as values of a sentence: all that its sentences name beside money and time. */
export function payeeOf({ order, quote }: Intent): Values {
  const { amount: _a, fees: _f, total: _t, alikeAt: _l, count: _c, ...payee } = orderValues(order, quote);
  return payee;
}
