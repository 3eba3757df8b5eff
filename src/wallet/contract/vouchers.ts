import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  dateTimeIfAny,
  decimal,
  decimalIfAny,
  operationStatus,
  operationType,
  pageNumber,
  pageSize,
  phone,
  text,
} from './fields.ts';
import { previewResult } from './preview.ts';

/** The name of this scope is not shown in v2.3. `operation:voucher` is that of the second purchase flow. */
const scope = 'operations:voucher';

const brand = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullish(),
  image: z.string().nullish(),
  /** How long its vouchers are valid. v2.3 does not show the unit. The sandbox uses days. */
  expirationDelay: z.int().nullish(),
});

const article = z.object({
  providerSkuId: z.string(),
  productName: z.string(),
  imageUrl: z.string().nullish(),
  price: decimal,
  description: z.string().nullish(),
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
  type: operationType.nullish().catch(undefined),
  /** v2.3 does not show these two. Wasl reads them if the answer has them. */
  operationId: z.int().positive().nullish().catch(undefined),
  transactionStatus: operationStatus.nullish().catch(undefined),
  operation: z
    .object({
      operationType: operationType.nullish().catch(undefined),
      voucherName: z.string().nullish().catch(undefined),
      amount: decimalIfAny.catch(undefined),
      cashBack: decimalIfAny.catch(undefined),
      totalAmount: decimalIfAny.catch(undefined),
      reason: z.string().nullish().catch(undefined),
      recipientPhoneNumber: z.string().nullish().catch(undefined),
      checkedAt: dateTimeIfAny,
      urlActivateCard: z.string().nullish().catch(undefined),
      destinationPhoneNumber: z.string().nullish().catch(undefined),
      beneficiaryName: z.string().nullish().catch(undefined),
      /** Only this answer has it, so every way to write it is read. */
      code: z
        .union([z.string(), z.number().transform(String)])
        .nullish()
        .catch(undefined),
      description: z.string().nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  feesAmount: decimalIfAny.catch(undefined),
  totalAmount: decimalIfAny.catch(undefined),
  checkedAt: dateTimeIfAny,
  openLoop: z.boolean().nullish().catch(undefined),
});

/** An item of the local catalog. It is not shown that it is like an article of a brand, under an id of its own. */
const localVoucher = z.object({
  skuId: z.string(),
  name: z.string(),
  image: z.string().nullish(),
  price: decimal,
  description: z.string().nullish(),
  brandId: z.int(),
  brandName: z.string().nullish(),
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

const paged = { page: pageNumber, take: pageSize };
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
    data: previewResult,
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
    data: previewResult,
  }),
  executeServiceVoucher: endpoint('POST', '/api/operations/service/voucher', serviceScope, {
    body: serviceVoucherOrder,
    data: purchaseResult,
  }),
};
