import { isGivenName } from './book.ts';
import type { NameIn } from './sentences.ts';
import { isSnooze } from './snooze.ts';

export const MACROS_MAX = 30;
export const MACRO_NAME_MAX_CHARACTERS = 40;
/** As much as a note at the end of a case takes. */
export const MACRO_CLOSE_MAX_CHARACTERS = 500;

export const MACRO_ACTS = ['answer', 'label', 'give', 'snooze', 'close'] as const;
export type MacroAct = (typeof MACRO_ACTS)[number];

/** Some acts about a case under one name, as a supervisor has written it: each act with its value. */
export interface Macro extends Readonly<Partial<Record<MacroAct, string>>> {
  readonly id: string;
  readonly name: string;
  /** A canned answer, by its id or, for a built-in one, its key. */
  readonly answer?: string;
  readonly label?: string;
  readonly give?: string;
  /** One of `SNOOZES`. */
  readonly snooze?: string;
  /** The sentence with which the case is closed. */
  readonly close?: string;
}

/**
 * The fault of a macro: a name that is invalid or another one's, no act, two acts that exclude each other, or an act
 * that would be refused.
 * @param isThere whether the thing that an act names exists: an answer, a label or a team
 */
export function wrongIn(
  macro: Macro,
  others: readonly Macro[],
  isThere: (act: MacroAct, value: string) => boolean,
): NameIn<'said'> | undefined {
  const { name, snooze, close } = macro;
  if (!isGivenName(name, MACRO_NAME_MAX_CHARACTERS)) return 'macroName';
  if (others.some((other) => other.name === name)) return 'macroTaken';
  if (snooze !== undefined && !isSnooze(snooze)) return 'macroSnooze';
  if (snooze !== undefined && close !== undefined) return 'macroBoth';
  if (close !== undefined && close.length > MACRO_CLOSE_MAX_CHARACTERS) return 'macroClose';
  if (!actsOf(macro).every(([act, value]) => isThere(act, value))) return 'macroGone';
  return actsOf(macro).length === 0 ? 'macroNothing' : undefined;
}

/** Its acts, with the value of each. */
export function actsOf(macro: Macro): (readonly [act: MacroAct, value: string])[] {
  return MACRO_ACTS.flatMap((act) => {
    const value = macro[act];
    return value === undefined ? [] : [[act, value] as const];
  });
}
