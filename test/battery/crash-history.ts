import { ownAddress } from '../../src/conversation/channel.ts';
import { methodOf, type PaymentKind } from '../../src/payments/payments.ts';
import { BILL_MAGIC } from '../../src/sandbox/bills/magic.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { BANK_MAGIC } from '../../src/sandbox/transfers/bank-magic.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { MINUTE_MS, SECOND_MS } from '../kit/durations.ts';
import { Died } from './crash-child.ts';
import type { Faults, Stage } from './crash-stage.ts';
import { unheard } from './town/heard.ts';
import { ERRANDS, type Errand, errandOf, fileOf, linkErrand, schoolErrand } from './town/kinds.ts';
import type { Heard, Listener } from './town/listener.ts';
import { faultsOf, hasMoved, intentsOf, judge, type Verdict } from './town/oracle.ts';
import { type Manners, Payer, type Who } from './town/payer.ts';

/** The events of a history, apart from deaths. */
export interface Scene extends Pick<Faults, 'wire'> {
  /** Absent: a transfer. */
  readonly kind?: PaymentKind;
  /** False: the wallet's webhooks go nowhere. */
  readonly webhooks?: false;
  /** False: the operation stays open for a minute. */
  readonly settles?: false;
  /** The wallet takes the money, and gives it back when the operation settles. */
  readonly fails?: true;
  /** The bill network says that the payment is not decided yet. A webhook brings the decision. */
  readonly waits?: true;
}

/** A history, and how it came out. */
export interface History {
  /** At how many of its points a process died. */
  readonly died: number;
  readonly doublePayments: number;
  /** Outcomes that nobody knows or owns. Payments that the store has forgotten count, too. */
  readonly lostOutcomes: number;
  /** How often the wallet has made the payment. */
  readonly made: number;
  /** Everything that is wrong. Empty: the promise was kept. */
  readonly faults: readonly string[];
  /** Everything that the customer read, and which of it was false. */
  readonly heard: Heard;
}

/** Enough for every bill of a contract. A deposit needs room below the limit of its level. */
const BALANCE = centimes(500_000);
const WITH_ROOM = centimes(50_000);
/** Past the settlement, the "not confirmed yet", the wait for a dead process, the slot, and some time more. */
const STEPS_MS = [2 * SECOND_MS, 12 * SECOND_MS, 50 * SECOND_MS, 130 * SECOND_MS, 10 * MINUTE_MS] as const;
/** Before this step an operation that stayed open settles. */
const SETTLED_BY = 3;
/** Past the horizon: then a person gets a payment without a trace. A bank transfer takes 14 days, and each death there one more step. */
const HORIZON_MS = 73 * 60 * MINUTE_MS;
const HORIZONS_MAX = 8;
const OPEN: ReadonlySet<string> = new Set(['sent', 'accepted', 'unknown']);

/**
 * One customer pays once. The process dies at each of `points` in turn, and the next one takes over. The customer repeats
 * or dials again, time passes, and the oracle judges the end.
 */
