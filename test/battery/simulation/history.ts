import type { Push } from '../../../src/conversation/incoming.ts';
import { type Intent, intentKey } from '../../../src/conversation/intents/intent.ts';
import type { Secrets } from '../../../src/conversation/secrets.ts';
import type { SafetySettings } from '../../../src/conversation/session/safety.ts';
import { StoreDown } from '../../../src/store/store.ts';
import { msisdn } from '../../../src/wallet/phone.ts';
import { ASKS_FROM_500 } from '../../kit/first-payments.ts';
import { createListener, type Heard } from '../town/listener.ts';
import { type Random, randomOf } from '../town/random.ts';
import { createVirtualClock, installTimers, type VirtualClock } from './clock.ts';
import { Customers, PIN } from './customers.ts';
import { CHAOS_MS, Fleet, type Shared } from './fleet.ts';
import { createMemory, type Memory, storeOf } from './memory-store.ts';
import { isSettlement } from './model-cards.ts';
import { DRAW_PREFIX } from './model-cash.ts';
import { CODE_PREFIX, ModelWallet } from './model-wallet.ts';
import { isOfPrincipal, listedName, type Paid, type PaidKind, type Wish } from './paid.ts';
import { Payers } from './payers.ts';
import { BILL_PASSWORD, type Line, lineOf } from './person.ts';
import { startProcess } from './process.ts';
import { createStates, type ReferenceFigures, referenceVerdict } from './references.ts';
import { BOUND, Staff } from './staff.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { executionOf, PRINCIPAL_CODE } from './wallet-ledger.ts';
import { weather } from './weather.ts';

const STARTS_AT = Date.UTC(2026, 10, 1, 8);
/** The wallet retries webhooks for 72 h, and reconciliation goes on as long. After this time every outcome must be known. */
const UNTIL_ALL_IS_KNOWN_MS = 74 * 3_600_000;
/** Reconciliation waits so long for a bank. */
const UNTIL_BANKS_ARE_KNOWN_MS = 15 * 24 * 3_600_000;
const FINAL_VISIT_MS = 20 * 60_000;
const FORM_AT = 'https://wasl.test/form';
const ASKED: ReadonlySet<Wish> = new Set<Wish>(['cash-in', 'cash-out', 'principal-float']);

/** How a history came out. */
export type Played = Verdict & {
  readonly agentActs: number;
  /** How often an agent has read the page of all payments. */
  readonly agentLooks: number;
  readonly heard: Heard;
  readonly losses: number;
  /** The kind of every payment that was sent. */
  readonly kinds: readonly PaidKind[];
  /** The references, where somebody asks for them. */
  readonly references: ReferenceFigures | undefined;
};

/** Transfers and merchant payments are made twice as often as other payments. */
export const ALL_KINDS: readonly PaidKind[] = [
  ...(['transfer', 'transfer', 'top-up', 'bill-payment', 'voucher'] as const),
  ...(['merchant-payment', 'merchant-payment'] as const),
];

/** The choices of a test about a history. */
interface Plan {
  readonly seed: number;
  readonly secrets: Secrets;
  readonly kinds: readonly Wish[];
  readonly withAgents: boolean;
  readonly safety: SafetySettings;
}

/**
 * Plays one history: some customers, one or two processes, a wallet, a store, and all faults.
 * @param kinds what customers want; with another list a seed plays another history
 * @param withAgents support agents step in, at the worst moments too
 * @param safety the questions about new recipients. Absent: no payment here is so large that Wasl asks one
 */
export async function playHistory(
  seed: number,
  secrets: Secrets,
  kinds: readonly Wish[] = ALL_KINDS,
  withAgents = false,
  safety = ASKS_FROM_500,
): Promise<Played> {
  const clock = createVirtualClock(STARTS_AT);
  const restore = installTimers(clock);
  try {
    return await play({ seed, secrets, kinds, withAgents, safety }, randomOf(seed), clock);
  } finally {
    restore();
  }
}

