import { assign } from 'xstate';
import { methodOf, type Order, orderValues, type PaymentKind } from '../../src/payments/payments.ts';
import { costsSame, type LookedAgain, QUOTE_FRESH_MS, type Quote } from '../../src/payments/quote.ts';
import { receipt } from '../../src/payments/receipt.ts';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import { type Authenticating, authentication } from './authentication.ts';
import { calls } from './call.ts';
import { conversation, type Remembered, screen } from './conversation.ts';
import type { Heard, Learnt } from './input.ts';
import { type Failure, isRefusal, problem } from './problem.ts';
import type { FilesWith, SentenceKey } from './sentence-key.ts';

/** After this long without an outcome the customer is told "not confirmed yet" (docs/safety.md, rule 10). */
const PROCESSING_MS = 10_000;

/** What the tail says of every payment in the words of its own file. */
type OfEveryPayment = 'askPin' | 'processing' | 'notConfirmed' | 'refused' | 'cancelled';

/** What a paying conversation knows. `order` is complete when the tail begins. */
export interface Paying extends Authenticating, Partial<Learnt> {
  order?: Order | undefined;
  quote?: Quote | undefined;
  /** The customer said yes to this quote, which was too old by then. */
  agreed?: true | undefined;
  /** Operations that were listed before the money was sent. */
  before?: readonly number[];
}

/**
 * The one way to move money: preview → confirm → PIN → login → pay → outcome. A paying machine fills `order`, goes to
 * `previewing`, and adds these states to its own.
 * @param on.amend the state where the customer changes the order (after "back" at the confirmation)
 * @param on.amends refusals of the preview or of what is read after the PIN, that another state can mend; every
 *   other one of the preview goes to `amend`
 * @param on.notEnabled the final state of a service that the wallet does not have (see `notEnabled`)
 */
