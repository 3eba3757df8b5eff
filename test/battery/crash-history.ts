import { MAGIC } from '../../src/sandbox/magic.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { Died } from './crash-child.ts';
import { createPayer, type Manners, type Payer } from './crash-customer.ts';
import type { Stage, Wire } from './crash-stage.ts';
import { faultsOf, intentsOf, judge, type Verdict } from './oracle.ts';

/** What happens in a history, but for the deaths. */
export interface Scene {
  readonly wire?: Wire;
  /** False: the wallet's webhooks go nowhere. */
  readonly webhooks?: false;
  /** False: the operation stays open for a minute. */
  readonly settles?: false;
  /** The wallet takes the money, and gives it back when the transfer settles. */
  readonly fails?: true;
}

/** A history, and how it came out. */
export interface History {
  readonly payer: Payer;
  /** Where the process died, of the points where it was to die. */
  readonly died: number;
  readonly verdict: Verdict;
  /** Everything that is wrong; empty when the promise was kept. */
  readonly faults: readonly string[];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Past the sandbox's settlement, the "not confirmed yet", the wait for a dead process, the slot, and a while more. */
const STEPS_MS = [2 * SECOND_MS, 12 * SECOND_MS, 50 * SECOND_MS, 130 * SECOND_MS, 10 * MINUTE_MS] as const;
/** Before this step an operation that stayed open settles. */
const SETTLED_BY = 3;
/** Past the horizon, where a payment without a trace is given to a person. */
const HORIZON_MS = 73 * 60 * MINUTE_MS;
const HORIZONS_MAX = 4;

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
  const to = scene.fails ? MAGIC.failsLater : stage.customer();
  const payer = createPayer(
    { phone: stage.customer(), to: msisdn(to), amount: '100', ...manners },
    stage.receive,
  );
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

  await stage.livesAgain();
  await stage.sets({ ...scene, point: first });
  await survives(() => payer.pays());
  for (const [i, ms] of STEPS_MS.entries()) {
    if (i === SETTLED_BY) stage.settles();
    await survives(() => stage.passes(ms));
    await survives(() => payer.pays());
  }
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
    ...(await stage.ask<string[]>('errors')),
  ];
  return { payer, died, verdict, faults };
}

const OPEN: ReadonlySet<string> = new Set(['sent', 'accepted', 'unknown']);

/** What the customer was told and is not so, or was never told. */
function liesOf({ phone, seen }: Payer, { sandbox, told }: Stage): string[] {
  const sent = told.filter(({ address }) => address === `ussd:${phone}`).map(({ key }) => key);
  const said = new Set([...seen, ...sent]);
  const states = sandbox
    .executions()
    .filter(({ sender }) => sender === phone)
    .map(({ status }) => (status === 2 ? 'done' : 'failed'));
  const outcomes = (['done', 'failed'] as const).filter((outcome) => states.includes(outcome));
  return [
    ...outcomes
      .filter((it) => !said.has(`transfer.${it}`))
      .map((it) => `the customer never heard transfer.${it}`),
    ...(['done', 'failed'] as const)
      .filter((it) => said.has(`transfer.${it}`) && !outcomes.includes(it))
      .map((it) => `the customer was told transfer.${it}, which is not so`),
    ...(said.has('transfer.refused') && outcomes.includes('done') && !seen.includes('pay.busy')
      ? ['the customer was told that a payment which was made was refused']
      : []),
  ];
}
