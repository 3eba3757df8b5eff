import type { ReferenceEntry } from '../../machines/kit/effects.ts';
import { ownAddress } from '../../src/conversation/channel.ts';
import { walletKey } from '../../src/conversation/session/wallet-doc.ts';
import { partitionOf } from '../../src/store/partition.ts';
import { STATUSES } from '../../src/wallet/contract/fields.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/durations.ts';
import { begins, createDeaths, faultsAnywhere, type History } from './crash-history.ts';
import type { Counter, Stage } from './crash-stage.ts';
import { type ReferenceKind, referenceErrand } from './town/kinds.ts';
import { type Manners, Payer, type Who } from './town/payer.ts';

/** The events of a reference, apart from deaths. */
export interface CashScene {
  readonly kind: ReferenceKind;
  /** Where a deposit is paid in. Absent: at an agent. */
  readonly way?: 'bill-network';
  /** The till that executes it. Absent: none does. */
  readonly by?: Counter['by'];
  /** `at once`: before its number has come to Wasl. `late`: when Wasl no longer looks for it. */
  readonly when?: 'at once' | 'late';
  /** Its execution is reversed after a minute. */
  readonly isReversed?: true;
  /** The wallet's event comes twice. */
  readonly twice?: true;
}

/** Past the settlement, the wait for a dead process, and the first look-ups. */
const STEPS_MS = [2 * SECOND_MS, 50 * SECOND_MS, 130 * SECOND_MS, 15 * MINUTE_MS, HOUR_MS] as const;
/** Wasl looks no more, and a till can still execute it. */
const UNWATCHED_MS = 76 * HOUR_MS;
/** No till can execute it any more. */
const EXPIRED_MS = 110 * HOUR_MS;
/** How often a customer comes back in the end. */
const VISITS = 3;
/** The sandbox reverses an execution of this amount. */
const REVERSED = '2.18';
const FLOAT = '500';
const STATES: Readonly<Record<number, ReferenceEntry['state']>> = {
  [STATUSES.OPEN]: 'open',
  [STATUSES.COMPLETED]: 'executed',
  [STATUSES.FAILED]: 'expired',
  [STATUSES.CANCELED]: 'reversed',
};

/**
 * One customer asks for a reference, and the process dies at each of `points` in turn. A customer who got a number takes it
 * to a till. Time passes, and what Wasl knows and has said is compared with the wallet.
 */
export async function liveByReference(
  stage: Stage,
  scene: CashScene,
  points: readonly string[],
  manners: Manners,
): Promise<History> {
  const listener = await begins(stage);
  const payer = new Payer({ ...(await whoAsks(scene, stage)), ...manners }, { ...stage, listener });
  const before = stage.references(ofWhom(scene, payer)).at(-1)?.id ?? 0;
  const deaths = createDeaths(stage, points.slice(1), async () => {
    await payer.isLeftAlone();
    await payer.pays();
  });
  const { survives } = deaths;
  const passes = async (ms: number) => {
    await survives(() => stage.passes(ms));
    await survives(payer.pays);
  };

  const counter = counterOf(scene, payer.phone);
  stage.faults.clear();
  if (scene.twice) stage.faults.set({ name: 'webhookTwice', operation: 'executeNetworkCashIn', count: 1 });
  stage.sentTwice();
  await stage.sets({ point: points[0], atOnce: scene.when === 'at once' ? counter : undefined });
  await survives(payer.pays);
  if (scene.when === 'late') for (const ms of [...STEPS_MS, UNWATCHED_MS]) await passes(ms);
  if (counter && scene.when !== 'at once') await stage.executes(counter);
  for (const ms of STEPS_MS) await passes(ms);
  await survives(payer.looksIn);
  await passes(EXPIRED_MS);
  // A process that dies while a customer looks in leaves it to the next visit.
  for (let visit = 0; visit < VISITS; visit++) {
    await survives(payer.looksIn);
    await survives(() => stage.passes(MINUTE_MS));
  }
  await stage.ask('arm');
  const goesOn = await payer.reachesMenu();

  const made = stage.references(ofWhom(scene, payer)).filter(({ id }) => id > before);
  const requests = stage.requests();
  const entries = await entriesOf(stage, payer.phone);
  const faults = [
    ...(scene.kind === 'principal-float'
      ? askedTooOften(requests.length, payer)
      : [
          ...followedWrongly(made, entries, requests),
          ...toldWrongly(scene.kind, entries, payer, stage, points),
        ]),
    ...(await faultsAnywhere(stage, goesOn)),
    ...stage.sandbox.checkLedger().faults,
  ];
  const heard = listener.verdict([], payer.phone);
  return { died: deaths.met(), doublePayments: 0, lostOutcomes: 0, made: made.length, faults, heard };
}

