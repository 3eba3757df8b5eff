import type { Api } from 'grammy';
import type { Address, ChatAt, Deliver, Delivery, Push } from '../../conversation/incoming.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import { inOrder } from '../in-order.ts';
import { sendDocument } from './document.ts';
import { eraseFiles, type FilesOptions, fetchFile } from './files.ts';
import type { Stage } from './show.ts';
import { tried, troubleOf } from './trouble.ts';

/**
 * Delivers to `telegram:` addresses: the current screen with its buttons, anything else as a message of its own. Gives
 * back the note of the chat. A blocked chat is `gone`. A message about money is `held` until the customer comes back.
 * Call it where nothing else is shown in the chat meanwhile (`chatsOf`).
 */
export function deliverTelegram(stage: Stage, log: Log): Deliver {
  return async (address, push): Promise<Delivery> => {
    try {
      const view = await hand(stage, chatOf(address), push);
      return { status: 'delivered', ...(view !== undefined && { view }) };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.kind === 'later' && trouble.isUnknown) return 'unknown';
      if (trouble.kind === 'later') return { status: 'later', ...(trouble.afterMs !== undefined && trouble) };
      if (trouble.kind === 'refused') log.say('Telegram refuses a message', thrown(error));
      return push.money ? 'held' : 'gone';
    }
  };
}

/** The chats of `telegram:` addresses, each in order with the turns of its customer. */
export function chatsOf(api: Api, stage: Stage, files: FilesOptions): ChatAt {
  return (address) => {
    const chat = chatOf(address);
    return {
      inOrder: (work) => inOrder(address, work),
      showTyping: () => void tried(api.sendChatAction(chat, 'typing')),
      sendFile: async ({ screen: { document }, language }, file) => {
        if (document) await sendDocument(api, stage, { chat, document, language, file });
      },
      fetchFile: (file) => fetchFile(files, file),
      eraseFiles: (sent) => eraseFiles(api, chat, sent),
    };
  };
}

function hand(stage: Stage, chat: number, push: Push): Promise<string | undefined> {
  const { screenId } = push;
  return screenId === undefined
    ? stage.notify(chat, push)
    : stage.show(chat, { ...push, screenId, unasked: true });
}

/** In private chats, the only ones that have an address, the chat and its customer have the same number. */
function chatOf(address: Address): number {
  return Number(address.slice(address.indexOf(':') + 1));
}
