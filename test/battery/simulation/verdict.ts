import { type Intent, intentKey, isOpen } from '../../../src/conversation/intents/intent.ts';
import type { Batch, Line as FileLine } from '../../../src/conversation/payouts/batch.ts';
import { methodOf } from '../../../src/payments/payments.ts';
import { partitionOf } from '../../../src/store/partition.ts';
import type { Memory } from './memory-store.ts';
import { isSettlement } from './model-cards.ts';
import type { ModelWallet, Sent } from './model-wallet.ts';
import { listedName, type Paid, whatOf } from './paid.ts';
import type { Line } from './person.ts';
import {
  codeFaults,
  codesIn,
  foundAgainAt,
  isHeard,
  isWarningOf,
  liesIn,
  type Told,
  UNMOVED,
} from './told.ts';
import { ELSEWHERE, type Moved } from './wallet-ledger.ts';

const LOOK_ALIKE_MS = 15 * 60_000;
const SLOT_MS = 120_000;
/** From the warning to the PIN. */
const ANSWERED_WITHIN_MS = 5 * 60_000;
/** An acknowledged webhook is applied at once, or tried again within the hour. */
const APPLIED_WITHIN_MS = 2 * 3_600_000;
/** From an event's arrival to its commit, and from that to the failover that takes it back. */
const LOST_WITHIN_MS = 15_000;
/** What a frozen process may still send, and how long the first byte travels. */
const SENT_WITHIN_MS = 10_000 + 100;
/** Between reading the list and sending, a store may be slow. */
const LOOKED_BEFORE_MS = 15_000;
/** An operation dated later than this after the send is taken for somebody else's. */
const MATCHED_WITHIN_MS = 15 * 60_000;

/** One of ours as it was sent, or one made elsewhere as it was executed. */
type Payment = Pick<Sent, 'requestId' | 'order' | 'at'>;

export interface Scene {
  readonly seed: number;
  readonly memory: Memory;
  readonly wallet: Pick<ModelWallet, 'moved' | 'sent'>;
  readonly lines: readonly Line[];
  readonly told: readonly Told[];
  readonly bugs: readonly string[];
  /** Commits that were acknowledged and then forgotten. */
  readonly losses: number;
  /** When that was. */
  readonly lostAt: readonly number[];
  readonly now: number;
  /** What went wrong in the world, and when. */
  readonly events: readonly (readonly [at: number, what: string])[];
}

export interface Verdict {
  readonly seed: number;
  /** Each is a broken promise; a history without any is a good one. */
  readonly broken: readonly string[];
  /** What happened, in order, to be read by whoever looks for the reason. */
  timeline(): string[];
  readonly figures: {
    readonly sent: number;
    /** Of those, what was no transfer. */
    readonly topUps: number;
    readonly bills: number;
    readonly vouchers: number;
    readonly merchants: number;
    /** Voucher codes that reached their customers. */
    readonly codes: number;
    readonly moved: number;
    readonly unknown: number;
    /** Customers who paid the same again, warned. */
    readonly repeats: number;
    /** The documented residue: a repeat let through by a store that forgot, while the list did not show it yet. */
    readonly residue: number;
    /** Payments whose intent was forgotten with the last writes. */
    readonly forgotten: number;
    /** Of those that were, what a webhook had written down again. */
    readonly rebuilt: number;
    /** Executed long after the last moment at which the list is searched, and never announced. */
    readonly tooLate: number;
    readonly human: number;
    readonly mixedUp: number;
  };
}

