import { type ApiClientOptions, Bot, InlineKeyboard, webhookCallback } from 'grammy';
import { Hono } from 'hono';
import type { TestedBot } from './telegram.ts';

/**
 * grammY alone, which remembers nothing and sends one message for each update: the floor. What the bench itself costs, its
 * customers and its HTTP client, is in every row as it is in this one.
 */
export function createBareBot(
  token: string,
  fetch: NonNullable<ApiClientOptions['fetch']>,
  secret: string,
): TestedBot {
  const bot = new Bot(token, { client: { fetch } });
  bot.use((ctx) =>
    ctx.reply('Votre envoi est en cours.', {
      reply_markup: new InlineKeyboard().text("Envoyer de l'argent", 'transfer'),
    }),
  );
  const app = new Hono();
  app.post('/webhook', webhookCallback(bot, 'hono', { secretToken: secret }));
  return {
    name: 'floor',
    init: () => bot.init(),
    handle: (update) => bot.handleUpdate(update),
    app,
    arrives: (user, does) => does.says(user, '/start'),
    bytesOf: async () => 0,
  };
}
