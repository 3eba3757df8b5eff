import type { Sentence } from '../../../machines/kit/screen.ts';
import { centimes } from '../../wallet/money.ts';
import type { Address, Notice } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import { saidLater } from './dated-sentences.ts';
import { withGot, withRead } from './next-link.ts';
import { type Outgoing, type Session, withOutbox } from './session.ts';
import { unsealed } from './unseal.ts';
import { revealed } from './wallet-secret.ts';

/**
 * The session of a customer who dials. Messages from while they were away are shown now, except about screens that are
 * gone and say nothing of money. Money received that an earlier dial has shown is done with.
 */
export function showMissed(from: Session): Session {
  const { outbox = [], ...session } = from;
  const beforeNow = asBefore(from);
  const missed = outbox
    .filter((message) => (message.money || message.screenId === undefined) && !isDone(message))
    // A link waits for its SMS: nobody could open it from a dial.
    .map((message) => ({
      ...beforeNow(message),
      ...(message.linksTo === undefined && !message.read && { shown: true as const }),
    }));
  return missed.length > 0 ? { ...session, outbox: missed } : session;
}

/** The session of a customer who dials for something. The next plain dial shows the waiting messages. */
export function keepMissed(from: Session): Session {
  const { outbox = [], ...session } = from;
  const kept = outbox.filter((message) => !isDone(message)).map(asBefore(from));
  return kept.length > 0 ? { ...session, outbox: kept } : session;
}

/** True for a message that no dial shows again. One whose SMS its provider may still report as failed is kept for that. */
function isDone({ received, shown, read, tryAt, smsAs }: Outgoing): boolean {
  const isOnItsWay = tryAt !== undefined || smsAs !== undefined;
  return (received !== undefined && shown === true) || (read === true && !isOnItsWay);
}

/**
 * Tells which messages on show were sent to the handset. If they go on to a page that nobody has asked for, only the first one surely
 * was.
 */
function sentFrom({ outbox = [], screen, shown: page }: Session): (message: Outgoing) => boolean {
  const isUnread = page?.screen === screen && page.pages?.more && !page.pages.told;
  const [first] = isUnread ? ownOnShow(outbox) : [];
  return ({ id, shown }) => shown === true && (first === undefined || id === first.id);
}

/** The customer's own messages of a dial, in its order: a reminder stands behind what is new, and behind the answer of a person. */
function ownOnShow(outbox: readonly Outgoing[]): readonly Outgoing[] {
  const own = outbox.filter(({ shown, received }) => shown && !received);
  return [...own.filter((message) => !isReminder(message)), ...own.filter(isReminder)];
}

/** True for a message about a customer's own money that was sent before. */
function isReminder({ told, money, received }: Outgoing): boolean {
  return told === true && money && !received;
}

/** Messages that are not on show any more. One that was sent is marked as told: another dial calls it a reminder. */
function asBefore(session: Session): (message: Outgoing) => Outgoing {
  const isSent = sentFrom(session);
  return (message) => {
    const { shown: _now, ...rest } = message;
    return isSent(message) ? { ...rest, told: true } : rest;
  };
}

/**
 * The session after the customer's next answer: they have seen the messages of the dial or page. If they go on to a page that
 * nobody has turned, only the first one was surely seen. The next dial tells the others again.
 */
export function withoutShown(session: Session): Session {
  const shown = session.outbox?.filter((message) => message.shown) ?? [];
  if (shown.length === 0) return session;
  const isSeen = sentFrom(session);
  const beforeNow = asBefore(session);
  const left = {
    outbox: [],
    ...withGot(session, (message) => isSeen(message) && message.tryAt === undefined),
  };
  // Its SMS is still to come.
  const seen = ({ shown, ...message }: Outgoing) => ({ ...message, read: true as const });
  return withOutbox(left, (message) => [isSeen(message) ? seen(message) : beforeNow(message)]);
}

/**
 * The session whose customer has turned a page: messages that were shown whole by its end are read. They stay on show as long as pages
 * are turned, and no other dial shows them.
 * @param told as in `Page`
 */
export function withTold(session: Session, told: 0 | 1 | 2): Session {
  const isTold = ({ shown, screenId }: Outgoing) =>
    shown === true && told >= (screenId === session.screen ? 2 : 1);
  const read = session.outbox?.filter(isTold) ?? [];
  if (read.length === 0) return session;
  const marked = withOutbox(session, (message) => [isTold(message) ? { ...message, read: true } : message]);
  return read.reduce(withRead, marked);
}

/** Begins a reminder. */
export const AGAIN: Sentence = { key: 'nav.again' };

/**
 * The notices that a dial shows first: the customer's own (`ownOnShow`), then money received.
 * Several messages about money received become one sentence, so that neither kind fills the first page.
 */
export function missedNotices(
  session: Session,
  { address, secrets, now }: { readonly address: Address; readonly secrets: Secrets; readonly now: number },
): Notice[] {
  const { outbox = [] } = session;
  const noticeOf = (message: Outgoing) => {
    const said = revealed(unsealed(message, address, secrets, now), session, secrets, now);
    const screen = saidLater(said, message.saidAt);
    return { id: message.id, screen: isReminder(message) ? { ...screen, notice: AGAIN } : screen };
  };
  // A notice is not said above the screen that shows it itself.
  const shown = outbox.filter((message) => message.shown && message.screenId !== session.screen);
  const own = ownOnShow(shown).map(noticeOf);
  const received = shown.filter((message) => message.received);
  const times = received.reduce((sum, message) => sum + (message.received?.times ?? 0), 0);
  if (times <= 1) return [...own, ...received.map(noticeOf)];
  const total = centimes(received.reduce((sum, message) => sum + (message.received?.total ?? 0), 0));
  const values = { count: { count: times }, total: { money: total } };
  return [
    ...own,
    { id: 'received-several', screen: { key: 'received.several', values, expects: 'nothing' } },
  ];
}
