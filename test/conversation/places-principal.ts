import { walletKey, walletStateOf, walletWrite } from '../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { update } from '../../src/store/update.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import { type Customer, LOST, refused, type World } from '../kit/world.ts';
import { before, enters, lapses, type Path, type Places, payingPlaces, rest, when } from './place.ts';

const MENU = 'menu.choose';
const OF_PRINCIPAL = 'principal.choose';

/** The wallet's document says that its number is bound, and was proposed before: what leads there is in the tests of `principal`. */
const marked = async (world: World, phone: Msisdn) => {
  const proposed = { code: 'PA-1001', proposal: { by: 'aicha', at: 1, reason: 'verse les salaires' } };
  const isBound = { code: 'PA-1001', bound: { at: 2, by: 'aicha', approvedBy: 'badr' } };
  for (const principal of [proposed, isBound])
    await update(world.store, partitionOf(phone), [walletKey(phone)], (doc) => {
      const state = walletStateOf(doc);
      return { writes: [walletWrite(phone, state, { ...state.value, principal })], result: undefined };
    });
};
const bound: Path = (world) => {
  const customer = world.customer({ channel: 'web' });
  return customer
    .isAtMenu()
    .meanwhile(() => marked(world, customer.phone))
    .goes('menu')
    .sees(MENU)
    .chooses('principal');
};
const float: Path = (world) => bound(world).chooses('principal-float');
const read: Path = (world) => {
  const value = { code: 'PA-1001', balance: centimes(100_000_00) };
  return float(world)
    .meanwhile(() => world.wallet.next('principalAgent', { kind: 'ok', value }))
    .enters();
};
const loading: Path = (world) => read(world).chooses('load');
const agents: Path = (world) => bound(world).chooses('principal-agents');
const shown: Path = (world) => agents(world).chooses('RA-2001');
const opening =
  (...answers: readonly string[]): Path =>
  (world) =>
    answers.reduce((customer, text) => customer.says(text), agents(world).chooses('open'));
/** The stored state after an administrator has proposed the same. */
const proposedToo = async (world: World) => {
  const nadia = { id: 'nadia', name: 'Nadia' };
  const phone = msisdn('0677000009');
  await world.engine.desk.principal?.proposeAgent({ code: 'RA-2001', phone }, nadia, 'a changé de téléphone');
};
const asked: Path = (world) => opening(...NEW)(world).chooses('open');
const NEW = ['0677000001', 'Kiosque', 'Amal', 'Sefrioui', 'CD320032', '3, rue Atlas'] as const;

/** All chats of the same agent read of the same top-up, so that each uses its own number. */
let last = 0;
const number = () => `06550${String(10_000 + last++)}`;
const orders =
  (dirhams = '45', to = number()) =>
  (customer: Customer) =>
    customer.chooses('b2b-top-up').says(to).chooses('3').says(dirhams);
/** Its preview asks nobody, and is the same for ever: what is asked about before the PIN is another one just like it. */
const paid = payingPlaces('b2b-top-up', {
  who: bound,
  orders: (customer) => orders()(customer),
  waits: (customer) => orders()(customer),
  preview: 'agentOperations',
  pay: 'topUpB2b',
  amend: 'top-up.askAmount',
});
const again: Path = (world) => {
  const same = orders('45', number());
  return bound(world).walks(same).enters().goes('menu').chooses('principal').walks(same);
};

let files = 0;
/** The newest file, that an administrator has given, waits for who releases it. */
const file: Path = (world) =>
  bound(world)
    .meanwhile(async () => {
      const { principal } = world.engine.desk;
      const line = `0600000001;Youssef;10;n${files++}`;
      await principal?.giveFile(new TextEncoder().encode(line), 'salaires.csv', {
        id: 'nadia',
        name: 'Nadia',
      });
      await world.passes(1_000);
    })
    .chooses('payouts')
    .says('1');
const atRelease: Path = (world) => file(world).chooses('release');
const NO_FLOAT = { kind: 'ok', value: { code: 'PA-1001', balance: centimes(0) } } as const;
const tooShort = when(file, 'principalAgent', NO_FLOAT, (customer) => customer.chooses('release'));

