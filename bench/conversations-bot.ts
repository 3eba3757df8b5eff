import {
  type Conversation,
  type ConversationFlavor,
  conversations,
  createConversation,
} from '@grammyjs/conversations';
import { type ApiClientOptions, Bot, type Context, InlineKeyboard, webhookCallback } from 'grammy';
import { Hono } from 'hono';
import type { Redis, TestedBot } from './telegram.ts';

type Flavored = ConversationFlavor<Context>;

/**
 * The same conversation as its authors write it with @grammyjs/conversations, kept in Redis: number, amount,
 * PIN, with a wallet that answers at once. It has no lock, no dedupe and no record, and keeps what was typed.
 */
export function createConversationsBot(
  redis: Redis,
  token: string,
  fetch: NonNullable<ApiClientOptions['fetch']>,
  secret: string,
): TestedBot {
  const bot = new Bot<Flavored>(token, { client: { fetch } });
  const ways = () => new InlineKeyboard().text('Retour', 'back').text('Menu', 'menu');
  const adapter = {
    read: async (key: string) => {
      const text = await redis.get(`conversation:${key}`);
      return text === null ? undefined : JSON.parse(text);
    },
    write: async (key: string, state: unknown) => {
      await redis.set(`conversation:${key}`, JSON.stringify(state));
    },
    delete: async (key: string) => {
      await redis.del(`conversation:${key}`);
    },
  };

  async function transfer(conversation: Conversation<Flavored, Context>, ctx: Context): Promise<void> {
    await ctx.answerCallbackQuery();
    await ctx.editMessageText("À quel numéro de mobile envoyer l'argent ?", { reply_markup: ways() });
    const to = (await conversation.waitFor('message:text')).message.text;
    await ctx.reply(`Quel montant envoyer au ${to} ?`, { reply_markup: ways() });
    const amount = Number((await conversation.waitFor('message:text')).message.text);
    const { fees } = await conversation.external(() => ({ fees: 2 }));
    const text = `Envoyer ${amount} DH au ${to} ?\nFrais ${fees} DH. Total ${amount + fees} DH.`;
    await ctx.reply(`${text}\nTapez votre code PIN.`, { reply_markup: ways() });
    const pin = await conversation.waitFor('message:text');
    await pin.deleteMessage();
    await conversation.external(() => pin.message.text === '1234');
    await ctx.reply(`⏳ Votre envoi de ${amount} DH est en cours.`);
  }

  bot.use(conversations<Flavored, Context>({ storage: { type: 'key', adapter } }));
  bot.use(createConversation<Flavored, Context>(transfer, 'transfer'));
  bot.command('start', (ctx) =>
    ctx.reply('Que souhaitez-vous faire ?', {
      reply_markup: new InlineKeyboard().text("Envoyer de l'argent", 'transfer'),
    }),
  );
  bot.callbackQuery('transfer', (ctx) => ctx.conversation.enter('transfer'));

  const app = new Hono();
  app.post('/webhook', webhookCallback(bot, 'hono', { secretToken: secret }));
  return {
    name: '@grammyjs/conversations',
    init: () => bot.init(),
    handle: (update) => bot.handleUpdate(update),
    app,
    arrives: async (user, does) => does.says(user, '/start'),
    bytesOf: async (user) => {
      const text = await redis.get(`conversation:${user}`);
      return text === null ? 0 : `conversation:${user}`.length + Buffer.byteLength(text);
    },
  };
}
