import { ERRORS, type ErrorName } from '../../wallet/contract/errors.ts';
import type { Database } from './database.ts';

/** A business error, as a value. */
export interface Refusal {
  readonly refused: ErrorName;
  readonly detail?: string;
  readonly remainingAttempts?: number;
}
type Details = Omit<Refusal, 'refused'>;

/** A refusal on its way out of a handler. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`refused: ${refusal.refused}`);
    this.refusal = refusal;
  }
}

/** A refusal that a handler returns: what it has written stays written, as a wrong PIN costs an attempt. */
export function refusal(refused: ErrorName, details: Details = {}): Refusal {
  return { refused, ...details };
}

/** Ends a handler with a refusal. Whatever it has written is undone. */
export function refuse(refused: ErrorName, details: Details = {}): never {
  throw new Refused(refusal(refused, details));
}

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

/** Runs work in one transaction and gives what it answers, also a refusal that it has thrown. A bug is thrown on. */
export function carryOut<T>(db: Database, work: () => T): T | Refusal {
  try {
    return db.transaction(work);
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** The name of the business error with a code. Undefined for a code that the API does not know. */
export function errorOf(code: number): ErrorName | undefined {
  return (Object.keys(ERRORS) as ErrorName[]).find((name) => ERRORS[name].code === code);
}

/** A refusal as v2.3, "Errors" 2 writes it. */
export function toBusinessError({ refused, detail, remainingAttempts }: Refusal) {
  const { code, means, status = 400 } = { status: undefined, ...ERRORS[refused] };
  const errorDescription = detail ? `${means}: ${detail}` : means;
  return { status, body: { errorCode: code, errorDescription, remainingAttempts } } as const;
}
