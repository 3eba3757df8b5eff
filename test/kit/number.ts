import type { Choice } from '../../machines/kit/screen.ts';
import { numberAt } from '../../src/conversation/session/choice.ts';

/** What is typed for a choice where they are numbered; `0` where there is none of that id. */
export function numberOf(choices: readonly Choice[] | undefined, id: string): string {
  const place = choices?.findIndex((choice) => choice.id === id) ?? -1;
  const choice = choices?.[place];
  return choice ? String(numberAt(choice, place)) : '0';
}
