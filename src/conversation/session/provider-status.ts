import type { ProviderStatus } from '../incoming.ts';
import { mayMove, withGot, withUnread } from './next-link.ts';
import { isAccepted, type Outgoing, type Session, withOutbox } from './session.ts';

/** How many early statuses a session keeps: as many messages are hardly handed over at the same moment. */
const EARLY_MAX = 10;

/** How often a message goes out by SMS, where its provider reports that the SMS has failed. Then it waits for the next dial. */
const SMS_MAX = 3;
/** A handset that was off for long may be on again after this time. */
const SMS_AGAIN_MS = 300_000;

/** True for the message with this name: our id, or the one that its provider has given it or its SMS. */
export function isNamed({ id, sentAs, smsAs }: Outgoing, name: string): boolean {
  return id === name || sentAs === name || smsAs === name;
}

/**
 * The session once a provider has said what has become of a message. Statuses come in any order, so each says all that
 * it proves. A customer who has a message has it, whatever is said before or after. A failed one goes to the next link,
 * and waits here for their next message.
 */
export function withStatus(session: Session, name: string, status: ProviderStatus, at: number): Session {
  if (!session.outbox?.some((message) => isNamed(message, name))) return withEarly(session, name, status);
  if (session.outbox.some(({ smsAs }) => smsAs === name)) return withSmsReport(session, name, status, at);
  if (status !== 'failed') return withGot(session, (message) => isNamed(message, name));
  return withOutbox(session, (message) => {
    if (!isNamed(message, name) || !isAccepted(message)) return [message];
    const moves = mayMove(message) && !message.moved;
    return [{ ...message, tries: message.tries + 1, waits: true, ...(moves && { moveAt: at }) }];
  });
}

/** A message whose SMS has failed is news again at the next dial, and goes out by SMS again a few times. */
function withSmsReport(session: Session, name: string, status: ProviderStatus, at: number): Session {
  const isOf = ({ smsAs }: Outgoing) => smsAs === name;
  const failed = status === 'failed' ? (session.outbox?.filter(isOf) ?? []) : [];
  return withOutbox(failed.reduce(withUnread, session), (message) => {
    const { smsAs: _done, told: _said, read: _seen, ...unsaid } = message;
    if (!isOf(message)) return [message];
    if (status !== 'failed') return message.standsIn ? [] : [{ ...unsaid, told: true }];
    const tries = message.tries + 1;
    return [{ ...unsaid, tries, ...(tries < SMS_MAX && { tryAt: at + SMS_AGAIN_MS }) }];
  });
}

/** The session after a message was accepted, of which its provider may have spoken before. */
export function withEarlyStatus(session: Session, name: string, at: number): Session {
  const { early = [], ...rest } = session;
  const known = early.filter(({ of }) => of === name);
  if (known.length === 0) return session;
  const others = early.filter(({ of }) => of !== name);
  const left: Session = { ...rest, ...(others.length > 0 && { early: others }) };
  const has = known.find(({ status }) => status !== 'failed');
  return withStatus(left, name, has?.status ?? 'failed', at);
}

function withEarly(session: Session, of: string, status: ProviderStatus): Session {
  return { ...session, early: [...(session.early ?? []), { of, status }].slice(-EARLY_MAX) };
}
