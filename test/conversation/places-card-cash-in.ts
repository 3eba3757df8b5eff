import { expect } from 'vitest';
import { type Customer, LOST, MINUTE_MS, refused, type World } from '../kit/world.ts';
import { atBank, formOf, sends, typedCard } from '../machines/card-forms.ts';
import {
  before,
  enters,
  lapses,
  type Path,
  type Places,
  payingPlaces,
  rest,
  when,
  whileFreezing,
  whilePaying,
} from './place.ts';

const KEPT = { kind: 'ok', value: [{ id: 7, last4: '4242', scheme: 'VISA' }] } as const;

const chat: Path = (world) => world.customer({ channel: 'web', balance: '500' }).isAtMenu();
const orders = (customer: Customer) => customer.says('/card-cash-in 100');
const atPin: Path = (world) => orders(chat(world));
const askingCard: Path = (world) => enters(atPin(world));
const choosing = when(atPin, 'savedCards', KEPT, enters);
const askingCvv: Path = (world) => choosing(world).chooses('7');

/** Types the card on the form and opens the chat again. `then` gets the bank's page. */
const typing =
  (path: Path, then: (bank: string | undefined, world: World) => Promise<unknown> = async () => {}): Path =>
  (world) => {
    const customer = path(world);
    const types = async () => {
      const { status, bank } = await sends(formOf(world, customer), typedCard());
      expect(status).toBe(200);
      await then(bank, world);
    };
    return customer.meanwhile(types).opens();
  };
/** The level allows it when it is asked for, and no longer when the card has been typed. */
const tooMuchByNow: Path = (world) =>
  typing((each) =>
    askingCard(each).meanwhile(async () => {
      await each.passes(3 * MINUTE_MS);
      each.wallet.next('previewCardCashIn', refused('90011'));
    }),
  )(world);
const same = (customer: Customer): Customer => customer;

const { 'card-cash-in.processing': _takesLonger, ...PAYING } = payingPlaces('card-cash-in', {
  who: chat,
  orders,
  waits: orders,
  preview: 'previewCardCashIn',
  pay: 'cashInByCard',
  amend: 'card-cash-in.askAmountWithin',
});

const held = whileFreezing(
  (world) => chat(world).says('/card-cash-in'),
  (customer) => customer.says('100'),
);
const keeping: Path = (world) => chat(world).says('/saved-cards');
const listing = when(keeping, 'savedCards', KEPT, enters);
const deleting: Path = (world) => listing(world).chooses('7');

/** A deposit by card, which is typed on the form, and the cards that are kept of such deposits. */
export const CARD_CASH_IN_PLACES: Places = {
  ...PAYING,
  'card-cash-in.busy': before('menu.choose', whilePaying(chat, orders), 'card-cash-in.askAmountWithin'),
  'card-cash-in.held': before('menu.choose', held, 'card-cash-in.askAmountWithin'),
  'card-cash-in.notSent': rest((world) => held(world).chooses('cancel')),
  'card-cash-in.askingAmount': before('menu.choose', (world) => chat(world).says('/card-cash-in')),
  'card-cash-in.overLevel': before(
    'menu.choose',
    when(chat, 'previewCardCashIn', refused('90011'), orders),
    'card-cash-in.askAmountWithin',
  ),
  'card-cash-in.overRoom': before('menu.choose', tooMuchByNow, 'card-cash-in.askAmountLeft'),
  'card-cash-in.choosingCard': before('menu.choose', choosing, 'card-cash-in.askAmountWithin'),
  'card-cash-in.askingCard': before('menu.choose', askingCard, 'card-cash-in.askAmountWithin'),
  'card-cash-in.askingCvv': before('menu.choose', askingCvv, 'card-cash-in.askAmountWithin'),
  'card-cash-in.lapsedCard': before(
    'menu.choose',
    (world) =>
      askingCard(world)
        .after(11 * MINUTE_MS)
        .opens(),
    'card-cash-in.cancelled',
  ),
  'card-cash-in.accepted': {
    path: typing(askingCard),
    back: 'menu.choose',
    cancel: 'card-cash-in.atBank',
  },
  'card-cash-in.notConfirmed': {
    path: typing(when(askingCard, 'cashInByCard', LOST, same)),
    back: 'menu.choose',
    cancel: 'card-cash-in.notConfirmed',
  },
  'card-cash-in.refused': rest(typing(when(askingCard, 'cashInByCard', refused('90203'), same))),
  'card-cash-in.settled': rest(
    typing(askingCard, async (bank, world) => {
      await atBank(bank);
      await world.passes(2_000);
    }),
  ),

  'saved-cards.askingPin': before('menu.choose', keeping),
  'saved-cards.lapsed': before('menu.choose', lapses(keeping)),
  'saved-cards.refusedLogin': rest(when(keeping, 'login', refused('90006'), enters)),
  'saved-cards.choosing': before('menu.choose', listing),
  'saved-cards.confirming': before('menu.choose', deleting, 'saved-cards.choose'),
  'saved-cards.deleted': rest(
    when(deleting, 'deleteSavedCard', { kind: 'ok', value: true }, (it) => it.chooses('delete')),
  ),
  'saved-cards.none': before('menu.choose', (world) => keeping(world).enters()),
  'saved-cards.unavailable': rest(when(keeping, 'savedCards', LOST, enters)),
  'saved-cards.notEnabled': rest(when(keeping, 'savedCards', refused('http404'), enters)),
};
