import { STOPPED_BESIDES } from '../../../machines/freeze.ts';
import { isPaymentKind } from '../../payments/payments.ts';
import { type Address, abilitiesOf } from '../channel.ts';
import type { Session } from '../session/session.ts';
import { type Conversation, hasTag, isKnown } from './machines.ts';
import { READINGS } from './readings.ts';

/** Conversations that interrupt another one and give it back. They never interrupt each other. */
export const INTERRUPTIONS: ReadonlySet<string> = new Set(['help', 'language', 'rating', 'resume']);

/**
 * Conversations that only read, or protect. Asked for in the middle of a request, they are its guests: they hand back to its
 * question, which keeps all that was given.
 */
export const GUESTS: ReadonlySet<string> = new Set([
  ...['balance', 'statement', 'profile', 'upgrade', 'freeze'],
  ...READINGS.map(({ id }) => id),
]);

/** True for what a freeze stops: payments, links that others pay by, references for withdrawals, and new cards. */
export function isStoppedByFreeze(machine: string): boolean {
  return isPaymentKind(machine) || STOPPED_BESIDES.has(machine);
}

/** True while a guest is on show. */
export function isGuest({ conversation, suspended }: Session): boolean {
  return suspended !== undefined && GUESTS.has(conversation?.machine ?? '');
}

/** True where another request may begin beside the screen on show: at the customer's own wallet, with no money under way. */
export function mayLeave(session: Session): boolean {
  const main = mainConversation(session);
  if (!main || !session.linked || !isUnfinished(main) || opensWallet(main) || hasTag(main, 'sent'))
    return false;
  return !INTERRUPTIONS.has(session.conversation?.machine ?? '');
}

/** True where a guest may come as well: it hands back to the request. */
export function mayPause(session: Session): boolean {
  return mayLeave(session) && !GUESTS.has(mainConversation(session)?.machine ?? '');
}

/** The conversation that the customer is in. While an interruption or a guest is on show, it is the suspended one. */
export function mainConversation(session: Session): Conversation | undefined {
  const { conversation, suspended } = session;
  const isAside = isGuest(session) || INTERRUPTIONS.has(conversation?.machine ?? '');
  return isAside ? (suspended ?? conversation) : conversation;
}

/** True while there is something to cancel: not at the menu, and not once it has ended. */
export function isUnfinished({ machine, ended }: Conversation): boolean {
  return machine !== 'menu' && !ended;
}

/**
 * True while there is a request to give up: a payment, or anything else that was begun and can be gone on with. A list, a result such as a
 * freeze, and a reference that was given are none: to give them up would change nothing.
 */
export function isRequest(conversation: Conversation): boolean {
  const isBegun = isPaymentKind(conversation.machine) || hasTag(conversation, 'resumable');
  return isUnfinished(conversation) && isBegun;
}

/** True while the wallet that the customer has here is still to be opened, also where they have declined its terms. */
export function opensWallet({ machine, ended }: Conversation): boolean {
  return machine === 'consent' || (machine === 'onboarding' && !ended);
}

/** False where another version of Wasl has stored a conversation that this one does not know ("old conversations survive a deploy"). */
export function hasKnownConversations({ conversation, suspended }: Session): boolean {
  return (!conversation || isKnown(conversation)) && (!suspended || isKnown(suspended));
}

/**
 * The session without the conversations that this version does not know: the menu comes next, with a sentence. Money that was
 * sent is followed by its intent, not by the conversation.
 */
export function withoutConversations(session: Session): Session {
  const { conversation: _gone, suspended: _too, underway: _lost, intent, ...rest } = session;
  return intent ? rest : { ...rest, expired: true };
}

/** The session of a customer who has been away from this address for too long. */
export function expired(session: Session, address: Address): Session {
  const { conversation: _left, suspended: _too, without: _perhapsEnabled, ...others } = session;
  const { contact: _over, intent: _followed, said: _shown, via: _lists, dialog: _hungUp, ...left } = others;
  const { shown: _page, ...rest } = left;
  // There are millions of these. An input that is repeated after so long can only be the last one.
  const seen = abilitiesOf(address).repeats === 'later' ? rest.seen.slice(-1) : [];
  const idle = { ...rest, seen };
  const main = mainConversation(session);
  if (!main || !isUnfinished(main)) return idle;
  return hasTag(main, 'sent') ? idle : { ...idle, expired: true };
}