/** Judges a history by what the wallet did, what the store holds and what the customers were told. */
export function verdictOf(scene: Scene): Verdict {
  const { memory, wallet, lines, told, bugs } = scene;
  const intents = new Map(memory.all('intent:').map(({ value }) => intentEntry(value)));
  const broken: string[] = bugs.map((bug) => `a bug: ${bug}`);
  const operation = (requestId: string) => wallet.moved.find((each) => each.requestId === requestId);
  const ofKind = (kind: Paid['kind']) => wallet.sent.filter(({ order }) => order.kind === kind).length;
  const figures = {
    sent: wallet.sent.length,
    topUps: ofKind('top-up'),
    bills: ofKind('bill-payment'),
    vouchers: ofKind('voucher'),
    merchants: ofKind('merchant-payment'),
    codes: new Set(codesIn(told).map(({ code }) => code)).size,
    moved: wallet.moved.filter(({ requestId }) => !requestId.startsWith(ELSEWHERE)).length,
    unknown: [...intents.values()].filter(({ audit }) => audit.some(([, state]) => state === 'unknown'))
      .length,
    repeats: 0,
    residue: 0,
    forgotten: 0,
    rebuilt: 0,
    tooLate: 0,
    human: [...intents.values()].filter(({ state }) => state === 'human').length,
    mixedUp: 0,
  };

  for (const [requestId, times] of counted(wallet.sent.map((each) => each.requestId))) {
    if (times > 1) broken.push(`intent ${requestId} was sent ${times} times`);
  }
  for (const [requestId, times] of counted(wallet.moved.map((each) => each.requestId))) {
    if (times > 1) broken.push(`intent ${requestId} was executed ${times} times`);
  }
  for (const sent of wallet.sent) {
    if (isRebuilt(sent.requestId)) figures.rebuilt++;
    if (intents.has(sent.requestId)) continue;
    figures.forgotten++;
    if (scene.losses === 0) broken.push(`${sent.requestId} was sent, and the store knows nothing of it`);
  }
  const pins = lines.reduce((sum, line) => sum + line.pins, 0);
  // One PIN releases a file, and nobody's lets somebody else pay by card.
  const asked = wallet.sent.filter(
    ({ order }) => !methodOf(order).inBulk && methodOf(order).waitsFor !== 'other',
  );
  if (asked.length > pins && scene.losses === 0)
    broken.push(`${asked.length} payments were sent for ${pins} right PINs`);
  doubles();
  promptly();
  for (const intent of intents.values()) ended(intent);
  for (const each of told) broken.push(...liesIn(each, { ...scene, intents }));
  broken.push(...codeFaults(scene), ...fileFaults(scene, operation));
  return { seed: scene.seed, broken, timeline, figures };

  function timeline(): string[] {
    const happened: (readonly [at: number, what: string])[] = [
      ...wallet.sent.map(
        ({ at, requestId, order }) =>
          [
            at,
            `SENT ${requestId} ${order.from} ${order.what} from ${intents.get(requestId)?.address}`,
          ] as const,
      ),
      ...wallet.moved.map(
        ({ at, id, requestId, listedAt }) =>
          [at, `MOVED ${id} ${requestId} listed ${clock(listedAt)}`] as const,
      ),
      ...told.map(
        ({ at, line, how, sentence }) =>
          [at, `${how} ${line.address} ${sentence.key} ${JSON.stringify(sentence.values ?? {})}`] as const,
      ),
      ...lines.flatMap((line) =>
        line.confirmed.map((each) => [each.at, `CONFIRMED ${line.address} ${JSON.stringify(each)}`] as const),
      ),
      ...[...intents.values()].flatMap(({ id, audit }) =>
        audit.map(([at, state, why]) => [at, `AUDIT ${id} ${state}: ${JSON.stringify(why)}`] as const),
      ),
      ...scene.events,
    ];
    return happened.sort(([a], [b]) => a - b).map(([at, what]) => `${clock(at)} ${what}`);
  }

  /** A payment that repeats an earlier one, ours or made elsewhere, without its customer knowing. */
  function doubles(): void {
    const moving = wallet.sent.filter(({ requestId }) => operation(requestId));
    const elsewhere = wallet.moved.filter(({ requestId }) => requestId.startsWith(ELSEWHERE));
    for (const second of moving) {
      const before = [...moving, ...elsewhere].filter(({ at }) => at < second.at);
      const earlier = before.filter((first) => repeats(first, second));
      if (earlier.length === 0) continue;
      if (confirmationOf(second)?.warned || isWarnedBeforeLoss(second)) figures.repeats++;
      else if (earlier.every((first) => isResidue(first, second))) figures.residue++;
      else {
        const names = earlier.map(({ requestId }) => requestId);
        broken.push(`${second.requestId} repeats ${names} without a warning`);
      }
    }
  }

  /** A screen that the store has forgotten stands behind the one that was answered: the warning was on it. */
  function isWarnedBeforeLoss({ order, at }: Sent): boolean {
    if (scene.losses === 0) return false;
    return told.some(
      ({ at: toldAt, line, sentence }) =>
        line.phone === order.from &&
        toldAt <= at &&
        toldAt > at - ANSWERED_WITHIN_MS &&
        isWarningOf(sentence, order),
    );
  }

  /** The first byte goes out soon after the commit, and never while another payment of the wallet is in flight. */
  function promptly(): void {
    for (const [i, { requestId, order, at }] of wallet.sent.entries()) {
      const intent = intents.get(requestId);
      if (!intent) continue;
      if (at > intent.sentAt + SENT_WITHIN_MS) broken.push(`${requestId} was sent too late`);
      if (methodOf(order).inBulk) continue;
      const inFlight = wallet.sent.slice(0, i).filter((each) => {
        const first = intents.get(each.requestId);
        const isRecent = first && intent.sentAt - first.sentAt < SLOT_MS;
        const isKnown = !isForgotten(each.requestId, intent.sentAt);
        // It had ended, and the store has forgotten its answer with its last writes.
        const hadEnded = scene.losses > 0 && (operation(each.requestId)?.completedAt ?? at) < at;
        const isOpen = isRecent && !hadEnded && stateAt(first, intent.sentAt) === 'open';
        const holds =
          order.from === each.order.from &&
          !methodOf(each.order).inBulk &&
          !waits(order) &&
          !waits(each.order);
        return holds && isKnown && isOpen;
      });
      if (inFlight.length > 0) broken.push(`${requestId} was sent while another one was in flight`);
    }
  }

  /** What a payer finishes at their bank holds nothing back, and is held back by nothing. */
  function waits(paid: Paid): boolean {
    return methodOf(paid).waitsFor !== undefined;
  }

  function repeats(first: Payment, second: Sent): boolean {
    // Each link is paid once, by somebody else, and what a card has reserved is taken once, whoever asks for it.
    if (methodOf(second.order).waitsFor === 'other' || isSettlement(second)) return false;
    const paid = operation(first.requestId);
    const isOfOne = second.order.kind !== 'card-refund' || first.order.to === second.order.to;
    const same = isOfOne && first.order.from === second.order.from && first.order.what === second.order.what;
    const cameBack =
      paid?.completedAt === undefined || (paid.reversedAt ?? Number.POSITIVE_INFINITY) < second.at;
    const isRecent = (at = 0) => second.at - at < LOOK_ALIKE_MS;
    const wasListed = (paid?.listedAt ?? Number.POSITIVE_INFINITY) < second.at - LOOKED_BEFORE_MS;
    return same && !cameBack && (isRecent(first.at) || (isRecent(paid?.at) && wasListed));
  }

  /** The store has forgotten the first payment, and the wallet did not list it when the second was about to be made. */
  function isResidue(first: Payment, second: Sent): boolean {
    // What an agent executes stands in no list that the customer's number can be asked for.
    const isListed = !methodOf(first.order).ofAgent;
    const listedAt = (isListed && operation(first.requestId)?.listedAt) || Number.POSITIVE_INFINITY;
    return (
      scene.losses > 0 && isForgotten(first.requestId, second.at) && listedAt > second.at - LOOKED_BEFORE_MS
    );
  }

  /** The store knew nothing of it at that moment: for good, or until a webhook or its own process had it written again. */
  function isForgotten(requestId: string, at: number): boolean {
    const intent = intents.get(requestId);
    return intent === undefined || foundAgainAt(intent) > at;
  }

  function isRebuilt(requestId: string): boolean {
    const [, , why] = intents.get(requestId)?.audit[0] ?? [];
    return typeof why === 'object' && why.kind === 'rebuilt';
  }

  function confirmationOf({ requestId, order, at }: Sent) {
    // Where it was confirmed is lost with the intent.
    const address = isRebuilt(requestId) ? undefined : intents.get(requestId)?.address;
    const candidates = lines
      .filter((line) => (address ? line.address === address : line.phone === order.from))
      .flatMap((line) => line.confirmed)
      .filter((each) => each.what === order.what && each.at <= at);
    return candidates.sort((a, b) => a.at - b.at).at(-1);
  }

  /** Its outcome is known and true, or a person owns it, and its customer has heard of it. */
  function ended(intent: Intent): void {
    const { id, state } = intent;
    const paid = operation(id);
    const moved = paid?.completedAt !== undefined;
    const name = `intent ${id.slice(0, 8)} (${state})`;
    if (isOpen(intent)) broken.push(`${name} has no outcome`);
    // Money that came back before anybody had looked is not told apart from money that never left.
    if (UNMOVED.includes(state) && moved && paid.reversedAt === undefined) broken.push(`${name} moved money`);
    if (state === 'succeeded' && !moved) {
      if (standsForForgotten(intent) || isPaidBefore(intent) || isSettledBefore(intent)) figures.mixedUp++;
      else mixedUpOr(intent, `${name} moved nothing`);
    }
    const { announcedAt = Number.POSITIVE_INFINITY } = paid ?? {};
    const isAnnounced = announcedAt < scene.now - APPLIED_WITHIN_MS && !isLostAfter(announcedAt);
    if (state === 'succeeded' && paid?.reversedAt !== undefined && isAnnounced)
      broken.push(`${name} was returned, and announced`);
    const wasReversed = intent.audit.some(([, step]) => step === 'reversed');
    if (state === 'human' && wasReversed && paid?.reversedAt !== undefined)
      broken.push(`${name} was returned, and frozen for saying so twice`);
    if (state === 'not-found') notFound(intent, name, paid);
    if (!methodOf(intent.order).inBulk && !isHeard(told, intent))
      broken.push(`the customer never heard of ${name}`);
  }

  /** A failover has taken back what was written then: also that an event was applied, which the wallet does not send again. */
  function isLostAfter(at: number): boolean {
    return scene.lostAt.some((lost) => at <= lost && lost <= at + LOST_WITHIN_MS);
  }

  function notFound(intent: Intent, name: string, paid: Moved | undefined): void {
    if (intent.operationId !== undefined) broken.push(`${name} is operation ${intent.operationId}`);
    if (paid?.completedAt === undefined) return;
    // What a card only holds is shown to nobody, and no list says whose load is whose: its event is all there is, and it was never sent, or forgotten with the last writes.
    const isShown = !paid.order.isReserved && paid.order.kind !== 'float-card';
    const isHeardOf = isShown || (paid.announcedAt !== undefined && scene.losses === 0);
    if (paid.at > intent.sentAt + MATCHED_WITHIN_MS || !isHeardOf) figures.tooLate++;
    else mixedUpOr(intent, `${name} was executed as ${paid.id}`);
  }

  /**
   * What the list cannot tell from a payment that the store has forgotten may stand for it: no intent is left to contest it.
   * One that an event writes again later is a person's.
   */
  function standsForForgotten({ operationId, order }: Intent): boolean {
    const claimed = wallet.moved.find(({ id }) => id === operationId);
    if (!claimed || claimed.requestId.startsWith(ELSEWHERE)) return false;
    const owner = intents.get(claimed.requestId);
    if (owner && !(isRebuilt(owner.id) && owner.state === 'human')) return false;
    const claims = [...intents.values()].filter(
      (intent) => intent !== owner && intent.operationId === operationId,
    );
    return claims.length === 1 && listedName(claimed.order.what) === listedName(whatOf(order));
  }

  /**
   * A bill's reference is paid once. A customer whose conversation was lost after it, and who pays it again, is told how that
   * payment stands (301), by the network's own names for it.
   */
  function isPaidBefore({ order }: Intent): boolean {
    return (
      scene.losses > 0 &&
      order.kind === 'bill-payment' &&
      wallet.moved.some(
        ({ order: paid, completedAt }) => paid.reference === order.reference && completedAt !== undefined,
      )
    );
  }

  /** A reservation is taken or released once: another request that its merchant made for the same has done it. */
  function isSettledBefore({ id, order }: Intent): boolean {
    if (!('payment' in order)) return false;
    return wallet.moved.some(
      (each) =>
        isSettlement(each) &&
        each.requestId !== id &&
        each.order.what === whatOf(order) &&
        each.order.to === order.payment.orderId,
    );
  }

  /** Two payments alike in everything may stand for one another, as long as as many moved as are said to have. */
  function mixedUpOr({ order }: Intent, sentence: string): void {
    const same = ({ from, what }: Pick<Paid, 'from' | 'what'>) =>
      from === order.from && what === whatOf(order);
    const alike = [...intents.values()].filter((each) =>
      same({ from: each.wallet, what: whatOf(each.order) }),
    );
    const forgotten = wallet.sent.filter((each) => same(each.order) && !intents.has(each.requestId)).length;
    const moved = wallet.moved.filter(
      ({ order: paid, completedAt, requestId }) =>
        same(paid) && completedAt !== undefined && !requestId.startsWith(ELSEWHERE),
    ).length;
    const said = alike.filter(({ state }) => state === 'succeeded' || state === 'reversed').length;
    const open = alike.filter(({ state }) => state === 'human' || state === 'not-found').length;
    const isOneOfSeveral = alike.length + forgotten > 1;
    if (isOneOfSeveral && said <= moved && moved <= said + open + forgotten) figures.mixedUp++;
    else broken.push(sentence);
  }

  function intentEntry(value: string): [string, Intent] {
    const intent = JSON.parse(value) as Intent;
    if (!memory.read(partitionOf(intent.wallet), intentKey(intent.id)))
      throw new Error('an intent in a strange place');
    return [intent.id, intent];
  }
}

