import { z } from 'zod';

/** Partner API v2.3, "General model" 2: successes carry their payload in `{ "data": … }`. */
export const envelope = z.object({ data: z.unknown() });

/**
 * Partner API v2.3, "Errors" 2: the body of a business error. `remainingAttempts` beside the code is not shown; it is
 * read where a wallet says it (open question 2).
 */
export const businessError = z.object({
  errorCode: z.coerce.number().int().positive(),
  errorDescription: z.string().nullish(),
  remainingAttempts: z.int().min(0).optional(),
});
export type BusinessError = z.output<typeof businessError>;
