import { setTimeout as sleep } from 'node:timers/promises';
import { abilitiesOf } from '../../channel.ts';
import type { Conversations, Reply } from '../../incoming.ts';
import { isUnderway } from '../../session/current-screen.ts';
import { withoutShown } from '../../session/missed-messages.ts';
import type { Replies } from '../../session/replies.ts';
import { asNamedIn, lastShown, type Session, withOutbox } from '../../session/session.ts';
import type { LoadedSession } from '../../session/sessions.ts';
import type { TurnDeps } from '../../turn-deps.ts';
import type { Caller } from './settle.ts';

/** How often the session is looked at while its customer listens: the outcome may be written by another process. */
const LOOK_EVERY_MS = 200;
/** So much longer than its customer listens, nothing is sent to them: the page that says it may be on its way. */
const PAGE_SENT_MS = 500;

/**
 * The session of a payment whose outcome its customer waits for on an open page. No message about it goes out until they have stopped listening: the
 * page tells them. A process that dies meanwhile leaves it to be sent then.
 */
export function listening(
  { served: { outcomeWaitMs }, now }: Pick<TurnDeps, 'served' | 'now'>,
  { address }: Pick<LoadedSession, 'address'>,
  { isLate }: Caller,
  session: Session,
): Session {
  const listens = outcomeWaitMs > 0 && !abilitiesOf(address).keepsShown && !isLate();
  if (!listens || session.underway || !isUnderway(session)) return session;
  return { ...session, retryAt: now() + outcomeWaitMs + PAGE_SENT_MS };
}

/**
 * `Conversations.settled`: the reply that says how a payment ended, where that is known in time; else the reply as it was.
 * Never rejects: what goes on has been said already.
 */
export async function settledInTime(
  { turns, replies, push }: { turns: TurnDeps; replies: Replies; push: (loaded: LoadedSession) => void },
  reply: Reply,
  withinMs: number,
): Promise<Reply> {
  const from = replies.sourceOf(reply);
  if (!from || from.session.underway || !isUnderway(from.session)) return reply;
  const { now, sessions } = turns;
  const until = now() + Math.min(withinMs, turns.served.outcomeWaitMs);
  while (now() + LOOK_EVERY_MS <= until) {
    await sleep(LOOK_EVERY_MS);
    const loaded = await sessions.load(from.address, now()).catch(() => undefined);
    // Another dial is another page. A caller who has left, also before the answer, reads none.
    const { dialog } = loaded?.session ?? {};
    if (!loaded || dialog === undefined || dialog !== from.session.dialog) return reply;
    if (loaded.session.screen === from.session.screen) continue;
    if (!loaded.session.conversation?.ended) return reply;
    const shown = await sessions.update(
      from.address,
      now,
      ({ session }) => ({ session: withOutcomeRead(session) }),
      loaded,
    );
    if (shown) push(shown);
    return replies.of(shown ?? loaded);
  }
  return reply;
}

/** `Conversations.left`. A page that has not left may come after the end of its contact was noted. */
export async function leave(
  { turns: { sessions, now }, push }: { turns: TurnDeps; push: (loaded: LoadedSession) => void },
  incoming: Parameters<Conversations['left']>[0],
): Promise<void> {
  const left = await sessions.update(incoming.address, now, ({ session }) => {
    const { dialog, retryAt, ...over } = session;
    const isOpen = dialog !== undefined && asNamedIn(session, incoming).dialog === dialog;
    const isUnseen = incoming.unseen === true && (isOpen || dialog === undefined);
    if (!isOpen && !isUnseen) return undefined;
    const listens = isUnderway(session);
    const after = { ...over, ...(retryAt !== undefined && !listens && { retryAt }) };
    if (isUnseen) return { session: withOutcomeUnread(after, now()) };
    return { session: incoming.shown ? withLastPageRead(after) : after };
  });
  if (left) push(left);
}

/** The session whose customer has the outcome on the page: in case that page was lost, the next dial shows it as well. */
function withOutcomeRead(session: Session): Session {
  const { retryAt: _over, unseen: _now, outbox, ...rest } = session;
  if (!outbox) return rest;
  const left = outbox.map((message) => {
    if (message.screenId !== session.screen) return message;
    const { tryAt, ...held } = message;
    // Of a receipt that cannot be shown here the essential lines are sent.
    const isSent = tryAt !== undefined && message.screen.document !== undefined;
    return { ...held, shown: true as const, ...(isSent && { tryAt }) };
  });
  return { ...rest, outbox: left };
}

/** The session whose gateway confirms its last page: that says as much as an answer to it, unless there are further pages. */
function withLastPageRead(session: Session): Session {
  return lastShown(session)?.pages?.more ? session : withoutShown(session);
}

/** The session whose page with the outcome has not left: its message is sent. */
function withOutcomeUnread(session: Session, now: number): Session {
  return withOutbox(session, (message) => {
    if (!message.shown || message.screenId !== session.screen) return [message];
    const { shown: _unseen, read: _turned, ...unshown } = message;
    return [{ ...unshown, tryAt: now }];
  });
}
