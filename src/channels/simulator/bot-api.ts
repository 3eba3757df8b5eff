import type { InlineKeyboardMarkup, Message, ReplyKeyboardMarkup, Update } from 'grammy/types';
import { z } from 'zod';
import { CHANNELS } from '../../conversation/channel.ts';
import { parseJson } from '../../http/json.ts';
import { type ChatFile, type ChatMessage, Chats } from './chats.ts';

/** The fields that are written as text where a file comes along. */
const JSON_FIELDS: ReadonlySet<string> = new Set(['media', 'reply_markup', 'protect_content']);

interface PersonMessage {
  readonly user: number;
  readonly language: string;
  readonly text: string;
  /** Telegram's data about the message besides its text. */
  readonly more?: Partial<Message>;
  readonly file?: ChatFile;
}

/**
 * As much of Telegram as the simulator page needs: what the bot sends is kept in memory, and what a person does is made
 * into an update. It is no judge of requests: the Bot API server of the tests is.
 */
export interface BotApi {
  readonly chats: Chats;
  commands(language: string): unknown;
  /** In place of the network, both for the methods and for the files of messages. */
  fetch(url: string | URL, init?: FetchInit): Promise<Response>;
  /** Adds a person's message to their chat, and gives the update that the bot gets. */
  sends(message: PersonMessage): Update;
  /** The update of a pressed button. Undefined for an unknown button. */
  presses(user: number, language: string, message: number, data: string): Update | undefined;
}

