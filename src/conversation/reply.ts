import type { Sentence } from '../../machines/kit/screen.ts';
import type { Reply } from './incoming.ts';
import { keypadOf } from './keypad.ts';
import { missedNotices } from './missed.ts';
import type { Secrets } from './secrets.ts';
import type { Session } from './session.ts';
import type { Loaded } from './sessions.ts';
import { currentScreen, languageOf } from './think.ts';

/** What is answered to words for a person. Chats need no answer; on USSD the session ends with it. */
export const TO_PERSON = {
  screen: { key: 'support.sent', expects: 'nothing' },
  rests: true,
  toPerson: true,
} as const;

/** What a session shows its customer. */
export function replyOf(
  { session, address }: Loaded,
  secrets: Secrets,
  now: number,
  notice?: Sentence,
): Reply {
  const screen = currentScreen(session);
  const keypad = keypadOf(session, { address, secrets, now });
  return {
    language: languageOf(session),
    screenId: session.screen,
    screen: notice ? { ...screen, notice } : screen,
    page: session.page,
    missed: missedNotices(session, { address, secrets, now }),
    rests: screen.expects === 'nothing',
    ...(keypad && { keypad }),
    ...(session.view !== undefined && { view: session.view }),
    ...pauseOf(session, now),
  };
}

/** How long the channel still takes nothing for this chat (429). */
function pauseOf({ retryAt = 0 }: Session, now: number): Pick<Reply, 'retryAfterMs'> {
  return retryAt > now ? { retryAfterMs: retryAt - now } : {};
}

/** What is said when the deadline strikes before anything is kept. */
export function lateReplyOf(seen: Loaded | undefined, now: number): Reply {
  return {
    language: seen ? languageOf(seen.session) : 'fr',
    screenId: seen?.session.screen ?? 0,
    screen: { key: 'nav.slow', expects: 'nothing' },
    page: 0,
    missed: [],
    rests: true,
    late: true,
    ...(seen?.session.view !== undefined && { view: seen.session.view }),
    ...(seen && pauseOf(seen.session, now)),
  };
}
