import type { Sealed } from '../../machines/kit/secret.ts';
import type { Address } from '../conversation/incoming.ts';
import type { Secrets } from '../conversation/secrets.ts';

const PURPOSE = 'support-session';
const FOR_EVER = Number.POSITIVE_INFINITY;

/** How the console's URLs name a session. */
export type SessionIds = ReturnType<typeof createSessionIds>;

/**
 * An address may hold a phone number, and URLs end up in histories and logs: there it is sealed. Any process can open it,
 * and it stays good for as long as `SECRETS_KEY` does.
 */
export function createSessionIds({ seal, open }: Pick<Secrets, 'seal' | 'open'>) {
  return {
    idOf: (address: Address): string => seal(address, PURPOSE, 0),
    /** Undefined for an id that `idOf` has not made. */
    addressOf: (id: string) => open(id as Sealed, PURPOSE, 0, FOR_EVER) as Address | undefined,
  };
}
