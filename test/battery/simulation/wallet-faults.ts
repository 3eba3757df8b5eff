import type { Answer } from '../../../src/wallet/answer.ts';
import type { Random } from '../town/random.ts';

const MINUTE_MS = 60_000;

/** How often each thing goes wrong, 0 … 1. In the end all of them stop. */
export interface WalletFaults {
  /** Reads and logins that are slow or lost. */
  reads: number;
  /** Executions with one of the faults of docs/safety-hazards.md. */
  money: number;
  /** Operations that the list shows late. */
  listLag: number;
  /** Customers who have paid the same in the wallet's own app, a moment ago. */
  elsewhere: number;
}

export const MONEY_FAULTS = [
  'answerLost',
  'resetBefore',
  'resetAfter',
  '500Before',
  '500After',
  '429',
  'malformed',
  'refused',
  'unsent',
  'slow',
  'late',
  'staysOpen',
  'neverSettles',
  'fails',
  'reversed',
] as const;
export type MoneyFault = (typeof MONEY_FAULTS)[number] | 'none';

export const TIMEOUT: Answer<never> = { kind: 'unknown', why: 'timeout' };
export const REFUSED_CONNECTION: Answer<never> = { kind: 'unsent', why: 'ECONNREFUSED' };
/** How the real client reads an answer that is no success. */
export const ANSWERS: Partial<Record<MoneyFault, Answer<never>>> = {
  resetBefore: { kind: 'unknown', why: 'ECONNRESET' },
  resetAfter: { kind: 'unknown', why: 'ECONNRESET' },
  '500Before': { kind: 'unknown', why: 'http500' },
  '500After': { kind: 'unknown', why: 'http500' },
  '429': { kind: 'unknown', why: 'http429' },
  malformed: { kind: 'unknown', why: 'unreadable' },
  refused: { kind: 'refused', code: '90010', description: '' },
};

export const WEBHOOK_FAULTS = ['never', 'late', 'twice', 'unreadable', 'conflicting'] as const;

const soon = (random: Random) => random.between(10, 500);
/** How long after the first byte the money moves. A fault that is not listed moves nothing. */
export const EXECUTES_AFTER_MS: Partial<Record<MoneyFault, (random: Random) => number>> = {
  none: soon,
  answerLost: soon,
  resetAfter: soon,
  '500After': soon,
  malformed: soon,
  slow: (random) => random.between(2_000, 9_500),
  late: (random) => random.between(10_000, 10 * MINUTE_MS),
  staysOpen: soon,
  neverSettles: soon,
  fails: soon,
  reversed: soon,
};

export function ok<T>(value: T): Answer<T> {
  return { kind: 'ok', value };
}
