import type { ReceivedPayment } from '../src/payments/merchant-refund.ts';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import { OPERATION_TYPES } from '../src/wallet/contract/fields.ts';
import type { Centimes } from '../src/wallet/money.ts';
import { known, last, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { notEnabled, type Paying, payingTail } from './kit/paying.ts';
import {
  isGivenBack,
  OTHER_PAGES,
  type PaymentsPage,
  paymentChoices,
  receivedPayment,
} from './kit/received-payment.ts';
import type { Choice, Values } from './kit/screen.ts';
import { amountIn, orTell, type Reading } from './kit/typed.ts';

/** Only what came from another wallet: a payment by card goes back to the card. */
const TYPES: readonly number[] = [OPERATION_TYPES.MOBILE_PAYMENT];
/** Refusals of the preview that another payment can avoid. Another amount avoids the others. */
const ABOUT_PAYMENT: readonly RefusalName[] = [
  'originalUnknown',
  'originalOther',
  'originalNotDone',
  'customerNotFound',
  'recipientUnavailable',
  'recipientLimit',
];

/**
 * Money that a customer sent is no merchant payment, and the wallet has no call that gives it back. So the merchant
 * sends it.
 */
const BY_TRANSFER = {
  id: 'transfer',
  key: 'merchant-refund.byTransfer',
  varies: true,
} as const satisfies Choice;

interface Refunding extends Paying, PaymentsPage {
  original?: ReceivedPayment | undefined;
}

const { call, typed, choose, decide, state } = parts<Refunding>();

/** A merchant gives back a payment that a customer made from their wallet: all of it, or a part. */
export const merchantRefund = machine<Refunding>({
  id: 'merchant-refund',
  context: ({ input: { wallet, filled } }) => ({
    wallet: known(wallet),
    page: 1,
    ...(filled?.original && { original: filled.original }),
  }),
  initial: 'beginning',
  states: {
    beginning: decide({ if: (context) => context.original !== undefined, target: 'choosing' }, 'reading'),
    reading: call('readPayments', {
      says: 'merchant-refund.reading',
      input: ({ wallet, page }) => ({ wallet, types: TYPES, page }),
      ok: [
        {
          if: ({ payments, isLast }, { page }) => payments.length === 0 && isLast && page === 1,
          target: 'empty',
        },
        { target: 'listing', know: (read) => read },
      ],
      failed: 'unread',
    }),
    listing: state({
      shows: (c) => ({
        key: 'merchant-refund.list',
        choices: [...paymentChoices('merchant-refund', c), BY_TRANSFER],
        expects: 'choice',
      }),
      chose: choose(
        { if: BY_TRANSFER.id, target: 'toTransfer' },
        {
          if: (choice) => choice in OTHER_PAGES,
          target: 'reading',
          know: (choice, context) => ({ page: context.page + (OTHER_PAGES[choice] ?? 0) }),
        },
        {
          if: (choice, context) => chosen(context, choice) !== undefined,
          target: 'choosing',
          know: (choice, context) => ({ original: chosen(context, choice) }),
        },
        {
          if: (choice, context) => isDone(context, choice),
          know: () => ({ notice: { key: 'merchant-refund.givenBack' } }),
        },
        { know: () => ({ notice: { key: 'merchant-refund.notHere' } }) },
      ),
      back: 'left',
    }),
    /** A question of its own: on USSD a typed `1` must not be both an amount and a choice. */
    choosing: state({
      tags: 'resumable',
      shows: (c) => ({
        key: isWhole(c) ? 'merchant-refund.howMuch' : 'merchant-refund.howMuchLeft',
        values: ofOriginal(c),
        choices: [
          { id: 'all', key: isWhole(c) ? 'merchant-refund.all' : 'merchant-refund.rest' },
          { id: 'part', key: 'merchant-refund.part' },
        ],
        expects: 'choice',
        takesAmount: true,
      }),
      chose: choose(
        { if: 'part', target: 'askingAmount' },
        { target: 'previewing', know: (_, context) => order(context, refundable(context)) },
      ),
      said: typed(partIn, { target: 'previewing', know: (amount, context) => order(context, amount) }),
      back: 'reading',
    }),
    askingAmount: state({
      tags: 'resumable',
      shows: (c) => ({ key: 'merchant-refund.askAmount', values: ofOriginal(c), expects: 'amount' }),
      said: typed(partIn, { target: 'previewing', know: (amount, context) => order(context, amount) }),
      back: 'choosing',
    }),
    ...payingTail<Refunding>({
      amend: 'choosing',
      fromBalance: 'fixed',
      amends: { refusals: ABOUT_PAYMENT, state: 'reading' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<Refunding>('merchant-refund'),
    empty: last(() => ({ key: 'merchant-refund.none', choices: [BY_TRANSFER] }), {
      output: { offer: { choice: BY_TRANSFER.id, next: 'transfer', filled: {} } },
    }),
    toTransfer: { type: 'final', output: { next: 'transfer' } },
    unread: last('merchant-refund.notRead'),
    left: { type: 'final' },
  },
});

function chosen({ payments = [] }: Refunding, choice: string): ReceivedPayment | undefined {
  const payment = payments.find(({ id }) => String(id) === choice);
  return payment && !isGivenBack(payment) ? receivedPayment(payment) : undefined;
}

function isDone({ payments = [] }: Refunding, choice: string): boolean {
  return payments.some((each) => String(each.id) === choice && isGivenBack(each));
}

/** True while nothing of it was given back. */
function isWhole({ original }: Refunding): boolean {
  return known(original).left === undefined;
}

function refundable({ original }: Refunding): Centimes {
  const { amount, left = amount } = known(original);
  return left;
}

function ofOriginal(context: Refunding): Values {
  const { payer, amount, at } = known(context.original);
  return {
    to: { masked: payer },
    paid: { money: amount },
    paidAt: { date: at },
    left: { money: refundable(context) },
  };
}

/** No more than is left as far as Wasl knows: what other channels have given back is the wallet's to know. */
function partIn(text: string, context: Refunding): Reading<Centimes> {
  const amount = amountIn(text);
  if (!amount.ok) return amount;
  const isPart = amount.value <= refundable(context);
  return orTell(isPart ? amount.value : undefined, {
    key: 'merchant-refund.tooMuch',
    values: ofOriginal(context),
  });
}

function order({ wallet, original }: Refunding, amount: Centimes): Partial<Refunding> {
  const { payer, left: _left, ...paid } = known(original);
  return { order: { kind: 'merchant-refund', from: wallet, to: payer, amount, original: paid } };
}
