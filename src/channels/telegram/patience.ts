import type { Api } from 'grammy';
import { tried } from './trouble.ts';

/** Before this, an answer is quick enough to need no sign of life. */
const SIGN_AFTER_MS = 300;
/** Telegram shows "typing…" for five seconds. */
const TYPING_EVERY_MS = 4_500;

/** Answers the button that was pressed, if one was. Only the first call says something. */
export type Answer = (text?: string) => Promise<void>;

/**
 * A button's phone shows a clock until the press is answered. So this answer never waits, not even for a turn before
 * it.
 * @param ofUpdate the API of this update: where Telegram has posted it, calls on it go out with the answer to it
 */
export function answering(api: Api, ofUpdate: Api, query: string | undefined): Answer {
  if (query === undefined) return async () => {};
  let isAnswered = false;
  const answer = async (by: Api, text?: string) => {
    if (isAnswered) return;
    isAnswered = true;
    clearTimeout(timer);
    await tried(by.answerCallbackQuery(query, text ? { text } : {}));
  };
  const timer = setTimeout(() => void answer(api), SIGN_AFTER_MS);
  return (text) => answer(ofUpdate, text);
}

/** Shows "typing…" while a turn takes its time, until the function that it gives is called. */
export function typing(api: Api, chat: number): () => void {
  const type = () => {
    void tried(api.sendChatAction(chat, 'typing'));
    timer = setTimeout(type, TYPING_EVERY_MS);
  };
  let timer = setTimeout(type, SIGN_AFTER_MS);
  return () => clearTimeout(timer);
}
