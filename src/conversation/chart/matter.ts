import type { Session } from '../session/session.ts';
import { type Conversation, hasTag, isKnown } from './machines.ts';

/** Conversations that interrupt another one and give it back. They never interrupt each other. */
export const INTERRUPTIONS: ReadonlySet<string> = new Set(['help', 'language', 'resume']);

/** What the customer is about: the conversation, or the one that an interruption has put aside. */
export function matterOf({ conversation, suspended }: Session): Conversation | undefined {
  return conversation && INTERRUPTIONS.has(conversation.machine) ? (suspended ?? conversation) : conversation;
}

/** True while there is something to cancel: not at the menu, and not once it has ended. */
export function isUnfinished({ machine, ended }: Conversation): boolean {
  return machine !== 'menu' && !ended;
}

/** False when a conversation was left by another version of Wasl, whose machines are not today's (design rule 9). */
export function isOfToday({ conversation, suspended }: Session): boolean {
  return (!conversation || isKnown(conversation)) && (!suspended || isKnown(suspended));
}

/**
 * The session of such a customer: the menu comes next, with a sentence. Money that was sent is followed by its intent,
 * not by the conversation.
 */
export function landed(session: Session): Session {
  const { conversation: _gone, suspended: _too, underway: _lost, intent, ...rest } = session;
  return intent ? rest : { ...rest, expired: true };
}

/** The session of a customer who has been away for too long. */
export function givenUp(session: Session): Session {
  const { conversation: _left, suspended: _too, without: _perhapsEnabled, ...idle } = session;
  const matter = matterOf(session);
  if (!matter || !isUnfinished(matter)) return idle;
  return hasTag(matter, 'sent') ? idle : { ...idle, expired: true };
}
