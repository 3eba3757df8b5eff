import { LOST, refused, type World } from '../kit/world.ts';
import { issue, PLASTIC } from '../machines/card-issuing.ts';
import { before, enters, lapses, type Path, type Places, rest, user, when } from './place.ts';

/** A customer with so many cards asks for something. */
const asking =
  (words: string, cards: number, isNew = false): Path =>
  (world) => {
    const customer = user(world);
    return customer
      .meanwhile(async () => {
        for (let i = 0; i < cards; i++) await issue(world, customer, { isNew, program: PLASTIC });
      })
      .says(words);
  };
const NEVER = refused('http404');

const card = asking('ma carte', 1);
const several = asking('ma carte', 2);
const services = (world: World) => card(world).chooses('services');
const atPin = (world: World) => card(world).chooses('block');
const payments = (world: World) => card(world).chooses('transactions').enters();

const lost = asking('carte perdue', 1);
const lostOne = asking('carte perdue', 2);
const blocking = (world: World) => lost(world).chooses('block');

const ordering = asking('commander une carte', 0);
const orderPin = (world: World) => ordering(world).chooses('1');

/** The change was not answered, and neither is the question whether it is done. */
const notKnown = (path: Path): Path =>
  when(
    when(path, 'changeCard', LOST, (it) => it),
    'issuedCard',
    LOST,
    enters,
  );

const level = (world: World) => user(world).says('plafond');
const room = (world: World) => level(world).chooses('room');

export const UPGRADE_PLACES: Places = {
  'upgrade.explaining': before('menu.choose', level),
  'upgrade.askingPin': before('menu.choose', room, 'upgrade.explain'),
  'upgrade.lapsed': before('menu.choose', lapses(room)),
  'upgrade.refusedLogin': rest(when(room, 'login', refused('90006'), enters)),
  'upgrade.showingRoom': rest((world) => room(world).enters()),
  'upgrade.linkSent': rest((world) => level(world).chooses('link')),
  'upgrade.asked': rest((world) => level(world).chooses('adviser')),
  'upgrade.merchant': rest((world) => world.customer({ walletType: 'C' }).isAtMenu().says('plafond')),
  'upgrade.unavailable': rest(when(user, 'profile', LOST, (it) => it.says('plafond'))),
};

export const CARD_PLACES: Places = {
  'cards.listing': before('menu.choose', several),
  'cards.showing': before('menu.choose', card, 'cards.list'),
  'cards.showingApplication': before(
    'menu.choose',
    (world) => orderPin(world).enters().goes('menu').says('ma carte').says('1'),
    'cards.none',
  ),
  'cards.choosingService': before('menu.choose', services, 'cards.cardOnItsWay'),
  'cards.askingPin': before('menu.choose', atPin, 'cards.cardOnItsWay'),
  'cards.lapsed': before('menu.choose', lapses(atPin)),
  'cards.refusedLogin': rest(when(atPin, 'login', refused('90006'), enters)),
  'cards.listingTransactions': before('menu.choose', payments, 'cards.cardOnItsWay'),
  'cards.cardChanged': rest((world) => card(world).chooses('suspend')),
  'cards.notKnown': rest(notKnown(atPin)),
  'cards.unavailable': rest(when(user, 'cardPrograms', LOST, (it) => it.says('ma carte'))),
  'cards.notEnabled': rest(when(user, 'cardPrograms', NEVER, (it) => it.says('ma carte'))),

  'lost-card.choosingCard': before('menu.choose', lostOne),
  'lost-card.choosing': before('menu.choose', lost),
  'lost-card.suspended': before('menu.choose', (world) => lost(world).chooses('suspend')),
  'lost-card.askingPin': before('menu.choose', blocking, 'lost-card.choose'),
  'lost-card.lapsed': before('menu.choose', lapses(blocking)),
  'lost-card.refusedLogin': rest(when(blocking, 'login', refused('90006'), enters)),
  'lost-card.notKnown': rest(notKnown(blocking)),
  'lost-card.blocked': rest((world) => blocking(world).enters()),
  'lost-card.unavailable': before(
    'menu.choose',
    when(user, 'issuedCards', LOST, (it) => it.says('carte perdue')),
  ),

  'card-order.choosing': before('menu.choose', ordering),
  'card-order.askingPin': before('menu.choose', orderPin, 'card-order.choose'),
  'card-order.lapsed': before('menu.choose', lapses(orderPin)),
  'card-order.refusedLogin': rest(when(orderPin, 'login', refused('90006'), enters)),
  'card-order.applied': rest((world) => orderPin(world).enters()),
  'card-order.notKnown': rest(when(orderPin, 'applyForCard', LOST, enters)),
  'card-order.unavailable': rest(when(user, 'cardPrograms', LOST, (it) => it.says('commander une carte'))),
  'card-order.notEnabled': rest(when(user, 'cardPrograms', NEVER, (it) => it.says('commander une carte'))),
};
