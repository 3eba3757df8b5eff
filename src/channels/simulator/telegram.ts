import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { channelOf } from '../../conversation/channel.ts';
import {
  type ChatAt,
  type Conversations,
  type Deliver,
  LANGUAGES,
  type Language,
} from '../../conversation/incoming.ts';
import { sameOrigin } from '../../http/origin.ts';
import { type Msisdn, nationalNumber, readPhone } from '../../wallet/phone.ts';
import { thrown } from '../log.ts';
import type { OpenTelegram, Telegram, TelegramOptions } from '../telegram/telegram.ts';
import { createBotApi } from './bot-api.ts';

/** Nobody listens there: the network is played, and the token is no secret. */
const TOKEN = '1:simulator';
const PUBLIC_URL = 'https://simulator.invalid';
const PICTURE_BYTES_MAX = 5_000_000;
/** A message of the longest text, in any script. */
const BODY_MAX_BYTES = 64 * 1024;
/** Telegram's own limit on a message. */
const TEXT_MAX_CHARS = 4_096;
const PICTURES: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

const wants = z.strictObject({
  phone: z.string().transform((text) => readPhone(text)),
  language: z.enum(LANGUAGES as [Language, ...Language[]]),
});
const does = z.discriminatedUnion('does', [
  wants.extend({ does: z.literal('write'), text: z.string().trim().min(1).max(TEXT_MAX_CHARS) }),
  wants.extend({ does: z.literal('press'), message: z.int(), data: z.string().max(64) }),
  wants.extend({ does: z.literal('share') }),
]);

/**
 * Telegram on the simulator page, without a token: the real channel, joined to a played Bot API in this process. The
 * chat of a phone is that of a Telegram user whose id is its number, which is no id of a real one.
 */
export function simulateTelegram(
  options: Pick<TelegramOptions, 'walletUrl' | 'renderer' | 'secrets' | 'language' | 'log'>,
) {
  const botApi = createBotApi();
  let creating: Promise<Telegram> | undefined;
  // Loaded when somebody first uses it: grammY would slow down every start.
  const telegram = () => {
    creating ??= create();
    return creating;
  };
  let opening: Promise<OpenTelegram> | undefined;
  const deliver: Deliver = async (address, push) => (await telegram()).deliver(address, push);
  const chatAt: ChatAt = (address) => {
    if (channelOf(address) !== 'telegram') return undefined;
    const chat = async () => (await telegram()).chatAt(address);
    return {
      inOrder: async (work) => (await chat())?.inOrder(work) ?? work(),
      sendFile: async (push, file) => (await chat())?.sendFile(push, file),
    };
  };

  return {
    deliver,
    chatAt,
    /** The routes of the page, to be mounted at `/simulator/telegram`. */
    open(conversations: Conversations): Hono {
      return routes(() => {
        opening ??= open(conversations);
        return opening;
      });
    },
    async close(): Promise<void> {
      await (await opening)?.close();
    },
  };

  async function create(): Promise<Telegram> {
    const [{ createTelegram }, { createQrReader }] = await Promise.all([
      import('../telegram/telegram.ts'),
      import('../qr/decode.ts'),
    ]);
    const fetch = botApi.fetch as unknown as TelegramOptions['fetch'];
    const readQr = createQrReader();
    return createTelegram({ ...options, token: TOKEN, publicUrl: PUBLIC_URL, readQr, fetch });
  }

  async function open(conversations: Conversations): Promise<OpenTelegram> {
    const bot = (await telegram()).open(conversations);
    // With an address of its own it only names its commands: updates are handed to it.
    bot.start();
    return bot;
  }

  function routes(bot: () => Promise<OpenTelegram>): Hono {
    const app = new Hono();
    app.use(sameOrigin);
    app.onError((error, c) => {
      options.log.error({ channel: 'telegram', ...thrown(error) }, 'turn lost');
      return c.json({ error: 'unavailable' }, 503);
    });
    app.get('/chat', (c) => {
      const read = wants.safeParse(c.req.query()).data;
      if (!read?.phone) return c.json({ error: 'not a mobile number' }, 400);
      const { messages, keyboard, typingUntil, said } = botApi.open(idOf(read.phone));
      return c.json({
        messages: messages.map(({ file, ...message }) => ({ ...message, file: file && about(file) })),
        keyboard,
        said,
        isTyping: typingUntil > Date.now(),
        commands: botApi.commands(read.language),
      });
    });
    app.get('/file', (c) => {
      const phone = readPhone(c.req.query('phone') ?? '');
      const file = phone && botApi.file(idOf(phone), Number(c.req.query('message')));
      if (!file) return c.notFound();
      return c.body(file.bytes.slice(), 200, {
        'content-type': typeOf(file.name) ?? 'application/octet-stream',
        'content-disposition': `attachment; filename="${file.name.replace(/[^\w.-]/g, '_')}"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
    });
    app.post('/', limited(BODY_MAX_BYTES), async (c) => {
      const read = does.safeParse(await c.req.json().catch(() => undefined)).data;
      if (!read?.phone) return c.json({ error: 'bad request' }, 400);
      const update = updateOf({ ...read, phone: read.phone });
      if (!update) return c.json({ error: 'no such button' }, 404);
      await (await bot()).handle(update);
      return c.body(null, 204);
    });
    app.post('/photo', limited(PICTURE_BYTES_MAX), async (c) => {
      const { phone, language } = wants.safeParse(c.req.query()).data ?? {};
      const ending = PICTURES[c.req.header('content-type') ?? ''];
      if (!phone || !ending) return c.json({ error: 'bad request' }, 400);
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      const user = idOf(phone);
      const sent = botApi.sends(user, language ?? 'fr', '', {}, { name: `photo.${ending}`, bytes });
      const id = `${user}.${sent.message?.message_id}`;
      const photo = [{ file_id: id, file_unique_id: id, width: 1, height: 1, file_size: bytes.length }];
      await (await bot()).handle({ ...sent, message: { ...sent.message, photo } } as typeof sent);
      return c.body(null, 204);
    });
    return app;
  }

  function updateOf(done: z.infer<typeof does> & { phone: Msisdn }) {
    const { phone, language } = done;
    const user = idOf(phone);
    switch (done.does) {
      case 'write':
        return botApi.sends(user, language, done.text, { text: done.text });
      case 'press':
        return botApi.presses(user, language, done.message, done.data);
      case 'share': {
        // Telegram says whose card it is; the page can only share the phone's own.
        const contact = { phone_number: phone, first_name: 'Wasl', user_id: user };
        return botApi.sends(user, language, nationalNumber(phone), { contact });
      }
    }
  }
}

function limited(maxSize: number) {
  return bodyLimit({ maxSize, onError: (c) => c.json({ error: 'too large' }, 413) });
}

/** `+212612345678`: a real Telegram id has fewer digits. */
function idOf(phone: string): number {
  return Number(phone.slice(1));
}

function about({ name, bytes }: { name: string; bytes: Uint8Array }) {
  return { name, bytes: bytes.length, isPicture: typeOf(name) !== undefined };
}

function typeOf(name: string): string | undefined {
  return Object.keys(PICTURES).find((type) => name.endsWith(`.${PICTURES[type]}`));
}
