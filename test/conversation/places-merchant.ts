import { expect } from 'vitest';
import { type Customer, LOST, refused, type World } from '../kit/world.ts';
import { banks, KARIM, RIBS } from '../machines/bank-orders.ts';
import { formOf, PDF, paidByCard, sendsFiles } from '../machines/card-forms.ts';
import { CAFE, looksAtTakings, merchantIn, paidBy, pays } from '../machines/merchant-orders.ts';
import {
  before,
  enters,
  lapses,
  type Path,
  type Places,
  payingPlaces,
  rest,
  user,
  when,
  whileFreezing,
} from './place.ts';
import { knows, MAMAN } from './places-beneficiaries.ts';

const asked: Path = (world) => user(world).chooses('transfer').chooses('merchant');

const toBank: Path = (world) => user(world).chooses('transfer').says(KARIM);
const { 'bank-transfer.processing': _takesDays, ...PAYING_BANKS } = payingPlaces('bank-transfer', {
  fromBalance: true,
  orders: banks(),
  waits: banks(RIBS.settlesLate),
  preview: 'previewBankTransfer',
  pay: 'bankTransfer',
  amend: 'bank-transfer.askAmount',
});
const BANK_PLACES: Places = {
  'bank-transfer.askingRib': before('menu.choose', (world) => user(world).says('virement')),
  'bank-transfer.askingHolder': before('menu.choose', toBank, 'bank-transfer.askRib'),
  'bank-transfer.askingAmount': before(
    'menu.choose',
    (world) => toBank(world).says('Karim'),
    'bank-transfer.askHolder',
  ),
  ...PAYING_BANKS,
  'bank-transfer.askingReason': before(
    'menu.choose',
    (world) => world.customer({ channel: 'web' }).isAtMenu().walks(banks()).chooses('reason'),
    'bank-transfer.askPin',
  ),
  'bank-transfer.accepted': {
    path: (world) => user(world).walks(banks()).enters(),
    back: 'menu.choose',
    cancel: 'bank-transfer.accepted',
  },
  'bank-transfer.settled': rest((world) => user(world).walks(banks()).enters().after(6_000).repeats()),
};

const receiving: Path = (world) => world.customer({ walletType: 'C' }).isAtMenu().chooses('receive-payment');
/** A code without an amount is a button, so in a chat only. */
const inChat: Path = (world) => merchantIn(world, 'web').isAtMenu().chooses('receive-payment');
const opens = (customer: Customer) => customer.chooses('withoutAmount');

/** A merchant whom somebody has paid. */
const shop: Path = (world) => {
  const merchant = merchantIn(world, 'ussd');
  return merchant
    .isAtMenu()
    .meanwhile(() => paidBy(world, world.customer(), merchant, '45,50').then(() => {}));
};
const toRefund: Path = (world) => shop(world).chooses('merchant-refund');
const refunding: Path = (world) => toRefund(world).chooses(0);
const refundsAll = (customer: Customer) => customer.chooses('merchant-refund').chooses(0).chooses('all');
const takingsPin: Path = (world) => shop(world).walks(looksAtTakings);
const takings: Path = (world) => takingsPin(world).enters();
const taken: Path = (world) => takings(world).chooses('list');

/** Two card payments for the merchant's choices: one taken and one reserved. */
const paidShop =
  (way: 'collect' | 'reserve'): Path =>
  (world) => {
    const merchant = merchantIn(world, 'ussd');
    const others = world.dialer(merchant);
    return merchant
      .isAtMenu()
      .meanwhile(() => others.dials().then(() => paidByCard(world, others, '80', way)))
      .dials();
  };
const cards: Path = (world) => merchantIn(world, 'ussd').isAtMenu().chooses('card-payments');
const reserved: Path = (world) => paidShop('reserve')(world).chooses('card-payments').chooses('reservations');
const refundsCard = (customer: Customer) =>
  customer.chooses('card-payments').chooses('card-refund').chooses(0).chooses('all');
const link: Path = (world) => cards(world).chooses('card-payment');
const CARD_PLACES: Places = {
  'card-payment.askingAmount': before('menu.choose', link),
  'card-payment.choosingWay': before(
    'menu.choose',
    (world) => link(world).says('80'),
    'card-payment.askAmount',
  ),
  'card-payment.held': before(
    'menu.choose',
    whileFreezing(link, (customer) => customer.says('80').chooses('collect')),
    'card-payment.askAmount',
  ),
  'card-payment.shown': rest((world) => link(world).says('80').chooses('collect')),
  'card-payment.notEnabled': rest(
    when(link, 'previewCardPayment', refused('http404'), (customer) =>
      customer.says('80').chooses('collect'),
    ),
  ),
  'card-payments.choosing': before('menu.choose', cards),
  'card-payments.empty': rest((world) => cards(world).chooses('reservations')),
  'card-payments.listing': before('menu.choose', reserved, 'card-payments.choose'),
  'card-payments.deciding': before(
    'menu.choose',
    (world) => reserved(world).says('1'),
    'card-payments.chooseReserved',
  ),
  'card-payments.choosingPart': before(
    'menu.choose',
    (world) => reserved(world).says('1').chooses('capture'),
    'card-payments.reserved',
  ),
  'card-payments.askingAmount': before(
    'menu.choose',
    (world) => reserved(world).says('1').chooses('capture').chooses('part'),
    'card-payments.howMuchCapture',
  ),
  ...payingPlaces('card-refund', {
    fromBalance: true,
    machine: 'card-payments',
    who: paidShop('collect'),
    orders: refundsCard,
    waits: refundsCard,
    preview: 'previewCardRefund',
    pay: 'refundCard',
    amend: 'card-payments.howMuchRefund',
  }),
  // It is done with its answer: only a wallet that says less than v2.3 leaves it open.
  'card-payments.processing': {
    path: (world) =>
      when(
        (it) => refundsCard(paidShop('collect')(it)),
        'refundCard',
        { kind: 'ok', value: {} },
        enters,
      )(world),
    back: 'menu.choose',
    cancel: 'card-refund.processing',
  },
};

