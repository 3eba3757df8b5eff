import { effects } from '../../machines/kit/effects.ts';
import { MACHINES } from '../../src/conversation/chart/machines.ts';
import { CALL_OUTCOME, INTENT_STATE, REFERENCE_STATE } from '../../src/conversation/record/turn-event.ts';
import { PAYMENT_KINDS } from '../../src/payments/payments.ts';
import { sentences } from '../../src/screen/locales.ts';
import type { Named } from '../../src/support/names.ts';

/** A session leaves these states at once, so nobody sees them. */
const PASSING = new Set(['authenticated', 'beginning', 'arriving', 'mending', 'amending']);
const steps = Object.values(MACHINES).flatMap(({ states = {} }) => Object.keys(states));

/** Everything that the console names: by what it is, and its name in code. */
export const NAMED: readonly (readonly [Named, string])[] = [
  ...[...new Set([...Object.keys(MACHINES), ...PAYMENT_KINDS])]
    // These say it in their own files.
    .filter((name) => !sentences('fr').has(`${name}.name`))
    .map((name) => ['flow', name] as const),
  ...[...new Set(steps)].filter((step) => !PASSING.has(step)).map((step) => ['step', step] as const),
  ...Object.keys(effects).map((effect) => ['call', effect] as const),
  ...CALL_OUTCOME.shape.kind.options.map((kind) => ['outcome', kind] as const),
  ...INTENT_STATE.options.map((state) => ['state', state] as const),
  ...REFERENCE_STATE.options.map((state) => ['reference', state] as const),
  // Only a step of a payment's audit, before there is an intent.
  ['state', 'previewed'],
  // A card payment that only holds the amount.
  ['state', 'reserved'],
];
