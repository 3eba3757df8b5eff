import { randomUUID } from 'node:crypto';
import type { Sentence } from '../../../machines/kit/screen.ts';
import type { Store } from '../../store/store.ts';
import { abilitiesOf } from '../channel.ts';
import { takeHelpBack } from '../effects/ask-for-person.ts';
import type { Address } from '../incoming.ts';
import { enqueue, hasRoom, type Outgoing, type Owner, type Session } from '../session/session.ts';
import { type createSessions, type Loaded, sessionWrite } from '../session/sessions.ts';
import { changed, OWNER_LEASE_MS, TALK_MAX_CHARS } from '../session/talk.ts';
import { goOn, type Thought, toMenu } from '../turn/think.ts';
import type { AgentAct } from '../turn/turn-event.ts';
import { type Cause, NOBODY, type Work } from '../turn/work.ts';
import type { Acted, Agent, Desk } from './desk.ts';

type StepIn = Pick<
  Desk,
  'takeOver' | 'renew' | 'write' | 'handBack' | 'nudge' | 'toMenu' | 'end' | 'answered' | 'tellRevealed'
>;

export interface StepInOptions {
  readonly store: Store;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly work: Work;
  /** Does what has fallen due in a session before an agent changes it. */
  readonly catchUp: (loaded: Loaded) => Promise<Loaded>;
  readonly pushed: (loaded: Loaded) => void;
  readonly now: () => number;
}

/** What an agent's act makes of a session; or why it cannot be done. */
type Change = { readonly thought: Thought; readonly shows?: true };
type Decide = (loaded: Loaded) => Promise<Change | Exclude<Acted, 'done'>>;

/**
 * What support agents can do in a conversation. Each act is one commit like a turn's, with the agent's name in its record;
 * none of them can answer for the customer.
 */
export function createStepIn({ store, sessions, work, catchUp, pushed, now }: StepInOptions): StepIn {
  return {
    takeOver: (address, by) =>
      act(address, by, 'takeOver', async ({ session }) => {
        if (session.owner)
          return session.owner.id === by.id ? same(renewed(session, session.owner)) : 'owned';
        const owner = { ...by, since: now(), until: now() + OWNER_LEASE_MS };
        // The request for a person is done with once one has come.
        await takeHelpBack(store, address);
        return shown({ ...session, owner });
      }),

    async renew(address, by) {
      for (;;) {
        const loaded = await sessions.load(address, now());
        const { owner } = loaded.session;
        if (owner?.id !== by.id || owner.until <= now()) return 'notOwner';
        const write = sessionWrite({ ...loaded, session: renewed(loaded.session, owner) });
        if (await store.commit(loaded.partition, { writes: [write] })) return 'done';
      }
    },

    write: (address, by, text) =>
      act(address, by, 'write', async ({ session }) => {
        const said = text.trim().slice(0, TALK_MAX_CHARS);
        if (session.owner?.id !== by.id) return 'notOwner';
        if (!said || !hasRoom(session)) return 'notNow';
        const values = { agent: { name: by.name }, text: { text: said } };
        return same(
          message(renewed(session, session.owner), randomUUID(), { key: 'support.message', values }),
        );
      }),

    handBack: (address, by) =>
      act(address, by, 'handBack', async (loaded) => {
        if (loaded.session.owner?.id !== by.id) return 'notOwner';
        return { thought: await goOn(loaded.session, work.surroundings(loaded, [])), shows: true };
      }),

    nudge: (address, by) =>
      act(address, by, 'nudge', async ({ session }) => {
        if (session.owner) return session.owner.id === by.id ? 'notNow' : 'owned';
        // Without a conversation there is no screen.
        const isShowable = session.conversation && abilitiesOf(address).pushes !== 'never';
        return isShowable ? shown(session) : 'notNow';
      }),

    toMenu: (address, by) =>
      act(address, by, 'toMenu', async (loaded) => {
        const { owner, ...session } = loaded.session;
        if (owner && owner.id !== by.id) return 'owned';
        const around = work.surroundings(loaded, []);
        if (owner) return { thought: await goOn(loaded.session, around, true), shows: true };
        return { thought: await toMenu(session, around, { key: 'support.atMenu' }), shows: true };
      }),

    end: (address, by) =>
      act(address, by, 'end', async ({ session }) => {
        const { owner, conversation, suspended: _too, ...rest } = session;
        if (owner && owner.id !== by.id) return 'owned';
        if (!owner && !conversation) return 'notNow';
        return same(message(rest, randomUUID(), { key: 'support.ended' }));
      }),

    async answered(address, by) {
      let isTaken = false;
      return act(address, by, 'answered', async ({ session }) => {
        isTaken ||= await takeHelpBack(store, address);
        return isTaken ? same(session) : 'notNow';
      });
    },

    tellRevealed: (address, by) =>
      act(address, by, 'tellRevealed', async ({ session }) =>
        hasRoom(session) ? same(message(session, randomUUID(), { key: 'support.revealed' })) : 'notNow',
      ),
  };

  /** One act, again until nobody was in between. */
  async function act(address: Address, by: Agent, did: AgentAct, decide: Decide): Promise<Acted> {
    for (;;) {
      const startedAt = now();
      const loaded = await catchUp(await sessions.load(address, now()));
      if (loaded.version === 0) return 'notFound';
      if (loaded.session.underway) return 'busy';
      const change = await decide(loaded);
      if (typeof change === 'string') return change;
      const { shows } = change;
      const thought = shows
        ? { ...change.thought, session: changed(change.thought.session, address) }
        : change.thought;
      const cause: Cause = {
        event: { kind: 'agent', act: did, by: by.id },
        startedAt,
        ...(shows && { push: { money: false } }),
      };
      const done = await work.commit(loaded, thought, cause);
      if (!done) continue;
      pushed(await work.runAll(done, NOBODY));
      return 'done';
    }
  }

  function renewed(session: Session, owner: Owner): Session {
    return { ...session, owner: { ...owner, until: now() + OWNER_LEASE_MS } };
  }

  function message(session: Session, id: string, sentence: Sentence): Session {
    const screen = { ...sentence, expects: 'nothing' } as const;
    const outgoing: Outgoing = { id, screen, money: false, byAgent: true, tries: 0, tryAt: now() };
    return enqueue(session, outgoing);
  }
}

/** The screen stays as it is. */
function same(session: Session): Change {
  return { thought: { session, heard: true } };
}

/** The screen is shown anew, and what was pressed on the one before counts no more. */
function shown(session: Session): Change {
  return { thought: { session: { ...session, screen: session.screen + 1 }, heard: true }, shows: true };
}
