import { type Centimes, centimes } from '../../src/wallet/money.ts';
import type { CashKind } from '../../src/wallet/services.ts';
import { known, type Remembered } from './conversation.ts';
import type { CashDesk, NumberedReference, ReferenceEntry, ReferenceHints } from './effects.ts';
import type { Screen, Sentence } from './screen.ts';

/** The context of a conversation that requests a cash reference. */
export interface AsksReference extends Remembered {
  amount?: Centimes | undefined;
  desk?: CashDesk;
  /** The customer wants another reference than the one that is just like it. */
  another?: true | undefined;
  given?: NumberedReference;
  hints?: ReferenceHints;
}

/** An open reference just like the one that is asked for: it is shown again instead of making another. */
export function alikeIn(
  { desk, amount, another }: AsksReference,
  kind: CashKind,
): ReferenceEntry | undefined {
  return another ? undefined : desk?.open.find((each) => each.kind === kind && each.amount === amount);
}

export function named({ amount }: AsksReference): NonNullable<Sentence['values']> {
  return { amount: { money: known(amount) } };
}

/** The fee of a withdrawal, and the amount that it takes from the wallet. */
export function costOf(amount: Centimes, fees: Centimes): NonNullable<Sentence['values']> {
  return { fees: { money: fees }, total: { money: centimes(amount + fees) } };
}

export function lastScreen({ given, hints = {} }: AsksReference): Screen {
  return { ...referenceScreen(known(given), hints), expects: 'nothing' };
}

/** A reference with its number, and what to do with it. */
export function referenceScreen(
  { id: about, kind, way, amount, number, isAsKnown }: NumberedReference,
  hints: ReferenceHints,
): Pick<Screen, 'key' | 'values' | 'about'> {
  const values = { reference: number ?? { code: '' }, amount: { money: amount } };
  const { points, hours, sms } = hints;
  const where: Sentence[] = points ? [{ key: 'cash-in.where', values: { points: { text: points } } }] : [];
  const lasts: Sentence =
    hours === undefined
      ? { key: 'cash-in.validForNow' }
      : { key: 'cash-in.validFor', values: { count: { count: hours } } };
  const asKnown: Sentence[] = isAsKnown ? [{ key: 'references.asKnown' }] : [];
  const again: Sentence[] = sms ? [{ key: 'cash-in.bySms' }] : [];
  if (kind === 'cash-out')
    return {
      about,
      key: 'cash-out.shown',
      values: { ...values, more: { lines: [...asKnown, lasts, ...where, ...again] } },
    };
  const hand: Sentence = { key: way === 'bill-network' ? 'cash-in.toCounter' : 'cash-in.toAgent' };
  return {
    about,
    key: 'cash-in.shown',
    values: { ...values, more: { lines: [...asKnown, hand, lasts, ...where, ...again] } },
  };
}
