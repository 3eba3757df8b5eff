import type { Secrets } from '../conversation/secrets.ts';

/** A short name for some texts: equal texts give equal names, and nothing leads back from the name to them. */
export type Digest = (...parts: readonly string[]) => string;

/**
 * Makes digests of several texts. An input's id may be made from a PIN, of which there are only ten thousand: a plain
 * hash would be guessed in a moment, a keyed one cannot be (secrets pass through).
 */
export function createDigest(secrets: Pick<Secrets, 'digest'>): Digest {
  // Joined as JSON, so that ('a', 'bc') and ('ab', 'c') differ.
  return (...parts) => secrets.digest(JSON.stringify(parts));
}
