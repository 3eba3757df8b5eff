import { GrammyError, HttpError } from 'grammy';
import { isUnsent } from '../unsent.ts';

/**
 * The reason why Telegram did not do what we asked. `blocked`: the customer has blocked us, or is gone. `later`:
 * nothing is wrong with the request. It may have been done where its answer was lost (`isUnknown`). `refused`: the request is wrong, so it must not be made again.
 */
export type Trouble =
  | { readonly kind: 'blocked' }
  | { readonly kind: 'later'; readonly afterMs?: number; readonly isUnknown?: true }
  | { readonly kind: 'refused'; readonly isUnchanged: boolean };

/** Sorts the error of a call. @throws any error that is no answer of Telegram's: a bug of ours. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof HttpError)
    return { kind: 'later', ...(!isUnsent(error.error) && { isUnknown: true }) };
  if (!(error instanceof GrammyError)) throw error;
  const { error_code: code, description, parameters } = error;
  if (code === 403 || /chat not found|user is deactivated/i.test(description)) return { kind: 'blocked' };
  if (parameters.retry_after !== undefined) return { kind: 'later', afterMs: parameters.retry_after * 1_000 };
  if (code === 429 || code >= 500 || code === 401 || code === 404 || code === 409) return { kind: 'later' };
  return { kind: 'refused', isUnchanged: /message is not modified/i.test(description) };
}

/** For what may fail without harm, such as taking the buttons from an old message. */
export async function tried(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    troubleOf(error);
    return false;
  }
}
