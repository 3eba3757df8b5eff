import type { Sentence } from './screen.ts';

/** The state of a request for an agent. */
export interface Asked {
  /** The time when an agent comes, in ms since 1970. Absent: an agent is there. */
  readonly opensAt?: number;
  /** When it was made, where it was open already. */
  readonly since?: number;
}

/** Reads the state from the answer to the request. */
export function opening({ opensAt, since }: Asked): Asked {
  return { ...(opensAt !== undefined && { opensAt }), ...(since !== undefined && { since }) };
}

/** Confirms the request. Outside opening hours it also says when an agent comes. */
export function asked({ opensAt, since }: Asked): Sentence {
  if (opensAt !== undefined) return { key: 'help.askedClosed', values: { at: { date: opensAt } } };
  return since === undefined
    ? { key: 'help.asked' }
    : { key: 'help.askedBefore', values: { since: { date: since } } };
}
