import type { Screen } from '../../../machines/kit/screen.ts';
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
