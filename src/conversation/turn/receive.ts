import { setTimeout as sleep } from 'node:timers/promises';
import { patiently } from '../../store/patience.ts';
import { abilitiesOf } from '../channel.ts';
import {
  DEFAULT_LANGUAGE,
  type Incoming,
  type Input,
  type Language,
  type Reply,
  type TypedSecret,
} from '../incoming.ts';
import { inputEvent, type Made } from '../record/record.ts';
import { type Attachment, attachmentForPerson } from '../session/attachment.ts';
import { currentScreen, MENUS } from '../session/current-screen.ts';
import type { Replies } from '../session/replies.ts';
import { fallbackOf, lateReplyOf, replyToPerson } from '../session/reply.ts';
import {
  asNamedIn,
  hasMoneyMessage,
  isSending,
  remember,
  type Session,
  withOpenWindow,
} from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import type { TurnDeps } from '../turn-deps.ts';
import { catchUp } from './catch-up.ts';
import { commit } from './commit/commit.ts';
import { finish, sendingFor } from './finish/finish.ts';
import { secretIn } from './read/typed-secret.ts';
import { asksForMore, type OnPages, onPages, withShown } from './read/unread-pages.ts';
import { isAskedAgain } from './think/repair.ts';
import { stepEnv } from './think/step-env.ts';
import { think } from './think/think.ts';
import type { Thought } from './think/thought.ts';
import { typing } from './typing.ts';

/** How often a turn is tried again after a concurrent commit has won, before the customer is asked to try again. */
const CONFLICTS_MAX = 20;

/** How long a dial waits for news of what its customer follows. The operator's own limit is several seconds. */
const VISIT_LOOKS_MS = 1_000;

export interface ReceiveDeps {
  readonly turns: TurnDeps;
  readonly replies: Replies;
  /** Spoken to a customer who has chosen no language. */
  readonly language: Language | undefined;
  /** Starts to deliver a session's new messages; the reply does not wait for it. */
  readonly push: (loaded: LoadedSession) => void;
}

/** A turn in progress. When its deadline expires, these fields say how far it has come. */
interface Turn {
  incoming: Incoming;
  readonly onTyped: (secret: TypedSecret | undefined) => void;
  /** Aborts reads at the deadline. */
  readonly signal: () => AbortSignal;
  /** The session as it was last read. */
  seen?: LoadedSession;
  /** The session as it was last committed. */
  committed?: LoadedSession;
  /** The session with its claimed call while the claim is being committed: the store may have it already. */
  claiming?: LoadedSession;
  /** The file that the input has brought for a person: it is kept once, however often the turn is tried. */
  attachment?: Promise<Attachment | undefined>;
  late: boolean;
  isAnswered: boolean;
  /** Called when the turn begins to send a payment. */
  readonly sends: () => void;
}

/** The deadline has expired before anything was committed, so nothing may be committed any more. */
export class TooLate extends Error {}

/** `Conversations.receive`: carries one input to the next screen, within a deadline. */
export async function receive(
  deps: ReceiveDeps,
  incoming: Incoming,
  deadlineMs: number,
  onTyped: (secret: TypedSecret | undefined) => void = () => {},
  sendingMs = deadlineMs,
): Promise<Reply> {
  let deadline: AbortController | undefined;
  const struck = Promise.withResolvers<Reply>();
  const strike = () => {
    turn.late = true;
    deadline?.abort();
    struck.resolve(lateReply(deps, turn));
  };
  const timers = [setTimeout(strike, deadlineMs)];
  const stopTyping = typing(incoming.address, deps.turns.chatAt);
  const sends = () => void timers.push(setTimeout(strike, sendingMs));
  // Few turns call the wallet, and a controller costs as much as reading a session.
  const signal = () => {
    deadline ??= new AbortController();
    if (turn.late) deadline.abort();
    return deadline.signal;
  };
  const turn: Turn = { incoming, onTyped, signal, late: false, isAnswered: false, sends };
  // A store that is away for less than the deadline costs no turn.
  const isOver = () => turn.late || turn.isAnswered;
  const working = patiently(isOver, () => converse(deps, turn)).catch((error) =>
    answerFromMemory(deps, turn, error),
  );
  try {
    return await Promise.race([working, struck.promise]);
  } finally {
    turn.isAnswered = true;
    timers.forEach(clearTimeout);
    stopTyping();
    if (turn.late) deps.turns.background.add(working, 'A turn failed behind its answer');
  }
}

/** `Conversations.fallback`: the reply when the session cannot be read. */
export function fallback(
  { turns, replies }: Pick<ReceiveDeps, 'turns' | 'replies'>,
  address: Incoming['address'],
  guess: Language,
): Reply {
  return fallbackOf(sendingFor(turns, address), replies.languageAt(address) ?? guess);
}

