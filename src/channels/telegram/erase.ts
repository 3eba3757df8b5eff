import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, GrammyError } from 'grammy';
import type { Message } from 'grammy/types';
import type { TypedSecret } from '../../conversation/incoming.ts';
import { secretIn } from '../../conversation/turn/read/typed-secret.ts';
import { mayPass } from '../trouble.ts';
import { troubleOf } from './trouble.ts';

/** Behind a slow turn, or with a store that is down, nobody knows sooner which question a message answers. */
const ON_SIGHT_AFTER_MS = 300;
const RETRIES_MAX = 2;
/** The wait if Telegram does not say how long to wait. */
const RETRY_AFTER_MS = 500;
/** The customer erases it sooner. */
const RETRY_AFTER_MAX_MS = 5_000;

/** The customer's words: a text, or the caption of a picture. */
export interface Typed {
  readonly text: string;
  /** Told what of it must not stay in the chat, by who knows the screen that it answers. */
  judge(secret: TypedSecret | undefined): void;
  /** The judgement of the words, and whether the message is gone. Undefined where it has stayed, and may. */
  erased(): Promise<Erased | undefined>;
}

export interface Erased {
  /** Absent: it only looked like one. */
  readonly secret?: TypedSecret | undefined;
  readonly isGone: boolean;
}

/**
 * The words of a message. Words that look like a PIN or a card's number are erased even where nobody can judge them at
 * once.
 */
export function typedIn(api: Api, { text, caption, chat, message_id: id }: Message): Typed | undefined {
  const words = text ?? caption;
  if (words === undefined) return undefined;
  let judged: TypedSecret | undefined;
  let gone: Promise<boolean> | undefined;
  const erase = () => {
    gone ??= erased(api, chat.id, id);
    return gone;
  };
  const looksSecret = secretIn({ type: 'said', text: words }) !== undefined;
  const timer = looksSecret ? setTimeout(erase, ON_SIGHT_AFTER_MS) : undefined;
  return {
    text: words,
    judge(secret) {
      clearTimeout(timer);
      judged = secret;
      if (secret) void erase();
    },
    erased: async () => (judged || gone) && { secret: judged, isGone: await erase() },
  };
}

/** Deletes a message, with retries. True where it is gone. Never rejects. */
export async function erased(api: Api, chat: number, message: number): Promise<boolean> {
  for (let retries = 0; ; retries++) {
    try {
      await api.deleteMessage(chat, message);
      return true;
    } catch (error) {
      const trouble = troubleOf(error);
      // An update that comes again: its message went the first time.
      if (error instanceof GrammyError && /message to delete not found/i.test(error.description)) return true;
      if (!mayPass(trouble) || retries === RETRIES_MAX) return false;
      const { afterMs = RETRY_AFTER_MS } = trouble;
      if (afterMs > RETRY_AFTER_MAX_MS) return false;
      await sleep(afterMs);
    }
  }
}
