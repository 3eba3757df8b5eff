import { type Intent, intentKey, type Reason } from '../../../src/conversation/intents/intent.ts';
import type { Batch, Line as FileLine } from '../../../src/conversation/payouts/batch.ts';
import { methodOf } from '../../../src/payments/payments.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import { unheard } from '../town/heard.ts';
import { contradictionIn, sentOften } from '../town/oracle.ts';
import type { Memory } from './memory-store.ts';
import { isSettlement } from './model-cards.ts';
import type { ModelWallet, Sent } from './model-wallet.ts';
import { listedName, type Paid, whatIn, whatOf } from './paid.ts';
import { isWarning, type Line } from './person.ts';
import { codeFaults, codesIn, type Told } from './told.ts';
import { ELSEWHERE, type Moved } from './wallet-ledger.ts';

const LOOK_ALIKE_MS = 15 * 60_000;
const SLOT_MS = 120_000;
/** From the warning to the PIN. */
const ANSWERED_WITHIN_MS = 5 * 60_000;
/** Wasl applies an acknowledged webhook at once, or tries again within the hour. */
const APPLIED_WITHIN_MS = 2 * 3_600_000;
/** From an event's arrival to its commit, and from there to the failover that takes it back. */
const LOST_WITHIN_MS = 15_000;
/** A frozen process may still send for so long, and the first byte travels. */
const SENT_WITHIN_MS = 10_000 + 100;
/** A slow store may delay the send after the look at the list. */
const LOOKED_BEFORE_MS = 15_000;
/** Wasl takes an operation for somebody else's when it is dated so much later than the send. */
const MATCHED_WITHIN_MS = 15 * 60_000;

/** A payment of Wasl as it was sent, or one from elsewhere as it was executed. */
type Payment = Pick<Sent, 'requestId' | 'order' | 'at'>;

/** A history, once everything is over. */
interface Scene {
  readonly seed: number;
  readonly memory: Memory;
  readonly wallet: Pick<ModelWallet, 'moved' | 'sent'>;
  readonly lines: readonly Line[];
  readonly told: readonly Told[];
  readonly bugs: readonly string[];
  /** How many commits were acknowledged and then forgotten. */
  readonly losses: number;
  readonly lostAt: readonly number[];
  readonly now: number;
  /** What happened in the world, and when. */
  readonly events: readonly (readonly [at: number, what: string])[];
}

/** Figures of a history. A figure that stays 0 over many histories means that a case is no longer met. */
const FIGURES = {
  ...{ sent: 0, topUps: 0, bills: 0, vouchers: 0, merchants: 0 },
  /** Voucher codes that reached their customers. */
  codes: 0,
  moved: 0,
  unknown: 0,
  /** Customers who paid the same again after a warning. */
  repeats: 0,
  /** The documented residue: the store forgot a payment, the list did not show it yet, and a repeat was let through. */
  residue: 0,
  /** Payments whose intent was forgotten with the last writes. */
  forgotten: 0,
  /** Forgotten payments that a webhook has written down again. */
  rebuilt: 0,
  /** Executed after the list is searched for the last time, and never announced. */
  tooLate: 0,
  human: 0,
  mixedUp: 0,
};

export interface Verdict {
  readonly seed: number;
  /** Each line is a broken promise. */
  readonly broken: readonly string[];
  /** Everything that happened, in order, for the person who looks for the reason. */
  timeline(): string[];
  readonly figures: Readonly<typeof FIGURES>;
}

/** A history with its intents, while it is judged. */
interface Case extends Scene {
  readonly intents: ReadonlyMap<string, Intent>;
  readonly figures: typeof FIGURES;
  readonly broken: string[];
}

