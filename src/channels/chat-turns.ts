import type {
  Address,
  Conversations,
  Incoming,
  Language,
  Reply,
  SentenceKey,
} from '../conversation/incoming.ts';
import { createRecent } from '../conversation/recent.ts';
import { type Log, thrown } from '../log/thrown.ts';
import { mayPass, type Troubles } from './trouble.ts';

/** A person waits this long before they think it is broken. Meanwhile "typing…" shows that Wasl is at work. */
export const DEADLINE_MS = 20_000;
/** After this long the chat says that a payment is being sent. The outcome then takes that place, or is another message. */
export const SENDING_MS = 2_000;
/** A second press so soon on a screen that the first one has left was meant for that. */
const SECOND_PRESS_MS = 2_000;
const CHATS_MAX = 10_000;

interface ChatTurnsOptions {
  readonly conversations: Conversations;
  readonly troubles: Troubles;
  /** Spoken where nothing better is known. */
  readonly language: Language;
  readonly now: () => number;
}

/** One input of a customer, and how their chat shows what follows. Each way to show rejects with the provider's error. */
interface ChatTurn {
  /** Finding it takes time where a picture is read. */
  readonly incoming: () => Promise<Incoming>;
  readonly onTyped?: Parameters<Conversations['receive']>[2];
  /** @param wasWarned the chat was shown the fallback before */
  readonly show: (reply: Reply, wasWarned: boolean) => Promise<unknown>;
  /** Shows the sentence for a store that is down. */
  readonly warn: (fallback: Reply) => Promise<unknown>;
  readonly say: (key: SentenceKey, language: Language) => Promise<unknown>;
}

/**
 * Carries an input to the next screen in its chat. Resolves once the turn is saved and the screen shown, or noted in the session
 * as still to be shown. Rejects when nothing could be saved, so that the inbox brings the input again.
 */
export type TakeChatTurn = (address: Address, turn: ChatTurn) => Promise<void>;

export function createChatTurns({ conversations, troubles, language, now }: ChatTurnsOptions): TakeChatTurn {
  /** Chats that were shown the fallback: once, however often the input comes again. */
  const warned = createRecent<Address, true>(CHATS_MAX);
  /** By chat: the last input that was answered. It may come again, where its provider has lost our answer. */
  const answered = createRecent<Address, string>(CHATS_MAX);
  /** By chat: the screen that its last turn has left by a press, and when, in ms since 1970. */
  const presses = createRecent<Address, { readonly screenId: number; readonly at: number }>(CHATS_MAX);

  async function received(address: Address, { incoming, onTyped, warn }: ChatTurn) {
    const read = await incoming();
    try {
      return { read, reply: await conversations.receive(read, DEADLINE_MS, onTyped, SENDING_MS) };
    } catch (error) {
      if (!warned.get(address) && answered.get(address) !== read.id) {
        warned.set(address, true);
        await warn(conversations.fallback(address, read.language ?? language)).catch(troubles.of);
      }
      throw error;
    }
  }

  /** The turn is saved. A screen that its provider does not take now is owed. One that it refuses would be refused again. */
  async function notShown(address: Address, { say }: ChatTurn, reply: Reply, error: unknown): Promise<void> {
    const trouble = troubles.of(error);
    troubles.report(trouble, 'screen', error);
    if (mayPass(trouble)) return conversations.screenNotShown(address, trouble.afterMs);
    if (trouble.kind === 'refused') await say('telegram.notShown', reply.language).catch(troubles.of);
  }

  return async (address, turn) => {
    const { read, reply } = await received(address, turn);
    const { screenId: pressed } = read;
    const wasWarned = warned.get(address) === true;
    warned.delete(address);
    const last = presses.get(address);
    // A double tap on a screen that has just been left: the next screen is there already.
    const isSecond = reply.stale && last?.screenId === pressed && now() - (last?.at ?? 0) < SECOND_PRESS_MS;
    if (isSecond) return;
    await turn.show(reply, wasWarned).catch((error) => notShown(address, turn, reply, error));
    answered.set(address, read.id);
    if (pressed !== undefined && !reply.stale) presses.set(address, { screenId: pressed, at: now() });
    else presses.delete(address);
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
