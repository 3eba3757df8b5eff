import { centimes } from '../../src/wallet/money.ts';
import { LOST, refused, type World } from '../kit/world.ts';
import { before, enters, lapses, type Path, type Places, rest, user, when, whileFreezing } from './place.ts';

const empty = (world: World) => world.customer({ balance: '0' }).isAtMenu().chooses('balance').enters();
const awaiting = (world: World) =>
  world
    .customer({ balance: '0' })
    .isAtMenu()
    .says('/cash-in 300')
    .chooses('agents')
    .dials()
    .chooses('balance')
    .enters();

const deposits: Path = (world) => user(world).says('/cash-in');
const withdraws: Path = (world) => user(world).says('/cash-out');
const atPin: Path = (world) => withdraws(world).says('200');
const choosing: Path = (world) => user(world).says('/cash-in 300');
const given: Path = (world) => choosing(world).chooses('agents');
const asksRoom: Path = when(deposits, 'requestCashIn', refused('90011'), (it) =>
  it.says('300').chooses('agents').chooses('room'),
);
const drawing: Path = (world) => user(world).says('/cash-out 200').enters();
const unusual: Path = (world) =>
  world.customer({ balance: '5000' }).isAtMenu().says('/cash-out 50').enters().dials().says('/cash-out 1000');
const listed = (path: Path) => (world: World) => path(world).dials().says('/references');
const opened: Path = (world) => listed(drawing)(world).chooses('reference0');
const shownAgain: Path = (world) => opened(world).chooses('again');

export const CASH_PLACES: Places = {
  'cash.choosing': before('menu.choose', (world) => user(world).chooses('cash')),
  'balance.empty': before('menu.choose', empty),
  'balance.awaitingDeposit': before('menu.choose', awaiting),

  'cash-in.askingAmount': before('menu.choose', deposits),
  'cash-in.offering': before(
    'menu.choose',
    (world) => given(world).dials().says('/cash-in 300'),
    'cash-in.askAmountWithin',
  ),
  'cash-in.choosingWay': before('menu.choose', choosing, 'cash-in.askAmountWithin'),
  'cash-in.overLevel': before(
    'menu.choose',
    when(deposits, 'requestCashIn', refused('90011'), (it) => it.says('300').chooses('agents')),
    'cash-in.askAmountWithin',
  ),
  'cash-in.askingPin': before('menu.choose', asksRoom, 'cash-in.askAmountWithin'),
  'cash-in.lapsed': before('menu.choose', lapses(asksRoom)),
  'cash-in.refusedLogin': rest(when(asksRoom, 'login', refused('90006'), enters)),
  'cash-in.overRoom': before('menu.choose', (world) => asksRoom(world).enters(), 'cash-in.askAmountLeft'),
  'cash-in.shown': rest(given),
  'cash-in.lost': before(
    'menu.choose',
    when(deposits, 'requestCashIn', LOST, (it) => it.says('300').chooses('agents')),
    'cash-in.askAmountWithin',
  ),
  'cash-in.notEnabled': rest(
    when(deposits, 'requestCashIn', refused('http403'), (it) => it.says('300').chooses('agents')),
  ),

  'cash-out.heldByWallet': rest((world) =>
    withdraws(world)
      .says('200')
      .meanwhile(() => {
        world.wallet.next('requestCashOut', LOST);
        for (const value of [500_00, 300_00])
          world.wallet.next('balance', { kind: 'ok', value: centimes(value) });
      })
      .enters(),
  ),
  'cash-out.askingAmount': before('menu.choose', withdraws),
  'cash-out.offering': before(
    'menu.choose',
    (world) => drawing(world).dials().says('/cash-out 200'),
    'cash-out.askAmount',
  ),
  'cash-out.confirming': before('menu.choose', unusual, 'cash-out.askAmount'),
  'cash-out.askingPin': before('menu.choose', atPin, 'cash-out.askAmount'),
  'cash-out.lapsed': before('menu.choose', lapses(atPin)),
  'cash-out.refusedLogin': rest(when(atPin, 'login', refused('90006'), enters)),
  'cash-out.shown': rest(drawing),
  'cash-out.lost': before('menu.choose', when(atPin, 'requestCashOut', LOST, enters), 'cash-out.askAmount'),
  'cash-out.held': before('menu.choose', whileFreezing(atPin, enters), 'cash-out.askAmount'),
  'cash-out.tooLow': before(
    'menu.choose',
    (world) => user(world).says('/cash-out 90000'),
    'cash-out.askAmount',
  ),
  'cash-out.notEnabled': rest(when(atPin, 'requestCashOut', refused('http403'), enters)),

  'references.empty': rest((world) => user(world).says('/references')),
  'references.listing': before('menu.choose', listed(given)),
  'references.showing': before('menu.choose', opened, 'references.list'),
  'references.askingPin': before('menu.choose', shownAgain, 'references.withdrawalOpen'),
  'references.lapsed': before('menu.choose', lapses(shownAgain)),
  'references.refusedLogin': rest(when(shownAgain, 'login', refused('90006'), enters)),
  'references.shown': rest((world) => shownAgain(world).enters()),
};
