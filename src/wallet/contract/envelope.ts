import { z } from 'zod';
import { ifAny, reads } from './shown.ts';

/** Partner API v2.3, "General model" 2: successes carry their payload in `{ "data": … }`. */
export const envelope = z.object({ data: z.unknown() });

/**
 * Partner API v2.3, "Errors" 2: the body of a business error. `remainingAttempts` next to the code is not shown. We
 * read it where a wallet gives it (open question 2).
 */
export const businessError = z.object({
  errorCode: reads(z.coerce.number().int().positive(), z.int().positive()),
  errorDescription: ifAny(z.string()),
  remainingAttempts: z.int().min(0).optional(),
});
export type BusinessError = z.output<typeof businessError>;

/**
 * Partner API v2.3, "Agents": 400 and 401 of one endpoint are "problem details". Their fields are not shown, so these are
 * those of RFC 9457. It is not shown either that a business code is among them.
 */
export const problemDetails = z.object({
  type: ifAny(z.string().optional()),
  title: ifAny(z.string().optional()),
  status: ifAny(z.int().optional()),
  detail: ifAny(z.string().optional()),
  errorCode: reads(z.coerce.number().int().positive().nullish(), z.int().positive().optional()),
});
export type Problem = z.output<typeof problemDetails>;

/** A 401, 403 or 404 without a business code has no body in v2.3. Most gateways, and the sandbox, send this one. */
export const plainError = z.object({ message: z.string() });

export const PROBLEM_TYPE = 'application/problem+json';
