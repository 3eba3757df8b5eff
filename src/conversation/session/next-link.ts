import type { Msisdn } from '../../wallet/phone.ts';
import { abilitiesOf, canPush, ownAddress, ownWallet } from '../channel.ts';
import { claimOf } from '../chart/releases.ts';
import type { Address, DeliveryStatus } from '../incoming.ts';
import { languageOf } from './current-screen.ts';
import { enqueue, isAccepted, type Outgoing, type Session, withOutbox } from './session.ts';
import { type LoadedSession, mayRead, type Sessions, sessionWrite } from './sessions.ts';
import { hasSecret } from './wallet-secret.ts';

/*
 * A message that cannot be delivered at one address goes to the next link: another chat of its wallet, then the number
 * itself, by SMS or at the next dial. All of a wallet's sessions lie in one partition, so it moves in one commit.
 */

/** A message that its customer does not have after this time goes to the next link. */
export const NEXT_LINK_MS = 20_000;
/** How many of the last messages a session remembers as read. */
const HAD_MAX = 4;

/** True for a message that other links may say: it has a topic, and no value that only its own address may open. */
export function mayMove({ topic, sealed, linksTo, screen }: Outgoing): boolean {
  return topic !== undefined && !sealed && linksTo === undefined && !hasSecret(screen);
}

/** A message's name at every address: the screen that said it, or in other chats its payment. */
function nameOf({ id, intent, screen }: Pick<Outgoing, 'id' | 'intent' | 'screen'>): string {
  return intent === undefined ? id : `${screen.key}-${intent}`;
}

/**
 * When a message goes to the next link after it was handed over in a chat. Undefined: not by itself. A provider may still
 * deliver money received, which is never said twice, so only a report of its failure moves it.
 */
export function moveAtOf(
  message: Outgoing,
  status: DeliveryStatus,
  { address, now }: { readonly address: Address; readonly now: number },
): number | undefined {
  if (!mayMove(message) || message.moved || ownWallet(address) || status === 'delivered') return undefined;
  const isUncertain = status === 'accepted' || status === 'unknown';
  if (isUncertain) return message.received ? undefined : now + NEXT_LINK_MS;
  const isCertain = status === 'gone' || (status === 'held' && abilitiesOf(address).reachesAway);
  return isCertain ? now : (message.dueAt ?? message.tryAt ?? now) + NEXT_LINK_MS;
}

/** The session without the messages that its customer has got. It remembers their ids. */
export function withGot(session: Session, isGot: (message: Outgoing) => boolean): Session {
  const got = session.outbox?.filter(isGot) ?? [];
  if (got.length === 0) return session;
  const left = withOutbox(session, (message) => (isGot(message) ? [] : [message]));
  return got.filter(mayMove).reduce(withRead, left);
}

/** The session that remembers that its customer has got a message here. */
export function withRead(session: Session, message: Outgoing): Session {
  if (!mayMove(message)) return session;
  const name = nameOf(message);
  const others = (session.had ?? []).filter((each) => each !== name);
  return { ...session, had: [...others, name].slice(-HAD_MAX) };
}

/** The session that no longer believes that its customer has got a message here. */
export function withUnread(session: Session, message: Outgoing): Session {
  const { had, ...rest } = session;
  const others = had?.filter((each) => each !== nameOf(message)) ?? [];
  return { ...rest, ...(others.length > 0 && { had: others }) };
}

interface LinkDeps {
  readonly sessions: Sessions;
  readonly now: () => number;
}

export function hasToMove({ outbox }: Session, now: number): boolean {
  return outbox?.some((message) => isDue(message, now)) === true;
}

function isDue({ moveAt }: Outgoing, now: number): boolean {
  return moveAt !== undefined && moveAt <= now;
}

/** Moves the messages of a chat whose time has come, in one commit with the sessions that get them. */
export function moveOn(
  { sessions, now }: LinkDeps,
  first: LoadedSession,
): Promise<LoadedSession | undefined> {
  return sessions.update(
    first.address,
    now,
    async (loaded) => {
      const { session, address } = loaded;
      if (!hasToMove(session, now())) return undefined;
      const isOver = (message: Outgoing) => isDue(message, now());
      const { wallet } = session;
      // The chat may be another person's by now. Then the message waits here, and the wallet reads of it nowhere else.
      const others =
        wallet && mayRead(loaded, wallet, now()) ? await withNumber(sessions, wallet, now()) : [];
      const after = others.filter((other) => other.address !== address).map(toNext);
      for (const message of session.outbox?.filter(isOver) ?? []) passTo(after, message, loaded, now());
      const writes = after.filter(({ next, session: before }) => next !== before);
      return {
        session: withOutbox(session, (message) => [isOver(message) ? asMoved(message) : message]),
        writes: writes.map((other) => sessionWrite({ ...other, session: other.next })),
        durable: true,
      };
    },
    first,
  );
}

