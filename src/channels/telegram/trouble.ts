import { GrammyError, HttpError } from 'grammy';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Trouble, Troubles } from '../trouble.ts';
import { isUnsent } from '../unsent.ts';

/** Sorts the error of a call. @throws any error that is no answer of Telegram's: a bug of ours. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof HttpError) return { kind: isUnsent(error.error) ? 'later' : 'unknown' };
  if (!(error instanceof GrammyError)) throw error;
  const { error_code: code, description, parameters } = error;
  if (code === 403 || /chat not found|user is deactivated/i.test(description)) return { kind: 'blocked' };
  if (parameters.retry_after !== undefined) return { kind: 'later', afterMs: parameters.retry_after * 1_000 };
  if (code === 429 || code >= 500 || code === 401 || code === 404 || code === 409) return { kind: 'later' };
  return { kind: 'refused' };
}

/** True where Telegram refuses an edit because the message says the same already. */
export function isUnchanged(error: unknown): boolean {
  return error instanceof GrammyError && /message is not modified/i.test(error.description);
}

export function telegramTroubles(log: Log): Troubles {
  return {
    of: troubleOf,
    report({ kind }, what, error) {
      const line = what === 'screen' ? 'Telegram refuses a screen' : 'Telegram refuses a message';
      if (kind === 'refused') log.say(line, thrown(error));
    },
  };
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