export const PRINCIPAL_PLACES: Places = {
  'payouts.listing': before(MENU, (world) => bound(world).chooses('payouts'), OF_PRINCIPAL),
  'payouts.askingFile': before(MENU, (world) => file(world).chooses('look').chooses('give'), 'payouts.list'),
  'payouts.showing': before(MENU, file, 'payouts.list'),
  'payouts.short': before(MENU, tooShort, 'payouts.shown-ready'),
  'payouts.askingPin': before(MENU, atRelease, 'payouts.shown-ready'),
  'payouts.lapsed': before(MENU, lapses(atRelease)),
  'payouts.refusedLogin': rest(when(atRelease, 'login', refused('90006'), enters)),
  'payouts.released': rest((world) => enters(atRelease(world))),
  'payouts.unavailable': rest((world) =>
    bound(world)
      .meanwhile(() => world.wallet.next('principalAgent', LOST))
      .chooses('payouts'),
  ),
  ...paid,
  'b2b-top-up.confirming': before(MENU, again, 'top-up.askAmount'),
  'b2b-top-up.cancelled': rest((world) => again(world).chooses('cancel')),
  'b2b-top-up.processing': {
    path: when((world) => bound(world).walks(orders()), 'topUpB2b', { kind: 'ok', value: {} }, enters),
    back: MENU,
    cancel: 'b2b-top-up.processing',
    menu: MENU,
  },
  'b2b-top-up.notEnabled': rest((world) =>
    bound(world)
      .meanwhile(() => world.wallet.next('topUpProducts', refused('http404')))
      .walks(orders()),
  ),
  'b2b-top-up.askingNumber': before(MENU, (world) => bound(world).chooses('b2b-top-up'), OF_PRINCIPAL),
  'b2b-top-up.choosingOperator': before(
    MENU,
    (world) => bound(world).chooses('b2b-top-up').says('0655000041'),
    'b2b-top-up.askNumber',
  ),
  'b2b-top-up.askingAmount': before(
    MENU,
    (world) => bound(world).chooses('b2b-top-up').says('0655000041').chooses('3'),
    'top-up.chooseOperator',
  ),
  'b2b-top-up.choosingProduct': before(MENU, (world) => bound(world).walks(orders('50')), 'top-up.askAmount'),
  'principal.choosing': before(MENU, bound),
  'principal-float.askingPin': before(MENU, float, OF_PRINCIPAL),
  'principal-float.lapsed': before(MENU, lapses(float)),
  'principal-float.refusedLogin': rest(when(float, 'login', refused('90006'), enters)),
  'principal-float.shown': { ...before(MENU, read, OF_PRINCIPAL), again: 'principal-float.shownAt' },
  'principal-float.askingAmount': before(MENU, loading, 'principal-float.shown'),
  'principal-float.given': rest((world) => loading(world).says('500')),
  'principal-float.unavailable': rest(when(float, 'principalAgent', LOST, enters)),
  'principal-agents.listing': before(MENU, agents, OF_PRINCIPAL),
  'principal-agents.showing': before(MENU, shown, 'principal-agents.list'),
  'principal-agents.askingChange': before(
    MENU,
    (world) => shown(world).chooses('name'),
    'principal-agents.shown',
  ),
  'principal-agents.askingPhone': before(MENU, opening(), 'principal-agents.list'),
  'principal-agents.askingTradeName': before(MENU, opening(...NEW.slice(0, 1)), 'principal-agents.askPhone'),
  'principal-agents.askingFirstName': before(
    MENU,
    opening(...NEW.slice(0, 2)),
    'principal-agents.askTradeName',
  ),
  'principal-agents.askingLastName': before(
    MENU,
    opening(...NEW.slice(0, 3)),
    'principal-agents.askFirstName',
  ),
  'principal-agents.askingCin': before(MENU, opening(...NEW.slice(0, 4)), 'principal-agents.askLastName'),
  'principal-agents.askingAddress': before(MENU, opening(...NEW.slice(0, 5)), 'principal-agents.askCin'),
  'principal-agents.reviewing': before(MENU, opening(...NEW), 'principal-agents.askAddress'),
  'principal-agents.askingPin': before(MENU, asked, 'principal-agents.list'),
  'principal-agents.lapsed': before(MENU, lapses(asked)),
  'principal-agents.refusedLogin': rest(when(asked, 'login', refused('90006'), enters)),
  'principal-agents.asked': rest((world) => enters(asked(world)).meanwhile(() => proposedToo(world))),
  'principal-agents.unavailable': rest((world) =>
    bound(world)
      .meanwhile(() => world.wallet.next('retailAgents', LOST))
      .chooses('principal-agents'),
  ),
};