/** Judges a history by the wallet's ledger, the store, and the sentences that customers have read. */
export function verdictOf(scene: Scene): Verdict {
  const { seed, memory, wallet, told, bugs, losses } = scene;
  const intents = new Map(memory.all('intent:').map(({ value }) => intentEntry(memory, value)));
  const all = [...intents.values()];
  const ofKind = (kind: Paid['kind']) => wallet.sent.filter(({ order }) => order.kind === kind).length;
  const figures = {
    ...FIGURES,
    sent: wallet.sent.length,
    topUps: ofKind('top-up'),
    bills: ofKind('bill-payment'),
    vouchers: ofKind('voucher'),
    merchants: ofKind('merchant-payment'),
    codes: new Set(codesIn(told).map(({ code }) => code)).size,
    moved: wallet.moved.filter(({ requestId }) => !requestId.startsWith(ELSEWHERE)).length,
    unknown: all.filter(({ audit }) => audit.some(([, state]) => state === 'unknown')).length,
    human: all.filter(({ state }) => state === 'human').length,
  };
  const broken = bugs.map((bug) => `a bug: ${bug}`);
  const it: Case = { ...scene, intents, figures, broken };
  broken.push(
    ...sentOften(wallet.sent.map(({ requestId }) => requestId)),
    ...sentOften(
      wallet.moved.map(({ requestId }) => requestId),
      'executed',
    ),
    ...withoutIntent(it),
    ...withoutPin(it),
    ...wallet.sent.flatMap((sent) => doublesOf(sent, it)),
    ...wallet.sent.flatMap((sent, i) => timingOf(sent, i, it)),
    ...all.flatMap((intent) => outcomeOf(intent, it)),
    ...unheard(told, all),
    ...codeFaults({ told, wallet, losses }),
    ...fileFaults(it),
  );
  return { seed, broken, timeline: () => timelineOf(it), figures };
}

function intentEntry(memory: Memory, value: string): [string, Intent] {
  const intent = JSON.parse(value) as Intent;
  if (!memory.read(partitionOf(intent.wallet), intentKey(intent.id)))
    throw new Error('an intent in a strange place');
  return [intent.id, intent];
}

function withoutIntent({ wallet, intents, losses, figures }: Case): string[] {
  figures.rebuilt = wallet.sent.filter(({ requestId }) => isRebuilt(intents.get(requestId))).length;
  const unknown = wallet.sent.filter(({ requestId }) => !intents.has(requestId));
  figures.forgotten = unknown.length;
  return losses > 0
    ? []
    : unknown.map(({ requestId }) => `${requestId} was sent, and the store knows nothing of it`);
}

/** Each payment needs a right PIN. One PIN releases a whole file, and a stranger pays by card without a PIN. */
function withoutPin({ wallet, lines, losses }: Case): string[] {
  const pins = lines.reduce((sum, line) => sum + line.pins, 0);
  const asked = wallet.sent.filter(
    ({ order }) => !methodOf(order).inBulk && methodOf(order).waitsFor !== 'other',
  );
  return asked.length > pins && losses === 0
    ? [`${asked.length} payments were sent for ${pins} right PINs`]
    : [];
}

function operationOf({ wallet }: Pick<Scene, 'wallet'>, requestId: string): Moved | undefined {
  return wallet.moved.find((each) => each.requestId === requestId);
}

/** A payment that repeats an earlier one, from Wasl or elsewhere, and its customer does not know. */
function doublesOf(second: Sent, it: Case): string[] {
  const { wallet, figures } = it;
  if (!operationOf(it, second.requestId)) return [];
  const moving = wallet.sent.filter(({ requestId }) => operationOf(it, requestId));
  const elsewhere = wallet.moved.filter(({ requestId }) => requestId.startsWith(ELSEWHERE));
  const before = [...moving, ...elsewhere].filter(({ at }) => at < second.at);
  const earlier = before.filter((first) => repeats(first, second, it));
  if (earlier.length === 0) return [];
  if (confirmationOf(second, it)?.warned || isWarnedBeforeLoss(second, it)) figures.repeats++;
  else if (earlier.every((first) => isResidue(first, second, it))) figures.residue++;
  else {
    const names = earlier.map(({ requestId }) => requestId);
    return [`${second.requestId} repeats ${names} without a warning`];
  }
  return [];
}

