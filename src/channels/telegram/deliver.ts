import type { Api } from 'grammy';
import type { Address, ChatAt, Deliver, Push } from '../../conversation/incoming.ts';
import type { Log } from '../../log/thrown.ts';
import { inOrder } from '../in-order.ts';
import { delivering } from '../trouble.ts';
import { sendDocument } from './document.ts';
import { eraseFiles, type FilesOptions, fetchFile } from './files.ts';
import type { Stage } from './show.ts';
import { telegramTroubles, tried } from './trouble.ts';

/**
 * Delivers to `telegram:` addresses: the current screen with its buttons, anything else as a message of its own. Gives
 * back the note of the chat.
 * Call it where nothing else is shown in the chat meanwhile (`chatsOf`).
 */
export function deliverTelegram(stage: Stage, log: Log): Deliver {
  return delivering(telegramTroubles(log), async (address, push) => {
    const view = await hand(stage, chatOf(address), push);
    return { status: 'delivered', ...(view !== undefined && { view }) };
  });
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
