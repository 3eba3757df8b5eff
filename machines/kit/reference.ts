import type { Centimes } from '../../src/wallet/money.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import type { GivenReference, ReferenceEntry, ReferenceHints } from './effects.ts';
import type { Screen, Sentence } from './screen.ts';

/** An open reference just like the one that is asked for: it is shown again instead of making another. */
export function alikeIn(
  open: readonly ReferenceEntry[] = [],
  { kind, amount }: { readonly kind: CashKind; readonly amount: Centimes | undefined },
): ReferenceEntry | undefined {
  return open.find((each) => each.kind === kind && each.amount === amount);
}

/** A reference with its number, and what to do with it. */
export function givenScreen(
  { kind, way, amount, number }: GivenReference,
  hints: ReferenceHints,
): Pick<Screen, 'key' | 'values'> {
  const values = { reference: number ?? { code: '' }, amount: { money: amount } };
  const { points, hours, sms } = hints;
  const where: Sentence[] = points ? [{ key: 'cash-in.where', values: { points: { text: points } } }] : [];
  const lasts: Sentence =
    hours === undefined
      ? { key: 'cash-in.validForNow' }
      : { key: 'cash-in.validFor', values: { count: { count: hours } } };
  const again: Sentence[] = sms ? [{ key: 'cash-in.bySms' }] : [];
  if (kind === 'cash-out')
    return { key: 'cash-out.shown', values: { ...values, more: { lines: [lasts, ...again, ...where] } } };
  const hand: Sentence = { key: way === 'bill-network' ? 'cash-in.toCounter' : 'cash-in.toAgent' };
  return { key: 'cash-in.shown', values: { ...values, more: { lines: [hand, lasts, ...again, ...where] } } };
}
