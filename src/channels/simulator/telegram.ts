import type { Update } from 'grammy/types';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { channelOf } from '../../conversation/channel.ts';
import {
  type Address,
  type ChatAt,
  type Conversations,
  type Deliver,
  LANGUAGES,
  type Language,
} from '../../conversation/incoming.ts';
import { bodyAtMost, uploadAtMost } from '../../http/body-limit.ts';
import { sameOrigin } from '../../http/origin.ts';
import { thrown } from '../../log/thrown.ts';
import { type Msisdn, nationalNumber, readPhone } from '../../wallet/phone.ts';
import type { OpenTelegram, Telegram, TelegramOptions } from '../telegram/telegram.ts';
import { type BotApi, createBotApi } from './bot-api.ts';

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

/** Telegram on the simulator page. */
interface SimulatedTelegram {
  readonly deliver: Deliver;
  readonly chatAt: ChatAt;
  /** The routes of the page, to be mounted at `/simulator/telegram`. */
  open(conversations: Conversations): Hono;
  close(): Promise<void>;
}

type SimulatedTelegramOptions = Pick<
  TelegramOptions,
  'walletUrl' | 'formAt' | 'renderer' | 'secrets' | 'language' | 'log'
>;

/**
 * Telegram without a token: the real channel, joined to a played Bot API in this process. The chat of a phone is that of a
 * Telegram user whose id is its number, which is no id of a real one.
 */
export function simulateTelegram(options: SimulatedTelegramOptions): SimulatedTelegram {
  const simulation = new Simulation(options);
  return {
    deliver: async (address, push) => (await simulation.telegram()).deliver(address, push),
    chatAt: (address) => chatAt(simulation, address),
    open: (conversations) => pageRoutes(simulation, conversations),
    close: () => simulation.close(),
  };
}

class Simulation {
  readonly botApi: BotApi = createBotApi();
  readonly options: SimulatedTelegramOptions;
  #creating: Promise<Telegram> | undefined;
  #opening: Promise<OpenTelegram> | undefined;

  constructor(options: SimulatedTelegramOptions) {
    this.options = options;
  }

  /** The channel. Loaded when somebody first uses it: grammY would slow down every start. */
  telegram(): Promise<Telegram> {
    this.#creating ??= createChannel(this.options, this.botApi);
    return this.#creating;
  }

