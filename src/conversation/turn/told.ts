import type { Screen } from '../../../machines/kit/screen.ts';
import { abilitiesOf } from '../channel.ts';
import type { Incoming, Reply } from '../incoming.ts';
import { withoutShown } from '../session/missed.ts';
import type { Session } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import type { PagesOf } from './unread-pages.ts';

/** Whoever dials again as soon as this may never have got the page before. */
const PAGE_LOST_MS = 30_000;
/** As long as the line that leads to the next page, in every language. */
const NEXT: Screen = { key: 'ussd.outcomeBySms', expects: 'nothing' };

/**
 * The session of a customer who dials, without what they were told before: all of it stood on the pages that were shown then. What
 * did not is told again, and so is everything to whoever dials again at once, as that page may have been lost.
 * @param reply makes what the customer had before them
 */
export function withoutTold(
  loaded: Loaded,
  { dialog, origin }: Incoming,
  { pagesOf, reply, now }: { readonly pagesOf: PagesOf; readonly reply: () => Reply; readonly now: number },
): Session {
  const { outbox = [], ...rest } = loaded.session;
  const isDial = abilitiesOf(loaded.address).shows === 'pages' && dialog !== rest.dialog;
  const mayBeLost = now - rest.at < PAGE_LOST_MS;
  if (!isDial || mayBeLost || outbox.length === 0) return loaded.session;
  const session = { ...rest, outbox: outbox.filter(({ told }) => !told) };
  if (!session.outbox.some(({ shown }) => shown)) return session;
  const { screen, ...said } = reply();
  const first = screen.first && { first: screen.first };
  const pages = pagesOf({ ...said, screen: { ...NEXT, ...first } }, origin);
  return pages <= session.page + 1 ? withoutShown(session) : session;
}
