import type { Api } from 'grammy';
import type { Address, Conversations, Deliver, Delivery, Push } from '../../conversation/incoming.ts';
import { type Log, thrown } from '../log.ts';
import { sendDocument } from './document.ts';
import { inOrder } from './order.ts';
import type { Stage } from './show.ts';
import { troubleOf } from './trouble.ts';

/**
 * Hands one message over, in a chat where nothing else is shown meanwhile: the current screen with its buttons, anything
 * else beside it. It is read anew, for a turn may have changed the chat since it was taken from the outbox. A blocked chat
 * is `gone`; what is said of money is `held` until the customer comes back.
 */
export function createHandOver(
  api: Api,
  stage: Stage,
  conversations: () => Pick<Conversations, 'document' | 'waiting' | 'shown'>,
  log: Log,
): Deliver {
  return async (address, { id }): Promise<Delivery> => {
    const push = (await conversations().waiting(address)).find((each) => each.id === id);
    // A turn was faster: it has shown the message, or a screen that takes its place.
    if (!push) return 'delivered';
    const chat = chatOf(address);
    try {
      const view = await hand(chat, push);
      if (view !== undefined) await conversations().shown(address, push.screenId ?? -1, view);
      const { document } = push.screen;
      const { language } = push;
      if (document) await sendDocument(api, stage, conversations(), { address, chat, document, language });
      return 'delivered';
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.kind === 'later') return { came: 'later', ...(trouble.afterMs !== undefined && trouble) };
      if (trouble.kind === 'refused') log.error({ channel: 'telegram', ...thrown(error) }, 'message refused');
      return push.money ? 'held' : 'gone';
    }
  };

  function hand(chat: number, push: Push): Promise<string | undefined> {
    const { screenId } = push;
    return screenId === undefined ? stage.tell(chat, push) : stage.show(chat, { ...push, screenId });
  }
}

/** Delivers to `telegram:` addresses, each in order with the turns of its customer. */
export function deliverInOrder(handOver: Deliver): Deliver {
  return (address, push) => inOrder(chatOf(address), () => handOver(address, push));
}

/** In private chats, the only ones that have an address, the chat and its customer have the same number. */
function chatOf(address: Address): number {
  return Number(address.slice('telegram:'.length));
}
