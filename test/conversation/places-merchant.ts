import type { Customer } from '../kit/customer.ts';
import { refused } from '../kit/meddler.ts';
import { CAFE, pays } from '../machines/merchant-orders.ts';
import { before, type Path, type Places, payingPlaces, rest, user, when } from './place.ts';

const asked: Path = (world) => user(world).chooses('transfer').chooses('merchant');

const receiving: Path = (world) =>
  world.customer({ walletType: 'C' }).isAtMenu().chooses('account').chooses('receive-payment');
const opens = (customer: Customer) => customer.chooses('withoutAmount');

export const MERCHANT_PLACES: Places = {
  'merchant-payment.askingMerchant': before('menu.choose', asked),
  'merchant-payment.askingAmount': before(
    'menu.choose',
    (world) => asked(world).says(CAFE),
    'merchant-payment.askMerchant',
  ),
  ...payingPlaces('merchant-payment', {
    orders: pays(),
    waits: pays(),
    preview: 'previewMerchantPayment',
    pay: 'payMerchant',
    amend: 'merchant-payment.askAmount',
  }),
  'merchant-payment.settled': rest((world) =>
    user(world)
      .walks(pays())
      .enters()
      .meanwhile(() => world.passes(1_500))
      .repeats(),
  ),

  'receive-payment.choosing': before('menu.choose', receiving, 'account.choose'),
  'receive-payment.askingAmount': before(
    'menu.choose',
    (world) => receiving(world).chooses('withAmount'),
    'receive-payment.choose',
  ),
  'receive-payment.shown': rest((world) => opens(receiving(world))),
  'receive-payment.notMerchant': rest(when(receiving, 'staticQr', refused('90026'), opens)),
  'receive-payment.notEnabled': rest(when(receiving, 'staticQr', refused('http404'), opens)),
};
