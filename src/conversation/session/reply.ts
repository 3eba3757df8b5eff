import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import type { Language, Reply } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import type { OpenPayment } from './book.ts';
import { isPrivate, isUnderway, languageOf, readerOf } from './current-screen.ts';
import { formToken } from './form.ts';
import { keypadOf } from './keypad.ts';
import { missedNotices } from './missed-messages.ts';
import { endsContact, openFirst, withOpenPayments } from './open-first.ts';
import { contentOf, lastShown, type Session } from './session.ts';
import type { LoadedSession } from './sessions.ts';
import { revealed } from './wallet-secret.ts';

/** The answer to words for a person. Chats need none. On USSD the session ends with it. */
export function replyToPerson({
  session,
  open,
}: LoadedSession): Pick<Reply, 'screen' | 'rests' | 'toPerson'> {
  const sent: Screen = { key: 'support.sent', expects: 'nothing' };
  return { screen: openFirst(sent, session.linked ? open : []), rests: true, toPerson: true };
}

/** The reply that a session shows its customer. */
export function replyOf(loaded: LoadedSession, secrets: Secrets, now: number, notice?: Sentence): Reply {
  const { session, address } = loaded;
  const missed = missedNotices(session, { address, secrets, now });
  const screen = revealed(withOpenPayments(loaded, missed), session, secrets, now);
  const keypad = keypadOf(session, { address, secrets, now });
  const form = formToken({ address, screen: session.screen }, screen.expects, secrets, now);
  return {
    language: languageOf(loaded),
    screenId: session.screen,
    screen: withSaid(screen, session, notice),
    page: session.page,
    missed,
    rests: endsContact(screen, loaded),
    ...(keypad && { keypad }),
    ...(form !== undefined && { form }),
    ...(session.view !== undefined && { view: session.view }),
    ...(isUnderway(session) && { underway: true as const }),
    ...(isPrivate(session) && { isPrivate: true as const }),
    ...readerOf(loaded, secrets),
    ...saysOf(session),
    ...pauseOf(session, now),
  };
}

/** The screen with what was said above its pages, as long as they are turned. */
function withSaid(screen: Screen, session: Session, current?: Sentence): Screen {
  const { notice: _inNone, ...plain } = screen;
  if (session.language === undefined && session.dialog !== undefined) return { ...plain, isFirst: true };
  const shown = lastShown(session);
  const { notice = current, tooEarly } = shown?.screen === session.screen ? shown : {};
  const isMistake = screen.expects === 'pin' && (notice ?? screen.notice) !== undefined;
  const wasRead = isMistake && shown?.read === contentOf(screen);
  return {
    ...screen,
    ...(notice && { notice }),
    ...(tooEarly && { tooEarly }),
    ...(wasRead && { wasRead: true as const }),
  };
}

/** The messages that wait in case this very screen was lost. */
function saysOf({ outbox = [], screen }: Session): Pick<Reply, 'says'> {
  const says = outbox.filter(({ screenId }) => screenId === screen).map(({ id }) => id);
  return says.length > 0 ? { says } : {};
}

/** How long the channel still takes nothing for this chat (429). */
function pauseOf({ retryAt = 0 }: Session, now: number): Pick<Reply, 'retryAfterMs'> {
  return retryAt > now ? { retryAfterMs: retryAt - now } : {};
}

/** The reply where the deadline passes before anything is stored. */
export function lateReplyOf(seen: LoadedSession, now: number): Reply {
  const { session } = seen;
  const screen = openFirst({ key: 'nav.slow', expects: 'nothing' }, session.linked ? seen.open : []);
  return {
    ...sorryReply(screen, languageOf(seen)),
    screenId: session.screen,
    ...(session.view !== undefined && { view: session.view }),
    ...pauseOf(session, now),
  };
}

/**
 * The reply where the session cannot be read. It names the payment that this process is sending, which is known without the store. Its sentence is
 * true whether another payment is open or not.
 */
export function fallbackOf(sending: readonly OpenPayment[], language: Language): Reply {
  return sorryReply(openFirst({ key: 'nav.unavailable', expects: 'nothing' }, sending), language);
}

function sorryReply(screen: Screen, language: Language): Reply {
  return { language, screenId: 0, screen, page: 0, missed: [], rests: true, late: true };
}
