import type { Core } from '../core/core.ts';

/**
 * The price of a payment by card. v2.3 shows no tariff. Here only `feesPercent` of the execution costs something, which a
 * preview does not know.
 */
export function previewOf({ clock }: Core, type: number, operation: Record<string, unknown>) {
  return {
    type,
    operation,
    feesAmount: 0,
    checkedAt: new Date(clock.now()).toISOString(),
    openLoop: false,
  };
}
