import type { Address, ChatAt, Conversations, Deliver, Push } from '../../conversation/incoming.ts';

type Which = (push: Push) => boolean;

/**
 * Shows what waits for a chat. Called where the customer's updates are in order already. Gives the channel's last note of the
 * chat, where a message has changed it.
 */
export type DeliverHeld = (address: Address, which?: Which) => Promise<string | undefined>;

/** Delivers what waits for a chat at once, oldest first, until there is nothing more or Telegram takes nothing. */
export function createDeliverHeld(
  conversations: Conversations,
  deliver: Deliver,
  chatAt: ChatAt,
): DeliverHeld {
  return async (address, which = () => true) => {
    let view: string | undefined;
    // Read anew each time: a message changes the chat that the next one comes into.
    for (;;) {
      const push = (await conversations.waiting(address)).find(which);
      const delivery = push && (await deliver(address, push));
      if (!push || typeof delivery !== 'object' || delivery.status !== 'delivered') return view;
      if (delivery.view !== undefined) {
        view = delivery.view;
        await conversations.screenShown(address, push.screenId ?? -1, view);
      }
      const { document } = push.screen;
      if (document) {
        const file = await conversations.document(address, document).catch(() => undefined);
        await chatAt(address)?.sendFile(push, file);
      }
      await conversations.saw(address, [push.id]);
    }
  };
}
