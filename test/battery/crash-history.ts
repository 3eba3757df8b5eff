import { ownAddress } from '../../src/conversation/channel.ts';
import { methodOf, type PaymentKind } from '../../src/payments/payments.ts';
import { BILL_MAGIC } from '../../src/sandbox/bills/magic.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { BANK_MAGIC } from '../../src/sandbox/transfers/bank-magic.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { Died } from './crash-child.ts';
import type { Stage, Wire } from './crash-stage.ts';
import { createStranger } from './crash-stranger.ts';
import { ERRANDS, type Errand, errandOf, fileOf, linkErrand, schoolErrand } from './town/kinds.ts';
import type { Heard, Listener } from './town/listener.ts';
import { faultsOf, hasMoved, intentsOf, judge, type Verdict } from './town/oracle.ts';
import { createPayer, type Manners, type Payer, type Who } from './town/payer.ts';

/** What happens in a history, but for the deaths. */
export interface Scene {
  /** What is paid; a transfer where nothing is said. */
  readonly kind?: PaymentKind;
  readonly wire?: Wire;
  /** False: the wallet's webhooks go nowhere. */
  readonly webhooks?: false;
  /** False: the operation stays open for a minute. */
  readonly settles?: false;
  /** The wallet takes the money, and gives it back when the operation settles. */
  readonly fails?: true;
  /** The bill network says that the payment is not decided yet, and by a webhook that it is. */
  readonly waits?: true;
}

/** A history, and how it came out. */
export interface History {
  /** Where the process died, of the points where it was to die. */
  readonly died: number;
  readonly doublePayments: number;
  /** Outcomes that nobody knows or owns, those of payments that the store has forgotten among them. */
  readonly lostOutcomes: number;
  /** How often the wallet has made what was to be paid. */
  readonly made: number;
  /** Everything that is wrong; empty when the promise was kept. */
  readonly faults: readonly string[];
  /** Everything that the customer read, and what of it was false. */
  readonly heard: Heard;
}

/** Enough for every bill of a contract; with less, where money comes in, a level has room for it. */
const BALANCE = centimes(500_000);
const WITH_ROOM = centimes(50_000);
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Past the sandbox's settlement, the "not confirmed yet", the wait for a dead process, the slot, and a while more. */
const STEPS_MS = [2 * SECOND_MS, 12 * SECOND_MS, 50 * SECOND_MS, 130 * SECOND_MS, 10 * MINUTE_MS] as const;
/** Before this step an operation that stayed open settles. */
const SETTLED_BY = 3;
/** Past the horizon, where a payment without a trace is given to a person; of a bank transfer after 14 days, and once more where a process dies there. */
const HORIZON_MS = 73 * 60 * MINUTE_MS;
const HORIZONS_MAX = 8;

/**
 * One customer pays once, and the process dies at each of `points` in turn, the next one taking over. Then the customer
 * repeats or dials again, time passes, and what came of it is judged.
 */
export async function live(
  stage: Stage,
  scene: Scene,
  points: readonly string[],
  manners: Manners,
): Promise<History> {
  const listener = stage.listens();
  await stage.livesAgain();
  await stage.sets({});
  const who = await whoPays(scene, stage, listener);
  const payer = createPayer({ ...who, ...manners }, stage.receive, listener, stage.bank);
  const { kind: paid, link } = who.errand;
  const stranger = createStranger(stage, who.phone, link);
  async function pays(): Promise<void> {
    // No conversation leads to what an administrator has begun.
    if (link === undefined) await payer.pays();
    if (paid === 'card-payment' || link !== undefined) await stranger.pays();
  }
  const deaths = createDeaths(stage, points.slice(1), async () => {
    await payer.isLeftAlone();
    await pays();
  });
  const { survives } = deaths;

  await stage.sets({ ...scene, point: points[0] });
  await survives(pays);
  for (const [i, ms] of STEPS_MS.entries()) {
    if (i === SETTLED_BY) await stage.settles();
    await survives(() => stage.passes(ms));
    await survives(pays);
  }
  await survives(() => payer.looksIn());
  let open = true;
  for (let i = 0; i < HORIZONS_MAX && open; i++) {
    await survives(() => stage.passes(i === 0 ? 0 : HORIZON_MS));
    await survives(async () => {
      const intents = await intentsOf(stage.store, payer.phone);
      open = intents.some(({ state }) => OPEN.has(state)) || (await hasLinesLeft(who.errand, stage));
    });
  }
  await survives(() => stage.passes(SECOND_MS));
  await stage.ask('arm');
  const goesOn = await payer.reachesMenu();

  const verdict = await judge({ ...stage, wallets: [payer.phone] });
  const faults = [
    ...faultsOf(verdict),
    ...(goesOn ? [] : ['the conversation does not go on']),
    ...(methodOf(who.errand).inBulk
      ? await linesOf(who.errand, payer, stage)
      : liesOf(who.errand, payer, stage)),
    ...codesOf(payer, stage, points),
    ...stage.sentTwice(),
    ...(await stage.ask<string[]>('errors')),
  ];
  const heard = listener.verdict(verdict.intents, payer.phone);
  const { doublePayments } = verdict;
  const lostOutcomes = verdict.lostOutcomes.length + verdict.forgotten.length;
  return {
    died: deaths.met(),
    doublePayments,
    lostOutcomes,
    made: madeOf(who.errand, verdict),
    faults,
    heard,
  };
}

