import { AGENT_KNOWN_MS } from '../../src/conversation/session/agent.ts';
import { walletKey, walletStateOf, walletWrite } from '../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { update } from '../../src/store/update.ts';
import { centimes } from '../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../src/wallet/phone.ts';
import type { CashReference } from '../../src/wallet/services.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { type Customer, LOST, refused, type World } from '../kit/world.ts';
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

const MENU = 'menu.chooseAgent';
const CODE = 'RA-7';
const CUSTOMER = '0600000001';
const FOUND: CashReference = {
  reference: '215500000005',
  amount: centimes(20_000),
  status: 1,
  madeAt: Date.UTC(2026, 10, 1),
  phone: msisdn('+212600000001'),
};

/** The wallet's document says that its customer is an agent: what leads there is in the tests of `agent`. */
const marked = (world: World, phone: Msisdn, isStopped = false) =>
  update(world.store, partitionOf(phone), [walletKey(phone)], (doc) => {
    const state = walletStateOf(doc);
    const stopped = { by: 'nadia', at: 1, reason: 'fraude' };
    const agent = {
      ...{ code: CODE, name: 'Tabac Central', until: world.clock.now() + AGENT_KNOWN_MS },
      ...(isStopped && { stopped }),
    };
    return { writes: [walletWrite(phone, state, { ...state.value, agent })], result: undefined };
  });
const agent: Path = (world) => {
  const customer = user(world);
  return customer
    .meanwhile(() => marked(world, customer.phone))
    .goes('menu')
    .sees(MENU);
};
/** The wallet answers the next looks at a reference like this. */
const looks =
  (world: World, ...answers: readonly (typeof LOST | ReturnType<typeof refused> | CashReference)[]) =>
  () => {
    for (const each of answers)
      world.wallet.next('cashReference', 'kind' in each ? each : { kind: 'ok', value: each });
  };
const NONE = refused('90120');

interface Counter {
  readonly kind: 'agent-cash-in' | 'agent-cash-out';
  readonly pay: 'agentCashIn' | 'agentCashOut';
}

/** The places of an execution, by a reference that only the answers here know. */
function atCounter({ kind, pay }: Counter): Places {
  const orders = (world: World, who: Path = agent) =>
    who(world)
      .meanwhile(looks(world, FOUND, FOUND))
      .chooses(kind)
      .says(FOUND.reference);
  const atPin: Path = (world) => orders(world).sees(`${kind}.askPin`);
  const unknown = when(atPin, pay, LOST, enters);
  const again: Path = (world) => orders(world, () => unknown(world).after(121_000).dials().sees(MENU));
  const paid = payingPlaces(kind, {
    who: agent,
    orders: (customer) => customer.chooses(kind).says(FOUND.reference),
    waits: (customer) => customer,
    preview: 'cashReference',
    pay,
    amend: `${kind}.ask`,
    menu: MENU,
    looks: (world) => looks(world, FOUND, FOUND),
  });
  const held = whileFreezing(
    (world) => agent(world).meanwhile(looks(world, FOUND)).chooses(kind),
    (customer) => customer.says(FOUND.reference),
  );
  const unavailable: Path = (world) =>
    agent(world)
      .meanwhile(looks(world, FOUND, LOST))
      .chooses(kind)
      .says(FOUND.reference);
  const answers = (path: Path, answer: Awaited<ReturnType<Wallet['agentCashIn']>>) =>
    when(path, pay, answer as never, enters);
  return {
    ...paid,
    [`${kind}.asking`]: before(MENU, (world) => agent(world).chooses(kind)),
    [`${kind}.unavailable`]: before(MENU, unavailable, `${kind}.ask`),
    [`${kind}.held`]: before(MENU, held, `${kind}.ask`),
    [`${kind}.notSent`]: rest((world) => held(world).chooses('cancel'), MENU),
    [`${kind}.notEnabled`]: rest(
      (world) =>
        agent(world)
          .meanwhile(looks(world, refused('http404')))
          .chooses(kind)
          .says(FOUND.reference),
      MENU,
    ),
    [`${kind}.confirming`]: before(MENU, again, `${kind}.ask`),
    [`${kind}.cancelled`]: rest((world) => again(world).chooses('cancel'), MENU),
    [`${kind}.askingPin`]: before(MENU, atPin, `${kind}.ask`),
    [`${kind}.lapsed`]: before(MENU, lapses(atPin)),
    [`${kind}.refusedLogin`]: rest(when(atPin, 'login', refused('90006'), enters), MENU),
    [`${kind}.processing`]: {
      path: answers(atPin, { kind: 'ok', value: { status: 1 } }),
      back: MENU,
      cancel: `${kind}.processing`,
      menu: MENU,
    },
    [`${kind}.notConfirmed`]: { path: unknown, back: MENU, cancel: `${kind}.notConfirmed`, menu: MENU },
    [`${kind}.settled`]: rest(answers(atPin, { kind: 'ok', value: { status: 2, isFinal: true } }), MENU),
    [`${kind}.refused`]: rest(answers(atPin, refused('90010')), MENU),
  };
}

