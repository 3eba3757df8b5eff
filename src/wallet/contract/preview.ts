import { z } from 'zod';
import { dateTime, decimalIfAny, operationType } from './fields.ts';

/**
 * Partner API v2.3, "Preview result". `operation` echoes the request in fields that depend on the operation.
 * `totalAmount` is present on telco and voucher previews only.
 */
export const previewResult = z.object({
  type: operationType.nullish(),
  operation: z.record(z.string(), z.unknown()).nullish(),
  feesAmount: decimalIfAny,
  totalAmount: decimalIfAny,
  checkedAt: dateTime.nullish(),
  openLoop: z.boolean().nullish(),
});
