import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { dateTimeIfAny, decimal, operationStatus, operationType, paged, phone, text } from './fields.ts';
import { pricedPreview } from './preview.ts';
import { anyhow, ifAny, reads } from './shown.ts';

/** The name of this scope is not shown in v2.3. `operation:voucher` is that of the second purchase flow. */
const scope = 'operations:voucher';

const brand = z.object({
  id: z.int(),
  name: z.string(),
  description: ifAny(z.string()),
  image: ifAny(z.string()),
  /** How long its vouchers are valid. v2.3 does not show the unit. The sandbox uses days. */
  expirationDelay: ifAny(z.int()),
});

const article = z.object({
  providerSkuId: z.string(),
  productName: z.string(),
  imageUrl: ifAny(z.string()),
  price: decimal,
  description: ifAny(z.string()),
  providerId: z.int(),
  brandId: z.int(),
});

const voucherOrder = z.object({
  customerPhoneNumber: phone,
  destinationPhoneNumber: phone,
  beneficiaryName: text,
  providerSkuId: text,
  providerId: z.int(),
});

/** "Purchase result". `code` is the voucher itself: anybody with the code can spend it. */
const purchaseResult = z.object({
  type: anyhow(operationType),
  /** v2.3 does not show these two. Wasl reads them if the answer has them. */
  operationId: anyhow(z.int().positive().optional()),
  transactionStatus: anyhow(operationStatus.optional()),
  operation: anyhow(
    z.object({
      operationType: anyhow(operationType),
      voucherName: anyhow(z.string()),
      amount: anyhow(decimal),
      cashBack: anyhow(decimal),
      totalAmount: anyhow(decimal),
      reason: anyhow(z.string()),
      recipientPhoneNumber: anyhow(z.string()),
      checkedAt: dateTimeIfAny,
      urlActivateCard: anyhow(z.string().nullable()),
      destinationPhoneNumber: anyhow(z.string()),
      beneficiaryName: anyhow(z.string()),
      /** Only this answer has it, so every way to write it is read. */
      code: reads(
        z
          .union([z.string(), z.number().transform(String)])
          .nullish()
          .catch(undefined),
        z.string().nullable(),
      ),
      description: anyhow(z.string()),
    }),
  ),
  feesAmount: anyhow(decimal),
  totalAmount: anyhow(decimal),
  checkedAt: dateTimeIfAny,
  openLoop: anyhow(z.boolean()),
});

/** An item of the local catalog. It is not shown that it is like an article of a brand, under an id of its own. */
const localVoucher = z.object({
  skuId: z.string(),
  name: z.string(),
  image: ifAny(z.string()),
  price: decimal,
  description: ifAny(z.string()),
  brandId: z.int(),
  brandName: ifAny(z.string()),
});

/** The bodies of the second flow "are not shown": that of the first, with the id of the local catalog. */
const serviceVoucherOrder = z.object({
  customerPhoneNumber: phone,
  destinationPhoneNumber: phone,
  beneficiaryName: text,
  skuId: text,
});
/** "Scope operation:voucher". */
const serviceScope = 'operation:voucher';

const EMPTY = { collection: [], count: 0 };

/** Partner API v2.3, "Vouchers". An empty catalog answers 200 or 204 ("Sandbox onboarding rules" 4). */
export const vouchers = {
  listBrands: endpoint('GET', '/api/vouchers/brands', scope, {
    query: z.object({ phoneNumber: phone, ...paged }),
    data: z.object({ collection: z.array(brand), count: z.int().min(0) }),
    none: EMPTY,
  }),
  readBrand: endpoint('GET', '/api/vouchers/brands/{id}', scope, {
    params: z.object({ id: z.int() }),
    data: brand,
  }),
  /** v2.3 does not show the list without a brand. Here it has the articles of all brands (open question 72). */
  listArticles: endpoint('GET', '/api/vouchers/articles', scope, {
    query: z.object({ phoneNumber: phone, brandId: z.int().optional(), ...paged }),
    data: z.object({ collection: z.array(article), count: z.int().min(0) }),
    none: EMPTY,
  }),
  previewVoucher: endpoint('POST', '/api/operations/voucher/preview', scope, {
    body: voucherOrder,
    data: pricedPreview,
  }),
  executeVoucher: endpoint('POST', '/api/operations/voucher/confirm', scope, {
    body: voucherOrder,
    data: purchaseResult,
  }),
  /** "Local catalog; its 200 response schema is not shown." Only the name of its filter is shown (open question 27). */
  listVouchers: endpoint('GET', '/api/vouchers', scope, {
    query: z.object({
      phoneNumber: phone,
      brandId: z.int().optional(),
      keyword: z.string().optional(),
      ...paged,
    }),
    data: z.object({ collection: z.array(localVoucher), count: z.int().min(0) }),
    none: EMPTY,
  }),
  previewServiceVoucher: endpoint('POST', '/api/operations/service/voucher/preview', serviceScope, {
    body: serviceVoucherOrder,
    data: pricedPreview,
  }),
  executeServiceVoucher: endpoint('POST', '/api/operations/service/voucher', serviceScope, {
    body: serviceVoucherOrder,
    data: purchaseResult,
  }),
};
