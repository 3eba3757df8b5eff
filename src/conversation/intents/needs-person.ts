import { newCaseId } from '../cases/changes.ts';
import { type CaseUpdate, caseUpdate } from '../cases/update.ts';
import { type Intent, needsPerson } from './intent.ts';

/** The case of a payment that needs a person. It is told again until a person has looked, and is opened once. */
export function needsOf(intent: Intent, at: number): CaseUpdate[] {
  if (!needsPerson(intent)) return [];
  const { id, wallet, address, order } = intent;
  const opening = { kind: 'payment', subject: id, wallet, address, about: order.kind } as const;
  return [caseUpdate(at, { what: 'opened', case: newCaseId(), opening })];
}