export function payingTail<Context extends Paying>(on: {
  amend: string;
  amends?: { refusals: readonly RefusalName[]; state: string };
  notEnabled?: string;
}) {
  const wasl = conversation<Context>();
  const call = calls<Context>();
  const know = (facts: Partial<Paying>) => facts as Partial<Context>;
  const summary = ({ order, quote }: Paying) => orderValues(placed(order), quote);
  const key = ({ order }: Paying, name: OfEveryPayment) => `${placed(order).kind}.${name}` as const;
  /** Said of a payment that was not made. Beside another one just like it, it must not seem to speak of that one. */
  const ofThis = (context: Paying, name: 'refused' | 'cancelled') =>
    context.quote && context.quote.alike.length > 0 ? 'pay.noSecond' : key(context, name);
  const toAmend = (failure: Failure) => know({ notice: problem(failure), quote: undefined });
  const amendable = {
    if: (refusal: Failure) => isRefusal(refusal, ...(on.amends?.refusals ?? [])),
    target: on.amends?.state ?? on.amend,
    know: toAmend,
  };
  /** The state says it all. */
  const unavailable = { target: 'unavailable', know: () => know({}) };

  return {
    previewing: {
      tags: 'resumable' as const,
      ...call('preview', {
        says: (c) => ({ key: 'pay.previewing', values: summary(c) }),
        input: ({ order }) => ({ order: placed(order) }),
        on: {
          ok: [
            {
              if: (quote, context) => context.agreed === true && isSame(context.quote, quote),
              target: 'askingPin',
              know: (quote, context) => know(quoted(context, quote)),
            },
            { target: 'confirming', know: (quote, context) => know(quoted(context, quote)) },
          ],
          ...(on.notEnabled && { notEnabled: on.notEnabled }),
          refused: [amendable, { target: on.amend, know: toAmend }],
          busy: 'busy',
          failed: unavailable,
        },
      }),
      exit: assign<Context, Heard, undefined, Heard, never>(() => know({ agreed: undefined })),
    },

    confirming: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen((c) => ({
        key: confirmation(c),
        values: summary(c),
        choices: [
          { id: 'confirm', key: 'pay.confirm' },
          { id: 'cancel', key: 'pay.cancel' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'cancel', target: 'cancelled' },
          {
            guard: ({ event, context }) => event.at - since(context) > QUOTE_FRESH_MS,
            target: 'previewing',
            actions: assign(() => know({ agreed: true })),
          },
          { target: 'askingPin' },
        ],
        back: { target: on.amend, actions: assign(() => know({ quote: undefined })) },
        resumed: 'previewing',
      },
    }),

    ...authentication<Context>(
      (c) => ({ key: key(c, 'askPin'), values: summary(c), expects: 'pin' }),
      { next: 'lookingAgain', back: 'confirming', checkpoint: 'previewing' },
      {
        // Where the session ends here, the payment may be made all the same.
        checking: (c) => ({ key: 'pay.checkingPin', values: summary(c) }),
        lost: { key: 'pay.pinLost' },
        refused: (c) => ({ key: 'pay.notSent', values: summary(c) }),
      },
    ),

    /** The PIN was right. What has changed since the confirmation is asked about before anything is sent. */
    lookingAgain: call('lookAgain', {
      says: (c) => ({ key: 'pay.previewing', values: summary(c) }),
      input: ({ order, quote }) => ({ order: placed(order), quote: confirmed(quote) }),
      on: {
        ok: [
          { if: isNothingNew, target: 'paying', know: ({ before }) => know({ before }) },
          { target: 'confirming', know: (found, context) => know(asksAgain(context, found)) },
        ],
        refused: amendable,
        failed: unavailable,
      },
    }),

    paying: {
      tags: 'sent' as const,
      ...call('pay', {
        says: (c) => ({ key: key(c, 'processing'), values: summary(c) }),
        input: ({ order, quote, before = [] }) => ({ order: placed(order), quote: confirmed(quote), before }),
        on: {
          settled: { target: 'settled', know: (payment) => know(learnt(payment)) },
          accepted: 'processing',
          unknown: 'notConfirmed',
          busy: 'busy',
          rejected: { target: 'refused', know: ({ failure }) => know({ notice: problem(failure) }) },
          // Proven unsent.
          failed: 'refused',
        },
      }),
    },

    processing: wasl.createStateConfig({
      tags: 'sent',
      meta: screen((c) => ({ key: key(c, 'processing'), values: summary(c), expects: 'nothing' })),
      after: { [PROCESSING_MS]: 'notConfirmed' },
      on: { outcome: { target: 'settled', actions: assign(({ event }) => know(learnt(event))) } },
    }),
    notConfirmed: wasl.createStateConfig({
      tags: 'sent',
      meta: screen((c) => ({ key: key(c, 'notConfirmed'), values: summary(c), expects: 'nothing' })),
      on: { outcome: { target: 'settled', actions: assign(({ event }) => know(learnt(event))) } },
    }),

    settled: wasl.createStateConfig({
      type: 'final',
      meta: screen((c) =>
        receipt({
          order: placed(c.order),
          quote: confirmed(c.quote),
          outcome: c.outcome ?? 'human',
          reference: c.reference ?? '',
          facts: c.facts,
          operationId: c.operationId,
        }),
      ),
    }),
    /** Proven not to have moved anything. The notice says why. */
    refused: wasl.createStateConfig({
      type: 'final',
      meta: screen((c) => ({ key: ofThis(c, 'refused'), values: summary(c), expects: 'nothing' })),
    }),
    cancelled: wasl.createStateConfig({
      type: 'final',
      // It names no amount: whatever is open beside it must not be taken for it.
      meta: screen((c) => ({ key: ofThis(c, 'cancelled'), expects: 'nothing' })),
    }),
    /** Given up where nobody has looked yet at what is like it. */
    notSent: wasl.createStateConfig({
      type: 'final',
      meta: screen((c) => ({ key: 'pay.notSent', values: summary(c), expects: 'nothing' })),
    }),
    unavailable: stopped('pay.unavailable'),
    /** Another payment of this wallet is under way: nothing was sent, and this one can go on once that is over. */
    busy: stopped('pay.busy'),
  };

  /** A stop before anything was sent: the customer tries again, changes the order or leaves it. */
  function stopped(key: SentenceKey) {
    return wasl.createStateConfig({
      tags: 'resumable',
      meta: screen((c) => ({
        key,
        values: summary(c),
        choices: [
          { id: 'again', key: 'pay.again' },
          { id: 'cancel', key: 'pay.cancel' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'cancel', target: 'notSent' },
          { target: 'previewing' },
        ],
        back: { target: on.amend, actions: assign(() => know({ quote: undefined })) },
        resumed: 'previewing',
      },
    });
  }
}

/**
 * The final state of a conversation whose service the wallet does not have: it says so with `<kind>.notEnabled`, and the
 * menu leaves the entry out for the rest of the visit. Its machine needs `output: ending`.
 */
export function notEnabled<Context extends Remembered>(kind: FilesWith<'notEnabled'> & PaymentKind) {
  return conversation<Context>().createStateConfig({
    type: 'final',
    meta: screen(() => ({ key: `${kind}.notEnabled`, expects: 'nothing' })),
    output: { notEnabled: kind },
  });
}

function learnt({ outcome, reference, facts, operationId }: Learnt): Partial<Paying> {
  return { outcome, reference, ...(facts && { facts }), ...(operationId && { operationId }) };
}

/** A payment just like it comes first: paying twice is the mistake that hurts most. */
function confirmation({ order, quote }: Paying): SentenceKey {
  const { kind } = placed(order);
  if (quote?.alike.some(({ open }) => open)) return `${kind}.confirmUnconfirmed`;
  if (quote && quote.alike.length > 0) return `${kind}.confirmAgain`;
  return (quote && methodOf({ kind }).confirmation?.(quote)) ?? `${kind}.confirm`;
}

/** A new preview of an order that was quoted otherwise before is pointed out. */
function quoted({ quote: before }: Paying, quote: Quote): Partial<Paying> {
  return { quote, notice: before && !costsSame(before, quote) ? { key: 'pay.changed' } : undefined };
}

/** True when a new preview shows nothing that the customer has not agreed to already. */
function isSame(agreed: Quote | undefined, quote: Quote): boolean {
  return (
    agreed !== undefined &&
    costsSame(agreed, quote) &&
    quote.alike.every(({ id, open }) => agreed.alike.some((old) => old.id === id && old.open === open))
  );
}

function isNothingNew({ alike, requoted }: LookedAgain): boolean {
  return alike.length === 0 && requoted === undefined;
}

/** Another price, or look-alikes that came up after the confirmation: the customer is asked again, knowing them. */
function asksAgain({ quote }: Paying, { alike, requoted }: LookedAgain): Partial<Paying> {
  if (requoted) return { quote: requoted, notice: { key: 'pay.changed' } };
  const before = confirmed(quote);
  return { quote: { ...before, alike: [...before.alike, ...alike] }, notice: { key: 'pay.alikeSince' } };
}

function since({ quote }: Paying): number {
  return quote?.at ?? 0;
}

function confirmed(quote: Quote | undefined): Quote {
  if (!quote) throw new Error('the paying tail went on without a quote');
  return quote;
}

function placed(order: Order | undefined): Order {
  if (!order) throw new Error('the paying tail began without an order');
  return order;
}
