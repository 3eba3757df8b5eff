import type { Sentence } from './screen.ts';

/** The state of a request for an agent. */
export interface Asked {
  /** The time when an agent comes, in ms since 1970. Absent: an agent is there. */
  readonly opensAt?: number;
  /** When it was made, where it was open already. */
  readonly since?: number;
}

/** The answer to the request, with the number of its case, and when an answer is due by the operator's service level, in ms since 1970. */
interface Opened extends Asked {
  readonly case?: string;
  readonly due?: number;
}

/** Reads the state from the answer to the request. The number of the case and the time of an answer are said once, above the confirmation. */
export function opening({ opensAt, since, case: id, due }: Opened): Asked & { readonly notice?: Sentence } {
  const values =
    id === undefined || due === undefined ? undefined : { case: { code: id }, due: { date: due } };
  return {
    ...(opensAt !== undefined && { opensAt }),
    ...(since !== undefined && { since }),
    ...(values && { notice: { key: 'help.caseIs', values } }),
  };
}

/** Confirms the request. Outside opening hours it also says when an agent comes. */
export function asked({ opensAt, since }: Asked): Sentence {
  if (opensAt !== undefined) return { key: 'help.askedClosed', values: { at: { date: opensAt } } };
  return since === undefined
    ? { key: 'help.asked' }
    : { key: 'help.askedBefore', values: { since: { date: since } } };
}
