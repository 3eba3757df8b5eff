import { centimes } from '../../src/wallet/money.ts';
import type { Customer } from '../kit/customer.ts';
import type { World } from '../kit/world.ts';

/** A merchant there is from the start. */
export const CAFE = '+212600000011';

/** From the menu to the confirmation of a payment by number. */
export const pays =
  (to: string = CAFE, amount = '100') =>
  (customer: Customer) =>
    customer
      .chooses('transfer')
      .sees('transfer.askRecipient')
      .chooses('merchant')
      .sees('merchant-payment.askMerchant')
      .says(to)
      .sees('merchant-payment.askAmount')
      .says(amount);

/** A merchant with a chat of their own, in which they hear of their money. */
export const merchantIn = (world: World, channel: 'ussd' | 'web' = 'web'): Customer =>
  world.customer({ channel, walletType: 'C', firstName: 'Épicerie', lastName: 'Bâ', balance: '10' });

/** What the code on a merchant's counter says; with an amount, a new code for one payment. */
export async function qrOf(world: World, { phone }: Customer, dirhams?: number): Promise<string> {
  const { api } = world;
  const answer = dirhams
    ? await api.dynamicQr({ merchant: phone, amount: centimes(dirhams * 100) })
    : await api.staticQr(phone);
  if (answer.kind !== 'ok') throw new Error(`no code: ${answer.kind}`);
  return answer.value.content;
}
