import { alikeName, isPaymentKind, type Order } from '../../payments/payments.ts';
import type { Quote } from '../../payments/quote.ts';
import { abilitiesOf, ownAddress } from '../channel.ts';
import { type Conversation, hasTag } from '../chart/machines.ts';
import type { Address } from '../incoming.ts';
import { currentlyShown } from './reference-screens.ts';
import { CONVERSATION_IDLE_MS, enqueue, type Offered, type Session } from './session.ts';
import { type LoadedSession, mayRead, type Sessions } from './sessions.ts';
import type { WalletDoc } from './wallet-doc.ts';

/** A customer who has done nothing there for this time has left: networks end a USSD session before that. */
const LEFT_AFTER_MS = 60_000;

/** A conversation that a customer has begun at another of their addresses, and the place where they have left it. */
export interface ResumeOffer {
  readonly from: LoadedSession;
  readonly conversation: Conversation;
}

/**
 * The conversations that the customer has broken off elsewhere and can resume here, the last one first. A customer of a
 * linked chat is offered what they have begun on the phone, and the other way round. A conversation that a PIN was
 * given for is never offered, nor one that is still in use.
 * @param only looks at what was offered before: nothing where it has gone on since
 */
export async function findResumeOffer(
  sessions: Pick<Sessions, 'ofWallet'>,
  { address, session, wallet: { value } }: LoadedSession,
  { now, only }: { readonly now: number; readonly only?: Offered | undefined },
): Promise<ResumeOffer | undefined> {
  const { wallet, linked, declined } = session;
  if (!wallet || !linked) return undefined;
  const others = [...(value.linked ?? []), ownAddress(wallet)].filter((other) => other !== address);
  if (others.length === 0) return undefined;
  const found = (await sessions.ofWallet(wallet, others))
    .filter((loaded) => mayRead(loaded, wallet, now))
    .filter((loaded) => (only ? isOf(loaded, only) : !isOf(loaded, declined)))
    .flatMap((from) => {
      const conversation = brokenOff(from.session, now);
      if (!conversation || isMadeSince(conversation, value)) return [];
      return [{ from, conversation: asShownAt(address, conversation) }];
    });
  return found.sort((a, b) => b.from.session.at - a.from.session.at)[0];
}

/** True where the very payment was made since it was quoted here: at another address, so that nothing is left to go on with. */
export function isMadeSince({ context }: Conversation, { entries }: Pick<WalletDoc, 'entries'>): boolean {
  const { order, quote } = context as { order?: Order; quote?: Quote };
  const name = order && isPaymentKind(order.kind) && alikeName(order);
  return (
    quote !== undefined &&
    entries.some(({ alike, state, at }) => alike === name && state !== 'void' && at > quote.at)
  );
}

function isOf({ address, session }: LoadedSession, offered: Offered | undefined): boolean {
  return offered?.from === address && offered.screen === session.screen;
}

function brokenOff(
  { conversation, suspended, underway, intent, owner, at }: Session,
  now: number,
): Conversation | undefined {
  const broken = suspended ?? conversation;
  const isLeft = now - at >= LEFT_AFTER_MS && now - at < CONVERSATION_IDLE_MS;
  const isFree = !underway && intent === undefined && !owner;
  return isLeft && isFree && broken && !broken.ended && hasTag(broken, 'resumable') ? broken : undefined;
}

/** The conversation as it continues there. Choices that only chats have are offered in chats only. */
function asShownAt(address: Address, conversation: Conversation): Conversation {
  const { isChat: _there, ...context } = conversation.context;
  const isChat = abilitiesOf(address).shows === 'messages';
  return { ...conversation, context: { ...context, ...(isChat && { isChat }) } };
}

/** The session that the conversation was taken from: its question says so, and a returning customer is at the menu. */
export function withoutResumed(
  { address, session }: Pick<LoadedSession, 'address' | 'session'>,
  now: number,
): Session {
  const { conversation: _gone, suspended: _too, keypad: _out, ...rest } = session;
  const left = { ...rest, screen: rest.screen + 1 };
  if (abilitiesOf(address).shows !== 'messages') return { ...left, expired: 'elsewhere' };
  const screen = { key: 'resume.elsewhere', expects: 'nothing' } as const;
  const id = `elsewhere-${session.screen}`;
  return enqueue(left, { id, screen, replaces: currentlyShown(session), money: false, tries: 0, tryAt: now });
}
