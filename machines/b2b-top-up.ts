import { assign } from 'xstate';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import type { Operator } from '../src/wallet/contract/telco.ts';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { TopUpProduct } from '../src/wallet/services.ts';
import { calls } from './kit/call.ts';
import { conversation, ending, known, screen } from './kit/conversation.ts';
import { chosenOperator, operatorChoices, productChoice } from './kit/operators.ts';
import { notEnabled, type Paying, payingTail } from './kit/paying.ts';
import { amountIn, phoneIn, typedAnswers } from './kit/typed.ts';

/** Refusals that another number can mend, and what nothing can: it begins anew then, as who acts for nobody. */
const BEGINS_ANEW: readonly RefusalName[] = ['phoneInvalid', 'topUpRefused', 'noPrincipal'];
/** Products that are offered for one amount: what comes after them nobody turns pages for. */
const PRODUCTS_MAX = 40;

interface ToppingUp extends Paying {
  /** The principal agent's code. */
  code: string;
  to?: Msisdn | undefined;
  operator?: Operator | undefined;
  amount?: Centimes | undefined;
  products?: readonly TopUpProduct[];
}

const call = calls<ToppingUp>();
const typed = typedAnswers<ToppingUp>();

/** Somebody tops up a phone from the float of the principal agent that their number acts for. What it costs nobody can say before. */
export const b2bTopUp = conversation<ToppingUp>().createMachine({
  id: 'b2b-top-up',
  version: '1',
  context: ({ input: { wallet, principal } }) => ({ wallet: known(wallet), code: principal ?? '' }),
  initial: 'askingNumber',
  output: ending,
  states: {
    askingNumber: {
      meta: screen(() => ({ key: 'b2b-top-up.askNumber', expects: 'phone' })),
      on: {
        said: typed(phoneIn, { target: 'choosingOperator', know: (to) => ({ to }) }),
        back: 'left',
      },
    },
    choosingOperator: {
      tags: 'resumable',
      meta: screen(({ to }) => ({
        key: 'top-up.chooseOperator',
        values: { to: { phone: known(to) } },
        choices: operatorChoices(to),
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
      entry: assign({ order: undefined, quote: undefined }),
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
      amends: { refusals: BEGINS_ANEW, state: 'askingNumber' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<ToppingUp>('b2b-top-up'),
    left: { type: 'final', output: { next: 'principal' } },
  },
});

function ordered(
  { wallet, code, to, operator, amount, products = [] }: ToppingUp,
  choice = 'classic',
): Partial<ToppingUp> {
  const product = products.find((each) => String(each.code) === choice);
  return {
    order: {
      kind: 'b2b-top-up',
      from: wallet,
      code,
      to: known(to),
      operator: known(operator),
      amount: known(amount),
      ...(product && { product }),
    },
  };
}