function repeats(first: Payment, second: Sent, it: Case): boolean {
  // A stranger pays each link once, and a reservation is collected once, whoever asks for it.
  if (methodOf(second.order).waitsFor === 'other' || isSettlement(second)) return false;
  const paid = operationOf(it, first.requestId);
  const isOfOne = second.order.kind !== 'card-refund' || first.order.to === second.order.to;
  const isSame = isOfOne && first.order.from === second.order.from && first.order.what === second.order.what;
  const cameBack =
    paid?.completedAt === undefined || (paid.reversedAt ?? Number.POSITIVE_INFINITY) < second.at;
  const isRecent = (at = 0) => second.at - at < LOOK_ALIKE_MS;
  const wasListed = (paid?.listedAt ?? Number.POSITIVE_INFINITY) < second.at - LOOKED_BEFORE_MS;
  return isSame && !cameBack && (isRecent(first.at) || (isRecent(paid?.at) && wasListed));
}

/** The store has forgotten the screen with the warning. The customer had answered it. */
function isWarnedBeforeLoss({ order, at }: Sent, { told, losses }: Case): boolean {
  return (
    losses > 0 &&
    told.some(
      ({ at: toldAt, phone, sentence }) =>
        phone === order.from &&
        toldAt <= at &&
        toldAt > at - ANSWERED_WITHIN_MS &&
        isWarning(sentence.key) &&
        whatIn(sentence) === order.what,
    )
  );
}

/** The store had forgotten the first payment, and the wallet did not list it yet when the second was sent. */
function isResidue(first: Payment, second: Sent, it: Case): boolean {
  // No list of the customer's number shows what an agent executes.
  const isListed = !methodOf(first.order).ofAgent;
  const listedAt = (isListed && operationOf(it, first.requestId)?.listedAt) || Number.POSITIVE_INFINITY;
  return (
    it.losses > 0 && isForgotten(first.requestId, second.at, it) && listedAt > second.at - LOOKED_BEFORE_MS
  );
}

/** The store knew nothing of it at that moment: for good, or until a webhook or its own process wrote it again. */
function isForgotten(requestId: string, at: number, { intents }: Case): boolean {
  const intent = intents.get(requestId);
  return intent === undefined || foundAgainAt(intent) > at;
}

/** When a lost intent was written again. 0: it was never lost. */
function foundAgainAt({ audit }: Intent): number {
  const kinds: readonly Reason['kind'][] = ['rebuilt', 'restored'];
  return audit.find(([, , why]) => typeof why === 'object' && kinds.includes(why.kind))?.[0] ?? 0;
}

function isRebuilt(intent: Intent | undefined): boolean {
  const [, , why] = intent?.audit[0] ?? [];
  return typeof why === 'object' && why.kind === 'rebuilt';
}

function confirmationOf({ requestId, order, at }: Sent, { intents, lines }: Case) {
  // A rebuilt intent does not name the address where it was confirmed.
  const intent = intents.get(requestId);
  const address = isRebuilt(intent) ? undefined : intent?.address;
  return lines
    .filter((line) => (address ? line.address === address : line.phone === order.from))
    .flatMap((line) => line.confirmed)
    .filter((each) => each.what === order.what && each.at <= at)
    .sort((a, b) => a.at - b.at)
    .at(-1);
}

/** The first byte leaves soon after the commit, and never while another payment of the wallet is in flight. */
function timingOf({ requestId, order, at }: Sent, i: number, it: Case): string[] {
  const { wallet, intents, losses } = it;
  const intent = intents.get(requestId);
  if (!intent) return [];
  const late = at > intent.sentAt + SENT_WITHIN_MS ? [`${requestId} was sent too late`] : [];
  if (methodOf(order).inBulk) return late;
  // A payment that its payer finishes at a bank holds nothing back, and nothing holds it back.
  const waits = (paid: Paid) => methodOf(paid).waitsFor !== undefined;
  const isInFlight = wallet.sent.slice(0, i).some((each) => {
    const first = intents.get(each.requestId);
    if (!first || intent.sentAt - first.sentAt >= SLOT_MS) return false;
    // It had ended, and the store has forgotten its answer with the last writes.
    const hadEnded = losses > 0 && (operationOf(it, each.requestId)?.completedAt ?? at) < at;
    const isHolding =
      order.from === each.order.from && !methodOf(each.order).inBulk && !waits(order) && !waits(each.order);
    const isKnown = !isForgotten(each.requestId, intent.sentAt, it);
    return isHolding && isKnown && !hadEnded && wasOpenAt(first, intent.sentAt);
  });
  return [...late, ...(isInFlight ? [`${requestId} was sent while another one was in flight`] : [])];
}

