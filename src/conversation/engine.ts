import { randomBytes } from 'node:crypto';
import type { Payment } from '../../machines/kit/effects.ts';
import type { Sentence } from '../../machines/kit/screen.ts';
import type { Store } from '../store/store.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { createBackground } from './background.ts';
import type { Desk } from './desk/desk.ts';
import { createReading } from './desk/reading.ts';
import { createSettling } from './desk/settling.ts';
import { createStepIn } from './desk/step-in.ts';
import type { SendCode } from './effects/effect.ts';
import {
  type Address,
  type ChatAt,
  type Conversations,
  DEFAULT_LANGUAGE,
  type Deliver,
  type Incoming,
  type Language,
  type Raw,
  type Reply,
  type TypedSecret,
} from './incoming.ts';
import type { Intent } from './intents/intent.ts';
import { createOutcomes } from './intents/outcomes.ts';
import { listenTo } from './intents/pulse.ts';
import { rebuild, type Trace } from './intents/rebuild.ts';
import { createReconciliation } from './intents/reconcile.ts';
import { createRecent } from './recent.ts';
import type { Secrets } from './secrets.ts';
import { createDelivery, waitingIn } from './session/delivery.ts';
import { createReceived } from './session/received.ts';
import { isTaken, type Outgoing, remember, type Session } from './session/session.ts';
import { createSessions, type Loaded } from './session/sessions.ts';
import { createCatchUp } from './turn/catch-up.ts';
import { asksForMore } from './turn/hear.ts';
import { inputEvent, type Ran } from './turn/record.ts';
import { fallbackOf, lateReplyOf, replyOf, replyToPerson } from './turn/reply.ts';
import { currentScreen, think } from './turn/think.ts';
import { secretIn } from './turn/typed-secret.ts';
import { type Committed, createWork, type WorkOptions } from './turn/work.ts';

/** How often a turn is thought again because somebody else was faster, before the customer is asked to try again. */
const CONFLICTS_MAX = 20;

export interface EngineOptions {
  readonly store: Store;
  readonly api: Wallet;
  readonly secrets: Secrets;
  readonly sendCode: SendCode;
  readonly deliver: Deliver;
  /** Absent: no channel shows messages in a chat of its own. */
  readonly chatAt?: ChatAt;
  /** Support agents can be asked for: there is a console. */
  readonly advisers?: boolean;
  /** Spoken to a customer who has chosen no language. */
  readonly language?: Language;
  /** True when no other process can be running (embedded store). */
  readonly alone: boolean;
  readonly now?: () => number;
  /** Told of bugs and of what went wrong behind a customer's back; never of a secret. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Told when nobody but a person can say what became of a payment. */
  readonly alert?: (intent: Intent) => void;
  /** Told of an answer of the wallet that the store did not take in time: sealed. */
  readonly answerLost?: WorkOptions['answerLost'];
}

/** How many customers' languages a process remembers, for when the store cannot be read. */
const LANGUAGES_MAX = 100_000;

/** How long a file may take to come from the wallet. */
const DOCUMENT_MAX_MS = 10_000;

/** A turn under way, and how far it has come when its deadline strikes. */
interface Turn {
  readonly incoming: Incoming;
  readonly onTyped: (secret: TypedSecret | undefined) => void;
  readonly signal: AbortSignal;
  seen?: Loaded;
  committed?: Loaded;
  /** The session with the call that a commit under way claims: it may be written any moment. */
  claiming?: Loaded;
  late: boolean;
}

/** What the engine offers: `Conversations` to the channels, the rest to webhooks and to the worker. */
export type Engine = ReturnType<typeof createEngine>;

/** The deadline struck before anything was committed: nothing may be committed any more. */
class TooLate extends Error {}