  /** Has the bot take an update, as Telegram would send it. */
  async handle(conversations: Conversations, update: Update): Promise<void> {
    this.#opening ??= this.#open(conversations);
    await (await this.#opening).handle(update);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #open(conversations: Conversations): Promise<OpenTelegram> {
    const bot = (await this.telegram()).open(conversations);
    // With an address of its own it only names its commands: updates are handed to it.
    bot.start();
    return bot;
  }
}

async function createChannel(options: SimulatedTelegramOptions, botApi: BotApi): Promise<Telegram> {
  const [{ createTelegram }, { createQrReader }] = await Promise.all([
    import('../telegram/telegram.ts'),
    import('../qr/decode.ts'),
  ]);
  const fetch = botApi.fetch as unknown as TelegramOptions['fetch'];
  return createTelegram({ ...options, token: TOKEN, publicUrl: PUBLIC_URL, readQr: createQrReader(), fetch });
}

function chatAt(simulation: Simulation, address: Address): ReturnType<ChatAt> {
  if (channelOf(address) !== 'telegram') return undefined;
  const chat = async () => (await simulation.telegram()).chatAt(address);
  return {
    showTyping: () => void chat().then((opened) => opened?.showTyping()),
    inOrder: async (work) => (await chat())?.inOrder(work) ?? work(),
    sendFile: async (push, file) => (await chat())?.sendFile(push, file),
    fetchFile: async (file) => (await chat())?.fetchFile(file) ?? 'gone',
    eraseFiles: async (files) => (await chat())?.eraseFiles(files) ?? false,
  };
}

function pageRoutes(simulation: Simulation, conversations: Conversations): Hono {
  const { botApi, options } = simulation;
  const handle = (update: Update) => simulation.handle(conversations, update);
  const app = new Hono();
  app.use(sameOrigin);
  app.onError((error, c) => {
    options.log.say('An error ended turns', { channel: 'telegram', ...thrown(error) });
    return c.json({ error: 'unavailable' }, 503);
  });
  app.get('/chat', (c) => showChat(c, botApi));
  app.get('/file', (c) => sendFile(c, botApi));
  app.post('/', bodyAtMost(BODY_MAX_BYTES, tooLarge), (c) => takeAction(c, botApi, handle));
  app.post('/photo', uploadAtMost(PICTURE_BYTES_MAX, tooLarge), (c) => takePhoto(c, botApi, handle));
  return app;
}

type Handle = (update: Update) => Promise<void>;

/** `GET /chat`: the messages that the phone shows. */
function showChat(c: Context, botApi: BotApi): Response {
  const read = wants.safeParse(c.req.query()).data;
  if (!read?.phone) return c.json({ error: 'not a mobile number' }, 400);
  const { messages, keyboard, typingUntil, said } = botApi.chat(idOf(read.phone));
  return c.json({
    messages: messages.map(({ file, ...message }) => ({ ...message, file: file && about(file) })),
    keyboard,
    said,
    isTyping: typingUntil > Date.now(),
    commands: botApi.commands(read.language),
  });
}

/** `GET /file`: the file of a message. */
function sendFile(c: Context, botApi: BotApi): Response | Promise<Response> {
  const phone = readPhone(c.req.query('phone') ?? '');
  const file = phone && botApi.file(idOf(phone), Number(c.req.query('message')));
  if (!file) return c.notFound();
  return c.body(file.bytes.slice(), 200, {
    'content-type': typeOf(file.name) ?? 'application/octet-stream',
    'content-disposition': `attachment; filename="${file.name.replace(/[^\w.-]/g, '_')}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

/** `POST /`: the person writes, presses a button or shares their number. */
async function takeAction(c: Context, botApi: BotApi, handle: Handle): Promise<Response> {
  const read = does.safeParse(await c.req.json().catch(() => undefined)).data;
  if (!read?.phone) return c.json({ error: 'bad request' }, 400);
  const update = updateOf(botApi, { ...read, phone: read.phone });
  if (!update) return c.json({ error: 'no such button' }, 404);
  await handle(update);
  return c.body(null, 204);
}

/** `POST /photo`: the person sends a picture. */
async function takePhoto(c: Context, botApi: BotApi, handle: Handle): Promise<Response> {
  const { phone, language = 'fr' } = wants.safeParse(c.req.query()).data ?? {};
  const ending = PICTURES[c.req.header('content-type') ?? ''];
  if (!phone || !ending) return c.json({ error: 'bad request' }, 400);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const user = idOf(phone);
  const sent = botApi.sends({ user, language, text: '', file: { name: `photo.${ending}`, bytes } });
  const id = `${user}.${sent.message?.message_id}`;
  const photo = [{ file_id: id, file_unique_id: id, width: 1, height: 1, file_size: bytes.length }];
  await handle({ ...sent, message: { ...sent.message, photo } } as typeof sent);
  return c.body(null, 204);
}

function updateOf(botApi: BotApi, action: z.infer<typeof does> & { phone: Msisdn }): Update | undefined {
  const { phone, language } = action;
  const user = idOf(phone);
  switch (action.does) {
    case 'write':
      return botApi.sends({ user, language, text: action.text, more: { text: action.text } });
    case 'press':
      return botApi.presses(user, language, action.message, action.data);
    case 'share': {
      // Telegram tells the owner of a contact card. The page can only share the phone's own.
      const contact = { phone_number: phone, first_name: 'Wasl', user_id: user };
      return botApi.sends({ user, language, text: nationalNumber(phone), more: { contact } });
    }
  }
}

function tooLarge(c: Context): Response {
  return c.json({ error: 'too large' }, 413);
}

/** The address of the person with this number on the played Telegram. */
export function addressOf(phone: Msisdn): Address {
  return `telegram:${idOf(phone)}`;
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