/**
 * Deaths of the processes of a history, one after the other.
 * @param points where the next ones die
 * @param notices what the customer does, whom nobody has answered
 */
export function createDeaths(stage: Stage, points: readonly string[], notices: () => Promise<void>) {
  const rest = [...points];
  let met = 0;

  /** Does what may end in a death; the next process takes over, and the customer notices. */
  async function survives(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      met++;
      stage.buried();
      await survives(() => stage.starts(rest.shift()));
      await survives(notices);
    }
  }
  return { survives, met: () => met };
}

/** A file whose lines were not all come to. */
async function hasLinesLeft(errand: Errand, stage: Stage): Promise<boolean> {
  const file = fileOf(errand);
  return file !== undefined && (await stage.results(file)).some(({ state }) => state === undefined);
}

const OPEN: ReadonlySet<string> = new Set(['sent', 'accepted', 'unknown']);

/** How often what an errand is about has been made. */
function madeOf({ kind }: Errand, { executions, intents }: Verdict): number {
  const ours = intents.filter(({ order }) => order.kind === kind);
  if (methodOf({ kind }).listed.changesAnother)
    return ours.filter((intent) => hasMoved(intent, executions)).length;
  return executions.filter(({ type }) => type === methodOf({ kind }).type).length;
}

/** Who pays and what; an agent and a merchant serve somebody new, and a merchant has been paid before where that is needed. */
async function whoPays(scene: Scene, stage: Stage, listener: Listener): Promise<Who> {
  const { kind = 'transfer' } = scene;
  const { by, after, link } = ERRANDS[kind];
  const balance = methodOf({ kind }).listed.side === 'credit' ? WITH_ROOM : BALANCE;
  const phone = stage.customer(balance, by === 'merchant' ? 'C' : 'P');
  if (by === 'agent') await stage.employs(phone);
  if (by === 'principal') await stage.binds(phone);
  const address = by === 'principal' && !link ? await stage.chats(phone) : ownAddress(phone);
  if (after) await isPaidByCard(stage, phone, after, listener);
  return { phone, address, errand: await forcedOr(scene, stage, () => errandOf(kind, phone, stage)) };
}

/** Somebody pays a merchant by card, through a link, before anything goes wrong. */
async function isPaidByCard(
  stage: Stage,
  phone: Msisdn,
  way: 'collect' | 'reserve',
  listener: Listener,
): Promise<void> {
  const manners = { repeats: false, insists: false };
  const shop = createPayer({ phone, errand: linkErrand(way), ...manners }, stage.receive, listener);
  await shop.pays();
  await stage.passes(SECOND_MS);
  await createStranger(stage, phone).pays();
  await stage.passes(2 * SECOND_MS);
}

