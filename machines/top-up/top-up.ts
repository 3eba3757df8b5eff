import { assign } from 'xstate';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../../src/wallet/phone.ts';
import type { TopUp, TopUpProduct } from '../../src/wallet/services.ts';
import { amountOf, isAmount } from '../kit/amount.ts';
import { conversation, ending, screen } from '../kit/conversation.ts';
import { notEnabled, type Paying, payingTail } from '../kit/paying.ts';
import { problem, saysNotEnabled } from '../kit/problem.ts';
import {
  chosenNumber,
  historyLine,
  numberChoices,
  operatorChoices,
  productChoice,
  type Recent,
  recentOf,
} from './choices.ts';

/** Refusals of the preview that another number can mend. */
const ABOUT_NUMBER: readonly RefusalName[] = ['phoneInvalid', 'topUpRefused'];
/** Products that are offered for one amount: what comes after them nobody turns pages for. */
const PRODUCTS_MAX = 40;
/** Top-ups in the history. */
const HISTORY_MAX = 10;

interface ToppingUp extends Paying {
  to?: Msisdn | undefined;
  operator?: Operator | undefined;
  amount?: Centimes | undefined;
  /** The amount was said before it was asked for. */
  isFilled?: boolean | undefined;
  /** Numbers topped up before, each with its operator, the newest first. */
  recent?: readonly Recent[];
  products?: readonly TopUpProduct[];
  history?: readonly TopUp[];
}

