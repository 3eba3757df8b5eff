import { numbersOf } from '../../machines/kit/choice-numbers.ts';
import type { Choice } from '../../machines/kit/screen.ts';

/** The number to type for a choice, or `0` without a choice of that id. */
export function numberOf(choices: readonly Choice[] | undefined, id: string): string {
  const place = choices?.findIndex((choice) => choice.id === id) ?? -1;
  return String(numbersOf(choices ?? [])[place] ?? 0);
}

export function inArabicDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
}
