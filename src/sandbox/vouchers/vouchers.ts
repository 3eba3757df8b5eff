import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core/core.ts';
import { PAGE_SIZE_MAX } from '../core/paging.ts';
import type { Customer, Customers } from '../customers/customer.ts';
import { MAGIC } from '../faults/magic.ts';
import { voucherFees } from '../ledger/fees.ts';
import type { Operations } from '../operations/operation.ts';
import { ARTICLES, type Article, BRANDS, type Brand, OUT_OF_STOCK_SKU, PROVIDER_ID } from './catalog.ts';

/** What both flows order. */
interface Order {
  readonly customerPhoneNumber: string;
  readonly destinationPhoneNumber: string;
  readonly beneficiaryName: string;
}
type Asked = Pick<Request, 'tenant' | 'requestId' | 'struck'> & { readonly body: Order };
type Calls =
  | 'listBrands'
  | 'readBrand'
  | 'listArticles'
  | 'listVouchers'
  | 'previewVoucher'
  | 'executeVoucher'
  | 'previewServiceVoucher'
  | 'executeServiceVoucher';

/** An order that may be executed as it stands. */
interface Checked {
  readonly customer: Customer;
  readonly article: Article;
  readonly fees: Centimes;
}

/**
 * Vouchers: brands, their articles, and the purchase (Partner API v2.3, "Vouchers"). Not shown in v2.3: the voucher comes
 * with the answer, which is final (open question 8), and can never be read again. The second flow buys the same articles under
 * the ids of the local catalog.
 */
export function vouchers(
  { ledger, clock, random }: Core,
  customers: Customers,
  operations: Operations,
): Handlers<Calls> {
  /** The same for preview and execution. */
  function check({ tenant, body }: Asked, article: Article | undefined): Checked | Refusal {
    if (!readPhone(body.destinationPhoneNumber))
      return refuse('phoneInvalid', { detail: 'not a mobile number' });
    if (!article) return refuse('articleUnknown');
    const customer = customers.usable(tenant, body.customerPhoneNumber);
    if (isRefusal(customer)) return customer;
    if (article.sku === OUT_OF_STOCK_SKU) return refuse('outOfStock');
    const fees = voucherFees(article.price);
    if (ledger.balance(customer.account) < article.price + fees) return refuse('insufficientFunds');
    return { customer, article, fees };
  }

  const checkedAt = () => new Date(clock.now()).toISOString();
  const costs = ({ article, fees }: Checked) => ({
    feesAmount: toDecimal(fees),
    totalAmount: toDecimal(centimes(article.price + fees)),
    checkedAt: checkedAt(),
    openLoop: false,
  });

  function previewed(request: Asked, article: Article | undefined) {
    const checked = check(request, article);
    if (isRefusal(checked)) return checked;
    const { name, price } = checked.article;
    const operation = { ...request.body, voucherName: name, amount: toDecimal(price) };
    return { type: OPERATION_TYPES.VOUCHER, operation, ...costs(checked) };
  }

  function executed(request: Asked, article: Article | undefined) {
    const checked = check(request, article);
    if (isRefusal(checked)) return checked;
    const { customer, fees } = checked;
    const { name, description, price } = checked.article;
    const { tenant, requestId, body, struck } = request;
    const { destinationPhoneNumber: to } = body;
    const operation = operations.execute(
      {
        tenant: tenant.id,
        type: OPERATION_TYPES.VOUCHER,
        amount: price,
        fees,
        reason: name,
        payer: customer.account,
        senderId: customer.id,
        sender: customer.phone,
        receiverId: null,
        receiver: to,
        openLoop: 0,
        requestId,
        settlesAs: to === MAGIC.failsLater ? STATUSES.FAILED : STATUSES.COMPLETED,
      },
      struck,
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
        checkedAt: checkedAt(),
        urlActivateCard: null,
        destinationPhoneNumber: to,
        beneficiaryName: body.beneficiaryName,
        // Made from the seed when it is issued, so that the file holds no voucher.
        code: issued ? random.voucherCode(operation.id) : null,
        description,
      },
      ...costs(checked),
    };
  }

  return {
    listBrands({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      return isRefusal(customer) ? customer : page(BRANDS.map(brandOf), query);
    },

    readBrand({ params }) {
      const brand = BRANDS.find(({ id }) => id === params.id);
      return brand ? brandOf(brand) : refuse('articleUnknown', { detail: 'no such brand' });
    },

    listArticles({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      if (isRefusal(customer)) return customer;
      return page(ARTICLES.filter(isOf(query.brandId)).map(articleOf), query);
    },

    /** Not shown in v2.3: what the keyword is looked for in; here name, description and brand. */
    listVouchers({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      if (isRefusal(customer)) return customer;
      const keyword = query.keyword?.toLowerCase() ?? '';
      const found = ARTICLES.filter(isOf(query.brandId)).filter(({ brand, name, description }) =>
        `${name} ${description} ${brand.name}`.toLowerCase().includes(keyword),
      );
      return page(found.map(localOf), query);
    },

    previewVoucher: (request) => previewed(request, ofProvider(request.body)),
    executeVoucher: (request) => executed(request, ofProvider(request.body)),
    previewServiceVoucher: (request) => previewed(request, ofCatalog(request.body)),
    executeServiceVoucher: (request) => executed(request, ofCatalog(request.body)),
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
