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
