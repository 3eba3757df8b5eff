import type { Core } from '../core/core.ts';

/**
 * What a payment by card would cost. Not shown in v2.3: a tariff. Here only `feesPercent` of the execution costs something,
 * which a preview does not know.
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
