import type { Address, Push } from '../../conversation/incoming.ts';
import type { WebPush } from '../../push/web-push.ts';
import { LABELS } from './words.ts';

/**
 * Notifies the customer that there is something to read, without its content, which another holder of the phone could
 * read. Only while a wallet is linked to the chat, and not for a message that another screen follows anyway.
 */
export function notifyOf(
  webPush: Pick<WebPush, 'send' | 'unsubscribe'>,
): (address: Address, push: Pick<Push, 'reader' | 'language' | 'underway'>) => Promise<void> {
  return async (address, { reader, language, underway }) => {
    if (reader === undefined) return webPush.unsubscribe(address);
    if (underway) return;
    await webPush.send(address, JSON.stringify({ text: LABELS[language].newMessage, language }));
  };
}
