import { type Screen, SECRETS } from '../../machines/kit/screen.ts';
import { latinDigits } from '../wallet/money.ts';
import { choiceOf } from './hear.ts';
import type { Address, Incoming, Raw } from './incoming.ts';
import { type Conversation, screenOf } from './machines.ts';
import type { Owner, Session } from './session.ts';

/** How long an agent who does nothing keeps a conversation to themselves. */
export const OWNER_LEASE_MS = 5 * 60_000;
/** What an agent may write at once, and what is kept of what the customer writes. */
export const TALK_MAX_CHARS = 1_000;

/** What the customer sees while a person talks to them. */
export function talkScreen({ name }: Owner): Screen {
  return {
    key: 'support.talking',
    values: { agent: { name } },
    expects: 'field',
    choices: [{ id: 'leave', key: 'support.leave' }],
  };
}

/** What a customer's input is while a person talks to them: words for that person, the wish to leave, or neither. */
export function meantIn(owner: Owner, raw: Raw): Meant {
  switch (raw.type) {
    case 'said':
      return 'words';
    case 'chose':
    case 'picked':
      return choiceOf(raw, talkScreen(owner)) === 'leave' ? 'leaves' : 'nothing';
    case 'went':
      return raw.to === 'menu' ? 'toMenu' : raw.to === 'back' || raw.to === 'cancel' ? 'leaves' : 'nothing';
    default:
      return 'nothing';
  }
}
type Meant = 'words' | 'leaves' | 'toMenu' | 'nothing';

/**
 * A session whose screen an agent has changed. On USSD nobody can be shown it before they type something; and where a secret
 * was asked for, what comes next may be it.
 */
export function changed(session: Session, address: Address): Session {
  const paused = session.conversation && screenOf(session.conversation);
  const asksSecret = paused !== undefined && SECRETS.has(paused.expects);
  return address.startsWith('ussd:') || asksSecret ? { ...session, unseen: true } : session;
}

/** True where an input is the answer to a screen that the customer sees no more: it is shown this one, and nothing is heard. */
export function isBlind({ unseen }: Session, { answers, dialog }: Incoming, raw: Raw | undefined): boolean {
  return unseen === true && answers === undefined && (dialog !== undefined || raw?.type === 'said');
}

/** The conversation with its timers as much later as it was paused. */
export function later(conversation: Conversation, pausedMs: number): Conversation {
  const { timers } = conversation;
  if (!timers) return conversation;
  const moved = Object.entries(timers).map(([name, at]) => [name, at + pausedMs] as const);
  return { ...conversation, timers: Object.fromEntries(moved) };
}

/** Digits that belong together, as people group them. */
const NUMBER = /\d(?:[ .-]?\d)*/g;

/**
 * What a customer wrote to a person, as it may be written down: numbers that are as long as a PIN, a one-time code or a
 * card's are left out, though some of them were only amounts.
 */
export function withoutSecrets(text: string): string {
  return latinDigits(text.slice(0, TALK_MAX_CHARS)).replace(NUMBER, (number) => {
    const { length } = number.replace(/\D/g, '');
    return length === 4 || length === 6 || length >= 13 ? '••••' : number;
  });
}
