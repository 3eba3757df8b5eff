import { assign } from 'xstate';
import { orderValues } from '../../src/payments/payments.ts';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import { type Msisdn, nationalNumber } from '../../src/wallet/phone.ts';
import type { VoucherArticle, VoucherBrand } from '../../src/wallet/services.ts';
import { known, last, machine } from '../kit/conversation.ts';
import { readBeneficiary } from '../kit/name.ts';
import { parts } from '../kit/parts.ts';
import {
  chosenAgain,
  type Offering,
  paidChoices,
  recalling,
  savedNumbers,
  toSaved,
  wayToSaved,
} from '../kit/payees.ts';
import { notEnabled, type Paying, payingTail, renumbering } from '../kit/paying.ts';
import { amountIn, orTell, phoneIn } from '../kit/typed.ts';
import {
  articleOf,
  articlesAt,
  articlesShown,
  brandChoices,
  brandsFound,
  described,
  summary,
} from './catalog.ts';
import { isLater, type Listed, listed, next, previous } from './listed.ts';

/** Refusals of the preview that another article can mend. */
const ABOUT_ARTICLE: readonly RefusalName[] = ['articleUnknown', 'outOfStock', 'amountInvalid'];

interface Buying extends Paying, Offering {
  /** A brand that was asked for in one line. */
  search?: string | undefined;
  /** It was asked for as a gift, and nobody has been asked for yet. */
  isGift?: true | undefined;
  brands?: Listed<VoucherBrand>;
  brand?: VoucherBrand | undefined;
  articles?: Listed<VoucherArticle>;
  article?: VoucherArticle | undefined;
  /** The page that is being read. */
  page: number;
  /** On pages too it is asked whom the voucher is for: the customer has just bought the same one. */
  asksWhom?: true | undefined;
  /** The recipient of a gift. */
  to?: Msisdn | undefined;
  /** As they were called the last time. */
  holder?: string | undefined;
}

const { call, typed, choose, decide, state } = parts<Buying>();

const tail = payingTail<Buying>({
  amend: 'choosingFor',
  fromBalance: 'fixed',
  // It names the person as the customer has called them.
  named: ({ order, quote, wallet, isChat }) =>
    !isChat && order?.kind === 'voucher' && order.to !== wallet
      ? { key: 'voucher.askPinGift', values: orderValues(order, quote) }
      : undefined,
  amends: { refusals: ABOUT_ARTICLE, state: 'choosingArticle' },
  changes: [
    {
      choice: { id: 'gift', key: 'voucher.gift', digit: 1 },
      state: 'recalling',
      // If it was asked whom it is for, a chat asks again only where the customer may not want a second one.
      if: (c) => isForOneself(c) && (c.isChat ? isAlike(c) : !c.asksWhom),
      know: () => ({ order: undefined, quote: undefined }),
    },
  ],
  // In a chat it comes in a message of its own.
  keeps: ({ isChat, outcome, facts, payment }) =>
    !isChat && outcome === 'succeeded' && facts?.codeSent && payment !== undefined
      ? {
          choice: { id: 'code', key: 'voucher.seeCode' },
          next: 'voucher-codes',
          filled: { payment },
        }
      : undefined,
  notEnabled: 'notEnabled',
});

