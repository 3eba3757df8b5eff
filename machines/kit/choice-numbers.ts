import type { Choice, Screen } from './screen.ts';

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

/** The digit that leads on to the question for a PIN, from the pages before it. */
export const GOES_ON = '1';

/** True for a question for a PIN whose own digits leave that one free: each of its pages then has an answer. */
export function goesOnByOne({ expects, choices = [] }: Pick<Screen, 'expects' | 'choices'>): boolean {
  return expects === 'pin' && choices.every(({ digit }) => digit === undefined);
}
