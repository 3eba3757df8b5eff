import {
  DEFAULT_LANGUAGE,
  type Incoming,
  type Input,
  type Language,
  type Reply,
  type TypedSecret,
} from '../incoming.ts';
import { inputEvent, type Ran } from '../record/record.ts';
import { currentScreen } from '../session/current-screen.ts';
import { hasNews, isSending, isTaken, remember, type Session } from '../session/session.ts';
import type { Loaded } from '../session/sessions.ts';
import { catchUp } from './catch-up.ts';
import { commit } from './commit.ts';
import { asksForMore } from './read-input.ts';
import type { Replies } from './replies.ts';
import { fallbackOf, lateReplyOf, replyToPerson } from './reply.ts';
import { finish, sendingFor } from './run.ts';
import { surroundings } from './surroundings.ts';
import { think } from './think.ts';
import type { TurnDeps } from './turn-deps.ts';
import { secretIn } from './typed-secret.ts';

/** How often a turn is thought again because somebody else was faster, before the customer is asked to try again. */
const CONFLICTS_MAX = 20;

export interface ReceiveDeps {
  readonly turns: TurnDeps;
  readonly replies: Replies;
  /** Spoken to a customer who has chosen no language. */
  readonly language: Language | undefined;
  /** Delivers a session's new messages now, behind the reply. */
  readonly push: (loaded: Loaded) => void;
}

/** A turn under way, and how far it has come when its deadline strikes. */
interface Turn {
  readonly incoming: Incoming;
  readonly onTyped: (secret: TypedSecret | undefined) => void;
  /** Aborts reads at the deadline. */
  readonly signal: () => AbortSignal;
  /** The session as it was last read. */
  seen?: Loaded;
  /** The session as it was last committed. */
  committed?: Loaded;
  /** The session with the call that a commit under way claims: it may be written any moment. */
  claiming?: Loaded;
  late: boolean;
  /** Called when a payment is being sent. */
  readonly sends: () => void;
}

/** The deadline struck before anything was committed: nothing may be committed any more. */
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
  const sends = () => void timers.push(setTimeout(strike, sendingMs));
  // Few turns call the wallet, and a controller costs as much as reading a session.
  const signal = () => {
    deadline ??= new AbortController();
    if (turn.late) deadline.abort();
    return deadline.signal;
  };
  const turn: Turn = { incoming, onTyped, signal, late: false, sends };
  const working = converse(deps, turn).catch((error) => answerFromMemory(deps, turn, error));
  try {
    return await Promise.race([working, struck.promise]);
  } finally {
    timers.forEach(clearTimeout);
    if (turn.late) deps.turns.background.add(working, 'turn');
  }
}

/** `Conversations.fallback`: what is said where the session cannot be read. */
export function fallback(
  { turns, replies }: Pick<ReceiveDeps, 'turns' | 'replies'>,
  address: Incoming['address'],
  guess: Language,
): Reply {
  return fallbackOf(sendingFor(turns, address), replies.languageAt(address) ?? guess);
}

/** Takes an input in the session as it is, again while somebody else is faster. */
async function converse(deps: ReceiveDeps, turn: Turn): Promise<Reply> {
  const { turns, replies } = deps;
  const { address } = turn.incoming;
  let loaded = await catchUp(turns, await turns.sessions.load(address, turns.now()));
  const answered = loaded.session.screen;
  reportTypedSecret(turn, loaded.session);
  for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
    turn.seen = loaded;
    const reply =
      replyWithoutTurn(deps, turn, asMet(turn.incoming, loaded), answered) ??
      (await takeTurn(deps, turn, loaded));
    if (reply) return reply;
    loaded = await turns.sessions.load(address, turns.now());
  }
  return replies.of(loaded, { key: 'nav.busy' });
}

/**
 * The reply to an input that changes nothing; undefined for one that is to be taken.
 * @param answered the number of the screen that was on show when the input came
 */
function replyWithoutTurn(
  { turns, replies }: ReceiveDeps,
  { incoming }: Turn,
  loaded: Loaded,
  answered: number,
): Reply | undefined {
  const { session } = loaded;
  // Known already, or a call is running: the same screen again, and nothing is done twice.
  if (isTaken(session, incoming, turns.now())) return { ...replies.of(loaded), repeated: true };
  if (session.underway) {
    const reply = replies.of(loaded);
    // Turning the page in the store would be in the way of the call.
    return asksForMore(incoming.inputs.at(-1)) ? { ...reply, page: reply.page + 1 } : reply;
  }
  if (incoming.answers !== undefined && incoming.answers !== session.screen) {
    return { ...replies.of(loaded, { key: 'nav.stale' }), stale: true };
  }
  return session.screen === answered ? undefined : replies.of(loaded);
}

/** The session as its customer meets it: whoever dials or opens the chat reads what is open, whichever screen stands by now. */
function asMet({ inputs: [first] }: Incoming, loaded: Loaded): Loaded {
  if (first !== undefined && first.type !== 'opened') return loaded;
  const { session } = loaded;
  return { ...loaded, session: { ...session, contact: session.screen } };
}

/** One try to think an input through and commit it. Undefined when somebody else was faster. */
async function takeTurn(deps: ReceiveDeps, turn: Turn, loaded: Loaded): Promise<Reply | undefined> {
  const { turns, replies } = deps;
  const { incoming } = turn;
  const startedAt = turns.now();
  const ran: Ran[] = [];
  const thought = await think(loaded.session, incoming, surroundings(turns, loaded, ran, turn.signal));
  stopIfLate(turn);
  const cause = { event: inputEvent(incoming, thought, loaded.session), startedAt, ran };
  const remembered = { ...thought, session: remember(thought.session, incoming) };
  const committed = await commit(turns, loaded, remembered, cause, (claiming) => {
    // The deadline may have struck while the documents of the claim were read.
    stopIfLate(turn);
    turn.claiming = claiming;
  });
  if (!committed) return undefined;
  if (thought.toPerson) return { ...replies.of(committed.loaded), ...replyToPerson(committed.loaded) };
  const finished = await finish(turns, committed, { isLate: () => turn.late }, (running) => {
    turn.committed = running;
    if (isSending(running.session)) turn.sends();
  });
  deps.push(finished);
  const reply = replies.of(finished, thought.notice);
  return hasNews(loaded.session) ? { ...reply, news: true } : reply;
}

function stopIfLate({ late }: Turn): void {
  if (late) throw new TooLate();
}

/** A secret must leave the chat before anything can go wrong with the turn that it belongs to. */
function reportTypedSecret({ incoming: { inputs, unreadText }, onTyped }: Turn, session: Session): void {
  const typed: Input | undefined =
    unreadText === undefined ? inputs.at(-1) : { type: 'said', text: unreadText };
  onTyped(secretIn(typed, currentScreen(session)));
}

/** The deadline struck: what was committed goes on behind; where nothing was, nothing will be ("a deadline on everything"). */
function lateReply(deps: ReceiveDeps, { committed, claiming, seen, incoming }: Turn): Reply {
  const { turns, replies, language = DEFAULT_LANGUAGE } = deps;
  const running = committed ?? claiming;
  if (running) return { ...replies.of(running), rests: true };
  return seen
    ? lateReplyOf(seen, turns.now())
    : fallback(deps, incoming.address, incoming.language ?? language);
}

/** Once a call is claimed, whatever fails after it is no reason to say less than what is known. */
function answerFromMemory({ turns, replies }: ReceiveDeps, { committed }: Turn, error: unknown): Reply {
  if (!committed) throw error;
  turns.onError(error, 'turn');
  return { ...replies.of(committed), rests: true };
}
