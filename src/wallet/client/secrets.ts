import { z } from 'zod';
import { SECRET_FIELDS } from '../contract/fields.ts';

const DESCRIPTION_LENGTH_MAX = 200;
/** Shorter answers to a bill form are choices or flags, and masking them would blot out ordinary words. */
const BILL_SECRET_LENGTH_MIN = 4;

/** Only the form knows which of its questions are passwords, so each answer counts as one. */
const billAnswers = z.object({ creancierVals: z.array(z.object({ valChamp: z.string() })) });

/** The values in a request's body that must not appear in a log, a message or an error. */
export function secretsIn(body: object = {}): string[] {
  const fields = Object.entries(body)
    .filter(([name, value]) => isSecret(name) && value !== '')
    .map(([, value]) => String(value));
  const answers = billAnswers.safeParse(body).data?.creancierVals.map(({ valChamp }) => valChamp) ?? [];
  return [...fields, ...answers.filter((value) => value.length >= BILL_SECRET_LENGTH_MIN)];
}

/** `Cvv` is written like that where a saved card pays. */
function isSecret(name: string): boolean {
  return SECRET_FIELDS.has(name) || SECRET_FIELDS.has(name.toLowerCase());
}

/** The wallet's text, cut short. A wallet that quotes the PIN it was given must not get it into our log. */
export function quotable(said: string | null | undefined, secrets: readonly string[]): string {
  // The longest first: one secret may be the beginning of another.
  return [...secrets]
    .sort((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '••••'), said ?? '')
    .slice(0, DESCRIPTION_LENGTH_MAX);
}