export async function live(
  stage: Stage,
  scene: Scene,
  points: readonly string[],
  manners: Manners,
): Promise<History> {
  const listener = await begins(stage);
  const who = await whoPays(scene, stage, listener);
  const { errand } = who;
  const payer = new Payer({ ...who, ...manners }, { ...stage, listener });
  const stranger = createStranger(stage, who.phone, errand.link);
  async function pays(): Promise<void> {
    // No conversation leads to a page that an administrator has begun.
    if (errand.link === undefined) await payer.pays();
    if (errand.kind === 'card-payment' || errand.link !== undefined) await stranger.pays();
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
  await survives(payer.looksIn);
  let open = true;
  for (let i = 0; i < HORIZONS_MAX && open; i++) {
    await survives(() => stage.passes(i === 0 ? 0 : HORIZON_MS));
    await survives(async () => {
      const intents = await intentsOf(stage.store, payer.phone);
      open = intents.some(({ state }) => OPEN.has(state)) || (await hasLinesLeft(errand, stage));
    });
  }
  await survives(() => stage.passes(SECOND_MS));
  await stage.ask('arm');
  const goesOn = await payer.reachesMenu();

  const { sandbox, store } = stage;
  const verdict = await judge({ sandbox, store, wallets: [payer.phone] });
  const faults = [
    ...faultsOf(verdict),
    ...unheard(listener.told(payer.phone), verdict.intents),
    ...(methodOf(errand).inBulk ? await linesOf(errand, payer, stage) : []),
    ...codesOf(payer, stage, points),
    ...(await faultsAnywhere(stage, goesOn)),
  ];
  const heard = listener.verdict(verdict.intents, payer.phone);
  const { doublePayments } = verdict;
  const lostOutcomes = verdict.lostOutcomes.length + verdict.forgotten.length;
  return { died: deaths.met(), doublePayments, lostOutcomes, made: madeOf(errand, verdict), faults, heard };
}

/** A living process, no faults, and somebody who hears everything. */
export async function begins(stage: Stage): Promise<Listener> {
  const listener = stage.listens();
  await stage.livesAgain();
  await stage.sets({});
  return listener;
}

/** Faults of every history: a conversation that is stuck, a request that came twice, and errors of the process. */
export async function faultsAnywhere(stage: Stage, goesOn: boolean): Promise<string[]> {
  return [
    ...(goesOn ? [] : ['the conversation does not go on']),
    ...stage.sentTwice(),
    ...(await stage.ask<string[]>('errors')),
  ];
}

/**
 * Deaths of the processes of a history, one after the other.
 * @param points where the next ones die
 * @param notices the customer's deeds after a silence
 */
export function createDeaths(stage: Stage, points: readonly string[], notices: () => Promise<void>) {
  const rest = [...points];
  let met = 0;

  /** Does something that may end in a death. The next process takes over, and the customer notices. */
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

/** Somebody with a link pays by card there, and confirms at the bank. A stranger who gets no answer sends the page again. */
function createStranger(stage: Stage, merchant: Msisdn, page?: string) {
  let isOver = false;
  const linkSent = () => {
    const sms = stage.told.find(
      ({ address, key }) => address === `ussd:${merchant}` && key === 'card-payment.link',
    );
    return /\/pay\/(\S+)/.exec(sms?.text ?? '')?.[1];
  };
  return {
    async pays(): Promise<void> {
      const link = page ?? linkSent();
      if (link === undefined || isOver) return;
      const paid = await stage.payCardLink(link);
      isOver = paid?.kind !== 'refused';
      if (paid?.kind === 'bank') await stage.bank(paid.link);
    },
  };
}

/** True while lines of a file are left. */
async function hasLinesLeft(errand: Errand, stage: Stage): Promise<boolean> {
  const file = fileOf(errand);
  return file !== undefined && (await stage.results(file)).some(({ state }) => state === undefined);
}

/** How often the wallet has made the payment. */
function madeOf({ kind }: Errand, { executions, intents }: Verdict): number {
  const ours = intents.filter(({ order }) => order.kind === kind);
  if (methodOf({ kind }).listed.changesAnother)
    return ours.filter((intent) => hasMoved(intent, executions)).length;
  return executions.filter(({ type }) => type === methodOf({ kind }).type).length;
}

/** The customer and the errand. Agents and merchants serve somebody new, and some merchants were paid before. */
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
  const shop = new Payer(
    { phone, errand: linkErrand(way), repeats: false, insists: false },
    { ...stage, listener },
  );
  await shop.pays();
  await stage.passes(SECOND_MS);
  await createStranger(stage, phone).pays();
  await stage.passes(2 * SECOND_MS);
}

/** An errand that the sandbox fails or delays, by a magic number, RIB or contract. Otherwise the errand as it is. */
function forcedOr(
  { kind = 'transfer', fails, waits }: Scene,
  stage: Stage,
  asItIs: () => Promise<Errand>,
): Errand | Promise<Errand> {
  if (!fails && !waits) return asItIs();
  const somebody = stage.somebody();
  const to = kind === 'bank-transfer' ? BANK_MAGIC.rejected.rib : MAGIC.failsLater;
  if (kind !== 'bill-payment') return errandOf(kind, somebody, stage, to);
  const { failedLater, confirmedLater } = BILL_MAGIC;
  const name = somebody.slice(-8).replace(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)));
  return schoolErrand(fails ? failedLater.contract : confirmedLater.contract, name);
}

/** A line that was claimed and never sent ends with a person, or with a reference that has expired. */
const NOT_PAID: ReadonlySet<string> = new Set(['failed', 'human', 'not-found']);

/** False lines of a released file at the console, and its end, where its customer never heard of it. */
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

/** Faults of a voucher's code: it must come when it was promised, always the same one, and once by SMS. */
function codesOf({ phone, seen }: Payer, { told }: Stage, points: readonly string[]): string[] {
  const sent = told.filter(({ address }) => address === `ussd:${phone}`);
  const codes = sent.filter(({ key }) => key === 'voucher.code');
  const isPromised = [...seen, ...sent.map(({ key }) => key)].includes('voucher.done');
  // A process that dies between the SMS and its commit lets the next one send it again (delivery is at least once).
  const mayRepeat = points.some((point) => /delivery of voucher.code|anything/.test(point));
  return [
    ...(new Set(codes.map(({ id }) => id)).size > 1 ? ['several codes were sent'] : []),
    ...(codes.length > 1 && !mayRepeat ? [`the code was sent ${codes.length} times`] : []),
    ...(isPromised && codes.length === 0 && !seen.includes('voucher.code')
      ? ['a code was promised and never came']
      : []),
  ];
}
