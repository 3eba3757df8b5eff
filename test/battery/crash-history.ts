import { methodOf } from '../../src/payments/payments.ts';
import { BILL_MAGIC } from '../../src/sandbox/bills/magic.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { BANK_MAGIC } from '../../src/sandbox/transfers/bank-magic.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { Died } from './crash-child.ts';
import {
  createPayer,
  ERRANDS,
  type Errand,
  type ErrandKind,
  type Manners,
  type Payer,
  schoolErrand,
} from './crash-customer.ts';
import type { Stage, Wire } from './crash-stage.ts';
import { faultsOf, intentsOf, judge, type Verdict } from './oracle.ts';
import type { Heard } from './truth-listener.ts';

/** What happens in a history, but for the deaths. */
export interface Scene {
  /** What is paid; a transfer where nothing is said. */
  readonly kind?: ErrandKind;
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
  readonly payer: Payer;
  /** Where the process died, of the points where it was to die. */
  readonly died: number;
  readonly verdict: Verdict;
  /** Everything that is wrong; empty when the promise was kept. */
  readonly faults: readonly string[];
  /** Everything that the customer read, and what of it was false. */
  readonly heard: Heard;
}

/** Enough for every bill of a contract. */
const BALANCE = centimes(500_000);
/** More than is given back, so that whoever insists could give it back twice. */
const PAID_BEFORE = centimes(100_000);
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Past the sandbox's settlement, the "not confirmed yet", the wait for a dead process, the slot, and a while more. */
const STEPS_MS = [2 * SECOND_MS, 12 * SECOND_MS, 50 * SECOND_MS, 130 * SECOND_MS, 10 * MINUTE_MS] as const;
/** Before this step an operation that stayed open settles. */
const SETTLED_BY = 3;
/** Past the horizon, where a payment without a trace is given to a person. */
const HORIZON_MS = 73 * 60 * MINUTE_MS;
const HORIZONS_MAX = 6;

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
  const payer = createPayer({ ...(await whoPays(scene, stage)), ...manners }, stage.receive, listener);
  const [first, ...rest] = points;
  let died = 0;

  /** Does what may end in a death; the next process takes over, and the customer notices. */
  async function survives(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      died++;
      stage.buried();
      await survives(() => stage.starts(rest.shift()));
      await survives(async () => {
        await payer.isLeftAlone();
        await payer.pays();
      });
    }
  }

  // What a merchant gives back has been paid before.
  if (scene.kind === 'merchant-refund')
    await stage.pays(stage.customer(centimes(150_000)), payer.phone, PAID_BEFORE);
  await stage.sets({ ...scene, point: first });
  await survives(() => payer.pays());
  for (const [i, ms] of STEPS_MS.entries()) {
    if (i === SETTLED_BY) stage.settles();
    await survives(() => stage.passes(ms));
    await survives(() => payer.pays());
  }
  await survives(() => payer.looksIn());
  let open = true;
  for (let i = 0; i < HORIZONS_MAX && open; i++) {
    await survives(() => stage.passes(i === 0 ? 0 : HORIZON_MS));
    await survives(async () => {
      open = (await intentsOf(stage.store, payer.phone)).some(({ state }) => OPEN.has(state));
    });
  }
  await survives(() => stage.passes(SECOND_MS));
  await stage.ask('arm');
  const goesOn = await payer.reachesMenu();

  const verdict = await judge({ ...stage, wallets: [payer.phone] });
  const faults = [
    ...faultsOf(verdict),
    ...(goesOn ? [] : ['the conversation does not go on']),
    ...liesOf(payer, stage),
    ...codesOf(payer, stage, points),
    ...(await stage.ask<string[]>('errors')),
  ];
  return { payer, died, verdict, faults, heard: listener.verdict(verdict.intents, payer.phone) };
}

const OPEN: ReadonlySet<string> = new Set(['sent', 'accepted', 'unknown']);

function payerOf({ kind }: Scene, stage: Stage) {
  return stage.customer(BALANCE, kind === 'merchant-refund' ? 'C' : 'P');
}

/** Who pays and what; an agent serves somebody new. */
async function whoPays(
  scene: Scene,
  stage: Stage,
): Promise<{ readonly phone: Msisdn; readonly errand: Errand }> {
  const phone = payerOf(scene, stage);
  const { kind } = scene;
  if (kind !== 'agent-cash-in' && kind !== 'agent-cash-out') return { phone, errand: errandOf(scene, stage) };
  await stage.employs(phone);
  const of = kind === 'agent-cash-in' ? 'cash-in' : 'cash-out';
  const reference = await stage.reference(of, stage.customer(), centimes(10_000));
  return { phone, errand: ERRANDS[kind](reference) };
}

/** Pays somebody new (a merchant where merchants are paid), the number that makes a payment fail, or a contract that the bill network decides on later. */
function errandOf({ kind = 'transfer', fails, waits }: Scene, stage: Stage): Errand {
  const somebody = stage.customer(undefined, kind === 'merchant-payment' ? 'C' : 'P');
  if (kind === 'bank-transfer')
    return ERRANDS[kind](fails ? BANK_MAGIC.rejected.rib : ribWith('007780', Number(somebody.slice(-9))));
  if (kind !== 'bill-payment') return ERRANDS[kind](fails ? MAGIC.failsLater : somebody);
  const { failedLater, confirmedLater } = BILL_MAGIC;
  if (!fails && !waits) return ERRANDS[kind](somebody.slice(-8));
  const name = somebody.slice(-8).replace(/\d/g, (digit) => String.fromCharCode(65 + Number(digit)));
  return schoolErrand(fails ? failedLater.contract : confirmedLater.contract, name);
}

/** What the customer was told and is not so, or was never told. */
function liesOf({ phone, seen, errand: { kind } }: Payer, { sandbox, told }: Stage): string[] {
  const sent = told.filter(({ address }) => address === `ussd:${phone}`).map(({ key }) => key);
  const said = new Set([...seen, ...sent].map((key) => (DONE.test(key) ? `${kind}.done` : key)));
  const states = sandbox
    .executions()
    .filter(({ sender }) => sender === phone)
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
const DONE = /\.done(Settled|Stamped|WithoutCode)?$/;

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
