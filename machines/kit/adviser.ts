import type { Sentence } from './screen.ts';

/** What is known of a request for an agent. */
export interface Asked {
  /** When an agent comes, in ms since 1970; absent: one is there. */
  readonly opensAt?: number;
  /** When it was made, where it was open already. */
  readonly since?: number;
}

/** What is known of it from the answer to the request. */
export function opening({ opensAt, since }: Asked): Asked {
  return { ...(opensAt !== undefined && { opensAt }), ...(since !== undefined && { since }) };
}

/** That the request is noted, and when somebody is there where nobody is now. */
export function asked({ opensAt, since }: Asked): Sentence {
  if (opensAt !== undefined) return { key: 'help.askedClosed', values: { at: { date: opensAt } } };
  return since === undefined
    ? { key: 'help.asked' }
    : { key: 'help.askedBefore', values: { since: { date: since } } };
}
