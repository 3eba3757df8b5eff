import { costOf } from '../../../machines/kit/reference.ts';
import type { Screen } from '../../../machines/kit/screen.ts';
import type { Write } from '../../store/store.ts';
import type { Centimes } from '../../wallet/money.ts';
import { abilitiesOf, ownAddress } from '../channel.ts';
import { chatsOf } from '../session/linking.ts';
import { screenOfReference, withoutReference } from '../session/reference-screens.ts';
import { enqueue, type Outgoing, type Session } from '../session/session.ts';
import { type LoadedSession, mayRead, rewritten } from '../session/sessions.ts';
import type { ReferencesDeps } from './follow.ts';
import type { Reference } from './reference.ts';

/** A session that gets the message, and the write that stores it. */
interface MessageWrite {
  readonly before: LoadedSession;
  readonly after: LoadedSession;
  readonly write: Write;
}

/**
 * The message for its customer about a reference that has come to its end. Undefined while it has not, and where it
 * never had a number.
 * @param fees what the wallet took for a withdrawal. Absent: it did not say
 */
export function outcomeMessage(reference: Reference, now: number, fees?: Centimes): Outgoing | undefined {
  const { id, kind, state, amount } = reference;
  if (state === 'asked' || state === 'open' || state === 'lost') return undefined;
  const message = {
    id: `reference-${state}-${id}`,
    screen: screenOf(reference, fees),
    money: true,
    topic: 'outcome' as const,
    tries: 0,
    tryAt: now,
  };
  return kind === 'cash-in' && state === 'executed'
    ? { ...message, topic: 'received', received: { times: 1, total: amount } }
    : message;
}

/** The customer knows a deposit by its number. The number of a withdrawal is not said again. */
function screenOf({ kind, state, amount, number }: Reference, fees: Centimes | undefined): Screen {
  const values = { amount: { money: amount } };
  if (kind === 'cash-out' && state === 'executed' && fees !== undefined) {
    const cost = costOf(amount, fees);
    return { key: 'cash-out.executedPriced', values: { ...values, ...cost }, expects: 'nothing' };
  }
  if (kind === 'cash-out') return { key: WITHDRAWN[state as Ended], values, expects: 'nothing' };
  return {
    key: PAID_IN[state as Ended],
    values: { ...values, reference: number ?? { code: '' } },
    expects: 'nothing',
  };
}

type Ended = 'executed' | 'expired' | 'reversed';
const PAID_IN = {
  executed: 'cash-in.executed',
  expired: 'cash-in.expired',
  reversed: 'cash-in.reversed',
} as const;
const WITHDRAWN = {
  executed: 'cash-out.executed',
  expired: 'cash-out.expired',
  reversed: 'cash-out.reversed',
} as const;

/**
 * The addresses that get the message. One is where the reference was asked for, if its customer may still read about
 * the wallet there, else the number itself. The others are all chats of the wallet.
 */
export async function messageWrites(
  { store, sessions, now }: ReferencesDeps,
  { id, wallet, address }: Reference,
  message: Outgoing,
): Promise<MessageWrite[]> {
  const isReadable = (loaded: LoadedSession) => mayRead(loaded, wallet, now());
  const asked = await sessions.load(address, now());
  const first = isReadable(asked) ? asked : await sessions.load(ownAddress(wallet), now());
  const chats = (await chatsOf(store, wallet)).filter((chat) => chat !== first.address);
  const others = (await sessions.ofWallet(wallet, chats)).filter(isReadable);
  return [first, ...others].map((before) => ({
    before,
    ...rewritten(
      before,
      enqueue(withoutReference(withoutOlder(before.session, id), id), inPlace(before, id, message)),
    ),
  }));
}

/** The message. A chat that has shown the reference replaces that screen, too. */
function inPlace({ session, address }: LoadedSession, id: string, message: Outgoing): Outgoing {
  const replaces = abilitiesOf(address).edits ? screenOfReference(session, id) : undefined;
  return replaces ? { ...message, replaces } : message;
}

/** Removes older messages about a reference: they are no longer true. */
function withoutOlder({ outbox = [], ...session }: Session, id: string): Session {
  const others = outbox.filter((message) => !message.id.endsWith(id));
  return others.length > 0 ? { ...session, outbox: others } : session;
}
