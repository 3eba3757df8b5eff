import type { Api } from 'grammy';
import { tried } from './trouble.ts';

/** Before this, an answer is quick enough to need no sign of life. */
const TYPING_AFTER_MS = 300;
/** Telegram shows "typing…" for five seconds. */
const TYPING_EVERY_MS = 4_500;

/**
 * Signs of life while a turn takes its time: "typing…", and an answer to a pressed button, whose phone shows a clock until
 * then. `over` ends them, and answers the button if nothing has yet; only the first call says something.
 */
export function busy(api: Api, chat: number, query?: string) {
  let isAnswered = query === undefined;
  const answer = async (text?: string) => {
    if (isAnswered || query === undefined) return;
    isAnswered = true;
    await tried(api.answerCallbackQuery(query, text ? { text } : {}));
  };
  const type = () => {
    void tried(api.sendChatAction(chat, 'typing'));
    void answer();
    timer = setTimeout(type, TYPING_EVERY_MS);
  };
  let timer = setTimeout(type, TYPING_AFTER_MS);
  return {
    over: (text?: string): Promise<void> => {
      clearTimeout(timer);
      return answer(text);
    },
  };
}
