import { API } from '../contract/api.ts';
import { decimal } from '../contract/fields.ts';
import { fromDecimal } from '../money.ts';
import type { VoucherRequest } from '../services.ts';
import type { VoucherCalls } from '../wallet.ts';
import type { Send } from './call.ts';
import { finalUnlessOpen, mapped, toPreview, UNREADABLE, webAddress, words } from './read.ts';

/** Partner API v2.3, "Vouchers". */
export function voucherCalls(send: Send): VoucherCalls {
  return {
    async voucherBrands(phone, { page, pageSize } = {}, call) {
      const query = { phoneNumber: phone, page, take: pageSize };
      return mapped(await send(API.listBrands, { query }, call), ({ collection, count }) => ({
        entries: collection.map(({ id, name, description, image, expirationDelay }) => ({
          id,
          name,
          ...words('description', description),
          ...words('picture', webAddress(image)),
          ...(expirationDelay && expirationDelay > 0 && { validDays: expirationDelay }),
        })),
        count,
      }));
    },
    async voucherArticles(phone, brandId, { page, pageSize } = {}, call) {
      const query = { phoneNumber: phone, brandId, page, take: pageSize };
      return mapped(await send(API.listArticles, { query }, call), ({ collection, count }) => ({
        entries: collection.map((article) => ({
          sku: article.providerSkuId,
          providerId: article.providerId,
          brandId: article.brandId,
          name: article.productName,
          price: fromDecimal(article.price),
          ...words('description', article.description),
          ...words('picture', webAddress(article.imageUrl)),
        })),
        count,
      }));
    },
    async previewVoucher(order, call) {
      const answer = await send(API.previewVoucher, { body: voucherBody(order) }, call);
      if (answer.kind !== 'ok') return answer;
      // The order names an article, not an amount: only the wallet knows its price.
      const { totalAmount, operation } = answer.value;
      const cost = decimal.safeParse(totalAmount ?? operation?.amount);
      if (!cost.success) return UNREADABLE;
      return { kind: 'ok', value: toPreview(fromDecimal(cost.data), answer.value) };
    },
    async buyVoucher(order, call) {
      const answer = await send(API.executeVoucher, { body: voucherBody(order) }, call);
      return mapped(answer, ({ operationId, transactionStatus, operation, feesAmount }) => ({
        ...(typeof operationId === 'number' && { operationId }),
        ...(typeof feesAmount === 'number' && { fees: fromDecimal(feesAmount) }),
        ...words('voucherCode', operation?.code),
        ...finalUnlessOpen(transactionStatus),
      }));
    },
  };
}

function voucherBody({ from, to, beneficiary, sku, providerId }: VoucherRequest) {
  return {
    customerPhoneNumber: from,
    destinationPhoneNumber: to,
    beneficiaryName: beneficiary,
    providerSkuId: sku,
    providerId,
  };
}