/** The number or RIB that makes a payment fail, or a contract that the bill network decides on later; else as it is. */
function forcedOr(
  { kind = 'transfer', fails, waits }: Scene,
  stage: Stage,
  asItIs: () => Promise<Errand>,
): Errand | Promise<Errand> {
  if (!fails && !waits) return asItIs();
  const somebody = stage.somebody();
  if (kind !== 'bill-payment')
    return errandOf(
      kind,
      somebody,
      stage,
      kind === 'bank-transfer' ? BANK_MAGIC.rejected.rib : MAGIC.failsLater,
    );
  const { failedLater, confirmedLater } = BILL_MAGIC;
  const name = somebody.slice(-8).replace(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)));
  return schoolErrand(fails ? failedLater.contract : confirmedLater.contract, name);
}

/** What the customer was told and is not so, or was never told. */
function liesOf({ kind }: Errand, { phone, address, seen }: Payer, { sandbox, told }: Stage): string[] {
  // What becomes of another payment is told by that one's operation; T10 hears it.
  if (methodOf({ kind }).listed.changesAnother) return [];
  const sent = told.filter((each) => each.address === address).map(({ key }) => key);
  const own = [...seen, ...sent].filter((key) => key.startsWith(`${kind}.`));
  const said = new Set(own.map((key) => (DONE.test(key) ? `${kind}.done` : key)));
  const states = sandbox
    .executions()
    .filter(({ sender, type }) => sender === phone && type === methodOf({ kind }).type)
    .map(({ status }) => (status === 2 ? 'done' : 'failed'));
  const outcomes = (['done', 'failed'] as const).filter((outcome) => states.includes(outcome));
  return [
    ...outcomes
      .filter((it) => !said.has(`${kind}.${it}`))
      .map((it) => `the customer never heard ${kind}.${it}`),
    ...(['done', 'failed'] as const)
      .filter((it) => said.has(`${kind}.${it}`) && !outcomes.includes(it))
      // A reference that has expired is proven never to have been executed.
      .filter((it) => it === 'done' || states.length > 0 || !methodOf({ kind }).ofAgent)
      .map((it) => `the customer was told ${kind}.${it}, which is not so`),
    ...(said.has(`${kind}.refused`) && outcomes.includes('done') && !seen.includes('pay.busy')
      ? ['the customer was told that a payment which was made was refused']
      : []),
  ];
}
/** What the console says of a file that was released and is not so, and what its customer was never told of it. */
async function linesOf(errand: Errand, { address, phone, seen }: Payer, stage: Stage): Promise<string[]> {
  const { told, sandbox } = stage;
  const executions = sandbox.executions().filter(({ sender }) => sender === phone);
  const lines = await stage.results(fileOf(errand) ?? '');
  const heard = [...seen, ...told.filter((each) => each.address === address).map(({ key }) => key)];
  return [
    ...lines.flatMap(({ to, state }) => {
      const paid = executions.filter(({ receiver }) => receiver === to).length;
      const isSo =
        paid === 1 ? state === 'succeeded' || state === 'human' : paid === 0 && NOT_PAID.has(`${state}`);
      return isSo ? [] : [`the line to ${to} is ${state}, and was paid ${paid} times`];
    }),
    ...(heard.includes('payouts.doneNow') ? [] : ['the customer never heard payouts.doneNow']),
  ];
}
/** What was claimed and never sent is a person's in the end, or proven by its reference, which has expired. */
const NOT_PAID: ReadonlySet<string> = new Set(['failed', 'human', 'not-found']);
const DONE = /\.done(Settled|Stamped|WithoutCode)?(At)?$/;

/** What is wrong with how a voucher's code came: the one code, once by SMS, if at all, and whenever it was promised. */
function codesOf({ phone, seen }: Payer, { told }: Stage, points: readonly string[]): string[] {
  const sent = told.filter(({ address }) => address === `ussd:${phone}`);
  const codes = sent.filter(({ key }) => key === 'voucher.code');
  const isPromised = [...seen, ...sent.map(({ key }) => key)].includes('voucher.done');
  // Who dies between the SMS and its commit says it once more (delivery is at least once).
  const mayRepeat = points.some((point) => /delivery of voucher.code|anything/.test(point));
  return [
    ...(new Set(codes.map(({ id }) => id)).size > 1 ? ['several codes were sent'] : []),
    ...(codes.length > 1 && !mayRepeat ? [`the code was sent ${codes.length} times`] : []),
    ...(isPromised && codes.length === 0 && !seen.includes('voucher.code')
      ? ['a code was promised and never came']
      : []),
  ];
}