async function whoAsks({ kind, way, isReversed }: CashScene, stage: Stage): Promise<Who<string>> {
  const phone = stage.customer(centimes(50_000));
  if (kind === 'principal-float') await stage.binds(phone);
  const address = kind === 'principal-float' ? await stage.chats(phone) : ownAddress(phone);
  const amount = kind === 'principal-float' ? FLOAT : isReversed ? REVERSED : '40';
  return { phone, address, errand: referenceErrand(kind, { way, amount }) };
}

/** A reference for the float belongs to no number. */
function ofWhom({ kind }: CashScene, { phone }: Payer): string {
  return kind === 'principal-float' ? '' : phone;
}

function counterOf({ kind, by }: CashScene, phone: Msisdn): Counter | undefined {
  return by && kind !== 'principal-float' ? { kind, by, phone } : undefined;
}

/** The references in the document of a wallet. */
async function entriesOf({ store }: Stage, phone: Msisdn): Promise<readonly ReferenceEntry[]> {
  const [doc] = await store.read(partitionOf(phone), [walletKey(phone)]);
  const { references = [] } = JSON.parse(doc?.value ?? '{}') as { references?: ReferenceEntry[] };
  return references;
}

/** Wasl keeps nothing of a reference for the float. It asks for one at most as often as somebody has typed the amount. */
function askedTooOften(requests: number, { typed }: Payer): string[] {
  const times = typed.filter((text) => text === FLOAT).length;
  return requests > times ? [`it was asked for ${requests} times, and wanted ${times} times`] : [];
}

/** Differences between the references of the wallet and those that Wasl knows. */
function followedWrongly(
  made: ReturnType<Stage['references']>,
  entries: readonly ReferenceEntry[],
  requests: readonly string[],
): string[] {
  const known = entries.filter(({ state }) => state !== 'lost').map(({ state }) => state);
  const there = made.map(({ status }) => STATES[status]);
  // References whose number was lost come first: the customer has asked for another one since.
  const given = there.slice(there.length - known.length);
  const ids = entries.map(({ id }) => id);
  return [
    ...(known.length > there.length ? ['a reference is known that the wallet has not made'] : []),
    ...(given.join() === known.join() ? [] : [`they are ${given.join()}, and known as ${known.join()}`]),
    ...requests
      .filter((id) => !ids.includes(id))
      .map((id) => `the reference of request ${id} was asked for, and is not written down`),
  ];
}

/** Ends of references that their customer never heard of, or too often. */
function toldWrongly(
  kind: CashKind,
  entries: readonly ReferenceEntry[],
  { seen, address }: Payer,
  stage: Stage,
  points: readonly string[],
): string[] {
  const known = entries.filter(({ state }) => state !== 'lost').map(({ state }) => state);
  const told = stage.told.filter((each) => each.address === address).map(({ key }) => key);
  // A withdrawal is told with its price where that is known.
  const says = (key: string, state: string) => key === `${kind}.${state}` || key === `${kind}.${state}Priced`;
  const times = (state: string) => told.filter((each) => says(each, state)).length;
  const mayRepeat = points.some((point) => /delivery of|anything/.test(point));
  const untold = known.filter((state) => !times(state) && !seen.some((each) => says(each, state)));
  const repeated = (['executed', 'reversed', 'expired'] as const).filter(
    (state) => times(state) > known.length + (mayRepeat ? 1 : 0),
  );
  return [
    ...untold.map((state) => `the customer never heard ${kind}.${state}`),
    ...repeated.map((state) => `the customer heard ${kind}.${state} ${times(state)} times`),
  ];
}