const day: Path = (world) => agent(world).chooses('agent-day');
const sums: Path = (world) => {
  const operation = {
    ...{ id: 1, type: 1, status: 2, direction: 2, at: world.clock.now(), sender: CODE },
    ...{ amount: 30_000, fees: 0, total: 30_000, receiver: FOUND.phone },
  } as never;
  const value = { operations: [operation], count: 1 };
  const answers = () => {
    for (let i = 0; i < 3; i++) world.wallet.next('agentOperations', { kind: 'ok', value });
  };
  return day(world).meanwhile(answers).enters();
};
const code: Path = (world) => user(world).chooses('account').chooses('agent');
const says = (text: string) => (customer: Customer) => customer.says(text);
const record: Path = (world) => agent(world).chooses('agent-account');

export const AGENT_PLACES: Places = {
  'menu.choosingOwn': { ...rest((world) => agent(world).chooses('own-wallet'), MENU) },
  'agent.askingCode': before('menu.choose', code, 'account.choose'),
  'agent.welcomed': rest((world) => {
    const customer = code(world);
    const value = { code: CODE, name: 'Tabac Central', phone: customer.phone };
    const answers = () => world.wallet.next('retailAgent', { kind: 'ok', value });
    return customer.meanwhile(answers).says(CODE);
  }, MENU),
  'agent.tooMany': rest((world) => {
    let customer = code(world);
    for (let i = 0; i < 6; i++) customer = customer.says(`RA-9${i}`);
    return customer;
  }),
  'agent.stopped': rest((world) => {
    const customer = code(world);
    return customer.meanwhile(() => marked(world, customer.phone, true)).says(CODE);
  }),
  'agent.notEnabled': rest(when(code, 'retailAgent', refused('http404'), says(CODE))),

  ...atCounter({ kind: 'agent-cash-in', pay: 'agentCashIn' }),
  'agent-cash-in.askingAmount': before(
    MENU,
    (world) => agent(world).chooses('agent-cash-in').says(CUSTOMER),
    'agent-cash-in.ask',
  ),
  'agent-cash-in.choosing': before(
    MENU,
    (world) => agent(world).meanwhile(looks(world, FOUND)).chooses('agent-cash-in').says(CUSTOMER),
    'agent-cash-in.ask',
  ),
  ...atCounter({ kind: 'agent-cash-out', pay: 'agentCashOut' }),

  'agent-check.asking': before(MENU, (world) => agent(world).chooses('agent-check')),
  'agent-check.shown': rest(
    (world) =>
      agent(world)
        .meanwhile(looks(world, NONE, FOUND))
        .chooses('agent-check')
        .says(FOUND.reference),
    MENU,
  ),
  'agent-day.askingPin': before(MENU, day),
  'agent-day.lapsed': before(MENU, lapses(day)),
  'agent-day.refusedLogin': rest(when(day, 'login', refused('90006'), enters), MENU),
  'agent-day.shown': before(MENU, sums),
  'agent-day.unavailable': rest((world) => {
    const customer = day(world);
    return customer.meanwhile(() => marked(world, customer.phone, true)).enters();
  }),
  'agent-day.listing': before(MENU, (world) => sums(world).chooses('list'), 'agent-day.shown'),
  'agent-account.choosing': before(MENU, record),
  'agent-record.shown': rest((world) => {
    const value = { code: CODE, name: 'Tabac Central' };
    return record(world)
      .meanwhile(() => world.wallet.next('retailAgent', { kind: 'ok', value }))
      .chooses('agent-record');
  }, MENU),
  'agent-record.unavailable': rest((world) => record(world).chooses('agent-record'), MENU),
};
