import { currentScreen, languageOf } from '../session/current-screen.ts';
import type { Session } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import type { Thought } from './thought.ts';
import type { TurnDeps } from './turn-deps.ts';

/** The same question so many times, and a person should look. */
const STUCK_AFTER = 3;
/** Screens on which a customer learns that their PIN is locked. */
const LOCKED: ReadonlySet<string> = new Set(['pin.locked', 'menu.lockedForNow', 'menu.locked']);

/** The session with how often in a row its customer was asked the same again. */
export function countedMisses(before: Session, { session, isUnderstood, toPerson }: Thought): Session {
  const { misses: _before, ...rest } = session;
  if (toPerson || session.owner) return rest;
  const isSame =
    before.conversation?.machine === session.conversation?.machine &&
    before.conversation?.state === session.conversation?.state;
  const isAskedAgain =
    isSame && session.conversation !== undefined && currentScreen(session).notice !== undefined;
  return isUnderstood && !isAskedAgain ? rest : { ...rest, misses: (before.misses ?? 0) + 1 };
}

/**
 * Opens a case for a customer who has just got stuck, and closes it for one who goes on by themselves. It follows the turn and
 * nobody waits for it: what a crash loses here is a hint, not a request.
 */
export function watchStuck({ cases, advisers, background }: TurnDeps, before: Loaded, after: Loaded): void {
  if (!advisers) return;
  const { address, session } = after;
  const misses = session.misses ?? 0;
  if (isStuck(before.session, session)) {
    const { wallet, conversation } = session;
    const about = conversation && `${conversation.machine}.${conversation.state}`;
    const known = { ...(wallet && { wallet }), ...(about && { about }) };
    const opening = {
      kind: 'stuck',
      subject: address,
      address,
      language: languageOf(after),
      ...known,
    } as const;
    background.add(cases.open(opening), 'A case could not be written down');
  } else if ((before.session.misses ?? 0) >= STUCK_AFTER && misses === 0) {
    background.add(goesOn(cases, address), 'A case could not be written down');
  }
}

function isStuck(before: Session, session: Session): boolean {
  if (session.misses === STUCK_AFTER) return true;
  const isLocked = (each: Session) => {
    const { key, notice } = currentScreen(each);
    return LOCKED.has(key) || LOCKED.has(notice?.key ?? '');
  };
  return isLocked(session) && !isLocked(before);
}

/** One that an agent has taken is theirs to close. */
async function goesOn(cases: TurnDeps['cases'], address: string): Promise<void> {
  const found = await cases.about('stuck', address);
  if (found) await cases.close(found.id, 'byItself');
}
