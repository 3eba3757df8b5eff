import type { TransferOrder } from '../../../machines/kit/order.ts';
import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Intent } from '../../../src/conversation/intents/intent.ts';
import { ELSEWHERE, type ModelWallet, type Moved } from './model-wallet.ts';
import { type Line, WARNINGS } from './person.ts';

/** Who has just confirmed is told "refused" within this long; later it may be about another payment. */
const REFUSED_WITHIN_MS = 5 * 60_000;

/** Something a customer was shown or sent. */
export interface Told {
  readonly at: number;
  readonly line: Line;
  readonly sentence: Sentence;
  readonly how: 'screen' | 'missed' | 'pushed';
}

const OUTCOMES: Readonly<Record<Intent['state'], string>> = {
  sent: '',
  accepted: '',
  unknown: '',
  rejected: 'transfer.refused',
  unsent: 'transfer.refused',
  succeeded: 'transfer.done',
  failed: 'transfer.failed',
  reversed: 'transfer.reversed',
  'not-found': 'transfer.notFound',
  human: 'transfer.human',
};

/** True when the customer has been told how an intent ended. */
export function isHeard(told: readonly Told[], intent: Intent): boolean {
  return told.some((each) => each.sentence.key === OUTCOMES[intent.state] && isAbout(each, intent));
}

function isAbout({ sentence, line }: Told, { id, wallet, address, order, operationId }: Intent): boolean {
  if (line.phone !== wallet) return false;
  const reference = referenceIn(sentence);
  if (reference !== undefined) return reference === String(operationId) || reference === shortName(id);
  const { to, amount } = orderIn(sentence);
  return line.address === address && 'to' in order && to === order.to && amount === order.amount;
}

/** True when a sentence asks whether to pay the same once more. */
export function isWarningOf(sentence: Sentence, order: Pick<TransferOrder, 'to' | 'amount'>): boolean {
  const { to, amount } = orderIn(sentence);
  return WARNINGS.includes(sentence.key) && to === order.to && amount === order.amount;
}

/** Nobody is told that money moved when it did not, or that it did not when it did. One sentence for each lie. */
export function liesIn(
  told: Told,
  truth: { wallet: Pick<ModelWallet, 'moved' | 'sent'>; intents: ReadonlyMap<string, Intent> },
): string[] {
  const { at, line, sentence } = told;
  const operation = operationIn(sentence, truth.wallet.moved);
  const completedAt = operation?.completedAt;
  const lies: Readonly<Record<string, boolean>> = {
    'transfer.done': completedAt === undefined || completedAt > at || isElsewhere(operation),
    'transfer.failed': completedAt !== undefined && (operation?.reversedAt ?? Number.POSITIVE_INFINITY) > at,
    'transfer.reversed': operation !== undefined && operation.reversedAt === undefined,
    'transfer.refused': refusedButMoved(told, truth),
  };
  return lies[sentence.key]
    ? [
        `at ${new Date(at).toISOString()} ${line.address} was told ${sentence.key} ${referenceIn(sentence) ?? ''}`,
      ]
    : [];
}

/** "Refused" names no reference: it is about the last payment like this one that the address has confirmed. */
function refusedButMoved(
  { at, line, sentence }: Told,
  { wallet, intents }: Parameters<typeof liesIn>[1],
): boolean {
  const { to, amount } = orderIn(sentence);
  const last = line.confirmed
    .filter((each) => each.at <= at && each.to === to && each.amount === amount)
    .at(-1);
  if (!last || at - last.at > REFUSED_WITHIN_MS) return false;
  return wallet.sent.some(
    ({ requestId, order, at: sentAt }) =>
      intents.get(requestId)?.address === line.address &&
      order.to === to &&
      order.amount === amount &&
      sentAt >= last.at &&
      sentAt <= at &&
      wallet.moved.some((each) => each.requestId === requestId && each.completedAt !== undefined),
  );
}

function isElsewhere(operation: Moved | undefined): boolean {
  return operation?.requestId.startsWith(ELSEWHERE) ?? false;
}

function operationIn(sentence: Sentence, moved: readonly Moved[]): Moved | undefined {
  const reference = referenceIn(sentence);
  return (
    moved.find(({ id }) => String(id) === reference) ??
    moved.find(({ requestId }) => shortName(requestId) === reference)
  );
}

function referenceIn({ values }: Sentence): string | undefined {
  return values?.reference && 'code' in values.reference ? values.reference.code : undefined;
}

function orderIn({ values }: Sentence): { to: string | undefined; amount: number | undefined } {
  return {
    to: values?.to && 'phone' in values.to ? values.to.phone : undefined,
    amount: values?.amount && 'money' in values.amount ? values.amount.money : undefined,
  };
}

function shortName(id: string): string {
  return id.slice(0, 8).toUpperCase();
}
