import { numbersOf } from '../../../machines/kit/choice-numbers.ts';
import type { Choice, Expected, Screen } from '../../../machines/kit/screen.ts';
import type { Input } from '../incoming.ts';

/** The id of a pressed choice, if the screen offers it. */
export function choiceOf(
  input: Extract<Input, { type: 'chose' | 'picked' }>,
  screen: Screen,
): string | undefined {
  const choices = screen.choices ?? [];
  return input.type === 'picked'
    ? choices[input.position]?.id
    : choices.find(({ id }) => id === input.choice)?.id;
}

/** Screens where a typed number is a choice. An amount or a name is never one. */
const NUMBERED: ReadonlySet<Expected> = new Set<Expected>([
  ...(['choice', 'otp', 'phone', 'account', 'search'] as const),
  // The choices of a last screen.
  'nothing',
]);

/** The choice that typed digits make. Undefined where they are another answer. */
export function typedChoice(digits: string, screen: Screen): Choice | undefined {
  // A PIN has four digits, so one digit can be the number of a choice that has it for its own.
  if (screen.expects === 'pin') {
    const choices = screen.choices?.filter(({ digit }) => digit !== undefined) ?? [];
    return /^\d$/.test(digits) ? choiceAt(digits, { choices }) : undefined;
  }
  const isNumbered = screen.numbersChoices || NUMBERED.has(screen.expects);
  return isNumbered && /^\d{1,2}$/.test(digits) ? choiceAt(digits, screen) : undefined;
}

/** The choice that stands under a number, as channels that number them write it. */
export function choiceAt(digits: string, { choices = [] }: Pick<Screen, 'choices'>): Choice | undefined {
  return choices[numbersOf(choices).indexOf(Number(digits))];
}
