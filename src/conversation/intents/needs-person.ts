import { newCaseId } from '../cases/changes.ts';
import { type CaseNews, caseNews } from '../cases/news.ts';
import { type Intent, needsPerson } from './intent.ts';

/** The case of a payment that needs a person. It is told again until a person has looked, and is opened once. */
export function needsOf(intent: Intent, at: number): CaseNews[] {
  if (!needsPerson(intent)) return [];
  const { id, wallet, address, order } = intent;
  const opening = { kind: 'payment', subject: id, wallet, address, about: order.kind } as const;
  return [caseNews(at, { what: 'opened', case: newCaseId(), opening })];
}