function wasOpenAt({ audit }: Intent, at: number): boolean {
  const state = audit.filter(([when]) => when < at).at(-1)?.[1] ?? '';
  return ['sent', 'accepted', 'unknown'].includes(state);
}

/** An outcome must be known and true, or a person owns it. */
function outcomeOf(intent: Intent, it: Case): string[] {
  const { id, state, audit } = intent;
  const paid = operationOf(it, id);
  const name = `intent ${id.slice(0, 8)} (${state})`;
  const contradiction = contradictionIn(state, paid?.completedAt !== undefined);
  // Nobody can tell money that came back before a look from money that never left.
  const isExcused = contradiction === 'moved money' && paid?.reversedAt !== undefined;
  const { announcedAt = Number.POSITIVE_INFINITY } = paid ?? {};
  const isAnnounced = announcedAt < it.now - APPLIED_WITHIN_MS && !isLostAfter(announcedAt, it);
  const cameBack = paid?.reversedAt !== undefined;
  return [
    ...(contradiction === 'moved nothing'
      ? movedNothing(intent, `${name} ${contradiction}`, it)
      : contradiction && !isExcused
        ? [`${name} ${contradiction}`]
        : []),
    ...(state === 'succeeded' && cameBack && isAnnounced ? [`${name} was returned, and announced`] : []),
    ...(state === 'human' && cameBack && audit.some(([, step]) => step === 'reversed')
      ? [`${name} was returned, and frozen for saying so twice`]
      : []),
    ...(state === 'not-found' ? notFound(intent, name, it) : []),
  ];
}

function movedNothing(intent: Intent, sentence: string, it: Case): string[] {
  if (!standsForForgotten(intent, it) && !isPaidBefore(intent, it) && !isSettledBefore(intent, it))
    return mixedUpOr(intent, sentence, it);
  it.figures.mixedUp++;
  return [];
}

/** A failover took back what was written then, such as an applied event. The wallet does not send that event again. */
function isLostAfter(at: number, { lostAt }: Case): boolean {
  return lostAt.some((lost) => at <= lost && lost <= at + LOST_WITHIN_MS);
}

function notFound(intent: Intent, name: string, it: Case): string[] {
  const paid = operationOf(it, intent.id);
  const wrong = intent.operationId === undefined ? [] : [`${name} is operation ${intent.operationId}`];
  if (paid?.completedAt === undefined) return wrong;
  // The wallet shows a reservation to nobody, and no list says whose load is whose. Only the event tells of them.
  const isShown = !paid.order.isReserved && paid.order.kind !== 'float-card';
  const isHeardOf = isShown || (paid.announcedAt !== undefined && it.losses === 0);
  if (paid.at <= intent.sentAt + MATCHED_WITHIN_MS && isHeardOf)
    return [...wrong, ...mixedUpOr(intent, `${name} was executed as ${paid.id}`, it)];
  it.figures.tooLate++;
  return wrong;
}

/**
 * An operation may stand for an equal payment that the store has forgotten, as no intent is left to contest it.
 * When an event writes that payment again, a person owns it.
 */
function standsForForgotten({ operationId, order }: Intent, { wallet, intents }: Case): boolean {
  const claimed = wallet.moved.find(({ id }) => id === operationId);
  if (!claimed || claimed.requestId.startsWith(ELSEWHERE)) return false;
  const owner = intents.get(claimed.requestId);
  if (owner && !(isRebuilt(owner) && owner.state === 'human')) return false;
  const claims = [...intents.values()].filter(
    (intent) => intent !== owner && intent.operationId === operationId,
  );
  return claims.length === 1 && listedName(claimed.order.what) === listedName(whatOf(order));
}

/** A bill is paid once. After a loss, a customer who pays it again reads how the first payment stands (301). */
function isPaidBefore({ order }: Intent, { wallet, losses }: Case): boolean {
  return (
    losses > 0 &&
    order.kind === 'bill-payment' &&
    wallet.moved.some((each) => each.order.reference === order.reference && each.completedAt !== undefined)
  );
}

