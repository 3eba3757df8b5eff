import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { centimes, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { Core, Request, SomeHandlers } from '../core/core.ts';
import { PAGE_SIZE_MAX } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { getCustomer, usableCustomer } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { requireFunds } from '../ledger/amounts.ts';
import { voucherFees } from '../ledger/fees.ts';
import { executeOperation, paidBy } from '../operations/operation.ts';
import { nowIso } from '../time/clock.ts';
import { ARTICLES, type Article, BRANDS, type Brand, OUT_OF_STOCK_SKU, PROVIDER_ID } from './catalog.ts';

/** The order of both flows. */
type Order = Omit<Request<Api['executeServiceVoucher']>['body'], 'skuId'>;
type Asked = Pick<Request, 'tenant' | 'requestId' | 'struck'> & { readonly body: Order };
/**
 * Vouchers: brands, their articles, and the purchase (Partner API v2.3, "Vouchers"). Not shown in v2.3: the voucher comes
 * with the answer, which is final (open question 8), and can never be read again. The second flow buys the same articles under
 * the ids of the local catalog.
 */
export const vouchers = {
  listBrands(core, { tenant, query }) {
    getCustomer(core, tenant, query.phoneNumber);
    return page(BRANDS.map(brandOf), query);
  },

  readBrand(_core, { params }) {
    const brand = BRANDS.find(({ id }) => id === params.id);
    return brand ? brandOf(brand) : refuse('articleUnknown', { detail: 'no such brand' });
  },

  listArticles(core, { tenant, query }) {
    getCustomer(core, tenant, query.phoneNumber);
    if (query.brandId === undefined && core.settings.articlesWithoutBrand === 'refused')
      refuse('missingParameters', { detail: 'brandId' });
    return page(ARTICLES.filter(isOf(query.brandId)).map(articleOf), query);
  },

  /** Not shown in v2.3: what the keyword is looked for in. Here name, description and brand. */
  listVouchers(core, { tenant, query }) {
    getCustomer(core, tenant, query.phoneNumber);
    const isNameOnly = core.settings.voucherKeyword === 'name';
    const keyword = query.keyword?.toLowerCase() ?? '';
    const found = ARTICLES.filter(isOf(query.brandId)).filter(({ brand, name, description }) =>
      (isNameOnly ? name : `${name} ${description} ${brand.name}`).toLowerCase().includes(keyword),
    );
    return page(found.map(localOf), query);
  },

  previewVoucher: (core, request) => previewed(core, request, ofProvider(request.body)),
  executeVoucher: (core, request) => executed(core, request, ofProvider(request.body)),
  previewServiceVoucher: (core, request) => previewed(core, request, ofCatalog(request.body)),
  executeServiceVoucher: (core, request) => executed(core, request, ofCatalog(request.body)),
} satisfies SomeHandlers;

/** An order that has passed all checks. */
type Checked = ReturnType<typeof check>;

/** The same for preview and execution. */
function check(core: Core, { tenant, body }: Asked, article: Article | undefined) {
  if (!readPhone(body.destinationPhoneNumber)) refuse('phoneInvalid', { detail: 'not a mobile number' });
  if (!article) refuse('articleUnknown');
  const customer = usableCustomer(core, tenant, body.customerPhoneNumber);
  if (article.sku === OUT_OF_STOCK_SKU) refuse('outOfStock');
  const fees = voucherFees(article.price);
  requireFunds(core, customer.account, article.price + fees);
  return { customer, article, fees };
}

function costs(core: Core, { article, fees }: Checked) {
  return {
    feesAmount: toDecimal(fees),
    totalAmount: toDecimal(centimes(article.price + fees)),
    checkedAt: nowIso(core),
    openLoop: false,
  };
}

function previewed(core: Core, request: Asked, article: Article | undefined) {
  const checked = check(core, request, article);
  const { name, price } = checked.article;
  const operation = { ...request.body, voucherName: name, amount: toDecimal(price) };
  return { type: OPERATION_TYPES.VOUCHER, operation, ...costs(core, checked) };
}

function executed(core: Core, request: Asked, article: Article | undefined) {
  const checked = check(core, request, article);
  const { customer, fees } = checked;
  const { name, description, price } = checked.article;
  const { destinationPhoneNumber: to, beneficiaryName } = request.body;
  const operation = executeOperation(
    core,
    request,
    {
      ...paidBy(customer),
      ...{ type: OPERATION_TYPES.VOUCHER, amount: price, fees, reason: name, receiver: to },
    },
    to === MAGIC.failsLater ? undefined : 0,
  );
  const issued = operation.status === STATUSES.COMPLETED;
  return {
    type: operation.type,
    operationId: operation.id,
    transactionStatus: operation.status,
    operation: {
      operationType: operation.type,
      voucherName: name,
      amount: toDecimal(price),
      cashBack: 0,
      totalAmount: toDecimal(centimes(price + fees)),
      reason: operation.reason,
      recipientPhoneNumber: to,
      checkedAt: nowIso(core),
      urlActivateCard: null,
      destinationPhoneNumber: to,
      beneficiaryName,
      // Made from the seed when it is issued, so that the file holds no voucher.
      code: issued ? core.random.voucherCode(operation.id) : null,
      description,
    },
    ...costs(core, checked),
  };
}

function ofProvider({ providerSkuId, providerId }: { providerSkuId: string; providerId: number }) {
  return providerId === PROVIDER_ID ? ARTICLES.find(({ sku }) => sku === providerSkuId) : undefined;
}

function ofCatalog({ skuId }: { skuId: string }) {
  return ARTICLES.find((article) => localIdOf(article) === skuId);
}

/** Of a brand, or of any where none is given. */
function isOf(brandId: number | undefined): (article: Article) => boolean {
  return ({ brand }) => brandId === undefined || brand.id === brandId;
}

function page<T>(all: readonly T[], wanted: { readonly page: number; readonly take: number }) {
  const size = Math.min(wanted.take, PAGE_SIZE_MAX);
  return { collection: all.slice((wanted.page - 1) * size, wanted.page * size), count: all.length };
}

function brandOf({ id, name, description, image, expirationDays }: Brand) {
  return { id, name, description, image, expirationDelay: expirationDays };
}

function articleOf({ sku, name, image, price, description, brand }: Article) {
  return {
    providerSkuId: sku,
    productName: name,
    imageUrl: image,
    price: toDecimal(price),
    description,
    providerId: PROVIDER_ID,
    brandId: brand.id,
  };
}

/** The local catalog has ids of its own, so that nobody takes one flow's for the other's. */
function localIdOf({ sku }: Article): string {
  return `LOCAL-${sku}`;
}

function localOf(article: Article) {
  const { name, image, price, description, brand } = article;
  const skuId = localIdOf(article);
  return {
    skuId,
    name,
    image,
    price: toDecimal(price),
    description,
    brandId: brand.id,
    brandName: brand.name,
  };
}
