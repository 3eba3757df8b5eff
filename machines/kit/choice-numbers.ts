import type { Choice } from './screen.ts';

/**
 * The numbers under which choices stand where they are numbered, in their order: its own digit, or its place from 1 on. A
 * number that an earlier choice has is not given again: one digit on a page of money must never mean two things.
 */
export function numbersOf(choices: readonly Pick<Choice, 'digit'>[]): number[] {
  const given = new Set<number>();
  for (const [place, { digit }] of choices.entries()) {
    let number = digit ?? place + 1;
    while (given.has(number)) number += 1;
    given.add(number);
  }
  return [...given];
}