/** Carries inputs to screens, and everything that happens without the customer (design rules 1–15). */
export function createEngine(options: EngineOptions) {
  const { store, now = Date.now, onError = () => {}, alert = () => {}, answerLost = () => {} } = options;
  const sessions = createSessions(store, options.language);
  const by = randomBytes(6).toString('base64url');
  const background = createBackground((error, where) => {
    if (!(error instanceof TooLate)) onError(error, where);
  });
  const pushed = (loaded: Loaded) => push(loaded);
  const outcomes = createOutcomes({ store, sessions, pushed, alert, now });
  const pulse = listenTo(options.api, (ids) => background.add(outcomes.hasten(ids), 'payments woken'));
  const { api } = pulse;
  const answeredLate: WorkOptions['answeredLate'] = (ref, answer) =>
    outcomes.answered(ref, answer as Payment);
  const work = createWork(
    { ...options, api, now, by, onError, background, answeredLate, answerLost },
    sessions,
  );
  const catchUp = createCatchUp({ now, by, alone: options.alone }, work, sessions);
  const document: Conversations['document'] = async (address, { kind, operationId }) => {
    const { session } = await sessions.load(address, now());
    if (!session.wallet || !session.linked || kind !== 'bill-receipt') return undefined;
    const answer = await api.billReceipt(session.wallet, operationId, {
      signal: AbortSignal.timeout(DOCUMENT_MAX_MS),
    });
    return answer.kind === 'ok' ? answer.value : undefined;
  };
  const { secrets, deliver, chatAt = () => undefined } = options;
  const delivery = createDelivery({ sessions, secrets, deliver, chatAt, document, now });
  const { reconcile, confirm } = createReconciliation({ outcomes, api, pulse, now });
  const tellReceived = createReceived(store, sessions, pushed, now);
  const joined = { store, sessions, work, catchUp, outcomes, pushed, now };
  const desk: Desk = {
    ...createReading(store, sessions, outcomes.intentOf, now),
    ...createStepIn(joined),
    ...createSettling(joined),
  };

  /** The session that each reply was made from, as long as its channel holds it. */
  const repliedFrom = new WeakMap<Reply, Loaded>();
  const languages = createRecent<Address, Language>(LANGUAGES_MAX);

  const conversations: Conversations = {
    async receive(incoming, deadlineMs, onTyped = () => {}) {
      const deadline = new AbortController();
      const turn: Turn = { incoming, onTyped, signal: deadline.signal, late: false };
      const working = converse(turn).catch((error) => answerFromMemory(turn, error));
      let timer: NodeJS.Timeout | undefined;
      const struck = new Promise<Reply>((resolve) => {
        timer = setTimeout(() => {
          turn.late = true;
          deadline.abort();
          resolve(lateReply(turn));
        }, deadlineMs);
      });
      try {
        return await Promise.race([working, struck]);
      } finally {
        clearTimeout(timer);
        if (turn.late) background.add(working, 'turn');
      }
    },

    fallback(address, guess) {
      return fallbackOf(work.sendingFor(address), languages.get(address) ?? guess);
    },

    async waiting(address) {
      return waitingIn(await sessions.load(address, now()), options.secrets, now());
    },

    async shown(address, screenId, view, said) {
      const loaded = (said && repliedFrom.get(said)) ?? (await sessions.load(address, now()));
      await delivery.shown(loaded, screenId, view);
    },

    async owes(address, afterMs) {
      await delivery.owe(await sessions.load(address, now()), afterMs);
    },

    document,

    async saw(address, ids) {
      await delivery.saw(await sessions.load(address, now()), ids);
    },
  };

  return {
    ...conversations,
    intentOf: outcomes.intentOf,
    confirm,
    reconcile,
    tellReceived,
    /** Writes down again a payment that the store has lost and whose webhook has come. */
    rebuild: (trace: Trace) => rebuild({ ...joined, api, secrets: options.secrets, alert }, trace),
    /** Has every open payment looked at soon: called once the process has started. */
    lookAtOpen: outcomes.hastenAll,
    desk,

    /** Does what is due in a session: timers, lost answers, messages. Called by the worker for `session:` documents. */
    async wake(address: Address): Promise<void> {
      const first = await sessions.load(address, now());
      const known = new Set(first.session.outbox?.map(({ id }) => id));
      const loaded = await catchUp(first);
      // What has just been written is this process's to deliver; the rest when its time has come.
      await delivery.deliverAll(loaded, ({ id, tryAt = 0 }) => tryAt <= now() || !known.has(id));
    },

    /** Waits for work that goes on behind answered requests. */
    close: () => background.done(),

    /** The process ends: nothing waits for a store that is down any more. */
    stop: () => work.stop(),
  };

  function reply(loaded: Loaded, notice?: Sentence): Reply {
    const said = replyOf(loaded, options.secrets, now(), notice);
    repliedFrom.set(said, loaded);
    languages.set(loaded.address, said.language);
    return said;
  }

  /** The screen that stands while a call runs cannot be turned in the store without being in its way. */
  function nextPage(said: Reply): Reply {
    return { ...said, page: said.page + 1 };
  }

  /** A secret must leave the chat before anything can go wrong with the turn that it belongs to. */
  function judgeTyped({ incoming: { inputs, beside }, onTyped }: Turn, session: Session): void {
    const typed: Raw | undefined = beside === undefined ? inputs.at(-1) : { type: 'said', text: beside };
    onTyped(secretIn(typed, currentScreen(session)));
  }

  /** The deadline struck: what was committed goes on behind; where nothing was, nothing will be ("a deadline on everything"). */
  function lateReply({ committed, claiming, seen, incoming }: Turn): Reply {
    const standing = committed ?? claiming;
    if (standing) return { ...reply(standing), rests: true };
    return seen
      ? lateReplyOf(seen, now())
      : conversations.fallback(incoming.address, incoming.language ?? options.language ?? DEFAULT_LANGUAGE);
  }

  /** Once a call is claimed, whatever fails after it is no reason to say less than what is known. */
  function answerFromMemory({ committed }: Turn, error: unknown): Reply {
    if (!committed) throw error;
    onError(error, 'turn');
    return { ...reply(committed), rests: true };
  }

  async function converse(turn: Turn): Promise<Reply> {
    const { incoming } = turn;
    let loaded = await catchUp(await sessions.load(incoming.address, now()));
    const shown = loaded.session.screen;
    judgeTyped(turn, loaded.session);
    for (let i = 0; i < CONFLICTS_MAX; i++) {
      turn.seen = loaded;
      const { session } = loaded;
      // Known already, or a call is running: the same screen again, and nothing is done twice.
      if (isTaken(session, incoming, now())) return { ...reply(loaded), repeated: true };
      if (session.underway)
        return asksForMore(incoming.inputs.at(-1)) ? nextPage(reply(loaded)) : reply(loaded);
      if (incoming.answers !== undefined && incoming.answers !== session.screen) {
        return { ...reply(loaded, { key: 'nav.stale' }), stale: true };
      }
      if (session.screen !== shown) return reply(loaded);

      const startedAt = now();
      const ran: Ran[] = [];
      const thought = await think(session, incoming, work.surroundings(loaded, ran, turn.signal));
      if (turn.late) throw new TooLate();
      const { toPerson } = thought;
      const cause = { event: inputEvent(incoming, thought, session), startedAt, ran };
      const committed = await work.commit(
        loaded,
        { ...thought, session: remember(thought.session, incoming) },
        cause,
        (claiming) => {
          // The deadline may have struck while the documents of the claim were read.
          if (turn.late) throw new TooLate();
          turn.claiming = claiming;
        },
      );
      if (committed && toPerson) return { ...reply(committed.loaded), ...replyToPerson(committed.loaded) };
      if (committed) return reply(await finish(committed, turn), thought.notice);
      loaded = await sessions.load(incoming.address, now());
    }
    return reply(loaded, { key: 'nav.busy' });
  }

  async function finish(committed: Committed, turn: Turn): Promise<Loaded> {
    const loaded = await work.runAll(committed, { isLate: () => turn.late }, (reached) => {
      turn.committed = reached;
    });
    push(loaded);
    return loaded;
  }

  /** Delivers a session's new messages now; should this process die, the worker of another one does. */
  function push(loaded: Loaded): void {
    if (loaded.session.outbox?.some(({ tryAt }) => tryAt !== undefined)) {
      // What the channel did not take waits as long as it has said: a turn is no reason to be impatient.
      const isDue = ({ tries, tryAt = 0 }: Outgoing) => tries === 0 || tryAt <= now();
      background.add(delivery.deliverAll(loaded, isDue), 'delivery');
    }
  }
}
