import type { Address, Deliver, Delivery, Push } from '../conversation/incoming.ts';

/**
 * The reason why the provider of a chat did not do what we asked. `later`: nothing was done, and it may be tried again.
 * `unknown`: it may have been done, but the answer was lost. `closed`: the person cannot be reached here now, so another way is
 * needed. `blocked`: the person wants nothing from us, or is gone. `refused`: the request is wrong, so it is not made again.
 * `ours`: the account is, and an operator must act.
 */
export interface Trouble {
  readonly kind: 'later' | 'unknown' | 'closed' | 'blocked' | 'refused' | 'ours';
  /** When it may be tried again, where that is known. */
  readonly afterMs?: number;
  /** The provider's own code, where it names the reason. */
  readonly code?: number;
}

/** How the errors of one provider are read. */
export interface Troubles {
  /** @throws any error that is no answer of the provider's: a bug of ours */
  readonly of: (error: unknown) => Trouble;
  /** Logs what an operator must know. @param what a screen is the reply to an input */
  readonly report: (trouble: Trouble, what: 'screen' | 'message', error: unknown) => void;
}

/** True where the same call may go well later. */
export function mayPass({ kind }: Trouble): boolean {
  return kind === 'later' || kind === 'unknown' || kind === 'ours';
}

/** Delivers by a function that rejects with the provider's error. */
export function delivering(troubles: Troubles, deliver: Deliver): Deliver {
  return async (address: Address, push: Push) => {
    try {
      return await deliver(address, push);
    } catch (error) {
      const trouble = troubles.of(error);
      troubles.report(trouble, 'message', error);
      return undelivered(trouble, push);
    }
  };
}

function undelivered({ kind, afterMs }: Trouble, { money }: Push): Delivery {
  if (kind === 'unknown') return 'unknown';
  if (kind === 'closed') return 'held';
  if (kind === 'blocked' || kind === 'refused') return money ? 'held' : 'gone';
  return { status: 'later', ...(afterMs !== undefined && { afterMs }) };
}