/** Applies an input to the session, and starts again when a concurrent turn has committed first. */
async function converse(deps: ReceiveDeps, turn: Turn): Promise<Reply> {
  const { turns, replies } = deps;
  const { address } = turn.incoming;
  let loaded = await catchUp(turns, await turns.sessions.load(address, turns.now()));
  const shownBefore = loaded.session.screen;
  if (isVisit(turn.incoming, loaded.session)) loaded = await withVisitLooks(turns, loaded);
  reportTypedSecret(turn, loaded.session);
  for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
    turn.seen = loaded;
    turn.incoming = asNamedIn(loaded.session, turn.incoming);
    const reply =
      replyWithoutTurn(deps, turn, asMet(turn.incoming, loaded), shownBefore) ??
      (await takeTurn(deps, turn, {
        ...withWindow(turns, loaded, turn.incoming),
        ...attachedFiles(turn.incoming),
      }));
    if (reply) return reply;
    loaded = await turns.sessions.load(address, turns.now());
  }
  return replies.of(loaded, { key: 'nav.busy' });
}

/**
 * The reply to an input that changes nothing; undefined when the input must be processed.
 * @param shownBefore the number of the screen that was shown when the input arrived
 */
function replyWithoutTurn(
  { replies }: ReceiveDeps,
  { incoming }: Turn,
  loaded: LoadedSession,
  shownBefore: number,
): Reply | undefined {
  const { session } = loaded;
  // The input was seen before, or a call is running: the same screen is shown again, and nothing is done twice.
  if (session.seen.includes(incoming.id)) return { ...replies.of(loaded), repeated: true };
  if (session.underway) {
    const reply = replies.of(loaded);
    // A commit of the new page would conflict with the commit of the call's answer.
    return asksForMore(incoming.inputs.at(-1)) ? { ...reply, page: reply.page + 1 } : reply;
  }
  // Its conversation is over, or goes on elsewhere: there is nothing to show again, and the menu answers.
  if (!session.conversation && !session.owner) return undefined;
  if (incoming.screenId !== undefined && incoming.screenId !== session.screen) {
    return { ...replies.of(loaded, { key: 'nav.stale' }), stale: true };
  }
  return session.screen === shownBefore || session.unseen ? undefined : replies.of(loaded);
}

/**
 * The session of a customer who comes, after a look at what of theirs is followed. A dial waits for it a moment: it shows by itself what is
 * known, and must not name a reference as open that this very look finds paid. A chat is told when it is.
 */
async function withVisitLooks(
  { lookAtVisit, sessions, now }: TurnDeps,
  loaded: LoadedSession,
): Promise<LoadedSession> {
  const { address } = loaded;
  const looks = lookAtVisit(loaded);
  if (abilitiesOf(address).keepsShown) return loaded;
  const isLooked = await Promise.race([looks, sleep(VISIT_LOOKS_MS, false, { ref: false })]);
  return isLooked ? sessions.load(address, now()) : loaded;
}

/** True where a customer comes: a dial, or a chat that is opened. */
function isVisit({ inputs: [first], dialog }: Incoming, session: Session): boolean {
  return dialog === undefined ? first?.type === 'opened' : dialog !== session.dialog;
}

/** The session as its customer sees it: whoever dials or opens the chat reads of open payments, whichever screen is current. */
function asMet({ inputs: [first] }: Incoming, loaded: LoadedSession): LoadedSession {
  const again = markRepeated(loaded, loaded);
  if (first !== undefined && first.type !== 'opened') return again;
  const { session } = loaded;
  return { ...again, session: { ...session, contact: session.screen } };
}

/** The session after a turn, with whether it shows the screen of before again. Pages of a handset stay as they are turned. */
function markRepeated(before: LoadedSession, after: LoadedSession): LoadedSession {
  const isChat = abilitiesOf(after.address).shows === 'messages';
  return { ...after, isAgain: isChat && before.session.screen === after.session.screen };
}

/** The session of a customer who writes in their chat. An answer on a form opens no window of the chat. */
function withWindow({ now }: TurnDeps, loaded: LoadedSession, { elsewhere }: Incoming): LoadedSession {
  return elsewhere ? loaded : { ...loaded, session: withOpenWindow(loaded.session, loaded.address, now()) };
}

/** The content that came with an input, in memory for this turn alone. */
function attachedFiles({
  origin,
  card,
  document,
  table,
}: Incoming): Pick<LoadedSession, 'origin' | 'card' | 'document' | 'table'> {
  return { origin, card, document, table };
}

