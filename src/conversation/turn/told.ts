import type { Screen } from '../../../machines/kit/screen.ts';
import { abilitiesOf } from '../channel.ts';
import type { Incoming, Reply } from '../incoming.ts';
import { withoutShown } from '../session/missed.ts';
import type { Session } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import type { PagesOf } from './unread-pages.ts';

/** As long as the line that leads to the next page, in every language. */
const NEXT: Screen = { key: 'ussd.outcomeBySms', expects: 'nothing' };

/**
 * The session of a customer who dials, without what the dial before has told them: all of it stood on the pages that were shown
 * then. What did not is told again.
 * @param reply makes what the customer had before them
 */
export function withoutTold(
  { session, address }: Loaded,
  { dialog, origin }: Incoming,
  { pagesOf, reply }: { readonly pagesOf: PagesOf; readonly reply: () => Reply },
): Session {
  const isDial = abilitiesOf(address).shows === 'pages' && dialog !== session.dialog;
  if (!isDial || !session.outbox?.some(({ shown }) => shown)) return session;
  const { screen, ...said } = reply();
  const first = screen.first && { first: screen.first };
  const pages = pagesOf({ ...said, screen: { ...NEXT, ...first } }, origin);
  return pages <= session.page + 1 ? withoutShown(session) : session;
}