/** What is wrong with files of payouts, once everything is over: a line paid twice or said wrongly, or an end that nobody was told. */
function fileFaults(
  { memory, wallet, told }: Scene,
  operation: (requestId: string) => Moved | undefined,
): string[] {
  const files = memory.all('payout:').map(({ value }): Batch => JSON.parse(value));
  const paid = wallet.moved.filter(({ order }) => methodOf(order).inBulk).map(({ order }) => order.to);
  const lines = memory
    .all('payout-lines:')
    .flatMap(({ value }): FileLine[] => JSON.parse(value).lines)
    .filter(({ ref }) => ref !== undefined);
  const hears = (key: string) => told.some(({ sentence }) => sentence.key === key);
  return [
    ...paid.filter((to, i) => paid.indexOf(to) !== i).map((to) => `the line to ${to} is paid twice`),
    ...lines.flatMap(({ ref = '', to }) => {
      const moved = operation(ref);
      const whom = 'phone' in to ? to.phone : to.rib;
      return moved && moved.order.to !== whom
        ? [`the payment of the line to ${whom} went to ${moved.order.to}`]
        : [];
    }),
    ...files.flatMap(({ state, next, released }) =>
      state === 'running' ? [`a file is still at line ${next}, released by ${released?.by}`] : [],
    ),
    ...(['done', 'stopped'] as const)
      .filter((state) => files.some((file) => file.state === state) && !hears(`payouts.${state}Now`))
      .map((state) => `nobody was told that a file is ${state}`),
  ];
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(8, 23);
}

/** Whether a payment was still under way at a moment, as its audit tells. */
function stateAt({ audit }: Intent, at: number): 'open' | 'over' {
  const state = audit.filter(([when]) => when < at).at(-1)?.[1] ?? '';
  return ['sent', 'accepted', 'unknown'].includes(state) ? 'open' : 'over';
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