/** The customer buys a voucher, for themselves or as a gift. Its code comes once, to the customer, apart from the receipt. */
export const voucher = machine<Buying>({
  id: 'voucher',
  context: ({ input }) => ({
    ...{ wallet: known(input.wallet), search: input.filled?.search, page: 1 },
    ...(input.filled?.isGift && { isGift: true }),
    ...(input.isChat && { isChat: true }),
  }),
  initial: 'readingBrands',
  on: {
    renumbered: {
      guard: ({ context }) => context.to !== undefined,
      ...renumbering<Buying>('recalling').renumbered,
    },
  },
  states: {
    readingBrands: call('readBrands', {
      says: 'pay.previewing',
      input: ({ wallet, page }) => ({ wallet, page }),
      notEnabled: 'notEnabled',
      ok: [
        // A catalog without any brand is a service that is not there ("Sandbox onboarding rules" 4).
        { if: ({ entries }, { brands }) => entries.length === 0 && !brands, target: 'notEnabled' },
        {
          if: (page, context) => brandsFound(page, context).brand !== undefined,
          target: 'readingArticles',
          know: brandsFound,
        },
        { target: 'choosingBrand', know: brandsFound },
      ],
      failed: [{ if: (_, { brands }) => brands !== undefined, target: 'choosingBrand' }, 'unread'],
    }),
    choosingBrand: state({
      shows: ({ brands, isGift }) => ({
        key: isGift ? 'voucher.chooseBrandGift' : 'voucher.chooseBrand',
        choices: brandChoices(brands),
        expects: 'choice',
      }),
      chose: choose(
        { if: 'more', target: 'readingBrands', know: (_, context) => ({ page: next(context.brands) }) },
        {
          target: 'readingArticles',
          know: (choice, context) => ({
            brand: context.brands?.entries.find(({ id }) => String(id) === choice),
            page: 1,
          }),
        },
      ),
      back: [
        {
          guard: ({ context }) => isLater(context.brands),
          target: 'readingBrands',
          actions: assign(({ context }) => ({ page: previous(context.brands) })),
        },
        { target: 'left' },
      ],
    }),

    readingArticles: call('readArticles', {
      says: 'pay.previewing',
      input: ({ wallet, brand, page }) => ({ wallet, brand: brand?.id ?? 0, page }),
      notEnabled: 'notEnabled',
      ok: [
        {
          if: ({ entries }, { page }) => entries.length === 0 && page === 1,
          target: 'choosingBrand',
          know: () => ({ notice: { key: 'voucher.noArticles' } }),
        },
        {
          target: 'choosingArticle',
          know: (found, { articles, page }) => ({ articles: listed(articles, page, found) }),
        },
      ],
      failed: [{ if: (_, { page }) => page > 1, target: 'choosingArticle' }, 'choosingBrand'],
    }),
    choosingArticle: state({
      shows: articlesShown,
      chose: choose(
        { if: 'more', target: 'readingArticles', know: (_, context) => ({ page: next(context.articles) }) },
        {
          if: (_, { isChat, isGift }) => isChat === true || isGift === true,
          target: 'choosingFor',
          know: (choice, context) => ({ article: articleOf(context.articles, choice) }),
        },
        // On pages a voucher is for oneself, and the page of the PIN leads to a gift.
        {
          target: 'readingName',
          know: (choice, context) => ({
            article: articleOf(context.articles, choice),
            to: undefined,
            asksWhom: undefined,
          }),
        },
      ),
      // The price is what a customer reads on the row.
      said: [
        {
          guard: ({ context, event }) => priced(context, event.text).length === 1,
          target: 'choosingFor',
          actions: assign(({ context, event }) => ({ article: priced(context, event.text)[0] })),
        },
        {
          guard: ({ context, event }) => priced(context, event.text).length > 1,
          actions: assign(({ context, event }) => ({
            articles: { ...known(context.articles), entries: priced(context, event.text), hasMore: false },
          })),
        },
        { actions: assign({ notice: { key: 'nav.chooseOne' } as const }) },
      ],
      back: [
        {
          guard: ({ context }) => isLater(context.articles),
          target: 'readingArticles',
          actions: assign(({ context }) => ({ page: previous(context.articles) })),
        },
        { target: 'choosingBrand' },
      ],
    }),
    choosingFor: {
      always: [
        {
          guard: ({ context }) => context.isGift === true,
          target: 'recalling',
          actions: assign({ isGift: undefined }),
        },
        { guard: ({ context }) => !context.isChat && !context.asksWhom, target: 'choosingArticle' },
      ],
      ...state({
        tags: 'resumable',
        shows: described,
        chose: choose({ if: 'gift', target: 'recalling' }, { target: 'readingName' }),
        // The number of a friend says that it is a gift.
        said: typed(phoneIn, {
          target: 'taking',
          know: (to) => ({ to, chosen: undefined, holder: undefined }),
        }),
        back: 'choosingArticle',
      }),
    },

    taking: decide({ if: ({ to, wallet }) => to === wallet, target: 'readingName' }, 'askingName'),
    /** The wallet wants a name even where the customer is the beneficiary. The number serves if it knows none. */
    readingName: call('readProfile', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      ok: {
        target: 'previewing',
        know: ({ fullName }, c) =>
          ordered(c, c.wallet, readBeneficiary(fullName) ?? nationalNumber(c.wallet)),
      },
      failed: { target: 'previewing', know: (_, c) => ordered(c, c.wallet, nationalNumber(c.wallet)) },
    }),
    recalling: recalling<Buying>('recallingPayees'),
    askingNumber: state({
      tags: 'resumable',
      shows: (c) => ({
        key: 'voucher.askNumber',
        values: summary(c),
        choices: [...paidChoices(c, ['voucher', 'transfer']), ...toSaved(c)],
        expects: 'phone',
      }),
      chose: [chosenAgain<Buying>('naming'), ...wayToSaved<Buying>()],
      said: typed(phoneIn, { target: 'taking', know: (to) => ({ to }) }),
      back: 'choosingFor',
    }),
    ...savedNumbers<Buying>({ ask: 'askingNumber', taken: 'naming' }),
    /**
     * A saved recipient, or one who got a voucher before, has a name. A name that the wallet does not take for a
     * voucher is asked for.
     */
    naming: decide(
      { if: (context) => savedName(context) === undefined, target: 'askingName' },
      {
        target: 'previewing',
        know: (context) => ordered(context, known(context.to), savedName(context) ?? ''),
      },
    ),
    askingName: state({
      tags: 'resumable',
      shows: (c) => ({
        key: 'voucher.askName',
        values: { ...summary(c), to: { phone: known(c.to) } },
        expects: 'name',
      }),
      said: typed((text) => orTell(readBeneficiary(text), { key: 'voucher.notAName' }), {
        target: 'previewing',
        know: (name, context) => ordered(context, known(context.to), name),
      }),
      back: 'askingNumber',
    }),

    ...tail,
    confirming: {
      // Nobody has said yet that a second one is for oneself.
      always: {
        guard: ({ context }) =>
          !context.isChat && !context.asksWhom && isForOneself(context) && isAlike(context),
        target: 'choosingFor',
        actions: assign({ asksWhom: true, order: undefined, quote: undefined } as const),
      },
      ...tail.confirming,
    },
    notEnabled: notEnabled<Buying>('voucher'),
    unread: last('voucher.unread'),
    left: { type: 'final' },
  },
});

/** The articles on show that cost what was typed. */
function priced({ articles }: Buying, text: string): readonly VoucherArticle[] {
  const price = amountIn(text);
  return price.ok ? articlesAt(articles, price.value) : [];
}

function isForOneself({ order, wallet }: Buying): boolean {
  return order?.kind === 'voucher' && order.to === wallet;
}

/** The same voucher was just bought. */
function isAlike({ quote }: Buying): boolean {
  return (quote?.alike.length ?? 0) > 0;
}

function savedName({ chosen, holder = '' }: Buying): string | undefined {
  return readBeneficiary(chosen?.name ?? holder);
}

function ordered({ wallet, brand, article }: Buying, to: Msisdn, beneficiary: string): Partial<Buying> {
  if (!brand || !article) throw new Error('a voucher is ordered before it is chosen');
  const { sku, providerId, name, price } = article;
  return {
    order: {
      kind: 'voucher',
      from: wallet,
      to,
      beneficiary,
      brand: brand.name,
      article: { sku, providerId, name },
      amount: price,
    },
  };
}
