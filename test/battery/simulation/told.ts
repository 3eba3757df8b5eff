import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Intent, Reason } from '../../../src/conversation/intents/intent.ts';
import { methodOf } from '../../../src/payments/payments.ts';
import { orderIdOf, SETTLEMENTS } from './model-cards.ts';
import type { ModelWallet } from './model-wallet.ts';
import { type Paid, TYPES, whatIn, whatOf } from './paid.ts';
import { isWarning, type Line } from './person.ts';
import { ELSEWHERE, type Moved } from './wallet-ledger.ts';

/** Who has just confirmed is told "refused" within this long; later it may be about another payment. */
const REFUSED_WITHIN_MS = 5 * 60_000;

/** Something a customer was shown or sent. */
export interface Told {
  readonly at: number;
  /** When what it answers came in; else as `at`. */
  readonly askedAt: number;
  readonly line: Line;
  readonly sentence: Sentence;
  readonly how: 'screen' | 'missed' | 'pushed';
}

/** How an intent ended, in the words of its conversation; success has several. */
const OUTCOMES: Readonly<Record<Intent['state'], string>> = {
  sent: '',
  accepted: '',
  unknown: '',
  rejected: 'refused',
  unsent: 'notSent',
  succeeded: 'done',
  failed: 'failed',
  reversed: 'reversed',
  'not-found': 'notFound',
  human: 'human',
};
/** A person's payment, of which the wallet has a second operation: said in words that no kind of payment has of its own. */
const SECOND = /^pay\.(double|alike)$/;
const SUCCESS = /^(done(Settled|Stamped|WithoutCode)?|reserved)$/;

/** What a sentence says of a payment: of which kind, and how it ended; every success is `done`, with a moment or without. */
function saidIn({ key }: Sentence): { kind: string | undefined; outcome: string } {
  const [kind = '', outcome = ''] = key.split('.');
  return {
    kind: kind in TYPES ? kind : undefined,
    outcome: SUCCESS.test(outcome) ? 'done' : outcome.replace(/At$/, ''),
  };
}

/** True when the customer has been told how an intent ended. */
export function isHeard(told: readonly Told[], intent: Intent): boolean {
  return told.some((each) => {
    if (saysNoSecond(each, intent)) return true;
    if (intent.state === 'human' && SECOND.test(each.sentence.key) && isAbout(each, intent)) return true;
    const { kind, outcome } = saidIn(each.sentence);
    return kind === intent.order.kind && outcome === OUTCOMES[intent.state] && isAbout(each, intent);
  });
}

/** A payment that was not sent, or not made beside another one just like it: said in words that no kind of payment has of its own. */
function saysNoSecond(
  { sentence: { key, values }, line, at }: Told,
  { state, address, order, sentAt }: Intent,
): boolean {
  const amount = values?.amount && 'money' in values.amount ? values.amount.money : undefined;
  const said: Readonly<Record<string, readonly string[]>> = {
    refused: ['pay.noSecond'],
    notSent: ['pay.noSecond'],
    // Made twice, or listed twice.
    human: ['pay.double', 'pay.alike'],
    failed: [`${order.kind}.noSecond`],
  };
  const isSaid = said[OUTCOMES[state]]?.includes(key) === true;
  return isSaid && line.address === address && at >= sentAt && amount === order.amount;
}

function isAbout({ sentence, line }: Told, intent: Intent): boolean {
  const { id, wallet, address, order, operationId } = intent;
  if (line.phone !== wallet) return false;
  const reference = referenceIn(sentence);
  if (reference === undefined) return line.address === address && whatIn(sentence) === whatOf(order);
  const names = [String(operationId), shortName(id), ...takenFor(intent)];
  return [...names, methodOf(order).receipt?.reference?.(order)].includes(reference);
}

/** Operations that were taken for a payment's own while the store had forgotten whose they were: its customer was told of them. */
function takenFor({ audit }: Intent): readonly string[] {
  return audit.flatMap(([, , why]) =>
    typeof why === 'object' && why.kind === 'learnt' && why.fact.kind === 'only-match'
      ? [String(why.fact.operationId)]
      : [],
  );
}

/** True when a sentence asks whether to pay the same once more. */
export function isWarningOf(sentence: Sentence, { what }: Paid): boolean {
  return isWarning(sentence.key) && whatIn(sentence) === what;
}

/** An intent that stands so has moved nothing. */
export const UNMOVED: readonly Intent['state'][] = ['failed', 'rejected', 'unsent'];

/** Nobody is told that money moved when it did not, or that it did not when it did. One sentence for each lie. */
export function liesIn(
  told: Told,
  truth: { wallet: Pick<ModelWallet, 'moved' | 'sent'>; intents: ReadonlyMap<string, Intent> },
): string[] {
  const { at, line, sentence } = told;
  const { kind, outcome } = saidIn(sentence);
  const operation = operationIn(sentence, truth.wallet.moved);
  const completedAt = operation?.completedAt;
  // A reference is executed once, for whichever of the payments that were made by it.
  const executed =
    operation ??
    truth.wallet.moved.find(
      ({ order }) => order.kind.startsWith('agent-') && order.what === whatIn(sentence),
    );
  const doneAt = executed?.completedAt;
  const isMade = isSettled(sentence, operation, truth.wallet.moved);
  const lies: Readonly<Record<string, boolean>> = {
    done: isMade === undefined ? doneAt === undefined || doneAt > at || isElsewhere(executed) : !isMade,
    failed: isMade ?? (completedAt !== undefined && (operation?.reversedAt ?? Number.POSITIVE_INFINITY) > at),
    reversed: operation !== undefined && operation.reversedAt === undefined,
    refused: refusedButMoved(told, truth),
  };
  return kind && lies[outcome]
    ? [
        `at ${new Date(at).toISOString()} ${line.address} was told ${sentence.key} ${referenceIn(sentence) ?? ''}`,
      ]
    : [];
}

