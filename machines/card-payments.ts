import type { ConfirmedOrder } from '../src/payments/payments.ts';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import { type Centimes, centimes } from '../src/wallet/money.ts';
import { known, last, machine } from './kit/conversation.ts';
import type { CardPaymentEntry } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { notEnabled, type Paying, payingTail } from './kit/paying.ts';
import { OTHER_PAGES } from './kit/received-payment.ts';
import type { Choice, Values } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';
import { choicesOf, type Entry } from './kit/submenu.ts';
import { amountIn, orTell, type Reading } from './kit/typed.ts';

const ENTRIES: readonly Entry[] = [
  [1, 'card-payment', 'card-payments.link'],
  [2, 'reservations', 'card-payments.reservations'],
  [3, 'card-refund', 'card-payments.refund'],
];
/** With the ways on, no more than a page or a message holds. */
const SHOWN_MAX = 7;
/** Refusals that another payment can avoid. Another amount avoids the others. */
const ABOUT_PAYMENT: readonly RefusalName[] = ['cardPaymentUnknown', 'cardPaymentState'];

interface WithCards extends Paying {
  without?: readonly string[] | undefined;
  /** The step to take: collect a reserved amount, or give back a collected one. */
  what: 'reserved' | 'captured';
  entries?: readonly CardPaymentEntry[];
  /** From 1. */
  page: number;
  chosen?: CardPaymentEntry | undefined;
}

const { call, typed, choose, decide, question, state } = parts<WithCards>();

/**
 * A merchant's card payments: create a link, collect or release a reservation, give back a payment. Only payments by
 * Wasl's own links are listed, as the API lists none by the ids that it asks for.
 */
