import type { Bot, Context } from 'grammy';
import type { Message } from 'grammy/types';
import type { SentenceKey } from '../../../machines/kit/sentence-key.ts';
import type { ChatAt, Conversations, Deliver, Language } from '../../conversation/incoming.ts';
import { readButton } from './button.ts';
import { type Typed, typedIn } from './erase.ts';
import { guessed, heardContact, heardText, isStart } from './hear.ts';
import { fetched, inOrder } from './order.ts';
import { type Answer, answering } from './patience.ts';
import { type Meant, pictureIn } from './photo.ts';
import type { Stage } from './show.ts';
import { tried } from './trouble.ts';
import { addressOf, type Turn } from './turn.ts';

/** An update. `answer`: answers the press that it is, and does nothing where it is none; `typed`: its words, if it has any. */
export type Heard = Context & { answer: Answer; typed?: Typed | undefined };

export interface BotOptions {
  readonly conversations: Conversations;
  readonly stage: Stage;
  readonly turns: (turn: Turn) => Promise<void>;
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  readonly photos: (fileId: string) => Promise<Meant>;
  /** Spoken where nothing better is known. */
  readonly language: Language;
}

/**
 * What each kind of update means. The bot translates: pressed buttons, texts and contact cards of private chats become
 * inputs; anything else gets one sentence, or none.
 */
export function listen(
  bot: Bot<Heard>,
  { conversations, stage, turns, deliver, chatAt, photos, language }: BotOptions,
): void {
  const { api } = bot;
  const languageOf = (ctx: Context) => guessed(ctx.from?.language_code) ?? language;

  bot.use(async (ctx, next) => {
    ctx.answer = answering(api, ctx.callbackQuery?.id);
    const message = ctx.message ?? ctx.editedMessage;
    if (message?.chat.type === 'private') ctx.typed = typedIn(api, message);
    try {
      await fetched.get(ctx.update);
      // Two updates of one customer may come at once, a press and a text: they are shown one after the other.
      await inOrder(ctx.from?.id ?? ctx.chat?.id ?? 0, next);
    } finally {
      await ctx.answer();
    }
  });

  const privately = bot.chatType('private');
  privately.on('callback_query:data', async (ctx) => {
    const { message, data, from } = ctx.callbackQuery;
    const pressed = readButton(data);
    if (!pressed || !message) return ctx.answer(stage.say('telegram.expired', languageOf(ctx)));
    const { screenId, does } = pressed;
    await turns({
      ...about(ctx),
      user: from.id,
      chat: message.chat.id,
      press: { message: message.message_id, screenId, answer: ctx.answer },
      ...(does.type === 'page' ? { raw: { type: 'opened' }, page: does.page } : { raw: does }),
    });
  });
  privately.on('edited_message', (ctx) => answerOddity(ctx, ctx.editedMessage, 'telegram.edited'));
  privately.on('message:contact', (ctx) => turns({ ...about(ctx), raw: heardContact(ctx.message) }));
  privately.on('message:text', async (ctx) => {
    const { text } = ctx.message;
    if (isStart(text)) await tellHeld(ctx.chat.id);
    await turns({ ...about(ctx), raw: heardText(text) });
  });
  privately.on(['message:photo', 'message:document'], (ctx) => {
    const picture = pictureIn(ctx.message);
    if ('say' in picture) return answerOddity(ctx, ctx.message, picture.say);
    return turns({ ...about(ctx), raw: () => photos(picture.file) });
  });
  privately.on('message', (ctx) => answerOddity(ctx, ctx.message, 'telegram.notRead'));
  // Who takes the block away is told at once what was said of money meanwhile.
  privately.on('my_chat_member', async (ctx) => {
    if (ctx.myChatMember.new_chat_member.status === 'member') await tellHeld(ctx.chat.id);
  });

  bot.chatType(['group', 'supergroup']).on(['message:text', 'my_chat_member'], async (ctx) => {
    const status = ctx.myChatMember?.new_chat_member.status;
    if (status === 'left' || status === 'kicked') return;
    // One sentence, and not a second one: nobody's wallet is a matter for a group.
    await tried(api.sendMessage(ctx.chat.id, stage.say('telegram.privateOnly', languageOf(ctx))));
    await tried(api.leaveChat(ctx.chat.id));
  });

  /** What cannot be read is said so, and the screen on show comes again. */
  async function answerOddity(ctx: Heard, message: Message, say: SentenceKey): Promise<void> {
    if (isNoise(message)) return;
    await turns({ ...about(ctx), raw: { type: 'opened' }, say });
  }

  /** Called where the customer's updates are in order already. */
  async function tellHeld(user: number): Promise<void> {
    const address = addressOf(user);
    // Read anew each time: a message changes the chat that the next one comes into.
    for (;;) {
      const [push] = await conversations.waiting(address);
      const delivery = push && (await deliver(address, push));
      if (!push || typeof delivery !== 'object' || delivery.came !== 'delivered') return;
      if (delivery.view !== undefined) await conversations.shown(address, push.screenId ?? -1, delivery.view);
      const { document } = push.screen;
      if (document) {
        const file = await conversations.document(address, document).catch(() => undefined);
        await chatAt(address)?.sendFile(push, file);
      }
      await conversations.saw(address, [push.id]);
    }
  }

  function about({ update, from, typed, me }: Heard) {
    const user = from?.id ?? 0;
    const { update_id: updateId } = update;
    return {
      updateId,
      user,
      chat: user,
      language: guessed(from?.language_code),
      typed,
      ...(fetched.has(update) && { place: [me.id, updateId] as const }),
    };
  }
}

const SERVICE = ['pinned_message', 'message_auto_delete_timer_changed', 'write_access_allowed'] as const;

/** Service messages say nothing, and a location that moves is edited all the time. */
function isNoise(message: Message): boolean {
  const { location, edit_date: isEdited } = message;
  const moves = location !== undefined && Boolean(location.live_period ?? isEdited);
  return moves || SERVICE.some((kind) => kind in message);
}
