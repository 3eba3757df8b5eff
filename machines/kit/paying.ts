import { assign } from 'xstate';
import { type Authenticating, authentication } from './authentication.ts';
import { conversation, screen } from './conversation.ts';
import type { Payment } from './effects.ts';
import type { Heard } from './input.ts';
import { type Order, orderValues, type Quote, receipt } from './order.ts';
import { isRefusal, problem } from './problem.ts';
import type { Sentence } from './screen.ts';

/** A preview older than this is made again before money moves (docs/safety.md, rule 1). */
export const QUOTE_FRESH_MS = 120_000;
/** After this long without an outcome the customer is told "not confirmed yet" (docs/safety.md, rule 10). */
export const PROCESSING_MS = 10_000;

/** What a paying conversation knows. `order` is complete when the tail begins. */
export interface Paying extends Authenticating {
  order?: Order;
  quote?: Quote;
  outcome?: 'succeeded' | 'failed';
  operationId?: number;
}

/**
 * The one way to move money: preview → confirm → PIN → login → pay → outcome. A paying machine fills `order`, goes to
 * `previewing`, and adds these states to its own.
 * @param on.amend the state where the customer changes the order (after "back" at the confirmation)
 * @param on.amends refusals of the preview, by code, that another state can mend; every other one goes to `amend`
 */
export function payingTail<Context extends Paying>(on: {
  amend: string;
  amends?: { codes: readonly string[]; state: string };
}) {
  const wasl = conversation<Context>();
  const know = (facts: Partial<Paying>) => facts as Partial<Context>;
  const summary = ({ order, quote }: Paying) => orderValues(placed(order), quote);
  const key = ({ order }: Paying, sentence: string) => `${placed(order).kind}.${sentence}`;

  return {
    previewing: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen((c) => ({ key: 'pay.previewing', values: summary(c), expects: 'nothing' })),
      invoke: {
        src: 'preview',
        input: ({ context }) => ({ order: placed(context.order) }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'confirming',
            actions: assign(({ event, context }) =>
              event.output.kind === 'ok' ? know(quoted(context, event.output.value)) : {},
            ),
          },
          {
            guard: ({ event }) => isRefusal(event.output, ...(on.amends?.codes ?? [])),
            target: on.amends?.state ?? on.amend,
            actions: assign(({ event }) => know({ notice: problem(event.output) })),
          },
          {
            guard: ({ event }) => event.output.kind === 'refused',
            target: on.amend,
            actions: assign(({ event }) => know({ notice: problem(event.output) })),
          },
          { target: 'unavailable' },
        ],
      },
    }),

    confirming: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen((c) => ({
        key: key(c, confirmation(c)),
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
          { guard: ({ event, context }) => event.at - since(context) > QUOTE_FRESH_MS, target: 'previewing' },
          { target: 'askingPin' },
        ],
        back: on.amend,
        resumed: 'previewing',
      },
    }),

    ...authentication<Context>((c) => ({ key: key(c, 'askPin'), values: summary(c), expects: 'pin' }), {
      next: 'paying',
      back: 'confirming',
      checkpoint: 'previewing',
    }),

    paying: wasl.createStateConfig({
      tags: 'sent',
      meta: screen((c) => ({ key: key(c, 'processing'), values: summary(c), expects: 'nothing' })),
      invoke: {
        src: 'pay',
        input: ({ context }) => ({ order: placed(context.order), quote: context.quote as Quote }),
        onDone: [
          {
            guard: ({ event }) => 'operationId' in event.output,
            target: 'settled',
            actions: assign(({ event }) => know(outcomeOf(event.output))),
          },
          { guard: ({ event }) => event.output.kind === 'accepted', target: 'processing' },
          { guard: ({ event }) => event.output.kind === 'unknown', target: 'notConfirmed' },
          { target: 'refused', actions: assign(({ event }) => know({ notice: whyNot(event.output) })) },
        ],
      },
    }),

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
        receipt(placed(c.order), c.quote as Quote, c.outcome ?? 'failed', c.operationId ?? 0),
      ),
    }),
    /** Proven not to have moved anything. The notice says why. */
    refused: wasl.createStateConfig({
      type: 'final',
      meta: screen((c) => ({ key: key(c, 'refused'), values: summary(c), expects: 'nothing' })),
    }),
    cancelled: wasl.createStateConfig({
      type: 'final',
      meta: screen((c) => ({ key: key(c, 'cancelled'), values: summary(c), expects: 'nothing' })),
    }),
    unavailable: wasl.createStateConfig({
      tags: 'resumable',
      meta: screen((c) => ({
        key: 'pay.unavailable',
        values: summary(c),
        choices: [
          { id: 'again', key: 'pay.again' },
          { id: 'cancel', key: 'pay.cancel' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'cancel', target: 'cancelled' },
          { target: 'previewing' },
        ],
        back: on.amend,
        resumed: 'previewing',
      },
    }),
  };
}

function learnt(event: Extract<Heard, { type: 'outcome' }>): Partial<Paying> {
  return { outcome: event.outcome, operationId: event.operationId };
}

/** A name is shown only where the preview gives one; a wallet of another provider is always pointed out. */
function confirmation({ quote }: Paying): string {
  if (quote?.openLoop) return 'confirmOpenLoop';
  return quote?.recipientName ? 'confirmNamed' : 'confirm';
}

/** A new preview of an order that was quoted otherwise before is pointed out. */
function quoted({ quote: before }: Paying, quote: Quote): Partial<Paying> {
  const changed =
    before !== undefined && (before.total !== quote.total || before.openLoop !== quote.openLoop);
  return { quote, notice: changed ? { key: 'pay.changed' } : undefined };
}

/** A webhook was faster than the answer: the outcome is known already. */
function outcomeOf(payment: Payment): Partial<Paying> {
  return 'operationId' in payment ? { outcome: payment.kind, operationId: payment.operationId } : {};
}

function whyNot(payment: Payment): Sentence | undefined {
  if (payment.kind === 'rejected') return problem(payment.failure);
  return { key: payment.kind === 'busy' ? 'pay.busy' : 'problem.unavailable' };
}

function since({ quote }: Paying): number {
  return quote?.at ?? 0;
}

function placed(order: Order | undefined): Order {
  if (!order) throw new Error('the paying tail began without an order');
  return order;
}
