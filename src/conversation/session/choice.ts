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

/** The number under which a choice stands where they are numbered, as the renderer writes it. `place`: from 0. */
export function numberAt({ digit }: Pick<Choice, 'digit'>, place: number): number {
  return digit ?? place + 1;
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
  if (screen.expects === 'pin')
    return /^\d$/.test(digits) ? screen.choices?.find(({ digit }) => digit === Number(digits)) : undefined;
  const isNumbered = screen.numbersChoices || NUMBERED.has(screen.expects);
  return isNumbered && /^\d{1,2}$/.test(digits) ? choiceAt(digits, screen) : undefined;
}

/** The choice that stands under a number, as channels that number them write it. */
export function choiceAt(digits: string, { choices = [] }: Screen): Choice | undefined {
  return choices.find((choice, i) => numberAt(choice, i) === Number(digits));
}