/** Another request of the merchant has collected or released the same reservation. */
function isSettledBefore({ id, order }: Intent, { wallet }: Case): boolean {
  if (!('payment' in order)) return false;
  return wallet.moved.some(
    (each) =>
      isSettlement(each) &&
      each.requestId !== id &&
      each.order.what === whatOf(order) &&
      each.order.to === order.payment.orderId,
  );
}

/** Equal payments may stand for one another, as long as the number that moved fits the number that is said to have moved. */
function mixedUpOr({ order }: Intent, sentence: string, { wallet, intents, figures }: Case): string[] {
  const isSame = (from: string, what: string) => from === order.from && what === whatOf(order);
  const alike = [...intents.values()].filter((each) => isSame(each.wallet, whatOf(each.order)));
  const forgotten = wallet.sent.filter(
    (each) => isSame(each.order.from, each.order.what) && !intents.has(each.requestId),
  ).length;
  const moved = wallet.moved.filter(
    ({ order: { from, what }, completedAt, requestId }) =>
      isSame(from, what) && completedAt !== undefined && !requestId.startsWith(ELSEWHERE),
  ).length;
  const said = alike.filter(({ state }) => state === 'succeeded' || state === 'reversed').length;
  const open = alike.filter(({ state }) => state === 'human' || state === 'not-found').length;
  const isOneOfSeveral = alike.length + forgotten > 1;
  if (!isOneOfSeveral || said > moved || moved > said + open + forgotten) return [sentence];
  figures.mixedUp++;
  return [];
}

/** Faults of files of payouts: a line paid twice or to somebody else, a file without end, or an end that nobody was told. */
function fileFaults(it: Case): string[] {
  const { memory, wallet, told } = it;
  const files = memory.all('payout:').map(({ value }): Batch => JSON.parse(value));
  const paid = wallet.moved.filter(({ order }) => methodOf(order).inBulk).map(({ order }) => order.to);
  const lines = memory
    .all('payout-lines:')
    .flatMap(({ value }): FileLine[] => JSON.parse(value).lines)
    .filter(({ ref }) => ref !== undefined);
  const isTold = (key: string) => told.some(({ sentence }) => sentence.key === key);
  return [
    ...paid.filter((to, i) => paid.indexOf(to) !== i).map((to) => `the line to ${to} is paid twice`),
    ...lines.flatMap(({ ref = '', to }) => {
      const moved = operationOf(it, ref);
      const whom = 'phone' in to ? to.phone : to.rib;
      return moved && moved.order.to !== whom
        ? [`the payment of the line to ${whom} went to ${moved.order.to}`]
        : [];
    }),
    ...files.flatMap(({ state, next, released }) =>
      state === 'running' ? [`a file is still at line ${next}, released by ${released?.by}`] : [],
    ),
    ...(['done', 'stopped'] as const)
      .filter((state) => files.some((file) => file.state === state) && !isTold(`payouts.${state}Now`))
      .map((state) => `nobody was told that a file is ${state}`),
  ];
}

function timelineOf({ wallet, told, lines, intents, events }: Case): string[] {
  const time = (at: number) => new Date(at).toISOString().slice(8, 23);
  const line = (at: number, what: string) => [at, what] as const;
  const happened = [
    ...wallet.sent.map(({ at, requestId, order: { from, what } }) =>
      line(at, `SENT ${requestId} ${from} ${what} from ${intents.get(requestId)?.address}`),
    ),
    ...wallet.moved.map(({ at, id, requestId, listedAt }) =>
      line(at, `MOVED ${id} ${requestId} listed ${time(listedAt)}`),
    ),
    ...told.map(({ at, address, how, sentence }) =>
      line(at, `${how} ${address} ${sentence.key} ${JSON.stringify(sentence.values ?? {})}`),
    ),
    ...lines.flatMap(({ address, confirmed }) =>
      confirmed.map((each) => line(each.at, `CONFIRMED ${address} ${JSON.stringify(each)}`)),
    ),
    ...[...intents.values()].flatMap(({ id, audit }) =>
      audit.map(([at, state, why]) => line(at, `AUDIT ${id} ${state}: ${JSON.stringify(why)}`)),
    ),
    ...events,
  ];
  return happened.sort(([a], [b]) => a - b).map(([at, what]) => `${time(at)} ${what}`);
}
