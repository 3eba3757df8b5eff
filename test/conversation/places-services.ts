import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Customer } from '../kit/customer.ts';
import { LOST, refused } from '../kit/meddler.ts';
import { tops } from '../machines/top-up-orders.ts';
import { isForOneself, picks } from '../machines/voucher-orders.ts';
import { before, enters, lapses, type Path, type Places, payingPlaces, rest, user, when } from './place.ts';
import { knows, MAMAN } from './places-beneficiaries.ts';

const SISTER = '0655000000';
const topping: Path = (world) => user(world).chooses('top-up');
const numbered: Path = (world) => topping(world).says(SISTER);

const TOP_UP_PLACES: Places = {
  'receipt.shown': rest((world) =>
    world.customer({ channel: 'web' }).isAtMenu().walks(tops(SISTER)).enters().chooses('receipt'),
  ),
  'top-up.askingNumber': before('menu.choose', topping),
  'top-up.listingPayees': before(
    'menu.choose',
    (world) => knows(world, user(world), MAMAN).chooses('top-up').chooses('beneficiaries'),
    'top-up.askNumber',
  ),
  'top-up.showingHistory': before(
    'menu.choose',
    (world) => user(world).walks(tops(SISTER)).enters().goes('menu').chooses('top-up').chooses('history'),
    'top-up.askNumber',
  ),
  'top-up.choosingOperator': before('menu.choose', numbered, 'top-up.askNumber'),
  'top-up.askingAmount': before(
    'menu.choose',
    (world) => numbered(world).chooses('3'),
    'top-up.chooseOperator',
  ),
  'top-up.choosingProduct': before(
    'menu.choose',
    (world) => user(world).walks(tops(SISTER, '50', '1')),
    'top-up.askAmount',
  ),
  ...payingPlaces('top-up', {
    fromBalance: true,
    orders: tops(SISTER),
    waits: tops(MAGIC.topUpWaits),
    preview: 'previewTopUp',
    pay: 'topUp',
    amend: 'top-up.askAmount',
  }),
};

const buying: Path = (world) => user(world).chooses('shopping').chooses('voucher');
/** Only a chat asks whom a voucher is for. */
const picked: Path = (world) => world.customer({ channel: 'web' }).isAtMenu().walks(picks);
const giving: Path = (world) => picked(world).chooses('gift');

const VOUCHER_PLACES: Places = {
  'voucher.choosingBrand': before('menu.choose', buying, 'shopping.choose'),
  'voucher.choosingArticle': before(
    'menu.choose',
    (world) => buying(world).chooses('1'),
    'voucher.chooseBrand',
  ),
  'voucher.choosingFor': before('menu.choose', picked, 'voucher.chooseArticle'),
  'voucher.askingNumber': before('menu.choose', giving, 'voucher.chooseForValid'),
  'voucher.listingPayees': before(
    'menu.choose',
    (world) => knows(world, picked(world), MAMAN).chooses('gift').chooses('beneficiaries'),
    'voucher.askNumber',
  ),
  'voucher.askingName': before('menu.choose', (world) => giving(world).says(SISTER), 'voucher.askNumber'),
  ...payingPlaces('voucher', {
    fromBalance: true,
    orders: (customer) => customer.walks(picks).walks(isForOneself),
    waits: (customer) => customer.walks(picks).chooses('gift').says(MAGIC.failsLater).says('Youssef'),
    preview: 'previewVoucher',
    pay: 'buyVoucher',
    amend: 'voucher.chooseArticleValid',
  }),
  'voucher.unread': rest(
    when(user, 'voucherBrands', LOST, (it) => it.chooses('shopping').chooses('voucher')),
  ),
};

const opens = (customer: Customer) => customer.goes('menu').chooses('shopping').chooses('voucher-codes');
const looking: Path = (world) => opens(user(world).walks(picks).walks(isForOneself).enters());
const bought: Path = (world) => enters(looking(world));

const CODE_PLACES: Places = {
  'voucher-codes.askingPin': before('menu.choose', looking, 'shopping.choose'),
  'voucher-codes.lapsed': before('menu.choose', lapses(looking)),
  'voucher-codes.refusedLogin': rest(when(looking, 'login', refused('90006'), enters)),
  'voucher-codes.listing': before('menu.choose', bought, 'shopping.choose'),
  'voucher-codes.showing': before(
    'menu.choose',
    (world) => bought(world).chooses('voucher0'),
    'voucher-codes.choose',
  ),
  'voucher-codes.none': rest((world) => opens(user(world))),
};

export const SERVICE_PLACES: Places = { ...TOP_UP_PLACES, ...VOUCHER_PLACES, ...CODE_PLACES };
