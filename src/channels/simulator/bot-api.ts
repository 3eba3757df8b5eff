import type { InlineKeyboardMarkup, Message, ReplyKeyboardMarkup, Update } from 'grammy/types';

/** One for each number that anybody has tried on the page. */
const CHATS_MAX = 500;
const MESSAGES_MAX = 200;
/** Telegram shows "typing…" for five seconds, or until something is said. */
const TYPING_MS = 5_000;
/** Of what comes with a file: there they are written as text. */
const JSON_FIELDS: ReadonlySet<string> = new Set(['media', 'reply_markup', 'protect_content']);

export interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A message as the page shows it. */
export interface Shown {
  readonly id: number;
  readonly by: 'bot' | 'person';
  /** Of the bot: Telegram's HTML. */
  readonly text: string;
  readonly buttons: readonly (readonly { readonly text: string; readonly data: string }[])[];
  /** Not to be forwarded or saved. */
  readonly isProtected: boolean;
  readonly file?: File;
}

export interface Chat {
  readonly user: number;
  messages: Shown[];
  /** In place of the phone's keyboard: labels, and whether they share the number. */
  keyboard: readonly { readonly text: string; readonly sharesContact: boolean }[];
  typingUntil: number;
  /** What a press was answered with. */
  said?: { readonly id: number; readonly text: string };
}

type Payload = Readonly<Record<string, unknown>>;
type Markup = Partial<InlineKeyboardMarkup & ReplyKeyboardMarkup & { remove_keyboard: true }>;

/**
 * As much of Telegram as the simulator page needs: what the bot sends is kept in memory, and what a person does is made
 * into an update. It is no judge of requests: the Bot API server of the tests is.
 */
