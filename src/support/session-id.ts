import type { Sealed } from '../../machines/kit/secret.ts';
import type { Address } from '../conversation/incoming.ts';
import type { Secrets } from '../conversation/secrets.ts';

/** How the console's URLs name a session. */
export interface SessionIds {
  idOf(address: Address): string;
  /** Undefined for an id that `idOf` has not made. */
  addressOf(id: string): Address | undefined;
}

const PURPOSE = 'support-session';
const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * An address may hold a phone number, and URLs end up in histories and logs: there it is sealed. Any process can open it,
 * and it stays good for as long as `SECRETS_KEY` does.
 */
export function createSessionIds({ seal, open }: Pick<Secrets, 'seal' | 'open'>): SessionIds {
  return {
    idOf: (address) => seal(address, PURPOSE, 0),
    addressOf: (id) => open(id as Sealed, PURPOSE, 0, FOR_EVER) as Address | undefined,
  };
}
