import { randomUUID } from 'node:crypto';
import type { ChannelName } from '../../src/conversation/incoming.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Customer, World } from '../kit/world.ts';

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
export const merchantIn = (world: World, channel: ChannelName = 'web'): Customer =>
  world.customer({ channel, walletType: 'C', firstName: 'Épicerie', lastName: 'Bâ', balance: '10' });

/** The content of the code on a merchant's counter. With an amount, a new code for one payment. */
export async function qrOf({ api }: World, { phone }: Customer, dirhams?: number): Promise<string> {
  const answer = dirhams
    ? await api.dynamicQr({ merchant: phone, amount: centimes(dirhams * 100) })
    : await api.staticQr(phone);
  if (answer.kind !== 'ok') throw new Error(`no code: ${answer.kind}`);
  return answer.value.content;
}

/** A customer pays a merchant by number. Returns the operation of the wallet. */
export async function paidBy(world: World, payer: Customer, shop: Customer, amount: string): Promise<number> {
  const before = new Set(world.sandbox.executions().map(({ operationId }) => operationId));
  const order = {
    from: payer.phone,
    to: shop.phone,
    amount: centimes(Math.round(Number(amount.replace(',', '.')) * 100)),
    reason: 'Wasl',
  };
  const answer = await world.api.payMerchant(order, { requestId: randomUUID() });
  if (answer.kind !== 'ok') throw new Error(`not paid: ${answer.kind}`);
  await world.passes(1_500);
  const made = world.sandbox.executions().find(({ operationId }) => !before.has(operationId));
  return made?.operationId ?? Number.NaN;
}

/** From the menu to the PIN before the takings. */
export const looksAtTakings = (shop: Customer) =>
  shop.chooses('sales').chooses('takings').sees('takings.askPin');

/** From the menu to how much of a payment is given back. */
export const refunds = (operation: number) => (shop: Customer) =>
  shop.chooses('merchant-refund').sees('merchant-refund.list').chooses(String(operation));