interface FetchInit {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface BotApiDeps {
  readonly chats: Chats;
  /** By language. */
  readonly commands: Map<string, unknown>;
}

const payloadSchema = z.record(z.string(), z.unknown());
type Payload = Readonly<z.output<typeof payloadSchema>>;
type Markup = Partial<InlineKeyboardMarkup & ReplyKeyboardMarkup & { remove_keyboard: true }>;
/** Answers a call of the bot. Undefined where its message is gone: then the bot sends another. */
type Method = (deps: BotApiDeps, payload: Payload, file?: ChatFile) => unknown;

export function createBotApi(now: () => number = Date.now): BotApi {
  const chats = new Chats(now);
  const deps: BotApiDeps = { chats, commands: new Map() };
  return {
    chats,
    commands: (language) => deps.commands.get(language) ?? [],
    fetch: (url, init) => answer(deps, url, init),
    sends: (message) => sends(chats, message),
    presses: (user, language, message, data) => presses(chats, { user, language, message, data }),
  };
}

async function answer(deps: BotApiDeps, url: string | URL, init: FetchInit = {}): Promise<Response> {
  const path = new URL(url).pathname.split('/');
  const name = path.at(-1) ?? '';
  if (path[1] === 'file') return new Response(fileOf(deps, name)?.bytes.slice() ?? null);
  const { payload, file } = await read(init.body, init.headers?.['content-type']);
  const result = METHODS[name]?.(deps, payload, file);
  return Response.json(
    result === undefined
      ? { ok: false, error_code: 400, description: 'Bad Request: message not found' }
      : { ok: true, result },
  );
}

function sends(chats: Chats, { user, language, text, more = {}, file }: PersonMessage): Update {
  const written = { by: 'person', text, buttons: [], isProtected: false, ...(file && { file }) } as const;
  const { id } = chats.add(user, written);
  const body = { ...chats.placeOf(user, id), from: person(user, language), ...more };
  return { update_id: chats.nextId(), message: body as Update['message'] } as Update;
}

interface Press {
  readonly user: number;
  readonly language: string;
  readonly message: number;
  readonly data: string;
}

function presses(chats: Chats, { user, language, message, data }: Press): Update | undefined {
  const buttons = chats.find(user, message)?.buttons.flat() ?? [];
  if (!buttons.some((button) => button.data === data)) return undefined;
  const query = {
    id: `${user}q${chats.nextId()}`,
    from: person(user, language),
    chat_instance: '1',
    data,
    message: chats.placeOf(user, message),
  };
  return { update_id: chats.nextId(), callback_query: query } as Update;
}

const METHODS: Readonly<Record<string, Method>> = {
  getMe: () => ({ id: 1, is_bot: true, first_name: 'Wasl', username: 'wasl_bot' }),
  setWebhook: () => true,
  setMyCommands({ commands }, payload) {
    commands.set(String(payload.language_code ?? ''), payload.commands);
    return true;
  },
  sendMessage(deps, payload) {
    const markup = (payload.reply_markup ?? {}) as Markup;
    const chat = deps.chats.open(userOf(payload));
    if (markup.keyboard) chat.keyboard = markup.keyboard.flat().map(keyOf);
    if (markup.remove_keyboard) chat.keyboard = [];
    return post(deps, payload, writtenIn(payload));
  },
  sendPhoto(deps, payload, file) {
    const photo = file ?? fileOf(deps, String(payload.photo));
    return photo && post(deps, payload, { ...captionedIn(payload), file: photo });
  },
  sendDocument: (deps, payload, file) =>
    post(deps, { ...payload, protect_content: false }, { text: '', buttons: [], ...(file && { file }) }),
  editMessageText: (deps, payload) => edit(deps, payload, writtenIn(payload)),
  editMessageMedia(deps, payload, file) {
    const media = payload.media as { readonly media: string; readonly caption?: string };
    const photo = file ?? fileOf(deps, media.media);
    return photo && edit(deps, payload, { ...captionedIn({ ...payload, ...media }), file: photo });
  },
  editMessageReplyMarkup: (deps, payload) => edit(deps, payload, { buttons: writtenIn(payload).buttons }),
  deleteMessage({ chats }, payload) {
    chats.delete(userOf(payload), Number(payload.message_id));
    return true;
  },
  sendChatAction({ chats }, payload) {
    chats.showTyping(userOf(payload), CHANNELS.telegram.typingMs);
    return true;
  },
  answerCallbackQuery({ chats }, { callback_query_id: query, text }) {
    // A query's id begins with whose it is.
    const chat = chats.open(Number.parseInt(String(query), 10));
    if (text) chat.said = { id: chats.nextId(), text: String(text) };
    return true;
  },
  getFile: (_deps, { file_id: id }) => ({ file_id: id, file_unique_id: id, file_path: id }),
};

function post(
  { chats }: BotApiDeps,
  payload: Payload,
  message: Pick<ChatMessage, 'text' | 'buttons' | 'file'>,
): object {
  const user = userOf(payload);
  const isProtected = payload.protect_content === true;
  return answered(chats, user, chats.add(user, { by: 'bot', ...message, isProtected }));
}

function edit({ chats }: BotApiDeps, payload: Payload, change: Partial<ChatMessage>): object | undefined {
  const user = userOf(payload);
  const edited = chats.edit(user, Number(payload.message_id), change);
  return edited && answered(chats, user, edited);
}

function answered(chats: Chats, user: number, { id, text, file }: ChatMessage): object {
  const photo = [{ file_id: `${user}.${id}`, file_unique_id: `${user}.${id}`, width: 1, height: 1 }];
  return { ...chats.placeOf(user, id), text, ...(file && { photo }) };
}

/** `<user>.<message>`: the file id that a message of the bot was answered with. */
function fileOf({ chats }: BotApiDeps, path: string): ChatFile | undefined {
  const [user = 0, message = 0] = path.split('.').map(Number);
  return chats.find(user, message)?.file;
}

function userOf(payload: Payload): number {
  return Number(payload.chat_id);
}

function person(user: number, language: string) {
  return { id: user, is_bot: false, first_name: 'Wasl', language_code: language };
}

function keyOf(key: ReplyKeyboardMarkup['keyboard'][number][number]) {
  return typeof key === 'string'
    ? { text: key, sharesContact: false }
    : { text: key.text, sharesContact: 'request_contact' in key };
}

function writtenIn({ text, reply_markup: markup }: Payload): Pick<ChatMessage, 'text' | 'buttons'> {
  const rows = (markup as Markup | undefined)?.inline_keyboard ?? [];
  const buttons = rows.map((row) =>
    row.map((button) => ({
      text: button.text,
      data: 'callback_data' in button ? (button.callback_data ?? '') : '',
      ...('copy_text' in button && { copies: button.copy_text.text }),
      ...('disabled' in button && { isDisabled: true as const }),
    })),
  );
  return { text: String(text ?? ''), buttons };
}

function captionedIn(payload: Payload): Pick<ChatMessage, 'text' | 'buttons'> {
  return writtenIn({ ...payload, text: payload.caption });
}

/** JSON, or a stream of multipart with files. */
async function read(body: unknown, type = ''): Promise<{ payload: Payload; file?: ChatFile }> {
  if (!type.startsWith('multipart/'))
    return { payload: payloadSchema.parse(parseJson(String(body ?? '{}'))) };
  const bytes = await Array.fromAsync(body as AsyncIterable<Uint8Array>);
  const form = await new Response(Buffer.concat(bytes), { headers: { 'content-type': type } }).formData();
  const payload: Record<string, unknown> = {};
  let file: ChatFile | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') payload[name] = JSON_FIELDS.has(name) ? parseJson(value) : value;
    else file = { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { payload, ...(file && { file }) };
}
