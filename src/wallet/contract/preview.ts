import { z } from 'zod';
import { dateTime, decimal, decimalIfAny, operationType } from './fields.ts';
import { ifAny } from './shown.ts';

/** v2.3, "Preview result". `operation` echoes the request. A total is read wherever a wallet says one. */
export const previewResult = z.object({
  type: ifAny(operationType),
  operation: ifAny(z.record(z.string(), z.unknown())),
  feesAmount: decimalIfAny,
  totalAmount: ifAny(decimal.optional()),
  checkedAt: ifAny(dateTime),
  openLoop: ifAny(z.boolean()),
});

/** "`totalAmount` is present on telco and voucher previews only." */
export const pricedPreview = previewResult.extend({ totalAmount: ifAny(decimal) });
