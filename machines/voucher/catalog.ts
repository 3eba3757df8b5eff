import { shopOf } from '../../src/payments/voucher.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Paged, VoucherArticle, VoucherBrand } from '../../src/wallet/services.ts';
import type { Choice, Screen, Sentence, Value, Values } from '../kit/screen.ts';
import { matching } from '../kit/search.ts';
import { type Listed, listed } from './listed.ts';

/** The context of a conversation about one voucher. */
interface Chosen {
  readonly brand?: VoucherBrand | undefined;
  readonly article?: VoucherArticle | undefined;
}

/** The articles of the chosen brand. */
interface ArticlesRead {
  readonly articles?: Listed<VoucherArticle> | undefined;
  readonly isChat?: boolean | undefined;
}

interface Looking {
  readonly brands?: Listed<VoucherBrand>;
  readonly page: number;
  readonly search?: string | undefined;
}

interface Found {
  readonly brands?: Listed<VoucherBrand>;
  readonly brand?: VoucherBrand;
  readonly search?: undefined;
  readonly notice?: Sentence | undefined;
}

/** The brands of one page, by their ids, and the way to the next page. */
export function brandChoices(brands: Listed<VoucherBrand> | undefined): Choice[] {
  return choices(brands, ({ id, name, picture }) => ({
    id: String(id),
    key: 'voucher.brand',
    values: { brand: { name } },
    varies: true,
    ...(picture && { picture }),
  }));
}

/**
 * The context of a conversation that has read a page of brands. `brand`: the brand asked for in one line, where only
 * one can be meant. It is searched on the first page.
 */
export function brandsFound(found: Paged<VoucherBrand>, { brands, page, search }: Looking): Found {
  const known = { brands: listed(brands, page, found), search: undefined };
  if (search === undefined) return known;
  const [brand, ...more] = matching(found.entries, search);
  if (brand) return more.length > 0 ? known : { ...known, brand };
  // It may be on a later page.
  if (known.brands.hasMore) return known;
  return { ...known, notice: { key: 'voucher.noMatch', values: { search: { text: search } } } };
}

/** The articles of a brand. On pages it says here how long they are valid: the page of the PIN comes next. */
export function articlesShown({ brand, articles, isChat }: Chosen & ArticlesRead): Screen {
  const named = { brand: { name: brand?.name ?? '' } };
  const says =
    brand?.validDays && !isChat
      ? ({
          key: 'voucher.chooseArticleValid',
          values: { ...named, validity: validity(brand.validDays) },
        } as const)
      : ({ key: 'voucher.chooseArticle', values: named } as const);
  // On pages a number is that of a row.
  return {
    ...says,
    choices: articleChoices(articles),
    expects: 'choice',
    ...(isChat && { takesAmount: true }),
  };
}

function validity(days: number): Value {
  return { lines: [{ key: 'voucher.validFor', values: { count: { count: days } } }] };
}

/** The articles of one page, by their places on it: an SKU may be any text. */
function articleChoices(articles: Listed<VoucherArticle> | undefined): Choice[] {
  return choices(articles, ({ name, price, picture }, i) => ({
    id: `article${i}`,
    key: namesItsPrice(name, price) ? 'voucher.article' : 'voucher.unpricedArticle',
    values: { article: { name }, price: { money: price } },
    varies: true,
    ...(picture && { picture }),
  }));
}

/** True where the name says the price, as `Kitab 100 DH` does: on USSD it is not said a second time. */
function namesItsPrice(name: string, price: Centimes): boolean {
  const dirhams = String(price / 100);
  return [...name.matchAll(/\d+/g)].some(([digits]) => digits === dirhams);
}

export function articleOf(
  articles: Listed<VoucherArticle> | undefined,
  choice: string,
): VoucherArticle | undefined {
  return articles?.entries[Number(choice.slice('article'.length))];
}

/** The articles on show that cost so much. */
export function articlesAt(articles: Listed<VoucherArticle> | undefined, price: Centimes): VoucherArticle[] {
  return articles?.entries.filter((article) => article.price === price) ?? [];
}

function choices<T>(list: Listed<T> | undefined, choice: (entry: T, i: number) => Choice): Choice[] {
  const more: Choice[] = list?.hasMore ? [{ id: 'more', key: 'voucher.more' }] : [];
  return [...(list?.entries ?? []).map(choice), ...more];
}

/** The values that every screen names once a voucher is chosen. A redial names them too. */
export function summary({ brand, article }: Chosen): Values {
  if (!brand || !article) throw new Error('a voucher is asked about before it is chosen');
  return {
    brand: { name: brand.name },
    article: { name: article.name },
    shop: shopOf(article.name, brand.name),
    amount: { money: article.price },
  };
}

/** The chosen article. Where the wallet does not say what it is, it says so of the brand. */
export function described(chosen: Chosen): Screen {
  const { brand, article } = chosen;
  const validDays = brand?.validDays;
  const picture = article?.picture ?? brand?.picture;
  return {
    key: validDays ? 'voucher.chooseForValid' : 'voucher.chooseFor',
    values: {
      ...summary(chosen),
      description: { text: more(chosen) },
      ...(validDays && {
        validity: validity(validDays),
      }),
    },
    choices: [
      { id: 'me', key: 'voucher.me' },
      { id: 'gift', key: 'voucher.gift' },
    ],
    expects: 'choice',
    takesPhone: true,
    ...(picture && { picture }),
  };
}

/** The wallet's description of an article, without the clauses that name its price or how long it is valid: those have lines of their own. */
function more({ brand, article }: Chosen): string {
  const own = [(article?.price ?? 0) / 100, brand?.validDays].map(String);
  const isOwn = (clause: string) => (clause.match(/\d+/g) ?? []).some((number) => own.includes(number));
  const clauses = (article?.description ?? '').split(/(?<=[.,;])\s+/).filter((clause) => !isOwn(clause));
  return clauses.join(' ').replace(/[,;]$/, '') || brand?.description || brand?.name || '';
}
