import { screenOf } from '../chart/machines.ts';
import type { ShownScreen } from '../incoming.ts';
import { currentScreen } from './current-screen.ts';
import type { Session } from './session.ts';

/** As many as anybody waits for at a time. */
const GONE_MAX = 5;

/** The session after a turn. It remembers the earlier screen where that showed a reference for cash. */
export function withGone(before: Session, session: Session): Session {
  const { about } = currentScreen(before);
  const stays = session.screen === before.screen && currentScreen(session).about === about;
  if (about === undefined || stays || session.wallet !== before.wallet) return session;
  const others = (session.gone ?? []).filter((each) => each.about !== about);
  return { ...session, gone: [{ about, ...currentlyShown(before) }, ...others].slice(0, GONE_MAX) };
}

/**
 * The session once a reference has a new state. A screen that shows the reference is no longer true, so nothing leads
 * the customer back to it, not even the end of a talk with an agent.
 */
export function withoutReference(session: Session, reference: string): Session {
  const { conversation, ...left } = session;
  const isShown = conversation && screenOf(conversation)?.about === reference;
  return isShown ? withGone(session, left) : session;
}

/** The screen on which a chat has last shown a reference. Undefined: none, or it is not known any more. */
export function screenOfReference(session: Session, reference: string): ShownScreen | undefined {
  if (currentScreen(session).about === reference) return currentlyShown(session);
  const found = session.gone?.find(({ about }) => about === reference);
  if (!found) return undefined;
  const { about: _it, ...shown } = found;
  return shown;
}

/** The screen on show, in the form in which a later message names it. */
export function currentlyShown({ screen: screenId, view }: Session): ShownScreen {
  return { screenId, ...(view !== undefined && { view }) };
}
