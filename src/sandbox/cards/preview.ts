import { centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import { quoted } from '../operations/operation.ts';

/** The percentage of a payment that names none. */
export function percentAlone({ settings }: Core): number {
  return settings.cardPrice === 'nothing' ? 0 : 1;
}

/** v2.3 shows no tariff. Here only `feesPercent` of the execution costs something. */
export function previewOf(
  core: Core,
  type: number,
  operation: Readonly<Record<string, unknown>> & { readonly amount?: number },
) {
  return quoted(core, type, operation, centimes(Math.round((operation.amount ?? 0) * percentAlone(core))));
}
