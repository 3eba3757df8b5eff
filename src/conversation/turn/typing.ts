import { abilitiesOf } from '../channel.ts';
import type { Address, ChatAt } from '../incoming.ts';

/** Before this, an answer is quick enough to need no sign of life. */
const TYPING_AFTER_MS = 300;
/** It is shown again a little before it goes. */
const SHOWN_PART = 0.9;

/** Shows "typing…" in a customer's chat while a turn takes its time, until the function that it gives is called. */
export function typing(address: Address, chatAt: ChatAt): () => void {
  const { typingMs } = abilitiesOf(address);
  const chat = typingMs === undefined ? undefined : chatAt(address);
  if (typingMs === undefined || !chat) return () => {};
  const show = () => {
    chat.showTyping();
    timer = setTimeout(show, typingMs * SHOWN_PART);
  };
  let timer = setTimeout(show, TYPING_AFTER_MS);
  return () => clearTimeout(timer);
}
