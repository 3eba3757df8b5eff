import type { Choice } from '../../machines/kit/screen.ts';
import { numberAt } from '../../src/conversation/session/choice.ts';

/** The number to type for a choice, or `0` without a choice of that id. */
export function numberOf(choices: readonly Choice[] | undefined, id: string): string {
  const place = choices?.findIndex((choice) => choice.id === id) ?? -1;
  const choice = choices?.[place];
  return choice ? String(numberAt(choice, place)) : '0';
}
