import { type Fits, isIn, stands } from './phrases.ts';
import {
  ARRIVING,
  DENYING,
  GIVEN_AWAY,
  listed,
  NEGATIONS,
  NOT_ARRIVED,
  NOT_MINE,
  OPERATIONS,
  OWED_STILL,
  PAID,
  PAID_AS,
  PIN_WORDS,
  SENT_MONEY,
} from './vocabulary.ts';

/*
 * The lines of customers who were robbed or cheated, and of those who have paid in vain. None of them orders a payment.
 */

/** The phrases of those who were robbed or cheated. */
export const URGENT = 'urgent';
/** Paid twice, for no reason, or a balance that cannot be right. */
export const WRONG_DEBIT = 'wrong-debit';
const SENT = listed([PAID_AS.transfer ?? '']);

/** The trouble that a line tells of, whatever else it says. */
export function troubleIn(said: readonly string[], fits: Fits): 'theft' | 'missing' | undefined {
  if (stands(URGENT, said, fits) || isFraud(said)) return 'theft';
  return isMissing(said) || stands(WRONG_DEBIT, said, fits) ? 'missing' : undefined;
}

/** `j'ai donné mon code`, `ce paiement n'est pas de moi`: somebody knows the PIN, or has made an operation. */
function isFraud(said: readonly string[]): boolean {
  const line = lineOf(said);
  const has = (list: ReadonlySet<string>) => said.some((word) => isIn(list, word));
  return (isSaid(GIVEN_AWAY, line) && has(PIN_WORDS)) || (isSaid(NOT_MINE, line) && has(OPERATIONS));
}

/** True where money was sent, and has not arrived. */
function isMissing(said: readonly string[]): boolean {
  const has = (list: ReadonlySet<string>) => said.some((word) => isIn(list, word));
  const isNotThere = said.some(
    (word, place) => isNotArrived(word) || isNotArrived(`${said[place - 1]}${word}`),
  );
  if (isNotThere) return said.length === 1 || has(SENT_MONEY) || has(SENT);
  const isDenying = has(NEGATIONS) || said.includes('ما') || said.includes('مازال');
  return has(SENT_MONEY) && has(ARRIVING) && isDenying;
}

function isNotArrived(word: string): boolean {
  return NOT_ARRIVED.some((form) => form.test(word));
}

/** `j'ai payé et le commerçant n'a rien`, `facture toujours impayée`: what was paid is denied, or owed as before. */
export function isPaidInVain(said: readonly string[]): boolean {
  const line = lineOf(said);
  return (
    isSaid(OWED_STILL, line) ||
    (saysPaid(said) && said.some((word) => DENYING.has(word) || isNotArrived(word)))
  );
}

/** `j'ai payé`, `خلصت`: the writer has paid already. */
export function saysPaid(said: readonly string[]): boolean {
  return isSaid(PAID, lineOf(said));
}

function lineOf(said: readonly string[]): string {
  return ` ${said.join(' ')} `;
}

function isSaid(phrases: readonly string[], line: string): boolean {
  return phrases.some((phrase) => line.includes(` ${phrase} `));
}