/** Whether a reservation was taken, or released, as a sentence says; undefined for one that says nothing of the kind. */
function isSettled(
  sentence: Sentence,
  payment: Moved | undefined,
  moved: readonly Moved[],
): boolean | undefined {
  const { kind } = saidIn(sentence);
  const what = whatIn(sentence);
  if (!kind || !SETTLEMENTS.has(kind)) return undefined;
  return moved.some(
    ({ order }) => payment !== undefined && order.to === orderIdOf(payment) && order.what === what,
  );
}

/**
 * "Refused" is about the payment that it names by a reference, as one does that was written again after a loss; without one it
 * is about the last payment like this that the address has confirmed.
 */
function refusedButMoved(
  { at, line, sentence }: Told,
  { wallet, intents }: Parameters<typeof liesIn>[1],
): boolean {
  // One that names its moment is about the payment of then (`truth.ts`).
  if (sentence.values?.at) return false;
  const named = referenceIn(sentence);
  const isNamed = ({ id, order, state }: Intent) =>
    UNMOVED.includes(state) &&
    (shortName(id) === named || methodOf(order).receipt?.reference?.(order) === named);
  if (named !== undefined && [...intents.values()].some(isNamed)) return false;
  const what = whatIn(sentence);
  const last = line.confirmed.filter((each) => each.at <= at && each.what === what).at(-1);
  if (!last || at - last.at > REFUSED_WITHIN_MS) return false;
  const sent = wallet.sent.filter(
    ({ requestId, order, at: sentAt }) =>
      intents.get(requestId)?.address === line.address &&
      order.what === what &&
      sentAt >= last.at &&
      sentAt <= at,
  );
  // The PIN was asked for again because the store had forgotten the first one: what is refused is the second.
  const refusedAt = sent.at(-1)?.at ?? 0;
  return sent.some(
    ({ requestId }) =>
      foundAgainAt(intents.get(requestId)) <= refusedAt &&
      wallet.moved.some((each) => each.requestId === requestId && each.completedAt !== undefined),
  );
}

/** When an intent that the store had lost was written again, by a webhook or by its own process; 0: it was never lost. */
export function foundAgainAt(intent: Pick<Intent, 'audit'> | undefined): number {
  const step = intent?.audit.find(([, , why]) => typeof why === 'object' && FOUND_AGAIN.includes(why.kind));
  return step?.[0] ?? 0;
}
const FOUND_AGAIN: readonly Reason['kind'][] = ['rebuilt', 'restored'];

/** What is wrong with voucher codes: each comes to whoever has paid for it, and comes where it was promised. */
export function codeFaults(scene: {
  readonly told: readonly Told[];
  readonly wallet: Pick<ModelWallet, 'moved'>;
  readonly losses: number;
}): string[] {
  const { told, wallet, losses } = scene;
  const came = codesIn(told);
  const strayed = came.filter(
    ({ line, code }) => !wallet.moved.some((each) => each.code === code && each.order.from === line.phone),
  );
  // What a failover has taken back may have been promised, or shown, before.
  const promised = losses > 0 ? [] : told.filter(({ sentence }) => sentence.key === 'voucher.done');
  const missed = promised.filter(
    ({ line, sentence }) =>
      !told.some((each) => each.line === line && each.sentence.key === 'voucher.codeExpired') &&
      !came.some((each) => each.code === operationIn(sentence, wallet.moved)?.code),
  );
  return [
    ...strayed.map(({ line, code }) => `${line.address} was sent ${code}, which is not theirs`),
    ...missed.map(({ line, sentence }) => `${line.address} never got the code of ${referenceIn(sentence)}`),
  ];
}

/** Every voucher code that was said, and to whom. */
export function codesIn(told: readonly Told[]): { line: Line; code: string }[] {
  return told.flatMap(({ sentence, line }) => {
    const { code } = sentence.values ?? {};
    return code && 'hidden' in code ? [{ line, code: code.hidden }] : [];
  });
}

function isElsewhere(operation: Moved | undefined): boolean {
  return operation?.requestId.startsWith(ELSEWHERE) ?? false;
}

function operationIn(sentence: Sentence, moved: readonly Moved[]): Moved | undefined {
  const reference = referenceIn(sentence);
  return (
    moved.find(({ id, order }) => String(id) === reference || order.reference === reference) ??
    moved.find(({ requestId }) => shortName(requestId) === reference)
  );
}

function referenceIn({ values }: Sentence): string | undefined {
  return values?.reference && 'code' in values.reference ? values.reference.code : undefined;
}

function shortName(id: string): string {
  return id.slice(0, 8).toUpperCase();
}
