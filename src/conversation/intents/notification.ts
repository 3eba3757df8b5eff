import type { Payment } from '../../../machines/kit/effects.ts';
import type { Learnt } from '../../../machines/kit/input.ts';
import type { Screen, Sentence } from '../../../machines/kit/screen.ts';
import { methodOf, orderValues } from '../../payments/payments.ts';
import { type Outcome, receipt } from '../../payments/receipt.ts';
import type { Facts } from '../../wallet/wallet.ts';
import { hasTag, screenOf, tell } from '../chart/machines.ts';
import { momentFor, withMoment } from '../session/dated-sentences.ts';
import { enqueue, type Outgoing, type Session } from '../session/session.ts';
import { changed } from '../session/talk.ts';
import { type Intent, type IntentState, isOpen } from './intent.ts';

/** The outcome that a customer reads of an intent in each state. None while the payment is on its way. */
const OUTCOMES: Partial<Readonly<Record<IntentState, Outcome>>> = {
  rejected: 'refused',
  unsent: 'unsent',
  succeeded: 'succeeded',
  failed: 'failed',
  reversed: 'reversed',
  'not-found': 'notFound',
  human: 'human',
};

/** The outcome of an intent. Undefined while nothing is known. */
export function outcomeOf({ state, trouble }: Intent): Outcome | undefined {
  return isSecond(trouble) ? 'double' : OUTCOMES[state];
}

/**
 * The answer for the conversation that waits for it: the outcome that is known by now, which may be more than the answer. An
 * answer that is itself the refusal, or says that nothing was sent, tells why, and is passed on.
 */
export function paymentAnswer(intent: Intent, answer: Payment): Payment {
  const learnt = learntOf(intent);
  const saysWhy =
    (learnt?.outcome === 'refused' && answer.kind === 'rejected') ||
    (learnt?.outcome === 'unsent' && answer.kind === 'unsent');
  return learnt && !saysWhy ? { kind: 'settled', ...learnt } : answer;
}

/** The outcome of an intent as its customer reads it now. Undefined while nothing is known. */
export function endedReceipt(intent: Intent): Screen | undefined {
  const learnt = learntOf(intent);
  return learnt && receipt({ ...intent, ...learnt });
}

/** The message about an intent's outcome. Undefined while nothing is known. */
export function outcomeMessage(intent: Intent, now: number): Outgoing | undefined {
  const learnt = learntOf(intent);
  if (!learnt) return undefined;
  const screen = receipt({ ...intent, ...learnt });
  // After a settlement the same can be said once more, and is another message then.
  const settled = intent.evidence.filter(({ kind }) => kind === 'settled').length;
  const id = [learnt.outcome, intent.id, ...(settled > 0 ? [settled] : [])].join('-');
  return {
    id,
    intent: intent.id,
    screen,
    money: true,
    topic: 'outcome',
    tries: 0,
    tryAt: now,
    ...momentFor(screen, intent.sentAt),
  };
}

/**
 * The message about an intent that waits for its customer, once the customer has not continued. Undefined where that
 * was said before, or where there is nothing to say.
 */
export function unfinishedMessage(intent: Intent, before: Intent, now: number): Outgoing | undefined {
  const { id, order, quote } = intent;
  const key = methodOf(order).said.unfinished;
  const isSaid = ({ evidence }: Intent) => evidence.some(({ kind }) => kind === 'unfinished');
  if (!key || !isOpen(intent) || !isSaid(intent) || isSaid(before)) return undefined;
  const screen: Screen = { key, values: orderValues(order, quote), expects: 'nothing' };
  return { id: `unfinished-${id}`, intent: id, screen, money: true, topic: 'outcome', tries: 0, tryAt: now };
}

/**
 * The sentence that its customer reads of a payment while nobody knows how it ended. It comes first on every screen
 * that begins or ends a contact. Undefined once the outcome is known.
 */
export function openSentence(intent: Intent): Sentence | undefined {
  const { order, quote, state } = intent;
  const { said, waitsFor } = methodOf(order);
  const isWithWallet = state === 'accepted';
  if (isOpen(intent) && (waitsFor === 'other' || (isWithWallet && waitsFor))) return undefined;
  if (isOpen(intent)) {
    const key = (isWithWallet && said.accepted) || (`${order.kind}.notConfirmed` as const);
    return { key, values: orderValues(order, quote) };
  }
  const learnt = state === 'human' ? learntOf(intent) : undefined;
  if (!learnt) return undefined;
  const { key, values = {} } = receipt({ ...intent, ...learnt });
  return { key, values };
}

/** The session with the outcome: in the conversation that waits for it, else in a message of its own. */
export function notified(session: Session, intent: Intent, now: number): Session {
  if (methodOf(intent.order).inBulk) return session;
  const learnt = learntOf(intent);
  // While the answer is on its way to the conversation, it will bring the outcome with it.
  const message = outcomeMessage(intent, now);
  if (!learnt || !message || session.underway?.ref === intent.id) return session;
  const place = (['conversation', 'suspended'] as const).find((each) => {
    const conversation = session[each];
    return session.intent === intent.id && conversation && hasTag(conversation, 'sent');
  });
  const waiting = place && session[place];
  if (!place || !waiting) return enqueue(session, message);
  const step = tell(waiting, { type: 'outcome', ...learnt, at: now }, now);
  const after = { ...session, [place]: step.conversation };
  // A conversation that an interruption or an agent has put aside learns it too, but the customer reads the message.
  if (place === 'suspended' || session.owner) return enqueue(after, message);
  // The conversation's own screen says the same, and may offer something more.
  const screen = screenOf(step.conversation) ?? message.screen;
  const next = changed({ ...after, screen: session.screen + 1, page: 0 }, intent.address, now);
  const shown = withMoment(next, screen, intent.sentAt);
  return enqueue(shown, { ...message, screen, screenId: shown.screen, ...momentFor(screen, intent.sentAt) });
}

function learntOf(intent: Intent): Learnt | undefined {
  const outcome = outcomeOf(intent);
  if (!outcome) return undefined;
  const { operationId } = intent;
  const facts = { ...intent.facts, ...secondOf(intent) };
  return {
    outcome,
    reference: referenceOf(intent),
    sentAt: intent.sentAt,
    payment: intent.id,
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(operationId !== undefined && { operationId }),
  };
}

/** The wallet's ids of the other operations of a payment that it has made twice. */
function secondOf({ trouble, operationId }: Intent): Facts {
  if (!trouble || !isSecond(trouble)) return {};
  const second = trouble.operationIds.filter((id) => id !== operationId).join(', ');
  return { second, ...(trouble.kind === 'alike' && { alike: 'yes' }) };
}

function isSecond(trouble: Intent['trouble']): boolean {
  return trouble?.kind === 'double' || trouble?.kind === 'alike';
}

/** The reference that the customer can give to an adviser: the operation, else the service's name for it, else our own. */
export function referenceOf({
  operationId,
  id,
  order,
}: Pick<Intent, 'operationId' | 'id' | 'order'>): string {
  if (operationId !== undefined) return String(operationId);
  return methodOf(order).receipt?.reference?.(order) ?? id.slice(0, 8).toUpperCase();
}