/** One attempt to process an input and commit the result. Undefined when a concurrent commit has won. */
async function takeTurn(deps: ReceiveDeps, turn: Turn, loaded: LoadedSession): Promise<Reply | undefined> {
  const { turns, replies } = deps;
  const answered = onPages(turns, loaded, turn.incoming);
  const { incoming, onPage } = answered;
  const startedAt = turns.now();
  const ran: Made[] = [];
  if (loaded.session.owner) turn.attachment ??= attachmentForPerson(turns, loaded, incoming.inputs.at(-1));
  const env = stepEnv(turns, loaded, ran, turn.signal, await turn.attachment);
  const { thought, read } = pastNews(
    loaded,
    await think(loaded.session, incoming, { ...env, onPage }),
    answered,
  );
  stopIfLate(turn);
  const isElsewhere = incoming.elsewhere === true;
  const cause = {
    event: inputEvent(incoming, thought, loaded),
    startedAt,
    ran,
    ...(isElsewhere && { push: { money: false } }),
  };
  const counted = { ...thought, session: countedMisses(loaded.session, thought) };
  const awake = withSnooze(withShown(loaded, counted, read, turn.incoming), incoming);
  const remembered = { ...thought, session: remember(awake, incoming) };
  const committed = await commit(turns, loaded, remembered, cause, (claiming) => {
    // The deadline may have expired while the documents of the claim were read.
    stopIfLate(turn);
    turn.claiming = claiming;
  });
  if (!committed) return undefined;
  // The sentence about a file is a message of its own.
  if (thought.toPerson) deps.push(committed.loaded);
  if (thought.toPerson) return { ...replies.of(committed.loaded), ...replyToPerson(committed.loaded) };
  const finished = await finish(turns, committed, { isLate: () => turn.late || isElsewhere }, (running) => {
    turn.committed = running;
    if (isSending(running.session)) turn.sends();
  });
  deps.push(finished);
  const reply = replies.of(markRepeated(loaded, finished), thought.notice);
  return hasMoneyMessage(loaded.session) ? { ...reply, hasMoneyMessage: true } : reply;
}

/** A message that was put off until its customer says something waits no more. A customer who only opens a chat has said nothing yet. */
function withSnooze({ snoozed, ...session }: Session, { inputs: [first] }: Incoming): Session {
  return snoozed && first?.type === 'opened' ? { ...session, snoozed } : session;
}

/** The session with how often in a row its customer was asked the same again. */
function countedMisses(before: Session, { session, isUnderstood, toPerson, leavesWords }: Thought): Session {
  const { misses: _before, ...rest } = session;
  if (toPerson || leavesWords || session.owner) return rest;
  return isUnderstood && !isAskedAgain(before, session)
    ? rest
    : { ...rest, misses: (before.misses ?? 0) + 1 };
}

function stopIfLate({ late }: Turn): void {
  if (late) throw new TooLate();
}

/**
 * An answer that was not understood, on a page that open payments fill: the menu comes. The word about a mistake would
 * stand beside the payment, and be read as its end.
 */
function pastNews(
  { session: before }: LoadedSession,
  thought: Thought,
  read: OnPages,
): { readonly thought: Thought; readonly read: OnPages } {
  const { notice, session, ...rest } = thought;
  const isMenu = notice?.key === 'nav.chooseOne' && MENUS.has(currentScreen(session).key);
  if (!read.isAboveMenu || !isMenu || session.screen !== before.screen) return { thought, read };
  const turned = { ...before, at: session.at, page: before.page + 1 };
  return { thought: { ...rest, session: turned, turned: true }, read: { ...read, isTooEarly: true } };
}

/** Reports a typed secret before anything in its turn can fail, so that the channel deletes it from the chat in any case. */
function reportTypedSecret({ incoming: { inputs, unreadText }, onTyped }: Turn, session: Session): void {
  const typed: Input | undefined =
    unreadText === undefined ? inputs.at(-1) : { type: 'said', text: unreadText };
  const { afterPin } = session;
  onTyped(secretIn(typed, { ...currentScreen(session), ...(afterPin && { afterPin }) }));
}

/**
 * The reply when the deadline expires. A committed turn goes on in the background. If nothing was committed, nothing will
 * be ("a deadline on everything").
 */
function lateReply(deps: ReceiveDeps, { committed, claiming, seen, incoming }: Turn): Reply {
  const { turns, replies, language = DEFAULT_LANGUAGE } = deps;
  const running = committed ?? claiming;
  if (running) return { ...replies.of(running), rests: true };
  return seen
    ? lateReplyOf(seen, turns.now())
    : fallback(deps, incoming.address, incoming.language ?? language);
}

/** The reply to a failure after a call was claimed: the session as committed, so that the customer reads what is known. */
function answerFromMemory({ turns, replies }: ReceiveDeps, { committed }: Turn, error: unknown): Reply {
  if (!committed) throw error;
  turns.onError(error, 'A turn failed behind its answer');
  return { ...replies.of(committed), rests: true };
}
