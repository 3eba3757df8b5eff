import type { Payment } from '../../../machines/kit/effects.ts';
import type { Order, Quote } from '../../../machines/kit/order.ts';
import type { Write } from '../../store/store.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Execution } from '../../wallet/wallet.ts';
import { docWrite, type Effect, type EffectDoc, parsed } from '../effects/effect.ts';
import {
  alikeName,
  type Book,
  bookKey,
  EMPTY_BOOK,
  type Entry,
  entered,
  isBusy,
  lookAlikes,
  noted,
} from './book.ts';
import { INTENT_KEPT_MS, type Intent, type IntentState, intentKey, learn, SEND_WITHIN_MS } from './intent.ts';
import { WAYS } from './orders.ts';
import { nextCheck } from './schedule.ts';
import { paymentTold } from './told.ts';

/** What is asked of a payment: the order, what was confirmed, and what was listed before it. */
export interface Paying {
  readonly order: Order;
  readonly quote: Quote;
  readonly before: readonly number[];
}

/**
 * Moves money, once. The claim writes the intent as `sent` and takes the wallet's slot before the first byte goes out;
 * after that nothing is ever sent again for this intent, whatever the answer or the lack of one (docs/safety.md).
 */
export const pay: Effect<Paying, Payment> = {
  kind: 'money',
  keys: ({ wallet, ref }) => [intentKey(ref), ...(wallet ? [bookKey(wallet)] : [])],

  claim([doc, bookDoc], { order, quote, before }, { ref, address, at }) {
    const book = parsed<Book>(bookDoc) ?? EMPTY_BOOK;
    const alike = alikeName(order);
    const unasked = lookAlikes(book, alike, at).some(
      ({ id }) => !quote.alike.some((known) => known.id === id),
    );
    if (isBusy(book, at) || unasked) return { instead: { kind: 'busy' } };
    const intent: Intent = {
      id: ref,
      wallet: order.from,
      address,
      order,
      quote,
      state: 'sent',
      sentAt: at,
      before,
      audit: [
        [quote.at, 'previewed', `fees ${quote.fees}, total ${quote.total}`],
        [at, 'sent', 'confirmed and authenticated'],
      ],
    };
    const entry: Entry = { id: ref, alike, at, state: 'open' };
    return { writes: [intentWrite(doc, intent, at), docWrite(bookDoc, entered(book, entry, at))] };
  },

  async run({ order }, { api, call, at, now }) {
    // A frozen process may wake up long after its claim: by then the customer has been told, and may have paid again.
    if (now() > at + SEND_WITHIN_MS) return { kind: 'unsent' };
    return sorted(await WAYS[order.kind].execute(api, order, call));
  },

  settle([doc, bookDoc], answer, { ref, now }) {
    const before = parsed<Intent>(doc);
    const book = parsed<Book>(bookDoc);
    if (!before || !book) throw new Error(`intent ${ref} is gone`);
    const intent = answered(before, answer, now());
    const writes: Write[] = [];
    if (intent !== before)
      writes.push(intentWrite(doc, intent, now()), docWrite(bookDoc, noted(book, ref, facts(intent))));
    return { writes, output: paymentTold(intent, answer) };
  },

  unsafe: { kind: 'unsent' },
  lost: { kind: 'unknown' },
};

/** The intent after the wallet's answer; what a webhook proved before it stands. */
function answered(intent: Intent, answer: Payment, at: number): Intent {
  if (intent.state !== 'sent' || answer.kind === 'busy' || answer.kind === 'settled') return intent;
  return learn(
    intent,
    answer.kind,
    at,
    'answer of the wallet',
    'operationId' in answer ? answer.operationId : undefined,
  );
}

/** Sorts the wallet's answer to an execution (rule 6). The final status is never read from here. */
function sorted(answer: Answer<Execution>): Payment {
  if (answer.kind === 'ok') {
    const { operationId } = answer.value;
    return { kind: 'accepted', ...(operationId && { operationId }) };
  }
  return answer.kind === 'refused' ? { kind: 'rejected', failure: answer } : { kind: answer.kind };
}

/** What the wallet's book says of an intent. */
export function facts({ state, operationId }: Intent): Partial<Pick<Entry, 'state' | 'operationId'>> {
  return { state: BOOK_STATES[state], ...(operationId && { operationId }) };
}
const BOOK_STATES: Readonly<Record<IntentState, Entry['state']>> = {
  sent: 'open',
  accepted: 'open',
  unknown: 'open',
  'not-found': 'open',
  human: 'open',
  succeeded: 'done',
  reversed: 'void',
  rejected: 'void',
  unsent: 'void',
  failed: 'void',
};

/** How an intent is written: with the moment of its next check. */
export function intentWrite(doc: EffectDoc | undefined, intent: Intent, now: number): Write {
  return { ...docWrite(doc, intent), dueAt: nextCheck(intent, now) ?? null, keepUntil: now + INTENT_KEPT_MS };
}
