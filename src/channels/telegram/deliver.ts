import type { Api } from 'grammy';
import type { Conversations, Deliver, Delivery, Push } from '../../conversation/incoming.ts';
import { type Log, thrown } from '../log.ts';
import { sendDocument } from './document.ts';
import type { Stage } from './show.ts';
import { troubleOf } from './trouble.ts';

/**
 * Delivers to `telegram:` addresses: the current screen with its buttons, anything else as a message beside it. A blocked
 * chat is `gone`; what is said of money is `held` until the customer comes back.
 */
export function deliverTelegram(
  api: Api,
  stage: Stage,
  conversations: () => Pick<Conversations, 'document'>,
  log: Log,
): Deliver {
  return async (address, push): Promise<Delivery> => {
    const chat = Number(address.slice('telegram:'.length));
    try {
      const view = await hand(chat, push);
      const { document } = push.screen;
      const { language } = push;
      if (document) await sendDocument(api, stage, conversations(), { address, chat, document, language });
      return { came: 'delivered', ...(view !== undefined && { view }) };
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