/** A session that may get a message, as it is read and as it is written. */
type Next = LoadedSession & { next: Session };

function toNext(loaded: LoadedSession): Next {
  return { ...loaded, next: loaded.session };
}

/** Gives a message to the other chats that can show it now, and to the number, which waits for them. */
function passTo(others: readonly Next[], message: Outgoing, from: LoadedSession, now: number): void {
  const name = nameOf(message);
  if (others.some(({ next }) => isRead(next, message))) return;
  const isAwaited = spread(others, message, now);
  const number = others.find(({ address }) => ownWallet(address));
  if (!number) return;
  const tryAt = isAwaited ? now + NEXT_LINK_MS : now;
  // A page may have shown it in the last moment. Money received that is said twice must not read as if it had come twice.
  const isReminder = message.received && !abilitiesOf(from.address).reachesAway;
  const standIn = {
    ...plain(message, tryAt),
    ...{ standsIn: true as const, spread: true as const, spoken: languageOf(from) },
    ...(isReminder && { told: true as const }),
  };
  if (has(number.next, name) === undefined) number.next = enqueued(number.next, standIn);
  else
    number.next = withOutbox(number.next, (each) => {
      const isHeld = nameOf(each) === name && each.tryAt === undefined && !each.told && !each.shown;
      return [isHeld ? { ...each, tryAt } : each];
    });
}

/** Gives an outcome to the chats that can show it now and do not have it. True where a chat may still show the message. */
function spread(others: readonly Next[], message: Outgoing, now: number): boolean {
  const name = nameOf(message);
  for (const other of others) {
    const isReached = abilitiesOf(other.address).reachesAway && canPush(other.address, other.next, now);
    const isNew = message.intent === undefined || !knowsDebit(other.next, message.intent);
    if (message.topic === 'outcome' && isNew && isReached && has(other.next, name) === undefined)
      other.next = enqueued(other.next, plain(message, now));
  }
  const isWaiting = (session: Session) =>
    has(session, name) === 'waiting' || (message.intent !== undefined && knowsDebit(session, message.intent));
  return others.some(({ address, next }) => abilitiesOf(address).reachesAway && isWaiting(next));
}

/** Newer news of the same payment is not pushed out by older news. */
function enqueued(session: Session, message: Outgoing): Session {
  const isNewer = session.outbox?.some(({ intent }) => intent !== undefined && intent === message.intent);
  return isNewer ? session : enqueue(session, message);
}

/** The message on its own, without the choices of the screen that it was. */
function plain(message: Outgoing, tryAt: number): Outgoing {
  const { topic, intent, received, saidAt, money, screen } = message;
  const { key, values, notice, release } = screen;
  return {
    ...{ id: nameOf(message), money, tries: 0, tryAt },
    ...(topic && { topic }),
    ...(intent !== undefined && { intent }),
    ...(received && { received }),
    ...(saidAt !== undefined && { saidAt }),
    screen: {
      ...{ key, expects: 'nothing' },
      ...(values && { values }),
      ...(notice && { notice }),
      ...(release !== undefined && { release }),
    },
  };
}

/** A message that has moved on waits here for its customer, as a reminder. */
function asMoved({ tryAt: _next, moveAt: _done, ...message }: Outgoing): Outgoing {
  return { ...message, told: true, moved: true };
}

/** @param intent its id */
export function debitId(intent: string): string {
  return `debit-${intent}`;
}

/** @param intent its id */
export function receiptId(intent: string): string {
  return `receipt-${intent}`;
}

/** True where a chat was told that a payment has left: it need not hear its outcome, and hears what became of it. */
export function knowsDebit({ had = [], outbox = [] }: Session, intent: string): boolean {
  return had.includes(debitId(intent)) || outbox.some(({ id }) => id === debitId(intent));
}

/** The state of a message at an address. `sent`: its provider has it, or may have it. `moved`: it was not delivered. */
function has({ had, outbox = [] }: Session, name: string): 'read' | 'waiting' | 'sent' | 'moved' | undefined {
  if (had?.includes(name)) return 'read';
  const message = outbox.find((each) => nameOf(each) === name);
  if (!message) return undefined;
  if (message.moved) return 'moved';
  return isAccepted(message) || (message.waits && message.told) ? 'sent' : 'waiting';
}

