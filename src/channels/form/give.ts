import type { Conversations, Form, Incoming, Reply } from '../../conversation/incoming.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { DEADLINE_MS, SENDING_MS } from '../chat-turns.ts';
import type { InputIds } from '../digest.ts';
import type { Answer } from './entry.ts';

interface GiveDeps {
  readonly conversations: Pick<Conversations, 'receive' | 'fallback'>;
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly inputIds: InputIds;
  readonly log: Log;
}

/**
 * Gives an answer to the screen that asks for it, as a keypad in the chat would. The next screen is pushed to the chat.
 * `unavailable`: nothing could be kept, and what there is to say.
 * @param page the page that has taken the answer, for the log
 */
export async function give(
  { conversations, renderer, inputIds, log }: GiveDeps,
  { address, reply: { screenId, language } }: Form,
  answer: Answer & Pick<Incoming, 'origin'>,
  { page, deadlineMs = DEADLINE_MS }: { readonly page: string; readonly deadlineMs?: number },
): Promise<Reply | { readonly unavailable: string }> {
  const incoming: Incoming = {
    address,
    // A screen is answered once: what is sent again, by whichever page, is the same input.
    ...inputIds(['form', address, String(screenId)]),
    ...answer,
    screenId,
    elsewhere: true,
  };
  try {
    return await conversations.receive(incoming, deadlineMs, undefined, SENDING_MS);
  } catch (error) {
    log.say('An error ended turns', { channel: page, ...thrown(error) });
    const { screen } = conversations.fallback(address, language);
    return { unavailable: renderer.chat(screen, language).text };
  }
}
