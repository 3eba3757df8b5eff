import type { ReadName } from '../../machines/kit/reading.ts';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import { READINGS } from '../../src/conversation/chart/readings.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Operation, Wallet } from '../../src/wallet/wallet.ts';
import { LOST, RECIPIENT, refused, type World } from '../kit/world.ts';
import { KARIM } from '../machines/bank-orders.ts';
import { BILL_PLACES } from './bill-places.ts';
import {
  before,
  dearer,
  enters,
  lapses,
  type Path,
  type Place,
  type Places,
  rest,
  user,
  when,
  whileFreezing,
  whilePaying,
} from './place.ts';
import { AGENT_PLACES } from './places-agent.ts';
import { BENEFICIARY_PLACES, knowing, several } from './places-beneficiaries.ts';
import { CARD_CASH_IN_PLACES } from './places-card-cash-in.ts';
import { CARD_PLACES, UPGRADE_PLACES } from './places-cards.ts';
import { CASH_PLACES } from './places-cash.ts';
import { FREEZE_PLACES } from './places-freeze.ts';
import { MERCHANT_PLACES } from './places-merchant.ts';
import { PRINCIPAL_PLACES } from './places-principal.ts';
import { SERVICE_PLACES } from './places-services.ts';

const OPERATION: Operation = {
  id: 1,
  type: 3,
  status: 2,
  direction: 2,
  amount: centimes(20_000),
  fees: centimes(200),
  total: centimes(20_200),
  at: Date.UTC(2026, 10, 21, 14, 5),
  sender: '+212611223344',
  receiver: '+212687654321',
};
/** Something was typed before there is a wallet: the way to the menu offers to go on with it. */
const opening = (path: Path, back = 'onboarding.resume'): Place => ({
  path,
  back,
  menu: 'onboarding.resume',
  cancel: 'consent.ask',
});
const agreed = (world: World) => world.stranger().arrives().chooses('agree');
const filled = (world: World) => agreed(world).says('Salma').says('Idrissi').says('AB123456');
const registered = (world: World) => filled(world).chooses('confirm');
const confirmed = (world: World) => registered(world).entersCodeFromSms();
const reading = (world: World) => user(world).chooses('balance');
const addressed = (world: World) => user(world).chooses('transfer').says(RECIPIENT);
const atPin = (world: World) => addressed(world).says('100');
const asked = dearer(atPin, 'previewTransfer');
const account =
  (choice: string, customer: Parameters<World['customer']>[0] = {}) =>
  (world: World) =>
    world.customer(customer).isAtMenu().chooses('account').chooses(choice);
const profile = account('profile');
const oldPin = account('pin-change');
const newPin = (world: World) => oldPin(world).enters();
const newPinTwice = (world: World) => newPin(world).enters('2590');
const reset = account('pin-reset');
const sentACode = (world: World) => reset(world).chooses('send');
const typedCode = (world: World) => sentACode(world).entersCodeFromSms();
const closing = account('closing', { balance: '0' });
const warned = (world: World) => closing(world).chooses('ending');
const closingPin = (world: World) => warned(world).chooses('continue');
const sure = (world: World) => closingPin(world).enters();
const statement = (world: World) => user(world).chooses('statement');
const listed = when(
  statement,
  'operations',
  { kind: 'ok', value: { operations: [OPERATION], count: 1 } },
  enters,
);
/** An adviser has closed the request. */
const rated = (world: World) => {
  const asked = user(world).asksForAdviser().chooses('continue');
  return asked
    .meanwhile(async () => {
      const { desk } = world.engine;
      const it = await desk.cases.about('asked', asked.address);
      await desk.closeCase(it?.id ?? '', { id: 'nadia', name: 'Nadia' });
    })
    .dials();
};
const linking = (world: World) => world.customer({ channel: 'web' }).opens();
const proven = (world: World) => world.customer({ channel: 'web' }).arrives();

