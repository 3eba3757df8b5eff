import { fire } from '../chart/machines.ts';
import { givenUp, isOfToday, landed } from '../chart/matter.ts';
import { CONVERSATION_IDLE_MS, nextDue, type Session } from '../session/session.ts';
import type { createSessions, Loaded } from '../session/sessions.ts';
import { changed } from '../session/talk.ts';
import { follow, goOn, type Thought } from './think.ts';
import { NOBODY, type Work } from './work.ts';

export interface CatchUpOptions {
  readonly now: () => number;
  /** The name of this process. */
  readonly by: string;
  /** True when no other process can be running (embedded store): what another one left behind is lost at once. */
  readonly alone: boolean;
}

/** Does what has fallen due in a session: lost answers, timers, the end of an idle conversation. */
export function createCatchUp(
  { now, by, alone }: CatchUpOptions,
  work: Work,
  sessions: ReturnType<typeof createSessions>,
) {
  return async (first: Loaded): Promise<Loaded> => {
    let loaded = first;
    for (;;) {
      const { underway } = loaded.session;
      if (underway && !isOrphaned(underway)) return loaded;
      if (underway && isOfToday(loaded.session)) {
        loaded = await work.lost(loaded, underway);
        continue;
      }
      const startedAt = now();
      const thought = isOfToday(loaded.session)
        ? await passTime(loaded)
        : { session: landed(loaded.session), heard: true };
      if (!thought) return loaded;
      const done = await work.commit(loaded, thought, {
        event: { kind: 'time' },
        startedAt,
        push: { money: false },
      });
      loaded = done ? await work.runAll(done, NOBODY) : await sessions.load(loaded.address, now());
    }
  };

  /** True when the process that runs the call will never bring its answer. */
  function isOrphaned(underway: NonNullable<Session['underway']>): boolean {
    return underway.until <= now() || (alone && underway.by !== by);
  }

  /** The session after the first of its timers that is due, or after its conversation has been left for too long. */
  async function passTime(loaded: Loaded): Promise<Thought | undefined> {
    const { session } = loaded;
    if ((nextDue(session) ?? Number.POSITIVE_INFINITY) > now()) return undefined;
    if (session.owner) {
      // Nobody has renewed the lease: the bot does not leave the customer alone.
      if (session.owner.until > now()) return undefined;
      const thought = await goOn(session, work.surroundings(loaded, []));
      return { ...thought, session: changed(thought.session, loaded.address) };
    }
    for (const place of ['conversation', 'suspended'] as const) {
      const conversation = session[place];
      const timer = Object.entries(conversation?.timers ?? {}).find(([, at]) => at <= now());
      if (!conversation || !timer) continue;
      const step = fire(conversation, timer[0], now());
      if (place === 'conversation') return follow(session, step, work.surroundings(loaded, []));
      return { session: { ...session, suspended: step.conversation }, heard: true };
    }
    if (!session.conversation || session.at + CONVERSATION_IDLE_MS > now()) return undefined;
    return { session: givenUp(session), heard: true };
  }
}
