import { caseAt } from '../cases/of-address.ts';
import { takeHelpBack } from './ask-for-person.ts';
import { type EffectOf, guarded } from './effect.ts';

/** The customer says that their request is settled. A case that no adviser has answered in needs no rating. */
export const closeCase: EffectOf<'closeCase'> = guarded(async (_input, { store, cases, address }) => {
  await takeHelpBack(store, address);
  const found = await caseAt(cases, address);
  if (!found) return { kind: 'none' };
  await cases.close(found.id, 'byCustomer');
  return { kind: 'ok', ...(found.firstAnswerAt !== undefined && { rates: found.id }) };
});

/** Takes the customer's rating. "Not settled yet" also holds where another person has opened the case again meanwhile. */
export const rateCase: EffectOf<'rateCase'> = guarded(async ({ case: id, answer }, { cases }) => {
  const kept = await (answer === 'notYet' ? cases.notYet(id) : cases.rate(id, answer));
  if (kept === 'notFound') return { kind: 'none' };
  return { kind: kept === 'done' || answer === 'notYet' ? 'ok' : 'notNow' };
});
