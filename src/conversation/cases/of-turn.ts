import { type Budgets, type Charge, caseOfStranger } from '../budgets.ts';
import { mainConversation } from '../chart/main-conversation.ts';
import type { TakenTurn } from '../record/turn-event.ts';
import { currentScreen, languageOf, saysLocked } from '../session/current-screen.ts';
import type { Session } from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import { newCaseId } from './changes.ts';
import { type CaseUpdate, caseUpdate } from './update.ts';

/** The same question so many times, and a person should look. */
const STUCK_AFTER = 3;

/** The updates of cases from a turn. `charged`: to be given back where the turn is not written. */
interface OfTurn {
  readonly updates: readonly CaseUpdate[];
  readonly charged: readonly Charge[];
}

type Turn = Pick<TakenTurn, 'event' | 'before' | 'after'>;

/**
 * The updates of cases in a turn. Strangers open so many cases of customers who got stuck, and no more. Rejects with
 * `StoreDown`.
 */
export async function caseUpdatesOfTurn(
  turn: Turn,
  { budgets, advisers, at }: { readonly budgets: Budgets; readonly advisers: boolean; readonly at: number },
): Promise<OfTurn> {
  const updates = updatesIn(turn, advisers, at);
  const { address, session, origin } = turn.before;
  const isCase = updates.some(({ what }) => what === 'opened');
  const charged = isCase ? caseOfStranger(address, { wallet: session.wallet, origin }) : [];
  const isTooMany = await budgets.charge(charged);
  return isTooMany
    ? { updates: updates.filter(({ what }) => what !== 'opened'), charged: [] }
    : { updates, charged };
}

/**
 * They follow from its session before and after.
 * - A case that was put off until its customer says something waits no more.
 * - Words for the person who talks to the customer are an answer to that one.
 * - A customer who has just got stuck gets a case, where there are agents. It is closed where they go on by themselves.
 */
function updatesIn({ event, before, after }: Turn, advisers: boolean, at: number): readonly CaseUpdate[] {
  if (event.kind !== 'input' && event.kind !== 'call') return [];
  const { address, session } = before;
  const whose = { address, ...(session.wallet && { wallet: session.wallet }) };
  const updates: CaseUpdate[] = [];
  if (event.kind === 'input') {
    const { owner } = session;
    if (session.snoozed && !after.session.snoozed) updates.push(caseUpdate(at, { what: 'woke', ...whose }));
    if (event.toPerson)
      updates.push(caseUpdate(at, { what: 'wrote', ...whose, ...(owner && { owner: owner.id }) }));
  }
  if (!advisers) return updates;
  if (isStuck(session, after.session)) updates.push(stuck(after, at));
  else if (hasGoneOn(session, after.session)) updates.push(caseUpdate(at, { what: 'goesOn', address }));
  return updates;
}

function isStuck(before: Session, session: Session): boolean {
  if (session.misses === STUCK_AFTER && before.misses !== STUCK_AFTER) return true;
  return saysLocked(currentScreen(session)) && !saysLocked(currentScreen(before));
}

function hasGoneOn({ misses = 0 }: Session, after: Session): boolean {
  return misses >= STUCK_AFTER && !after.misses;
}

function stuck(after: LoadedSession, at: number): CaseUpdate {
  const { address, session } = after;
  const { wallet } = session;
  const conversation = mainConversation(session);
  const about = conversation && `${conversation.machine}.${conversation.state}`;
  const known = { ...(wallet && { wallet }), ...(about && { about }) };
  const opening = {
    kind: 'stuck',
    subject: address,
    address,
    language: languageOf(after),
    ...known,
  } as const;
  return caseUpdate(at, { what: 'opened', case: newCaseId(), opening });
}