export function createBotApi(now: () => number = Date.now) {
  const chats = new Map<number, Chat>();
  const commands = new Map<string, unknown>();
  // The store outlives this: ids of messages and updates that it has noted must not come again.
  let last = now();

  const methods: Readonly<Record<string, (payload: Payload, file?: File) => unknown>> = {
    getMe: () => ({ id: 1, is_bot: true, first_name: 'Wasl', username: 'wasl_bot' }),
    setWebhook: () => true,
    setMyCommands: (payload) => commands.set(String(payload.language_code ?? ''), payload.commands).size > 0,
    sendMessage(payload) {
      const chat = chatOf(payload);
      const markup = (payload.reply_markup ?? {}) as Markup;
      if (markup.keyboard) chat.keyboard = markup.keyboard.flat().map(keyOf);
      if (markup.remove_keyboard) chat.keyboard = [];
      const isProtected = payload.protect_content === true;
      return answered(chat, add(chat, { by: 'bot', ...writtenIn(payload), isProtected }));
    },
    sendPhoto(payload, file) {
      const chat = chatOf(payload);
      const photo = file ?? fileOf(String(payload.photo));
      if (!photo) return undefined;
      const isProtected = payload.protect_content === true;
      return answered(chat, add(chat, { by: 'bot', ...captionedIn(payload), isProtected, file: photo }));
    },
    sendDocument(payload, file) {
      const chat = chatOf(payload);
      const said = { by: 'bot', text: '', buttons: [], isProtected: false } as const;
      return answered(chat, add(chat, { ...said, ...(file && { file }) }));
    },
    editMessageText: (payload) => edit(payload, writtenIn(payload)),
    editMessageMedia(payload, file) {
      const media = payload.media as { readonly media: string; readonly caption?: string };
      const photo = file ?? fileOf(media.media);
      return photo && edit(payload, { ...captionedIn({ ...payload, ...media }), file: photo });
    },
    editMessageReplyMarkup: (payload) => edit(payload, { buttons: writtenIn(payload).buttons }),
    deleteMessage(payload) {
      const [chat, message] = messageOf(payload);
      chat.messages = chat.messages.filter((each) => each !== message);
      return true;
    },
    sendChatAction(payload) {
      chatOf(payload).typingUntil = now() + TYPING_MS;
      return true;
    },
    answerCallbackQuery({ callback_query_id: query, text }) {
      // A query's id begins with whose it is.
      const chat = open(Number.parseInt(String(query), 10));
      if (text) chat.said = { id: ++last, text: String(text) };
      return true;
    },
    getFile: ({ file_id: id }) => ({ file_id: id, file_unique_id: id, file_path: id }),
  };

  return {
    open,
    commands: (language: string) => commands.get(language) ?? [],

    /** In place of the network, both for the methods and for the files of messages. */
    async fetch(
      url: string | URL,
      init: { body?: unknown; headers?: Record<string, string> } = {},
    ): Promise<Response> {
      const path = new URL(url).pathname.split('/');
      if (path[1] === 'file') return new Response(fileOf(path.at(-1) ?? '')?.bytes.slice() ?? null);
      const call = methods[path.at(-1) ?? ''];
      const { payload, file } = await read(init.body, init.headers?.['content-type']);
      const result = call?.(payload, file);
      return Response.json(
        result === undefined
          ? { ok: false, error_code: 400, description: 'Bad Request: message not found' }
          : { ok: true, result },
      );
    },

    /** What a person writes, shares or sends, as the update that the bot gets. */
    sends(user: number, language: string, text: string, more: Partial<Message>, file?: File): Update {
      const chat = open(user);
      const said = { by: 'person', text, buttons: [], isProtected: false } as const;
      const { id } = add(chat, { ...said, ...(file && { file }) });
      const body = { ...about(user, id), from: person(user, language), ...more };
      return { update_id: ++last, message: body as Update['message'] } as Update;
    },

    /** Undefined for a button that is not there. */
    presses(user: number, language: string, message: number, data: string): Update | undefined {
      const hangsOn = open(user).messages.find(({ id }) => id === message);
      if (!hangsOn?.buttons.flat().some((button) => button.data === data)) return undefined;
      const from = person(user, language);
      const query = {
        id: `${user}q${++last}`,
        from,
        chat_instance: '1',
        data,
        message: about(user, message),
      };
      return { update_id: ++last, callback_query: query } as Update;
    },

    file: (user: number, id: number) => open(user).messages.find((message) => message.id === id)?.file,
  };

  function open(user: number): Chat {
    const known = chats.get(user);
    if (known) return known;
    const [oldest] = chats.keys();
    if (chats.size >= CHATS_MAX && oldest !== undefined) chats.delete(oldest);
    const chat: Chat = { user, messages: [], keyboard: [], typingUntil: 0 };
    chats.set(user, chat);
    return chat;
  }

  function chatOf(payload: Payload): Chat {
    return open(Number(payload.chat_id));
  }

  function messageOf(payload: Payload): [Chat, Shown | undefined] {
    const chat = chatOf(payload);
    return [chat, chat.messages.find(({ id }) => id === Number(payload.message_id))];
  }

  function add(chat: Chat, message: Omit<Shown, 'id'>): Shown {
    const added = { ...message, id: ++last };
    chat.messages = [...chat.messages, added].slice(-MESSAGES_MAX);
    if (added.by === 'bot') chat.typingUntil = 0;
    else chat.keyboard = [];
    return added;
  }

  /** Undefined where the message is gone, such as one from before a restart: then the bot sends another. */
  function edit(payload: Payload, change: Partial<Shown>): object | undefined {
    const [chat, message] = messageOf(payload);
    if (!message) return undefined;
    const edited = { ...message, ...change };
    chat.messages = chat.messages.map((each) => (each === message ? edited : each));
    return answered(chat, edited);
  }

  function answered({ user }: Chat, { id, text, file }: Shown): object {
    const photo = [{ file_id: `${user}.${id}`, file_unique_id: `${user}.${id}`, width: 1, height: 1 }];
    return { ...about(user, id), text, ...(file && { photo }) };
  }

  function about(user: number, message: number) {
    const date = Math.floor(now() / 1_000);
    return { message_id: message, date, chat: { id: user, type: 'private', first_name: 'Wasl' } };
  }

  /** `<user>.<message>`, as the routes name it and as the bot is told. */
  function fileOf(path: string): File | undefined {
    const [user, message] = path.split('.').map(Number);
    return open(user ?? 0).messages.find(({ id }) => id === message)?.file;
  }
}

function person(user: number, language: string) {
  return { id: user, is_bot: false, first_name: 'Wasl', language_code: language };
}

function keyOf(key: ReplyKeyboardMarkup['keyboard'][number][number]) {
  return typeof key === 'string'
    ? { text: key, sharesContact: false }
    : { text: key.text, sharesContact: 'request_contact' in key };
}

function writtenIn({ text, reply_markup: markup }: Payload): Pick<Shown, 'text' | 'buttons'> {
  const rows = (markup as Markup | undefined)?.inline_keyboard ?? [];
  const buttons = rows.map((row) =>
    row.map((button) => ({
      text: button.text,
      data: 'callback_data' in button ? (button.callback_data ?? '') : '',
    })),
  );
  return { text: String(text ?? ''), buttons };
}

function captionedIn(payload: Payload): Pick<Shown, 'text' | 'buttons'> {
  return writtenIn({ ...payload, text: payload.caption });
}

/** JSON, or a stream of multipart with files. */
async function read(body: unknown, type = ''): Promise<{ payload: Payload; file?: File }> {
  if (!type.startsWith('multipart/')) return { payload: JSON.parse(String(body ?? '{}')) };
  const bytes = await Array.fromAsync(body as AsyncIterable<Uint8Array>);
  const form = await new Response(Buffer.concat(bytes), { headers: { 'content-type': type } }).formData();
  const payload: Record<string, unknown> = {};
  let file: File | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') payload[name] = JSON_FIELDS.has(name) ? JSON.parse(value) : value;
    else file = { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { payload, ...(file && { file }) };
}

export type BotApi = ReturnType<typeof createBotApi>;
