import type { ApiClientOptions } from 'grammy';
import type { Update } from 'grammy/types';
import { never } from './measure.ts';

/** What a customer can do, as updates. */
export interface Does {
  says(user: number, text: string): Promise<void>;
  presses(user: number, label: RegExp): Promise<void>;
  sharesContact(user: number, phone: string): Promise<void>;
}

/** Telegram without a network: every call succeeds at once, and what a chat shows last is remembered. */
export function createInstantTelegram() {
  const shown = new Map<number, { message: number; buttons: { text: string; callback_data: string }[] }>();
  const texts = new Map<number, string>();
  let last = 1;
  let calls = 0;
  const fetch = async (url: unknown, options: { body?: unknown } = {}) => {
    calls++;
    const method = String(url).split('/').at(-1);
    const payload = typeof options.body === 'string' ? JSON.parse(options.body) : {};
    const chat = Number(payload.chat_id);
    const rows = payload.reply_markup?.inline_keyboard;
    const message = method === 'sendMessage' ? ++last : payload.message_id;
    if (payload.text) texts.set(chat, payload.text);
    if (rows?.length > 0) shown.set(chat, { message, buttons: rows.flat() });
    const result =
      method === 'getMe'
        ? { id: 123456, is_bot: true, first_name: 'Wasl', username: 'wasl_bot' }
        : { message_id: message, date: 0, chat: { id: chat, type: 'private' } };
    return { json: async () => ({ ok: true, result }) };
  };

  return {
    fetch: fetch as unknown as NonNullable<ApiClientOptions['fetch']>,
    /** Calls of the Bot API so far. */
    calls: () => calls,
    lastText: (chat: number) => texts.get(chat) ?? '',
    customer(send: (update: Update) => Promise<unknown>): Does {
      const about = (user: number) => ({
        message_id: ++last,
        date: 1,
        chat: { id: user, type: 'private', first_name: 'x' },
        from: { id: user, is_bot: false, first_name: 'x', language_code: 'fr' },
      });
      const sends = async (body: object) => {
        await send({ update_id: ++last, ...body } as unknown as Update);
      };
      return {
        says: (user, text) => {
          const entities = text.startsWith('/') && [{ type: 'bot_command', offset: 0, length: text.length }];
          return sends({ message: { ...about(user), text, ...(entities && { entities }) } });
        },
        sharesContact: (user, phone_number) =>
          sends({ message: { ...about(user), contact: { phone_number, first_name: 'x', user_id: user } } }),
        presses: (user, label) => {
          const { message, buttons } = shown.get(user) ?? never();
          const { callback_data: data } = buttons.find(({ text }) => label.test(text)) ?? never();
          const { from, ...rest } = { ...about(user), message_id: message };
          return sends({ callback_query: { id: '1', from, chat_instance: '1', data, message: rest } });
        },
      };
    },
  };
}