const papers: Path = (world) => merchantIn(world).isAtMenu().chooses('account').chooses('documents');
const listedPapers: Path = (world) => papers(world).chooses('company');
/** One of them is given on its page. */
const sendingPapers = (world: World, first: () => void = () => {}): Customer => {
  const shop = merchantIn(world);
  const sends = async () => {
    first();
    expect(await sendsFiles(formOf(world, shop), { front: PDF })).toBe(200);
  };
  return shop
    .isAtMenu()
    .chooses('account')
    .chooses('documents')
    .chooses('company')
    .chooses('STATUTES')
    .meanwhile(sends)
    .opens();
};
const DOCUMENT_PLACES: Places = {
  'documents.choosingClient': before('menu.choose', papers, 'account.choose'),
  'documents.listing': before('menu.choose', sendingPapers, 'account.choose'),
  'documents.askingDate': before(
    'menu.choose',
    (world) => listedPapers(world).chooses('COMMERCIAL_REGISTER'),
    'documents.choose',
  ),
  'documents.askingFile': before(
    'menu.choose',
    (world) => listedPapers(world).chooses('STATUTES'),
    'documents.choose',
  ),
  'documents.askingBack': before(
    'menu.choose',
    (world) => listedPapers(world).chooses('IDENTITY_CARD').sendsFile('1:front'),
    'documents.askBothSides',
  ),
  'documents.elsewhere': rest((world) =>
    merchantIn(world, 'ussd').isAtMenu().chooses('account').chooses('documents'),
  ),
  'documents.notEnabled': rest((world) =>
    sendingPapers(world, () => world.wallet.next('sendMerchantDocument', refused('http404'))),
  ),
};

export const MERCHANT_PLACES: Places = {
  ...DOCUMENT_PLACES,
  ...CARD_PLACES,
  'merchant-payment.askingMerchant': before('menu.choose', asked),
  'merchant-payment.listingPayees': before(
    'menu.choose',
    (world) =>
      knows(world, user(world).chooses('transfer'), MAMAN).chooses('merchant').chooses('beneficiaries'),
    'merchant-payment.askMerchant',
  ),
  'merchant-payment.askingAmount': before(
    'menu.choose',
    (world) => asked(world).says(CAFE),
    'merchant-payment.askMerchant',
  ),
  ...payingPlaces('merchant-payment', {
    fromBalance: true,
    who: (world) => asked(world).says(CAFE),
    orders: (customer) => customer.says('100'),
    waits: (customer) => customer.says('100'),
    preview: 'previewMerchantPayment',
    pay: 'payMerchant',
    amend: 'merchant-payment.askAmount',
  }),
  'merchant-payment.settled': rest((world) => user(world).walks(pays()).enters().after(1_500).repeats()),

  ...BANK_PLACES,

  'receive-payment.askingAmount': before('menu.choose', receiving),
  'receive-payment.shown': rest((world) => opens(inChat(world))),
  'menu.notMerchant': rest((world) => world.customer().isAtMenu().says('recettes')),
  'receive-payment.notMerchant': rest(when(inChat, 'staticQr', refused('90026'), opens)),
  'receive-payment.notEnabled': rest(when(inChat, 'staticQr', refused('http404'), opens)),

  'sales.choosing': before('menu.choose', (world) => shop(world).chooses('sales')),
  'services.choosing': before('menu.choose', (world) => shop(world).chooses('services')),
  'takings.askingPin': before('menu.choose', takingsPin, 'sales.choose'),
  'takings.lapsed': before('menu.choose', lapses(takingsPin)),
  'takings.refusedLogin': rest(when(takingsPin, 'login', refused('90006'), enters)),
  'takings.shown': before('menu.choose', takings, 'sales.choose'),
  'takings.listing': before('menu.choose', taken, 'takings.shown'),
  'takings.showing': before('menu.choose', (world) => taken(world).says('1'), 'takings.listed'),
  'takings.unavailable': rest(when(takingsPin, 'operations', LOST, enters)),

  'merchant-refund.listing': before('menu.choose', toRefund),
  'merchant-refund.choosing': before('menu.choose', refunding, 'merchant-refund.list'),
  'merchant-refund.askingAmount': before(
    'menu.choose',
    (world) => refunding(world).chooses('part'),
    'merchant-refund.howMuch',
  ),
  'merchant-refund.empty': rest((world) => merchantIn(world, 'ussd').isAtMenu().chooses('merchant-refund')),
  'merchant-refund.unread': rest(
    when(shop, 'operations', LOST, (customer) => customer.chooses('merchant-refund')),
  ),
  ...payingPlaces('merchant-refund', {
    fromBalance: true,
    who: shop,
    orders: refundsAll,
    waits: refundsAll,
    preview: 'previewChargeback',
    pay: 'chargeback',
    amend: 'merchant-refund.howMuch',
  }), // A refund is done with its answer, unless that says that it is still open.
  'merchant-refund.processing': {
    path: (world) => {
      const open = () =>
        world.sandbox.faults.set({ name: 'staysOpen', operation: 'executeChargeback', count: 1 });
      return refundsAll(shop(world)).meanwhile(open).enters();
    },
    back: 'menu.choose',
    cancel: 'merchant-refund.processing',
  },
};
