import type { Address, Conversations, Reply } from '../conversation/incoming.ts';
import { createRecent } from '../conversation/recent.ts';
import { type Log, thrown } from '../log/thrown.ts';

/** A person waits this long before they think it is broken. Meanwhile "typing…" shows that Wasl is at work. */
export const DEADLINE_MS = 20_000;
/** After this long the chat says that a payment is being sent. The outcome then takes that place, or is another message. */
export const SENDING_MS = 2_000;
/** A second press so soon on a screen that the first one has left was meant for that. */
const SECOND_PRESS_MS = 2_000;
const CHATS_MAX = 10_000;

/** The things that a process remembers of its chats from one turn to the next. */
export interface ChatTurns {
  /** Nothing could be saved: `warn` shows the fallback, once, however often the provider brings the message again. */
  warnOnce(chat: Address, warn: () => Promise<unknown>): Promise<void>;
  /** A turn is saved. True where the chat was shown the fallback before. */
  saved(chat: Address): boolean;
  /** A double tap on a screen that has just been left: the next screen is there already. */
  isSecondPress(chat: Address, screenId: number | undefined, reply: Reply): boolean;
  /** A turn is done: its press, if it was one, has left this screen. */
  done(chat: Address, screenId: number | undefined, reply: Reply): void;
}

export function createChatTurns(now: () => number): ChatTurns {
  const warned = createRecent<Address, true>(CHATS_MAX);
  /** By chat: the screen that its last turn has left by a press, and when, in ms since 1970. */
  const presses = createRecent<Address, { readonly screenId: number; readonly at: number }>(CHATS_MAX);
  return {
    async warnOnce(chat, warn) {
      if (warned.get(chat)) return;
      warned.set(chat, true);
      await warn();
    },
    saved(chat) {
      const wasWarned = warned.get(chat) === true;
      warned.delete(chat);
      return wasWarned;
    },
    isSecondPress(chat, screenId, { stale }) {
      const last = presses.get(chat);
      return stale === true && last?.screenId === screenId && now() - (last?.at ?? 0) < SECOND_PRESS_MS;
    },
    done(chat, screenId, { stale }) {
      if (screenId !== undefined && !stale) presses.set(chat, { screenId, at: now() });
      else presses.delete(chat);
    },
  };
}

/** True for a reply that is no screen of the conversation: it is about an earlier payment, or for a person. */
export function isNotice({ late, toPerson }: Reply): boolean {
  return late === true || toPerson === true;
}

/** The screen is in the chat. A store that does not take the note now is no reason to show it once more. */
export async function noteShown(
  { conversations, log }: { readonly conversations: Conversations; readonly log: Log },
  ...shown: Parameters<Conversations['screenShown']>
): Promise<void> {
  await conversations.screenShown(...shown).catch((error) => {
    log.say('Notes of chats could not be written', thrown(error));
  });
}