/** Every session of a wallet that its customer may read, and that of the number, which exists without being used. */
async function withNumber(
  sessions: Sessions,
  wallet: Msisdn,
  now: number,
): Promise<readonly LoadedSession[]> {
  const all = (await sessions.everywhere(wallet)).filter((each) => mayRead(each, wallet, now));
  const isThere = all.some(({ address }) => ownWallet(address));
  return isThere ? all : [...all, await sessions.load(ownAddress(wallet), now)];
}

/**
 * Decides about a message at the number itself, before it may cost an SMS. `read`: a chat has shown it. `held`: it waits
 * for a dial. A session: it waits a while for the chats that have it. Undefined: it is sent.
 */
export async function beforeSms(
  { sessions, now }: LinkDeps,
  loaded: LoadedSession,
  message: Outgoing,
): Promise<'read' | 'held' | LoadedSession | undefined> {
  const { wallet } = loaded.session;
  if (!mayMove(message) || !wallet) return undefined;
  // The number is known to have no wallet: it may be another person's next.
  if (loaded.wallet.value.owner === null) return 'held';
  const chats = async ({ wallet: { value } }: LoadedSession) =>
    // Most wallets are linked to no chat: nothing is read for them.
    (value.linked?.length ? await sessions.everywhere(wallet) : []).filter(
      (each) => !ownWallet(each.address) && mayRead(each, wallet, now()),
    );
  const name = nameOf(message);
  const others = await chats(loaded);
  const known = others.map(({ session }) => has(session, name));
  const isReadThere = others.some(({ session }) => isRead(session, message));
  if (isReadThere || hasReceipt(loaded.session, message)) return 'read';
  if (message.received && known.includes('sent')) return 'held';
  if (!message.spread) {
    const waiting = await waitForChats({ sessions, now }, loaded, message, chats);
    if (waiting) return waiting;
  }
  for (const { address } of others) await holdCopy({ sessions, now }, address, name);
  return undefined;
}

/** True where the customer has read it at an address, or that its amount has left. */
function isRead(session: Session, message: Outgoing): boolean {
  const debit = saysMoved(message) && message.intent !== undefined && debitId(message.intent);
  return (
    has(session, nameOf(message)) === 'read' || (debit !== false && session.had?.includes(debit) === true)
  );
}

/** True for the outcome that a payment took its amount. */
function saysMoved({ topic, screen }: Outgoing): boolean {
  return topic === 'outcome' && claimOf(screen.key, screen.release) === 'moved';
}

/** True where the receipt by SMS says what this message would say. */
function hasReceipt({ had = [], outbox = [] }: Session, message: Outgoing): boolean {
  if (!saysMoved(message) || message.intent === undefined) return false;
  const receipt = receiptId(message.intent);
  return had.includes(receipt) || outbox.some(({ id }) => id === receipt);
}

/** Gives a message of the number to the chats that can show it now. Undefined where there is none to wait for. */
async function waitForChats(
  { sessions, now }: LinkDeps,
  first: LoadedSession,
  { id }: Outgoing,
  chats: (loaded: LoadedSession) => Promise<readonly LoadedSession[]>,
): Promise<LoadedSession | undefined> {
  let isAwaited = false;
  const after = await sessions.update(
    first.address,
    now,
    async (latest) => {
      const { session } = latest;
      const message = session.outbox?.find((each) => each.id === id);
      const others = (await chats(latest)).map(toNext);
      isAwaited = message !== undefined && spread(others, message, now());
      if (!isAwaited) return undefined;
      const tryAt = now() + NEXT_LINK_MS;
      const next = withOutbox(session, (each) => [each.id === id ? { ...each, spread: true, tryAt } : each]);
      const writes = others.filter((other) => other.next !== other.session);
      return {
        session: next,
        writes: writes.map((other) => sessionWrite({ ...other, session: other.next })),
      };
    },
    first,
  );
  return isAwaited ? after : undefined;
}

/** Before an SMS goes, a chat that could not show the message by itself says it from now on as a reminder only. */
async function holdCopy({ sessions, now }: LinkDeps, address: Address, name: string): Promise<void> {
  await sessions.update(address, now, ({ session }) =>
    has(session, name) === 'waiting'
      ? { session: withOutbox(session, (each) => [nameOf(each) === name ? asMoved(each) : each]) }
      : undefined,
  );
}
