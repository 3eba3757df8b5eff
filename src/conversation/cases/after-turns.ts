import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import { type Budgets, caseOfStranger } from '../budgets.ts';
import type { Address } from '../incoming.ts';
import type { TakenTurn } from '../record/turn-event.ts';
import { currentScreen, languageOf } from '../session/current-screen.ts';
import type { Session } from '../session/session.ts';
import type { Cases } from './cases.ts';
import { customerWrote } from './of-address.ts';

/** The same question so many times, and a person should look. */
const STUCK_AFTER = 3;
/** Screens on which a customer learns that their PIN is locked. */
const LOCKED: ReadonlySet<string> = new Set<SentenceKey>(['pin.locked', 'menu.lockedForNow', 'menu.locked']);

interface AfterTurnsDeps {
  readonly cases: Cases;
  readonly budgets: Budgets;
  /** There are support agents. */
  readonly advisers: boolean;
}

/**
 * What cases learn of a turn that the store has taken. Nobody waits for it: what a crash loses here is a hint, not a request.
 * - What was put off until its customer says something waits no more.
 * - Words for the person who talks to the customer are an answer to that one.
 * - A customer who has just got stuck gets a case. It is closed where they go on by themselves.
 */
export async function afterTurn(
  { cases, budgets, advisers }: AfterTurnsDeps,
  { event, before, after }: TakenTurn,
): Promise<void> {
  if (event.kind !== 'input' && event.kind !== 'call') return;
  const { address, session } = before;
  const whose = { address, ...(session.wallet && { wallet: session.wallet }) };
  if (event.kind === 'input') {
    if (session.snoozed && !after.session.snoozed) await cases.wake(whose);
    if (event.toPerson) await customerWrote(cases, whose, session.owner?.id);
  }
  if (!advisers) return;
  if (isStuck(session, after.session)) {
    const { wallet } = session;
    const isRefused = await budgets.charge(caseOfStranger(address, { wallet, origin: before.origin }));
    if (!isRefused) await openStuck(cases, after);
  } else if (hasGoneOn(session, after.session)) await goesOn(cases, address);
}

function isStuck(before: Session, session: Session): boolean {
  if (session.misses === STUCK_AFTER && before.misses !== STUCK_AFTER) return true;
  const isLocked = (each: Session) => {
    const { key, notice } = currentScreen(each);
    return LOCKED.has(key) || LOCKED.has(notice?.key ?? '');
  };
  return isLocked(session) && !isLocked(before);
}

function hasGoneOn({ misses = 0 }: Session, after: Session): boolean {
  return misses >= STUCK_AFTER && !after.misses;
}

function openStuck(cases: Cases, after: TakenTurn['after']): Promise<unknown> {
  const { address, session } = after;
  const { wallet, conversation } = session;
  const about = conversation && `${conversation.machine}.${conversation.state}`;
  const known = { ...(wallet && { wallet }), ...(about && { about }) };
  return cases.open({ kind: 'stuck', subject: address, address, language: languageOf(after), ...known });
}

/** One that an agent has taken is theirs to close. */
async function goesOn(cases: Cases, address: Address): Promise<void> {
  const found = await cases.about('stuck', address);
  if (found) await cases.close(found.id, 'byItself');
}
