import type { Bot, Context } from 'grammy';
import type { Message } from 'grammy/types';
import type { Conversations, Deliver, Language, Raw } from '../../conversation/incoming.ts';
import { readButton } from './button.ts';
import { guessed, heardContact, heardText, isStart } from './hear.ts';
import { inOrder } from './order.ts';
import { pictureIn } from './photo.ts';
import type { Stage } from './show.ts';
import { tried } from './trouble.ts';
import { addressOf, type Turn } from './turn.ts';

export interface BotOptions {
  readonly conversations: Conversations;
  readonly stage: Stage;
  readonly turns: (turn: Turn) => Promise<void>;
  /** Called only where the customer's updates are in order already. */
  readonly handOver: Deliver;
  readonly photos: (fileId: string) => Promise<Raw>;
  /** Spoken where nothing better is known. */
  readonly language: Language;
}

/**
 * What each kind of update means. The bot translates: pressed buttons, texts and contact cards of private chats become
 * inputs; anything else gets one sentence, or none.
 */
export function listen(
  bot: Bot,
  { conversations, stage, turns, handOver, photos, language }: BotOptions,
): void {
  const { api } = bot;
  const languageOf = (ctx: Context) => guessed(ctx.from?.language_code) ?? language;

  // Two updates of one customer may come at once, a press and a text: they are shown one after the other.
  bot.use((ctx, next) => inOrder(ctx.from?.id ?? ctx.chat?.id ?? 0, next));

  const privately = bot.chatType('private');
  privately.on('callback_query:data', async (ctx) => {
    const { id: query, message, data, from } = ctx.callbackQuery;
    const pressed = readButton(data);
    if (!pressed || !message) {
      await tried(api.answerCallbackQuery(query, { text: stage.say('telegram.expired', languageOf(ctx)) }));
      return;
    }
    const { screenId, does } = pressed;
    await turns({
      ...about(ctx),
      user: from.id,
      chat: message.chat.id,
      press: { message: message.message_id, screenId, query },
      ...(does.type === 'page' ? { raw: { type: 'opened' }, page: does.page } : { raw: does }),
    });
  });
  privately.on('edited_message', (ctx) => answerOddity(ctx, ctx.editedMessage, 'telegram.edited'));
  privately.on('message:contact', (ctx) => turns({ ...about(ctx), raw: heardContact(ctx.message) }));
  privately.on('message:text', async (ctx) => {
    const { text, message_id: typed } = ctx.message;
    if (isStart(text)) await tellHeld(ctx.chat.id);
    await turns({ ...about(ctx), raw: heardText(text), typed });
  });
  privately.on(['message:photo', 'message:document'], (ctx) => {
    const file = pictureIn(ctx.message);
    if (file === undefined) return answerOddity(ctx, ctx.message, 'telegram.textOnly');
    return turns({ ...about(ctx), raw: () => photos(file) });
  });
  privately.on('message', (ctx) => answerOddity(ctx, ctx.message, 'telegram.textOnly'));
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
  bot.on('callback_query', (ctx) => tried(ctx.answerCallbackQuery()).then(() => {}));

  /** What cannot be read is said so, and the screen on show comes again. */
  async function answerOddity(ctx: Context, message: Message, say: string): Promise<void> {
    // A moving location is edited all the time, and service messages say nothing.
    if (isNoise(message)) return;
    await turns({ ...about(ctx), raw: { type: 'opened' }, say });
  }

  async function tellHeld(user: number): Promise<void> {
    const address = addressOf(user);
    for (const push of await conversations.waiting(address)) {
      if ((await handOver(address, push)) !== 'delivered') return;
      await conversations.saw(address, [push.id]);
    }
  }

  function about(ctx: Context) {
    const user = ctx.from?.id ?? 0;
    return { updateId: ctx.update.update_id, user, chat: user, language: guessed(ctx.from?.language_code) };
  }
}

const SERVICE = [
  'pinned_message',
  'message_auto_delete_timer_changed',
  'write_access_allowed',
  'location',
] as const;

function isNoise(message: Message): boolean {
  return SERVICE.some((kind) => kind in message);
}
