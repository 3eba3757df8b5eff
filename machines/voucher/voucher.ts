import { assign } from 'xstate';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import { type Msisdn, nationalNumber, readPhone } from '../../src/wallet/phone.ts';
import type { VoucherArticle, VoucherBrand } from '../../src/wallet/services.ts';
import { conversation, ending, screen } from '../kit/conversation.ts';
import { notEnabled, type Paying, payingTail } from '../kit/paying.ts';
import { problem, saysNotEnabled } from '../kit/problem.ts';
import { readBeneficiary } from './beneficiary.ts';
import { articleChoices, articleOf, brandChoices, brandsFound, described, summary } from './catalog.ts';
import { isEmpty, isLater, type Listed, listed, next, previous } from './listed.ts';

/** Refusals of the preview that another article can mend. */
const ABOUT_ARTICLE: readonly RefusalName[] = [
  'insufficientFunds',
  'articleUnknown',
  'outOfStock',
  'amountInvalid',
];

interface Buying extends Paying {
  /** A brand that was asked for in one line. */
  search?: string | undefined;
  brands?: Listed<VoucherBrand>;
  brand?: VoucherBrand | undefined;
  articles?: Listed<VoucherArticle>;
  article?: VoucherArticle | undefined;
  /** The page that is being read. */
  page: number;
  /** Who gets it as a gift. */
  to?: Msisdn | undefined;
}

/** The customer buys a voucher, for themselves or as a gift. Its code comes once, to the customer, beside the receipt. */
export const voucher = conversation<Buying>().createMachine({
  id: 'voucher',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn, search: input.filled?.search, page: 1 }),
  initial: 'readingBrands',
  output: ending,
  states: {
    readingBrands: {
      meta: screen(() => ({ key: 'pay.previewing', expects: 'nothing' })),
      invoke: {
        src: 'readBrands',
        input: ({ context: { wallet, page } }) => ({ wallet, page }),
        onDone: [
          // A catalog without any brand is a service that is not there ("Sandbox onboarding rules" 4).
          {
            guard: ({ event, context }) =>
              saysNotEnabled(event.output) || (isEmpty(event.output) && !context.brands),
            target: 'notEnabled',
          },
          {
            guard: ({ event, context }) => brandsFound(event.output, context).brand !== undefined,
            target: 'readingArticles',
            actions: assign(({ event, context }) => brandsFound(event.output, context)),
          },
          {
            guard: ({ event, context }) => event.output.kind === 'ok' || context.brands !== undefined,
            target: 'choosingBrand',
            actions: assign(({ event, context }) => brandsFound(event.output, context)),
          },
          { target: 'unread', actions: assign({ notice: ({ event }) => problem(event.output) }) },
        ],
      },
    },
    choosingBrand: {
      meta: screen(({ brands }) => ({
        key: 'voucher.chooseBrand',
        choices: brandChoices(brands),
        expects: 'choice',
      })),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice === 'more',
            target: 'readingBrands',
            actions: assign(({ context }) => ({ page: next(context.brands) })),
          },
          {
            target: 'readingArticles',
            actions: assign(({ event, context }) => ({
              brand: context.brands?.entries.find(({ id }) => String(id) === event.choice),
              page: 1,
            })),
          },
        ],
        back: [
          {
            guard: ({ context }) => isLater(context.brands),
            target: 'readingBrands',
            actions: assign(({ context }) => ({ page: previous(context.brands) })),
          },
          { target: 'left' },
        ],
      },
    },

    readingArticles: {
      meta: screen(() => ({ key: 'pay.previewing', expects: 'nothing' })),
      invoke: {
        src: 'readArticles',
        input: ({ context: { wallet, brand, page } }) => ({ wallet, brand: brand?.id ?? 0, page }),
        onDone: [
          { guard: ({ event }) => saysNotEnabled(event.output), target: 'notEnabled' },
          {
            guard: ({ event, context }) => isEmpty(event.output) && context.page === 1,
            target: 'choosingBrand',
            actions: assign({ notice: { key: 'voucher.noArticles' } }),
          },
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'choosingArticle',
            actions: assign(({ event, context: { articles, page } }) =>
              event.output.kind === 'ok' ? { articles: listed(articles, page, event.output.value) } : {},
            ),
          },
          {
            guard: ({ context }) => context.page > 1,
            target: 'choosingArticle',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          { target: 'choosingBrand', actions: assign({ notice: ({ event }) => problem(event.output) }) },
        ],
      },
    },
    choosingArticle: {
      meta: screen(({ brand, articles }) => ({
        key: 'voucher.chooseArticle',
        values: { brand: { name: brand?.name ?? '' } },
        choices: articleChoices(articles),
        expects: 'choice',
      })),
      on: {
        chose: [
          {
            guard: ({ event }) => event.choice === 'more',
            target: 'readingArticles',
            actions: assign(({ context }) => ({ page: next(context.articles) })),
          },
          {
            target: 'choosingFor',
            actions: assign(({ event, context }) => ({ article: articleOf(context.articles, event.choice) })),
          },
        ],
        back: [
          {
            guard: ({ context }) => isLater(context.articles),
            target: 'readingArticles',
            actions: assign(({ context }) => ({ page: previous(context.articles) })),
          },
          { target: 'choosingBrand' },
        ],
      },
    },
    choosingFor: {
      tags: 'resumable',
      meta: screen<Buying>(described),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'gift', target: 'askingNumber' },
          { target: 'readingName' },
        ],
        back: 'choosingArticle',
      },
    },

    /** The wallet wants a name also where the customer is the beneficiary; a number serves where it does not say one. */
    readingName: {
      meta: screen(() => ({ key: 'pay.previewing', expects: 'nothing' })),
      invoke: {
        src: 'readProfile',
        input: ({ context }) => ({ wallet: context.wallet }),
        onDone: {
          target: 'previewing',
          actions: assign(({ event, context }) => {
            const name =
              event.output.kind === 'ok' ? readBeneficiary(event.output.value.fullName) : undefined;
            return ordered(context, context.wallet, name ?? nationalNumber(context.wallet));
          }),
        },
      },
    },
    askingNumber: {
      tags: 'resumable',
      meta: screen((c) => ({ key: 'voucher.askNumber', values: summary(c), expects: 'phone' })),
      on: {
        said: [
          {
            guard: ({ event }) => readPhone(event.text) !== undefined,
            target: 'askingName',
            actions: assign(({ event }) => ({ to: readPhone(event.text) })),
          },
          { actions: assign({ notice: { key: 'transfer.notANumber' } }) },
        ],
        back: 'choosingFor',
      },
    },
    askingName: {
      tags: 'resumable',
      meta: screen((c) => ({
        key: 'voucher.askName',
        values: { ...summary(c), to: { phone: c.to as Msisdn } },
        expects: 'name',
      })),
      on: {
        said: [
          {
            guard: ({ event }) => readBeneficiary(event.text) !== undefined,
            target: 'previewing',
            actions: assign(({ event, context }) =>
              ordered(context, context.to as Msisdn, readBeneficiary(event.text) as string),
            ),
          },
          { actions: assign({ notice: { key: 'voucher.notAName' } }) },
        ],
        back: 'askingNumber',
      },
    },

    ...payingTail<Buying>({
      amend: 'choosingFor',
      amends: { refusals: ABOUT_ARTICLE, state: 'choosingArticle' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<Buying>('voucher'),
    unread: { type: 'final', meta: screen(() => ({ key: 'voucher.unread', expects: 'nothing' })) },
    left: { type: 'final' },
  },
});

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