export const cardPayments = machine<WithCards>({
  id: 'card-payments',
  context: ({ input: { wallet, without } }) => ({
    wallet: known(wallet),
    without,
    what: 'reserved',
    page: 1,
  }),
  initial: 'choosing',
  states: {
    choosing: state({
      shows: (c) => ({
        key: 'card-payments.choose',
        choices: choicesOf(ENTRIES, c),
        expects: 'choice',
      }),
      chose: choose(
        { if: 'card-payment', target: 'linking' },
        {
          target: 'reading',
          know: (choice) => ({
            what: choice === 'reservations' ? ('reserved' as const) : ('captured' as const),
            page: 1,
          }),
        },
      ),
      back: 'left',
    }),
    reading: call('readCardPayments', {
      says: 'card-payments.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: (entries, c) => !entries.some((each) => isListed(c, each)), target: 'empty' },
        {
          target: 'listing',
          know: (entries, c) => ({ entries: entries.filter((each) => isListed(c, each)) }),
        },
      ],
    }),
    listing: state({
      shows: (c) => ({
        key: c.what === 'reserved' ? 'card-payments.chooseReserved' : 'card-payments.chooseCaptured',
        choices: lines(c),
        expects: 'choice',
      }),
      chose: choose(
        {
          if: (choice) => choice in OTHER_PAGES,
          know: (choice, context) => ({ page: context.page + (OTHER_PAGES[choice] ?? 0) }),
        },
        {
          if: (_, context) => context.what === 'reserved',
          target: 'deciding',
          know: (choice, context) => ({ chosen: entryIn(context, choice) }),
        },
        { target: 'choosingPart', know: (choice, context) => ({ chosen: entryIn(context, choice) }) },
      ),
      back: 'choosing',
    }),
    deciding: question(
      (c) => ({ key: 'card-payments.reserved', values: { ...most(c), at: { date: known(c.chosen).at } } }),
      [
        { id: 'capture', key: 'card-payments.capture', target: 'choosingPart' },
        {
          id: 'release',
          key: 'card-payments.release',
          target: 'previewing',
          know: (_, context) => ({ order: release(context) }),
        },
      ],
      { tags: 'resumable', back: 'reading' },
    ),
    /** A question of its own: on USSD a typed `1` must not be both an amount and a choice. */
    choosingPart: state({
      tags: 'resumable',
      shows: (c) => ({
        key: c.what === 'reserved' ? 'card-payments.howMuchCapture' : 'card-payments.howMuchRefund',
        values: most(c),
        choices: [
          { id: 'all', key: 'card-payments.all' },
          { id: 'part', key: 'card-payments.part' },
        ],
        expects: 'choice',
        takesAmount: true,
      }),
      chose: choose(
        { if: 'part', target: 'askingAmount' },
        { target: 'previewing', know: (_, context) => ({ order: orderOf(context, atMost(context)) }) },
      ),
      said: typed(partIn, {
        target: 'previewing',
        know: (amount, context) => ({ order: orderOf(context, amount) }),
      }),
      back: [{ guard: ({ context }) => context.what === 'reserved', target: 'deciding' }, 'reading'],
    }),
    askingAmount: state({
      tags: 'resumable',
      shows: (c) => ({ key: 'card-payments.askAmount', values: most(c), expects: 'amount' }),
      said: typed(partIn, {
        target: 'previewing',
        know: (amount, context) => ({ order: orderOf(context, amount) }),
      }),
      back: 'choosingPart',
    }),
    amending: decide(
      { if: (context) => context.order?.kind === 'card-reverse', target: 'deciding' },
      'choosingPart',
    ),
    ...payingTail<WithCards>({
      amend: 'amending',
      fromBalance: 'fixed',
      amends: { refusals: ABOUT_PAYMENT, state: 'reading' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<WithCards>('card-refund'),
    linking: { type: 'final', output: { next: 'card-payment' } },
    empty: last<WithCards>(({ what }) => ({
      key: what === 'reserved' ? 'card-payments.noneReserved' : 'card-payments.noneCaptured',
    })),
    left: { type: 'final' },
  },
});

/** Something can still be done with it. */
function isListed({ what }: WithCards, entry: CardPaymentEntry): boolean {
  return entry.state === what && remaining(entry) > 0;
}

/** The amount that can still be collected or given back. */
function remaining({ amount, captured = amount, refunds = [] }: CardPaymentEntry): Centimes {
  return centimes(refunds.reduce<number>((rest, each) => rest - each.amount, captured));
}

function lines({ entries = [], page }: WithCards): Choice[] {
  const shown = entries.slice((page - 1) * SHOWN_MAX, page * SHOWN_MAX);
  const way = (id: string, key: SentenceKey): Choice => ({ id, key });
  return [
    ...shown.map(
      (entry): Choice => ({
        id: entry.id,
        key: 'card-payments.line',
        values: { amount: { money: remaining(entry) }, at: { date: entry.at } },
        listed: true,
      }),
    ),
    ...(entries.length > page * SHOWN_MAX ? [way('older', 'merchant-refund.older')] : []),
    ...(page > 1 ? [way('newer', 'merchant-refund.newer')] : []),
  ];
}

function entryIn({ entries }: WithCards, choice: string): CardPaymentEntry | undefined {
  return entries?.find(({ id }) => id === choice);
}

function atMost({ chosen }: WithCards): Centimes {
  return remaining(known(chosen));
}

function most(context: WithCards): Values {
  return { amount: { money: atMost(context) } };
}

/** No more than there is. */
function partIn(text: string, context: WithCards): Reading<Centimes> {
  const amount = amountIn(text);
  if (!amount.ok) return amount;
  const isPart = amount.value <= atMost(context);
  return orTell(isPart ? amount.value : undefined, { key: 'card-payments.tooMuch', values: most(context) });
}

function orderOf({ wallet: from, what, chosen }: WithCards, amount: Centimes): ConfirmedOrder {
  const { id, operationId, orderId, trackId, at, amount: paid, captured = paid } = known(chosen);
  const ids = { id, operationId, orderId, trackId, at };
  return what === 'reserved'
    ? { kind: 'card-capture', from, amount, payment: { ...ids, amount: paid } }
    : { kind: 'card-refund', from, amount, payment: { ...ids, amount: captured } };
}

/** "Amount is the authorization amount to release" (Partner API v2.3): a part of it cannot be. */
function release({ wallet: from, chosen }: WithCards): ConfirmedOrder {
  const { id, operationId, orderId, trackId, at, amount } = known(chosen);
  return { kind: 'card-reverse', from, amount, payment: { id, operationId, orderId, trackId, at, amount } };
}
