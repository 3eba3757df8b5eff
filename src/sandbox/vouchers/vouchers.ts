import type { Api } from '../../wallet/contract/api.ts';
import { OPERATION_TYPES, STATUSES } from '../../wallet/contract/fields.ts';
import { type Centimes, centimes, toDecimal } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { type Core, type Handlers, isRefusal, type Refusal, type Request, refuse } from '../core.ts';
import type { Customer, Customers } from '../customer.ts';
import { voucherFees } from '../fees.ts';
import { PAGE_SIZE_MAX } from '../listing.ts';
import { MAGIC } from '../magic.ts';
import type { Operations } from '../operation.ts';
import { ARTICLES, type Article, BRANDS, type Brand, OUT_OF_STOCK_SKU, PROVIDER_ID } from './catalog.ts';

type Order = Pick<Request<Api['executeVoucher']>, 'tenant' | 'body'>;

/** An order that may be executed as it stands. */
interface Checked {
  readonly customer: Customer;
  readonly article: Article;
  readonly fees: Centimes;
}

/**
 * Vouchers: brands, their articles, and the purchase (Partner API v2.3, "Vouchers"). Not shown in v2.3: the voucher comes
 * with the answer, which is final (open question 8), and can never be read again.
 */
export function vouchers(
  { ledger, clock, random }: Core,
  customers: Customers,
  operations: Operations,
): Handlers<'listBrands' | 'readBrand' | 'listArticles' | 'previewVoucher' | 'executeVoucher'> {
  /** The same for preview and execution. */
  function check({ tenant, body }: Order): Checked | Refusal {
    if (!readPhone(body.destinationPhoneNumber))
      return refuse('phoneInvalid', { detail: 'not a mobile number' });
    const article = ARTICLES.find(({ sku }) => sku === body.providerSkuId);
    if (!article || body.providerId !== PROVIDER_ID) return refuse('articleUnknown');
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
      return page(ARTICLES.filter(({ brand }) => brand.id === query.brandId).map(articleOf), query);
    },

    previewVoucher(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { name, price } = checked.article;
      const operation = { ...request.body, voucherName: name, amount: toDecimal(price) };
      return { type: OPERATION_TYPES.VOUCHER, operation, ...costs(checked) };
    },

    executeVoucher(request) {
      const checked = check(request);
      if (isRefusal(checked)) return checked;
      const { customer, article, fees } = checked;
      const { tenant, requestId, body, struck } = request;
      const { destinationPhoneNumber: to } = body;
      const operation = operations.execute(
        {
          tenant: tenant.id,
          type: OPERATION_TYPES.VOUCHER,
          amount: article.price,
          fees,
          reason: article.name,
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
          voucherName: article.name,
          amount: toDecimal(article.price),
          cashBack: 0,
          totalAmount: toDecimal(centimes(article.price + fees)),
          reason: operation.reason,
          recipientPhoneNumber: to,
          checkedAt: checkedAt(),
          urlActivateCard: null,
          destinationPhoneNumber: to,
          beneficiaryName: body.beneficiaryName,
          // Made from the seed when it is issued, so that the file holds no voucher.
          code: issued ? random.voucherCode(operation.id) : null,
          description: article.description,
        },
        ...costs(checked),
      };
    },
  };
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
