import type { ProviderStatus } from '../incoming.ts';
import { isAccepted, type Outgoing, type Session } from './session.ts';

/** How many early statuses a session keeps: as many messages are hardly handed over at the same moment. */
const EARLY_MAX = 10;

/** True for the message with this name: our id, or the one that its provider has given it. */
export function isNamed({ id, sentAs }: Outgoing, name: string): boolean {
  return id === name || sentAs === name;
}

/**
 * The session once a provider has said what has become of a message. Statuses come in any order, so each says all that
 * it proves. A customer who has a message has it, whatever is said before or after. A failed one waits for their next
 * message.
 */
export function withStatus(session: Session, name: string, status: ProviderStatus): Session {
  if (!session.outbox?.some((message) => isNamed(message, name))) return withEarly(session, name, status);
  return withOutbox(session, (message) => {
    if (!isNamed(message, name)) return [message];
    if (status !== 'failed') return [];
    return [isAccepted(message) ? { ...message, tries: message.tries + 1, waits: true } : message];
  });
}

/** The session after a message was accepted, of which its provider may have spoken before. */
export function withEarlyStatus(session: Session, name: string): Session {
  const { early = [], ...rest } = session;
  const known = early.filter(({ of }) => of === name);
  if (known.length === 0) return session;
  const others = early.filter(({ of }) => of !== name);
  const left: Session = { ...rest, ...(others.length > 0 && { early: others }) };
  const has = known.find(({ status }) => status !== 'failed');
  return withStatus(left, name, has?.status ?? 'failed');
}

function withEarly(session: Session, of: string, status: ProviderStatus): Session {
  return { ...session, early: [...(session.early ?? []), { of, status }].slice(-EARLY_MAX) };
}

/** The session with each of its messages replaced by what is left of it. */
export function withOutbox(session: Session, each: (message: Outgoing) => Outgoing[]): Session {
  const { outbox = [], ...rest } = session;
  const left = outbox.flatMap(each);
  return left.length > 0 ? { ...rest, outbox: left } : rest;
}
