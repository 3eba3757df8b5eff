import { assign } from 'xstate';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../../src/wallet/phone.ts';
import type { TopUp, TopUpProduct } from '../../src/wallet/services.ts';
import { calls } from '../kit/call.ts';
import { conversation, ending, known, screen } from '../kit/conversation.ts';
import { chosenOperator, operatorChoices, productChoice, type Recent } from '../kit/operators.ts';
import { type Offering, SAVED_ONES, savedNumbers, TO_SAVED } from '../kit/payees.ts';
import { notEnabled, type Paying, payingTail } from '../kit/paying.ts';
import { amountIn, phoneIn, typedAnswers } from '../kit/typed.ts';
import { chosenNumber, historyLine, numberChoices, recentOf } from './choices.ts';

/** Refusals of the preview that another number can mend. */
const ABOUT_NUMBER: readonly RefusalName[] = ['phoneInvalid', 'topUpRefused'];
/** Products that are offered for one amount: what comes after them nobody turns pages for. */
const PRODUCTS_MAX = 40;
/** Top-ups in the history. */
const HISTORY_MAX = 10;

interface ToppingUp extends Paying, Offering {
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

const call = calls<ToppingUp>();
const typed = typedAnswers<ToppingUp>();

/** The customer tops up a phone. Whose operator it is, is asked: a number is kept when its owner moves to another one. */
export const topUp = conversation<ToppingUp>().createMachine({
  id: 'top-up',
  version: '1',
  context: ({ input: { wallet, filled = {} } }) => ({
    wallet: known(wallet),
    ...(filled.to && { to: filled.to }),
    ...(filled.amount && { amount: filled.amount, isFilled: true }),
  }),
  initial: 'remembering',
  output: ending,
  states: {
    /** Without what was topped up before, the customer types the number. */
    remembering: call('readTopUps', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      on: {
        notEnabled: 'notEnabled',
        ok: { target: 'beginning', know: (history) => ({ recent: recentOf(history) }) },
        failed: { target: 'beginning', know: () => ({ recent: [] }) },
      },
    }),
    beginning: {
      always: [
        { guard: ({ context }) => context.to !== undefined, target: 'choosingOperator' },
        { target: 'askingNumber' },
      ],
    },
    askingNumber: {
      meta: screen((c) => ({
        key: 'top-up.askNumber',
        choices: [...numberChoices(c.wallet, c.recent), SAVED_ONES],
        expects: 'phone',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'history', target: 'readingHistory' },
          TO_SAVED,
          {
            target: 'choosingOperator',
            actions: assign(({ event, context }) => ({
              to: chosenNumber(event.choice, context.wallet),
            })),
          },
        ],
        said: typed(phoneIn, { target: 'choosingOperator', know: (to) => ({ to }) }),
        back: 'left',
      },
    },
    ...savedNumbers<ToppingUp>({ ask: 'askingNumber', taken: 'choosingOperator' }),
    choosingOperator: {
      tags: 'resumable',
      meta: screen((c) => ({
        key: 'top-up.chooseOperator',
        values: { to: { phone: known(c.to) } },
        choices: operatorChoices(c.to, c.recent),
        expects: 'choice',
      })),
      on: {
        chose: {
          target: 'askingAmount',
          actions: assign(({ event }) => ({ operator: chosenOperator(event.choice) })),
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
        values: { to: { phone: known(to) } },
        expects: 'amount',
      })),
      on: {
        said: typed(amountIn, { target: 'readingProducts', know: (amount) => ({ amount }) }),
        back: 'choosingOperator',
      },
    },
    readingProducts: call('readTopUpProducts', {
      says: 'pay.previewing',
      input: ({ to, amount, operator }) => ({
        to: known(to),
        amount: known(amount),
        operator: known(operator),
      }),
      on: {
        notEnabled: 'notEnabled',
        ok: [
          {
            if: (products) => products.length === 0,
            target: 'previewing',
            know: (_, context) => ordered(context),
          },
          { target: 'choosingProduct', know: (all) => ({ products: all.slice(0, PRODUCTS_MAX) }) },
        ],
        failed: {
          target: 'choosingProduct',
          know: () => ({ products: [], notice: { key: 'top-up.noCatalog' } }),
        },
      },
    }),
    choosingProduct: {
      tags: 'resumable',
      meta: screen(({ to, amount, products = [] }) => ({
        key: 'top-up.chooseProduct',
        values: { to: { phone: known(to) }, amount: { money: known(amount) } },
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
    readingHistory: call('readTopUps', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      on: {
        notEnabled: 'notEnabled',
        ok: [
          {
            if: (history) => history.length > 0,
            target: 'showingHistory',
            know: (history) => ({ history: history.slice(0, HISTORY_MAX) }),
          },
          { target: 'askingNumber', know: () => ({ notice: { key: 'top-up.noHistory' } }) },
        ],
        failed: 'askingNumber',
      },
    }),
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
      to: known(to),
      operator: known(operator),
      amount: known(amount),
      ...(product && { product }),
    },
  };
}
