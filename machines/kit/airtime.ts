import { assign } from 'xstate';
import type { AirtimeOrder } from '../../src/payments/airtime.ts';
import type { ConfirmedOrder } from '../../src/payments/payments.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { TopUpProduct } from '../../src/wallet/services.ts';
import { calls } from './call.ts';
import { decisions } from './choosing.ts';
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
  /** Said with the number. */
  named?: Operator | undefined;
  amount?: Centimes | undefined;
  /** The amount was said before it was asked for. */
  isFilled?: boolean | undefined;
  /** Numbers topped up before, each with its operator, the newest first. */
  recent?: readonly Recent[];
  products?: readonly TopUpProduct[];
  /** Operator and kind are those of this number's last top-up: the PIN page names them and lets them be changed. */
  asLast?: Recent | undefined;
  /** A longer dial goes on behind the number: its digits answer every question, as when it was learnt. */
  isFollowed?: true;
}

/** The chosen product, whichever wallet pays it. */
type Airtime = Pick<AirtimeOrder, 'to' | 'operator' | 'amount' | 'product'>;

type OrderOf<Context> = (context: Context, airtime: Airtime) => ConfirmedOrder;

/**
 * From the number to the paying tail: operator, amount and product. `askingNumber` leads to `choosingOperator`, or to
 * `takingLast` where the history is known. The machine builds the order and has `notEnabled`.
 */
export function choosingAirtime<Context extends BuyingAirtime>(orderOf: OrderOf<Context>) {
  return {
    takingLast: takingLast<Context>(),
    choosingOperator: choosingOperator<Context>(),
    askingAmount: askingAmount<Context>(),
    readingProducts: readingProducts(orderOf),
    choosingProduct: choosingProduct(orderOf),
  };
}

/** A number that was topped up before needs no question for its operator. */
function takingLast<Context extends BuyingAirtime>() {
  const lastOf = ({ to, recent = [] }: Context) =>
    recent.find((each) => each.to === to && each.operator !== undefined);
  return decisions<Context>()(
    {
      if: ({ named }) => named !== undefined,
      target: 'askingAmount',
      know: ({ named }) => know<Context>({ operator: named, named: undefined, asLast: undefined }),
    },
    {
      if: (context) => context.isFollowed !== true && lastOf(context) !== undefined,
      target: 'askingAmount',
      know: (context) => {
        const asLast = lastOf(context);
        return know<Context>({ asLast, operator: asLast?.operator });
      },
    },
    'choosingOperator',
  );
}

/** The choice on the PIN page of a top-up like the last one: its operator and kind are asked, and its amount is kept. */
export const ANOTHER_OPERATOR = {
  choice: { id: 'operator', key: 'top-up.anotherOperator', digit: 1 },
  state: 'choosingOperator',
  if: ({ asLast }: BuyingAirtime) => asLast !== undefined,
  know: () => ({ isFilled: true, order: undefined, quote: undefined }),
} as const;

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
      actions: assign(({ event }) =>
        know<Context>({ operator: chosenOperator(event.choice), asLast: undefined }),
      ),
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

/** True where the kind of the last top-up can be bought once more: a classic one always, a product if it is on offer. */
function takesLast({ asLast }: BuyingAirtime, products: readonly TopUpProduct[]): boolean {
  if (!asLast) return false;
  return asLast.product === undefined || products.some(({ name }) => name === asLast.product);
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
        if: (products, context) => products.length === 0 || takesLast(context, products),
        target: 'previewing',
        know: (products, context) => {
          const bought = products.find(({ name }) => name === context.asLast?.product);
          const airtimeNow = airtime({ ...context, products }, bought && String(bought.code));
          return know<Context>({ order: orderOf(context, airtimeNow) });
        },
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
