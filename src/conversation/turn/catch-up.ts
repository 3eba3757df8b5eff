import { TooContended, UPDATE_TRIES_MAX } from '../../store/update.ts';
import { fire } from '../chart/machines.ts';
import { expired, hasKnownConversations, withoutConversations } from '../chart/main-conversation.ts';
import { CONVERSATION_IDLE_MS, nextDue, type Underway } from '../session/session.ts';
import type { LoadedSession } from '../session/sessions.ts';
import { changed } from '../session/talk.ts';
import type { TurnDeps } from '../turn-deps.ts';
import { type Committed, commit } from './commit/commit.ts';
import { finish } from './finish/finish.ts';
import { NO_CALLER, settleLost } from './finish/settle.ts';
import { follow, goOnWithout } from './think/follow.ts';
import { stepEnv } from './think/step-env.ts';
import type { Thought } from './think/thought.ts';

/** Does what has fallen due in a session: lost answers, timers, the end of an idle conversation. */
export async function catchUp(deps: TurnDeps, first: LoadedSession): Promise<LoadedSession> {
  let loaded = first;
  for (let steps = 0; steps < UPDATE_TRIES_MAX; steps++) {
    const { underway } = loaded.session;
    if (underway && !isOrphaned(deps, underway)) return loaded;
    const isKnown = hasKnownConversations(loaded.session);
    if (underway && isKnown) {
      const settled = await settleLost(deps, loaded, underway);
      loaded = await finishedOrReloaded(deps, loaded, settled);
      continue;
    }
    const startedAt = deps.now();
    const thought = isKnown
      ? await passTime(deps, loaded)
      : { session: withoutConversations(loaded.session), isUnderstood: true };
    if (!thought) return loaded;
    const cause = { event: { kind: 'time' }, startedAt, push: { money: false } } as const;
    loaded = await finishedOrReloaded(deps, loaded, await commit(deps, loaded, thought, cause));
  }
  throw new TooContended();
}

/** The session after a commit and its calls; as it is stored now, where somebody else was faster. */
async function finishedOrReloaded(
  deps: TurnDeps,
  { address }: LoadedSession,
  committed: Committed | undefined,
): Promise<LoadedSession> {
  return committed ? finish(deps, committed, NO_CALLER) : deps.sessions.load(address, deps.now());
}

/** True when the process that runs the call will never bring its answer. */
function isOrphaned({ now, process: { by, alone } }: TurnDeps, underway: Underway): boolean {
  return underway.until <= now() || (alone && underway.by !== by);
}

/** The session after the first of its timers that is due, or after its conversation has been left for too long. */
async function passTime(deps: TurnDeps, loaded: LoadedSession): Promise<Thought | undefined> {
  const { session } = loaded;
  const now = deps.now();
  if ((nextDue(session) ?? Number.POSITIVE_INFINITY) > now) return undefined;
  if (session.owner) {
    // Nobody has renewed the lease: the bot does not leave the customer alone.
    if (session.owner.until > now) return undefined;
    const thought = await goOnWithout(session, stepEnv(deps, loaded, []));
    return { ...thought, session: changed(thought.session, loaded.address, deps.now()) };
  }
  for (const place of ['conversation', 'suspended'] as const) {
    const conversation = session[place];
    const timer = Object.entries(conversation?.timers ?? {}).find(([, at]) => at <= now);
    if (!conversation || !timer) continue;
    const step = fire(conversation, timer[0], now);
    if (place === 'conversation') return follow(session, step, stepEnv(deps, loaded, []));
    return { session: { ...session, suspended: step.conversation }, isUnderstood: true };
  }
  if (!session.conversation || session.at + CONVERSATION_IDLE_MS > now) return undefined;
  return { session: expired(session, loaded.address), isUnderstood: true };
}
