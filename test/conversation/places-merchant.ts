import { CAFE, pays } from '../machines/merchant-orders.ts';
import { before, type Path, type Places, payingPlaces, rest, user } from './place.ts';

const asked: Path = (world) => user(world).chooses('transfer').chooses('merchant');

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
      .chooses('confirm')
      .enters()
      .meanwhile(() => world.passes(1_500))
      .repeats(),
  ),
};
