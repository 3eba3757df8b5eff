import { fire } from './machines.ts';
import { CONVERSATION_IDLE_MS, nextDue } from './session.ts';
import type { createSessions, Loaded } from './sessions.ts';
import { follow, givenUp, type Thought } from './think.ts';
import type { Work } from './work.ts';

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
      if (underway) {
        const orphaned = underway.until <= now() || (alone && underway.by !== by);
        if (!orphaned) return loaded;
        loaded = await work.lost(loaded, underway);
        continue;
      }
      if ((nextDue(loaded.session) ?? Number.POSITIVE_INFINITY) > now()) return loaded;
      const startedAt = now();
      const thought = await passTime(loaded);
      if (!thought) return loaded;
      const done = await work.commit(loaded, thought, { event: 'time', startedAt, push: { money: false } });
      loaded = done ? await work.runAll(done, () => true) : await sessions.load(loaded.address, now());
    }
  };

  /** The session after the first of its timers that is due, or after its conversation has been left for too long. */
  async function passTime(loaded: Loaded): Promise<Thought | undefined> {
    const { session } = loaded;
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