/** The customer tops up a phone. Whose operator it is, is asked: a number is kept when its owner moves to another one. */
export const topUp = conversation<ToppingUp>().createMachine({
  id: 'top-up',
  version: '1',
  context: ({ input: { wallet, filled = {} } }) => ({
    wallet: wallet as Msisdn,
    ...(filled.to && { to: filled.to }),
    ...(filled.amount && { amount: filled.amount, isFilled: true }),
  }),
  initial: 'remembering',
  output: ending,
  states: {
    /** Without what was topped up before, the customer types the number. */
    remembering: {
      meta: screen(() => ({ key: 'pay.previewing', expects: 'nothing' })),
      invoke: {
        src: 'readTopUps',
        input: ({ context }) => ({ wallet: context.wallet }),
        onDone: [
          { guard: ({ event }) => saysNotEnabled(event.output), target: 'notEnabled' },
          {
            target: 'beginning',
            actions: assign(({ event }) => ({
              recent: event.output.kind === 'ok' ? recentOf(event.output.value) : [],
            })),
          },
        ],
      },
    },
    beginning: {
      always: [
        { guard: ({ context }) => context.to !== undefined, target: 'choosingOperator' },
        { target: 'askingNumber' },
      ],
    },
    askingNumber: {
      meta: screen((c) => ({
        key: 'top-up.askNumber',
        choices: numberChoices(c.wallet, c.recent),
        expects: 'phone',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'history', target: 'readingHistory' },
          {
            target: 'choosingOperator',
            actions: assign(({ event, context }) => ({
              to: chosenNumber(event.choice, context.wallet),
            })),
          },
        ],
        said: [
          {
            guard: ({ event }) => readPhone(event.text) !== undefined,
            target: 'choosingOperator',
            actions: assign(({ event }) => ({ to: readPhone(event.text) })),
          },
          { actions: assign({ notice: { key: 'transfer.notANumber' } }) },
        ],
        back: 'left',
      },
    },
    choosingOperator: {
      tags: 'resumable',
      meta: screen((c) => ({
        key: 'top-up.chooseOperator',
        values: { to: { phone: c.to as Msisdn } },
        choices: operatorChoices(c.to, c.recent),
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'askingAmount',
          actions: assign(({ event }) => ({ operator: Number(event.choice) as Operator })),
        },
        back: 'askingNumber',
      },
    },
    askingAmount: {
      tags: 'resumable',
      always: {
        guard: ({ context }) => context.isFilled === true,
        target: 'readingProducts',
        actions: assign({ isFilled: undefined }),
      },
      meta: screen(({ to }) => ({
        key: 'top-up.askAmount',
        values: { to: { phone: to as Msisdn } },
        expects: 'amount',
      })),
      on: {
        said: [
          {
            guard: ({ event }) => isAmount(event.text),
            target: 'readingProducts',
            actions: assign(({ event }) => amountOf(event.text)),
          },
          { actions: assign(({ event }) => amountOf(event.text)) },
        ],
        back: 'choosingOperator',
      },
    },
    readingProducts: {
      meta: screen(() => ({ key: 'pay.previewing', expects: 'nothing' })),
      invoke: {
        src: 'readTopUpProducts',
        input: ({ context: { to, amount, operator } }) => ({
          to: to as Msisdn,
          amount: amount as Centimes,
          operator: operator as Operator,
        }),
        onDone: [
          { guard: ({ event }) => saysNotEnabled(event.output), target: 'notEnabled' },
          {
            guard: ({ event }) => event.output.kind === 'ok' && event.output.value.length === 0,
            target: 'previewing',
            actions: assign(({ context }) => ordered(context)),
          },
          {
            target: 'choosingProduct',
            actions: assign(({ event }) =>
              event.output.kind === 'ok'
                ? { products: event.output.value.slice(0, PRODUCTS_MAX) }
                : { products: [], notice: { key: 'top-up.noCatalog' } },
            ),
          },
        ],
      },
    },
    choosingProduct: {
      tags: 'resumable',
      meta: screen(({ to, amount, products = [] }) => ({
        key: 'top-up.chooseProduct',
        values: { to: { phone: to as Msisdn }, amount: { money: amount as Centimes } },
        choices: [{ id: 'classic', key: 'top-up.classic' }, ...products.map(productChoice)],
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'previewing',
          actions: assign(({ event, context }) => ordered(context, event.choice)),
        },
        back: 'askingAmount',
      },
    },
    ...payingTail<ToppingUp>({
      amend: 'askingAmount',
      amends: { refusals: ABOUT_NUMBER, state: 'askingNumber' },
      notEnabled: 'notEnabled',
    }),
    readingHistory: {
      meta: screen(() => ({ key: 'pay.previewing', expects: 'nothing' })),
      invoke: {
        src: 'readTopUps',
        input: ({ context }) => ({ wallet: context.wallet }),
        onDone: [
          { guard: ({ event }) => saysNotEnabled(event.output), target: 'notEnabled' },
          {
            guard: ({ event }) => event.output.kind === 'ok' && event.output.value.length > 0,
            target: 'showingHistory',
            actions: assign(({ event }) =>
              event.output.kind === 'ok' ? { history: event.output.value.slice(0, HISTORY_MAX) } : {},
            ),
          },
          {
            target: 'askingNumber',
            actions: assign({ notice: ({ event }) => problem(event.output) ?? { key: 'top-up.noHistory' } }),
          },
        ],
      },
    },
    /** Each line can be chosen: the same number is topped up again. */
    showingHistory: {
      meta: screen(({ history = [] }) => ({
        key: 'top-up.history',
        choices: history.map((each, i) => ({ id: String(i), ...historyLine(each) })),
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'beginning',
          actions: assign(({ event, context }) => ({
            to: readPhone(context.history?.[Number(event.choice)]?.to ?? ''),
          })),
        },
        back: 'askingNumber',
      },
    },

    notEnabled: notEnabled<ToppingUp>('top-up'),
    left: { type: 'final' },
  },
});

function ordered(
  { wallet, to, operator, amount, products = [] }: ToppingUp,
  choice = 'classic',
): Partial<ToppingUp> {
  const product = products.find(({ code }) => String(code) === choice);
  return {
    order: {
      kind: 'top-up',
      from: wallet,
      to: to as Msisdn,
      operator: operator as Operator,
      amount: amount as Centimes,
      ...(product && { product }),
    },
  };
}
