import { z } from 'zod';

/** A list of words separated by commas. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  );

/** One of some words. The refusal says which are allowed, and which one was read. */
export function oneOf<const T extends string>(...words: readonly [T, ...T[]]) {
  const allowed = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return z.enum(words, { error: ({ input }) => `must be ${allowed}, not ${input}` });
}

/** A whole number within limits, which the sentence of its refusal names. */
export function whole(sentence: string, min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,8}$/, sentence)
    .transform(Number)
    .refine((number) => number >= min && number <= max, sentence);
}

export const count = whole('must be a number from 1 to 99999999', 1, 99_999_999);