async function play(plan: Plan, random: Random, clock: VirtualClock): Promise<Played> {
  const { seed, kinds, withAgents } = plan;
  const alone = random.chance(0.4);
  const faults = weather(random, alone);
  const ofPrincipal = kinds.some(isOfPrincipal);
  // A store that forgets a line and its payment lets the line be paid once more (docs/safety.md, the residue).
  if (ofPrincipal) faults.losses = 0;
  const events: [number, string][] = [];
  const bugs: string[] = [];
  const shared: Shared = {
    ...{ clock, random, faults, memory: createMemory(clock.now), inChaos: true },
    note: (what) => void events.push([clock.now(), what]),
    onError(error, where) {
      if (error instanceof StoreDown) return;
      bugs.push(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
  };
  const { memory } = shared;
  const second = () => (random.chance(0.3) ? [msisdn('+212600000011')] : []);
  const phones = ofPrincipal ? [BOUND] : [msisdn('+212600000010'), ...second()];
  const wallet: ModelWallet = new ModelWallet(clock, random, faults, {
    pin: PIN,
    webhook: (raw, afterMs) => fleet.deliver(raw, afterMs),
    sent: () => fleet.paymentSent(),
    isFirst: (order) => isFirst(order, wallet, lines),
    areMerchants: kinds.some((kind) => kind === 'merchant-refund' || kind === 'card-payment'),
    ...(ofPrincipal && { principal: { phone: BOUND, isListed: random.chance(0.5) } }),
    asksCash: kinds.some((kind) => ASKED.has(kind)),
  });
  const ledger = () => wallet.moved.filter((each) => !isSettlement(each)).map(executionOf);
  const lines = phones.flatMap((phone) =>
    ofPrincipal || random.chance(0.5)
      ? [lineOf(phone, 'ussd'), lineOf(phone, 'web')]
      : [lineOf(phone, random.pick(['ussd', 'web']))],
  );
  const listener = createListener({ now: clock.now, executions: ledger });
  const { writtenAt, states } = watch(memory, clock, bugs, () => fleet.losses);
  const fleet: Fleet = new Fleet(
    shared,
    starter(plan, shared, { wallet, alone }, () => customers),
  );
  const payers = new Payers(shared, fleet, wallet);
  const staff = new Staff(shared, fleet, ledger);
  const leaves = () => {
    staff.look();
    return { at: clock.now(), executions: ledger() };
  };
  const around = { fleet, payers, listener, lines, phones, kinds, leaves };
  const customers: Customers = new Customers(shared, around);

  clock.after(0, fleet.boot, null);
  if (ofPrincipal) staff.servePrincipal(payers, kinds.includes('float-card'));
  if (withAgents) {
    for (const line of lines) line.namesScreens = true;
    clock.after(5_000, () => staff.stepIn(lines), null);
  }
  if (!alone) clock.after(0, fleet.boot, null);
  for (const line of lines) clock.after(random.between(0, 30_000), () => customers.live(line), null);
  fleet.startChaos();
  await clock.runUntil(STARTS_AT + CHAOS_MS);

  shared.inChaos = false;
  for (const name of Object.keys(faults) as (keyof typeof faults)[]) faults[name] = 0;
  const hasBanks = kinds.includes('bank-transfer') || kinds.includes('payout-transfer');
  await clock.runUntil(clock.now() + (hasBanks ? UNTIL_BANKS_ARE_KNOWN_MS : UNTIL_ALL_IS_KNOWN_MS));
  // Every customer comes back once more on each channel, and reads.
  for (const line of lines) clock.after(0, () => customers.visit(line), null);
  await clock.runUntil(clock.now() + FINAL_VISIT_MS);

  const { told } = customers;
  const { losses, lostAt } = fleet;
  const verdict = verdictOf({
    ...{ seed, memory, wallet, lines, told, bugs, losses, lostAt, events, now: clock.now() },
  });
  staff.look();
  const intents = memory.all('intent:').map(({ value }): Intent => JSON.parse(value));
  const payments = intents.map((each) => ({ ...each, writtenAt: writtenAt.get(intentKey(each.id)) }));
  const heard = listener.verdict(payments);
  const references =
    wallet.cash && referenceVerdict({ memory, cash: wallet.cash, lines, told, losses, writtenAt, states });
  return {
    ...verdict,
    broken: [...verdict.broken, ...(references?.broken ?? [])],
    heard: { ...heard, lies: [...heard.lies, ...staff.lies] },
    ...{ agentActs: staff.acts, agentLooks: staff.looks, losses, references: references?.figures },
    kinds: wallet.sent.map(({ order }) => order.kind),
  };
}

/** Notes when each document was written first, and finds secrets in commits. */
function watch(memory: Memory, clock: VirtualClock, bugs: string[], losses: () => number) {
  const writtenAt = new Map<string, number>();
  const states = createStates();
  memory.onNew.push((key) => {
    if (!writtenAt.has(key)) writtenAt.set(key, clock.now());
  });
  const { commit } = memory;
  memory.commit = (partition, it) => {
    const stored = [...it.writes.map(({ value }) => value), JSON.stringify(it.turn ?? '')].join('\n');
    if (stored.includes(CODE_PREFIX)) bugs.push(`a voucher code is stored: ${stored}`);
    if (stored.includes(DRAW_PREFIX)) bugs.push(`the number of a withdrawal is stored: ${stored}`);
    // After a failover the password may be taken for the answer to the screen before.
    if (stored.includes(BILL_PASSWORD) && losses() === 0) bugs.push(`a password is stored: ${stored}`);
    const done = commit(partition, it);
    if (done) states.note(it.writes, clock.now());
    return done;
  };
  return { writtenAt, states };
}

/** Starts processes on one store, whose operations are slow or get lost. */
function starter(
  { secrets, kinds, safety }: Plan,
  { clock, random, faults, memory, onError }: Shared,
  { wallet, alone }: { readonly wallet: ModelWallet; readonly alone: boolean },
  customers: () => Customers,
) {
  const store = storeOf(memory, clock, (writes) => {
    const bad = random.chance(faults.store) ? random.pick(['before', 'after', 'slow'] as const) : undefined;
    const slowMs = bad === 'slow' ? random.between(100, 4_000) : 0;
    return {
      thereMs: slowMs + (writes || random.chance(0.2) ? random.between(1, 4) : 0),
      backMs: writes ? random.between(1, 4) : 0,
      fails: bad === 'slow' ? undefined : bad,
    };
  });
  const deliver = async (address: string, push: Push) => {
    if (random.chance(faults.network))
      return random.chance(0.5) ? 'later' : Promise.reject(new Error('down'));
    const line = customers().lineAt(address);
    if (line && (line.channel === 'ussd' ? push.money : random.chance(0.5))) customers().hearPush(line, push);
    // As the channels do: an SMS with a secret is not shown again on the next dial.
    return line?.channel === 'ussd' && push.isSecret ? ('delivered' as const) : ('held' as const);
  };
  const hasForm = kinds.some((kind) => kind === 'float-card' || kind.startsWith('card-'));
  return () =>
    startProcess(clock, {
      ...{ store, api: wallet.api, secrets, alone, deliver, onError, safety },
      ...(hasForm && { formAt: FORM_AT }),
      principal: wallet.around.principal && PRINCIPAL_CODE,
      codeSent: (to, code) => void customers().codes.set(to, code),
    });
}

/** True when nobody has sent or confirmed such a payment before. Otherwise nobody could tell the operations apart. */
function isFirst({ from, what }: Paid, wallet: ModelWallet, lines: readonly Line[]): boolean {
  const isAlike = (other: string | undefined) =>
    other !== undefined && listedName(other) === listedName(what);
  return (
    !wallet.sent.some(({ order }) => order.from === from && isAlike(order.what)) &&
    !lines.some(({ phone, confirmed }) => phone === from && confirmed.some((each) => isAlike(each.what)))
  );
}
