import type { Sentence } from './screen.ts';

/** The state of a request for an agent. */
export interface Asked {
  /** The time when an agent comes, in ms since 1970. Absent: an agent is there. */
  readonly opensAt?: number;
  /** When it was made, where it was open already. */
  readonly since?: number;
  /** The number of its case. */
  readonly case?: string;
}

/** The answer to the request, and when an answer is due by the operator's service level, in ms since 1970. */
interface Opened extends Asked {
  readonly due?: number;
  /** The time has passed. */
  readonly isLate?: true;
}

/**
 * Reads the state from the answer to the request. The number of a new case and the time of an answer are said once, above the
 * confirmation. The number of a case that was open already stands in the confirmation itself.
 * @param asksBack a payment is wanted back: nothing is cancelled by the request
 */
export function opening(
  { opensAt, since, case: id, due, isLate }: Opened,
  asksBack = false,
): Asked & { readonly notice?: Sentence } {
  const isNew = since === undefined;
  const by = due !== undefined && { due: { date: due } };
  const notice: Sentence | undefined =
    id === undefined || !by
      ? undefined
      : isNew
        ? { key: asksBack ? 'help.caseOfPaid' : 'help.caseIs', values: { case: { code: id }, ...by } }
        : { key: isLate ? 'help.late' : 'help.dueBy', values: by };
  return {
    ...(opensAt !== undefined && { opensAt }),
    ...(since !== undefined && { since }),
    ...(id !== undefined && { case: id }),
    ...(notice && { notice }),
  };
}

/**
 * Confirms the request and asks what happened, or names the one that is open. Outside opening hours the confirmation says when an agent
 * comes.
 * @param hasWritten the customer has written what goes into it
 */
export function asked({ opensAt, since, case: id }: Asked, hasWritten = false): Sentence {
  if (since !== undefined && id !== undefined && hasWritten)
    return { key: 'help.added', values: { case: { code: id } } };
  if (since !== undefined && id !== undefined)
    return { key: 'help.askedBefore', values: { case: { code: id }, since: { date: since } } };
  return opensAt === undefined
    ? { key: hasWritten ? 'help.written' : 'help.asked' }
    : { key: hasWritten ? 'help.writtenClosed' : 'help.askedClosed', values: { at: { date: opensAt } } };
}
