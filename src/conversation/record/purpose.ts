import { isObject } from '../../store/codec.ts';

/** Machines that come in between. The conversation that they interrupt continues afterwards. */
export const BETWEEN: ReadonlySet<string> = new Set(['help', 'language', 'rating', 'resume']);

/** The state of a conversation before and after a turn: `transfer.askingAmount`. Empty where there is none. */
export interface Course {
  readonly from: string;
  readonly to: string;
}

/** True for a place in one of those. */
export function isBetween(place: string): boolean {
  return BETWEEN.has(place.split('.')[0] ?? '');
}

/**
 * The same of what customers came for: what is interrupted counts as going on, and the help that was asked for before anything was begun as
 * nothing. Undefined for a record of an earlier release, which does not say what was interrupted.
 */
export function purposeOf({
  from,
  to,
  under,
}: Course & { readonly under?: Partial<Course> }): Course | undefined {
  if (!isBetween(from) && !isBetween(to)) return { from, to };
  return (
    under && { from: isBetween(from) ? (under.from ?? '') : from, to: isBetween(to) ? (under.to ?? '') : to }
  );
}

/** By going elsewhere, hanging up and dialling again, or staying away, and not by what the conversation has led to. @param event of a turn */
export function isLeaving(event: unknown): boolean {
  if (!isObject(event)) return false;
  const { kind, input } = event;
  const isAway = isObject(input) && (input.type === 'went' || input.type === 'dialed');
  return kind === 'time' || (kind === 'input' && isAway);
}