/** The wallet's call behind a read. */
const CALL_OF: { readonly [Name in ReadName]?: keyof Wallet } = {
  readBalance: 'balance',
  readProfile: 'profile',
};

/** The places of a conversation that only reads (`machines/kit/reading.ts`): its states are the same in each. */
function readingPlaces({ id, reads }: (typeof READINGS)[number]): Places {
  const asked: Path = (world) => user(world).says(`/${id}`);
  const call = CALL_OF[reads] ?? missingCall(reads);
  return {
    [`${id}.askingPin`]: before('menu.choose', asked),
    [`${id}.lapsed`]: before('menu.choose', lapses(asked)),
    [`${id}.refusedLogin`]: rest(when(asked, 'login', refused('90006'), enters)),
    [`${id}.shown`]: rest((world) => asked(world).enters()),
    [`${id}.unavailable`]: rest(when(asked, call, LOST, enters)),
  };
}

function missingCall(reads: ReadName): never {
  throw new Error(`CALL_OF lacks the wallet's call of ${reads}`);
}

/** Every place where a customer can be left standing: `<machine>.<state>`. */
export const PLACES: Places = {
  ...Object.assign({}, ...READINGS.map(readingPlaces)),
  'language.choosing': { ...rest((world) => user(world).goes('language')), after: 'menu.choose' },
  'help.asked': {
    ...rest((world) => user(world).asksForAdviser()),
    after: 'menu.choose',
  },
  'help.askingToFreeze': {
    ...before('menu.choose', (world) => user(world).goes('help').chooses('freeze'), 'help.help'),
    after: 'menu.choose',
    cancelled: false,
  },
  'help.helping': { ...rest((world) => user(world).goes('help')), after: 'menu.choose' },
  'rating.asking': { ...rest(rated), after: 'menu.choose' },
  'resume.asking': {
    path: (world) => atPin(world).dials(),
    back: 'menu.choose',
    after: 'transfer.askPinOpenLoop',
  },

  'consent.asking': before('consent.ask', (world) => world.stranger().arrives(), 'language.choose'),
  'consent.declined': rest((world) => world.stranger().arrives().chooses('decline'), 'consent.ask'),
  'onboarding.choosingWhose': before('consent.ask', agreed),
  'onboarding.askingFirstName': opening(
    (world) => agreed(world).chooses('business'),
    'onboarding.askFirstName',
  ),
  'onboarding.askingLastName': opening((world) => agreed(world).says('Salma'), 'onboarding.askFirstName'),
  'onboarding.askingCin': opening(
    (world) => agreed(world).says('Salma').says('Idrissi'),
    'onboarding.askLastName',
  ),
  'onboarding.reviewing': opening(filled, 'onboarding.askCin'),
  'onboarding.choosingChange': opening((world) => filled(world).chooses('change'), 'onboarding.review'),
  'onboarding.askingCode': before('onboarding.left', registered),
  'onboarding.askingNewPin': before('onboarding.left', confirmed),
  'onboarding.repeatingPin': before(
    'onboarding.left',
    (world) => confirmed(world).enters(),
    'onboarding.askNewPin',
  ),
  'onboarding.left': rest((world) => registered(world).goes('back'), 'onboarding.askCode'),
  'onboarding.opened': rest((world) => confirmed(world).enters().enters()),
  'onboarding.refused': rest(
    when(filled, 'register', refused('20008'), (salma) => salma.chooses('confirm')),
    'consent.ask',
  ),

  'linking.askingPhone': before('linking.askPhone', linking),
  'linking.askingCode': before('linking.askPhone', (world) => linking(world).says(RECIPIENT)),
  'link-chat.shown': rest(account('link-chat')),
  'link-chat.tooMany': rest((world) => {
    const fatima = user(world);
    for (let i = 0; i < 11; i++) fatima.dials('7', '7');
    return fatima;
  }),
  'unlocking.askingPin': before('unlocking.askPin', proven),
  'unlocking.lapsed': before('unlocking.askPin', lapses(proven)),
  'unlocking.refusedLogin': rest(when(proven, 'login', refused('90006'), enters), 'unlocking.askPin'),

  'menu.choosing': rest(user),
  'menu.lockedForNow': rest((world) => world.customer({ status: 4 }).arrives(), 'menu.lockedForNow'),
  'menu.locked': rest((world) => world.customer({ status: 5 }).arrives(), 'menu.locked'),
  'menu.unavailable': rest(when(user, 'customerStatus', refused('47110'), (fatima) => fatima.goes('menu'))),

  'balance.askingPin': before('menu.choose', reading),
  'balance.lapsed': before('menu.choose', lapses(reading)),
  'balance.refusedLogin': rest(when(reading, 'login', refused('90006'), enters)),
  'balance.shown': rest((world) => reading(world).enters()),
  'balance.unavailable': rest(when(reading, 'balance', LOST, enters)),

  'account.choosing': before('menu.choose', (world) => user(world).chooses('account')),
  'shopping.choosing': before('menu.choose', (world) => user(world).chooses('shopping')),
  'profile.askingPin': before('menu.choose', profile, 'account.choose'),
  'profile.lapsed': before('menu.choose', lapses(profile)),
  'profile.refusedLogin': rest(when(profile, 'login', refused('90006'), enters)),
  'profile.shown': rest((world) => profile(world).enters()),
  'profile.unavailable': rest(when(profile, 'profile', LOST, enters)),
  'pin-change.askingOldPin': before('menu.choose', oldPin, 'account.choose'),
  'pin-change.askingNewPin': before('menu.choose', newPin, 'pin-change.askOldPin'),
  'pin-change.repeatingPin': before('menu.choose', newPinTwice, 'pin.askNew'),
  'pin-change.changed': rest((world) => newPinTwice(world).enters('2590')),
  'pin-change.unchanged': rest(when(newPinTwice, 'changePin', refused('90006'), (it) => it.enters('2590'))),
  'pin-change.notKnown': rest(when(newPinTwice, 'changePin', LOST, (it) => it.enters('2590'))),
  'pin-reset.explaining': before('menu.choose', reset, 'account.choose'),
  'pin-reset.askingCode': before('menu.choose', sentACode, 'pin-reset.explain'),
  'pin-reset.askingCodeAgain': before(
    'menu.choose',
    when(typedCode, 'resetPin', refused('90003'), (it) => it.enters('2590').enters('2590')),
    'pin-reset.explain',
  ),
  'pin-reset.askingNewPin': before('menu.choose', typedCode, 'pin-reset.askCode'),
  'pin-reset.repeatingPin': before('menu.choose', (world) => typedCode(world).enters('2590'), 'pin.askNew'),
  'pin-reset.refused': rest(when(reset, 'resendOtp', refused('90006'), (it) => it.chooses('send'))),
  'closing.askingReason': before('menu.choose', closing, 'account.choose'),
  'closing.explaining': before('menu.choose', warned, 'closing.askReason'),
  'closing.askingPin': before('menu.choose', closingPin, 'closing.explain'),
  'closing.lapsed': before('menu.choose', lapses(closingPin)),
  'closing.refusedLogin': rest(when(closingPin, 'login', refused('90006'), enters)),
  'closing.confirming': before('menu.choose', sure, 'closing.explain'),
  'closing.closed': rest((world) => sure(world).chooses('close'), 'consent.ask'),
  'closing.kept': rest((world) => sure(world).chooses('keep')),
  'closing.notKnown': rest(
    when(
      when(sure, 'unregister', LOST, (it) => it),
      'customerStatus',
      LOST,
      (it) => it.chooses('close'),
    ),
  ),
  'unlink.confirming': before(
    'menu.choose',
    (world) => world.customer({ channel: 'web' }).isAtMenu().chooses('account').chooses('unlink'),
    'account.choose',
  ),
  'statement.askingPin': before('menu.choose', statement),
  'statement.lapsed': before('menu.choose', lapses(statement)),
  'statement.refusedLogin': rest(when(statement, 'login', refused('90006'), enters)),
  'statement.listing': before('menu.choose', listed),
  'statement.choosingFilter': before(
    'menu.choose',
    (world) => listed(world).chooses('filter'),
    'statement.list',
  ),
  'statement.showing': before('menu.choose', (world) => listed(world).chooses('1'), 'statement.list'),
  'statement.empty': rest((world) => statement(world).enters()),
  'statement.unavailable': rest(when(statement, 'operations', LOST, enters)),

  ...BILL_PLACES,

  'transfer.askingRecipient': before('menu.choose', (world) => user(world).chooses('transfer')),
  'transfer.askingAmount': before('menu.choose', addressed, 'transfer.askRecipient'),
  'transfer.confirming': before('menu.choose', asked, 'transfer.askAmount'),
  'transfer.unavailable': before(
    'menu.choose',
    when(addressed, 'previewTransfer', LOST, (fatima) => fatima.says('100')),
    'transfer.askAmount',
  ),
  'transfer.busy': before(
    'menu.choose',
    whilePaying(addressed, (fatima) => fatima.says('100')),
    'transfer.askAmount',
  ),
  'transfer.held': before(
    'menu.choose',
    whileFreezing(addressed, (fatima) => fatima.says('100')),
    'transfer.askAmount',
  ),
  'transfer.tooLow': before(
    'menu.choose',
    when(addressed, 'previewTransfer', refused('90010'), (fatima) => fatima.says('100')),
    'transfer.askAmount',
  ),
  'transfer.notSent': rest((world) =>
    whileFreezing(addressed, (fatima) => fatima.says('100'))(world).chooses('cancel'),
  ),
  'transfer.askingPin': before('menu.choose', atPin, 'transfer.askAmount'),
  'transfer.lapsed': before('menu.choose', lapses(atPin)),
  'transfer.refusedLogin': rest(when(atPin, 'login', refused('90006'), enters)),
  'transfer.processing': {
    path: (world) => atPin(world).enters(),
    back: 'menu.choose',
    cancel: 'transfer.processing',
  },
  'transfer.notConfirmed': {
    path: when(atPin, 'transfer', LOST, enters),
    back: 'menu.choose',
    cancel: 'transfer.notConfirmed',
  },
  'transfer.settled': rest((world) =>
    atPin(world)
      .enters()
      .meanwhile(() => world.passes(1_500))
      .repeats(),
  ),
  'transfer.refused': rest(when(atPin, 'transfer', refused('90010'), enters)),
  'transfer.cancelled': rest((world) => asked(world).chooses('cancel')),

  ...CASH_PLACES,
  ...FREEZE_PLACES,
  'transfer.choosingAccount': before(
    'menu.choose',
    (world) => knowing(world, { rib: KARIM }).chooses('transfer').chooses('saved-7'),
    'transfer.askRecipient',
  ),
  'transfer.listingPayees': before(
    'menu.choose',
    (world) => several(world).says('envoyer à Maman'),
    'transfer.askRecipient',
  ),
  ...BENEFICIARY_PLACES,
  ...SERVICE_PLACES,
  ...MERCHANT_PLACES,
  ...CARD_CASH_IN_PLACES,
  ...CARD_PLACES,
  ...UPGRADE_PLACES,
  ...AGENT_PLACES,
  ...PRINCIPAL_PLACES,
};

/** Every state that has a screen and waits for no call, as the machines say it. */
export function placesThereAre(): string[] {
  return Object.values(MACHINES).flatMap((machine) =>
    Object.values(machine.states)
      .filter((state) => state.meta !== undefined && state.invoke.length === 0)
      .map((state) => `${machine.id}.${state.key}`),
  );
}
