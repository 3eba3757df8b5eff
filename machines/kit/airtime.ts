import { assign } from 'xstate';
import type { AirtimeOrder } from '../../src/payments/airtime.ts';
import type { ConfirmedOrder } from '../../src/payments/payments.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { TopUpProduct } from '../../src/wallet/services.ts';
import { calls } from './call.ts';
import { conversation, known, screen, states } from './conversation.ts';
import { chosenOperator, operatorChoices, productChoice, type Recent } from './operators.ts';
import type { Paying } from './paying.ts';
import { amountIn, typedAnswers } from './typed.ts';

/** Products that are offered for one amount: what comes after them nobody turns pages for. */
const PRODUCTS_MAX = 40;

/** The context of a conversation that tops up a phone. */
export interface BuyingAirtime extends Paying {
  to?: Msisdn | undefined;
  operator?: Operator | undefined;
  amount?: Centimes | undefined;
  /** The amount was said before it was asked for. */
  isFilled?: boolean | undefined;
  /** Numbers topped up before, each with its operator, the newest first. */
  recent?: readonly Recent[];
  products?: readonly TopUpProduct[];
}

/** The chosen product, whichever wallet pays it. */
type Airtime = Pick<AirtimeOrder, 'to' | 'operator' | 'amount' | 'product'>;

type OrderOf<Context> = (context: Context, airtime: Airtime) => ConfirmedOrder;

/**
 * From the number to the paying tail: operator, amount and product. `askingNumber` leads to `choosingOperator`. The
 * machine builds the order and has `notEnabled`.
 */
export function choosingAirtime<Context extends BuyingAirtime>(orderOf: OrderOf<Context>) {
  return {
    choosingOperator: choosingOperator<Context>(),
    askingAmount: askingAmount<Context>(),
    readingProducts: readingProducts(orderOf),
    choosingProduct: choosingProduct(orderOf),
  };
}

function choosingOperator<Context extends BuyingAirtime>() {
  return states<Context>()({
    tags: 'resumable',
    shows: ({ to, recent }) => ({
      key: 'top-up.chooseOperator',
      values: { to: { phone: known(to) } },
      choices: operatorChoices(to, recent),
      expects: 'choice',
    }),
    chose: {
      target: 'askingAmount',
      actions: assign(({ event }) => know<Context>({ operator: chosenOperator(event.choice) })),
    },
    back: 'askingNumber',
  });
}

function askingAmount<Context extends BuyingAirtime>() {
  return conversation<Context>().createStateConfig({
    tags: 'resumable',
    always: {
      guard: ({ context }) => context.isFilled === true,
      target: 'readingProducts',
      actions: assign(() => know<Context>({ isFilled: undefined })),
    },
    meta: screen(({ to }) => ({
      key: 'top-up.askAmount',
      values: { to: { phone: known(to) } },
      expects: 'amount',
    })),
    on: {
      said: typedAnswers<Context>()(amountIn, {
        target: 'readingProducts',
        know: (amount) => know<Context>({ amount }),
      }),
      back: 'choosingOperator',
    },
  });
}

/** Where there is nothing to choose from, it is a classic top-up. */
function readingProducts<Context extends BuyingAirtime>(orderOf: OrderOf<Context>) {
  return calls<Context>()('readTopUpProducts', {
    says: 'pay.previewing',
    input: ({ to, amount, operator }) => ({
      to: known(to),
      amount: known(amount),
      operator: known(operator),
    }),
    notEnabled: 'notEnabled',
    ok: [
      {
        if: (products) => products.length === 0,
        target: 'previewing',
        know: (_, context) => know<Context>({ order: orderOf(context, airtime(context)) }),
      },
      { target: 'choosingProduct', know: (all) => know<Context>({ products: all.slice(0, PRODUCTS_MAX) }) },
    ],
    failed: {
      target: 'choosingProduct',
      know: () => know<Context>({ products: [], notice: { key: 'top-up.noCatalog' } }),
    },
  });
}

function choosingProduct<Context extends BuyingAirtime>(orderOf: OrderOf<Context>) {
  return states<Context>()({
    tags: 'resumable',
    shows: ({ to, amount, products = [] }) => ({
      key: 'top-up.chooseProduct',
      values: { to: { phone: known(to) }, amount: { money: known(amount) } },
      choices: [{ id: 'classic', key: 'top-up.classic' }, ...products.map(productChoice)],
      expects: 'choice',
    }),
    chose: {
      target: 'previewing',
      actions: assign(({ event, context }) =>
        know<Context>({ order: orderOf(context, airtime(context, event.choice)) }),
      ),
    },
    back: 'askingAmount',
  });
}

function airtime({ to, operator, amount, products = [] }: BuyingAirtime, choice?: string): Airtime {
  const product = products.find(({ code }) => String(code) === choice);
  return { to: known(to), operator: known(operator), amount: known(amount), ...(product && { product }) };
}

/** Facts of this part are facts of every machine that buys airtime, which the compiler cannot see. */
function know<Context extends BuyingAirtime>(facts: Partial<BuyingAirtime>): Partial<Context> {
  return facts as Partial<Context>;
}
