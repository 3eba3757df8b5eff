import { type Context, Hono } from 'hono';
import { listening } from '../../../src/http/listening.ts';
import { type Chats, createChats } from './chats.ts';
import {
  checkAction,
  checkWebhook,
  type File,
  type Payload,
  Refused,
  readCommands,
  string,
} from './rules.ts';
import { createUpdates } from './updates.ts';

/** A callback query can be answered for so long (facts B1). */
const QUERY_MS = 150_000;
const QUERY_TEXT_MAX_CHARS = 200;
/** In a request in parts these are written as text. */
const JSON_FIELDS: ReadonlySet<string> = new Set(['media', 'reply_markup', 'protect_content']);

/** The methods that a chat refuses while it has to wait (429). */
const PAUSED: ReadonlySet<string> = new Set([
  'sendMessage',
  'sendPhoto',
  'sendDocument',
  'editMessageText',
  'editMessageMedia',
  'editMessageReplyMarkup',
]);

/** How one call goes wrong: refused for now, failed before or after it was done, or nobody there. */
type Fault =
  | { readonly tooMany: number }
  | { readonly refuses: string }
  | 'serverError'
  | 'lostAnswer'
  | 'noConnection';

interface Call {
  readonly method: string;
  readonly payload: Payload;
  /** `ok`, or why not. */
  readonly came: string;
}

interface Query {
  readonly at: number;
  answered?: string;
}

/**
 * A Bot API server of our own: the methods that our bot needs, with the rules of the real one, over HTTP. It follows
 * Telegram's known behaviour (facts B1, facts B2).
 */
export async function startBotApi(now: () => number = Date.now) {
  const token = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
  const chats = createChats();
  const updates = createUpdates();
  const calls: Call[] = [];
  /** The calls that came as the answer to an update. */
  const replies: Call[] = [];
  const commands = new Map<string, readonly string[]>();
  /** The bot's profile, as people see it before they open it. */
  const profile = new Map<string, string>();
  const files = new Map<string, Uint8Array>();
  const queries = new Map<string, Query>();
  const clock = { now };
  const { held, next, checkPause, ...trouble } = createTrouble(clock);
  let lastQuery = 0;

  const methods = methodsOf({ chats, updates, commands, profile, files, queries, clock });

  // Telegram does not answer such a call. The result is kept for the tests.
  updates.hands.onReply = async (method, payload) => {
    let came = 'ok';
    try {
      await (methods[method] ?? missing)(payload);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      came = error.message;
    }
    replies.push({ method, payload, came });
  };

  const app = new Hono();
  app.get(`/file/bot${token}/photos/:id`, (c) => {
    const bytes = files.get(c.req.param('id'));
    return bytes ? c.body(Uint8Array.from(bytes)) : c.notFound();
  });
  app.post('/:bot{bot[^/]+}/:method', async (c) => {
    const method = c.req.param('method');
    if (c.req.param('bot') !== `bot${token}`) return refused(c, new Refused('Unauthorized', 401));
    const { payload, file } = await read(c);
    await held.get(method);
    const fault = next(method);
    let came = 'ok';
    try {
      if (fault === 'noConnection') return hangUp(c);
      if (fault === 'serverError') throw new Refused('Internal Server Error', 500);
      if (typeof fault === 'object' && 'refuses' in fault) throw new Refused(fault.refuses);
      checkPause(method, payload, typeof fault === 'object' ? fault.tooMany : undefined);
      const call = methods[method];
      if (!call) throw new Refused('Not Found', 404);
      const result = await call(payload, file);
      return fault === 'lostAnswer' ? hangUp(c) : c.json({ ok: true, result });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      came = error.message;
      return refused(c, error);
    } finally {
      calls.push({ method, payload, came: fault === undefined ? came : JSON.stringify(fault) });
    }
  });

  const server = await listening(app, 0, '127.0.0.1');

  return {
    url: server.url,
    token,
    chats,
    updates,
    /** Every request, in order. */
    calls,
    ...trouble,
    replies,
    commands,
    profile,
    clock,
    /** A file that a person has sent. */
    addFile(id: string, bytes: Uint8Array) {
      files.set(id, bytes);
    },
    newQuery(): string {
      const id = `query${++lastQuery}`;
      queries.set(id, { at: clock.now() });
      return id;
    },
    /** The answer to a press, or undefined before it. */
    answerTo: (query: string) => queries.get(query)?.answered,
    unanswered: () => [...queries].filter(([, { answered }]) => answered === undefined).map(([id]) => id),
    /** The requests that broke a rule: what a bot like ours must never send. */
    broken: () =>
      [...calls, ...replies].filter(
        ({ method, came }) =>
          came.startsWith('Bad Request') &&
          !/not modified|not found|too old/.test(came) &&
          method !== 'getFile',
      ),
    async close() {
      updates.close();
      await server.close();
    },
  };
}

/** The methods of the API, over the state of the server. */
function methodsOf({
  chats,
  updates,
  commands,
  profile,
  files,
  queries,
  clock,
}: {
  readonly chats: Chats;
  readonly updates: ReturnType<typeof createUpdates>;
  readonly commands: Map<string, readonly string[]>;
  readonly profile: Map<string, string>;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly queries: ReadonlyMap<string, Query>;
  readonly clock: { readonly now: () => number };
}): Readonly<Record<string, (payload: Payload, file?: File) => unknown>> {
  return {
    getMe: () => ({ id: 123456, is_bot: true, first_name: 'Wasl', username: 'wasl_bot' }),
    getUpdates: (payload) => {
      if (updates.webhook)
        throw new Refused("Conflict: can't use getUpdates method while webhook is active", 409);
      return updates.getUpdates(payload);
    },
    setWebhook: (payload) => {
      updates.setWebhook(checkWebhook(payload));
      return true;
    },
    deleteWebhook: () => {
      updates.setWebhook(undefined);
      return true;
    },
    setMyCommands: (payload) => {
      commands.set(...readCommands(payload));
      return true;
    },
    getMyDescription: (payload) => ({ description: profile.get(`description ${languageIn(payload)}`) ?? '' }),
    setMyDescription: (payload) => {
      profile.set(`description ${languageIn(payload)}`, limited(payload.description, 512));
      return true;
    },
    getMyShortDescription: (payload) => ({
      short_description: profile.get(`short ${languageIn(payload)}`) ?? '',
    }),
    setMyShortDescription: (payload) => {
      profile.set(`short ${languageIn(payload)}`, limited(payload.short_description, 120));
      return true;
    },
    setChatMenuButton: ({ menu_button: button }) => {
      profile.set('menu button', JSON.stringify(button));
      return true;
    },
    getUserProfilePhotos: () => ({ total_count: profile.has('photo') ? 1 : 0, photos: [] }),
    setMyProfilePhoto: ({ photo }, file) => {
      const isStatic = (photo as Payload).type === 'static';
      if (!isStatic || !file || file.bytes[0] !== 0xff) throw new Refused('PHOTO_INVALID');
      profile.set('photo', file.name);
      return true;
    },
    sendMessage: chats.sendMessage,
    sendPhoto: chats.sendPhoto,
    sendDocument: chats.sendDocument,
    editMessageText: chats.editMessageText,
    editMessageMedia: chats.editMessageMedia,
    editMessageReplyMarkup: chats.editMessageReplyMarkup,
    deleteMessage: chats.deleteMessage,
    sendChatAction: (payload) => {
      checkAction(payload);
      chats.of(payload).actions++;
      return true;
    },
    leaveChat: (payload) => {
      chats.of(payload).hasLeft = true;
      return true;
    },
    answerCallbackQuery: (payload) => {
      const query = queries.get(string(payload, 'callback_query_id'));
      if (!query || clock.now() - query.at > QUERY_MS)
        throw new Refused('query is too old and response timeout expired or query ID is invalid');
      const text = payload.text === undefined ? '' : String(payload.text);
      if (text.length > QUERY_TEXT_MAX_CHARS) throw new Refused('MESSAGE_TOO_LONG');
      query.answered ??= text;
      return true;
    },
    getFile: (payload) => {
      const id = string(payload, 'file_id');
      const bytes = files.get(id);
      if (!bytes) throw new Refused('wrong file_id or the file is temporarily unavailable');
      if (bytes.length > 20 * 1024 * 1024) throw new Refused('file is too big');
      return { file_id: id, file_unique_id: id, file_path: `photos/${id}` };
    },
  };
}

/** How calls go wrong: faults that a test asks for, pauses after a 429, and an API that is down. */
function createTrouble(clock: { readonly now: () => number }) {
  const faults: { readonly method: string; readonly fault: Fault }[] = [];
  /** Chats that have been told to wait, and until when. */
  const pauses = new Map<unknown, number>();
  const impatient: Call[] = [];
  /** Calls that wait, by method, until a test lets them go. */
  const held = new Map<string, Promise<void>>();
  let isDown = false;
  return {
    held,
    checkPause,
    /** The fault of the next call of a method. */
    next: (method: string): Fault | undefined => (isDown ? 'noConnection' : takeFault(method)),
    /** How the next calls of a method go wrong (`*`: of any), one after the other. */
    goesWrong(method: string, ...kinds: readonly Fault[]) {
      faults.push(...kinds.map((fault) => ({ method, fault })));
    },
    /** The calls of a method wait until they may go on. */
    holds(method: string): { go(): void } {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(method, promise);
      const go = () => {
        held.delete(method);
        resolve();
      };
      return { go };
    },
    /** Nobody answers, until it is up again. */
    down(on = true) {
      isDown = on;
    },
    /** The messages sent too early to chats that had to wait, since the last call. */
    impatient: (): readonly Call[] => impatient.splice(0),
  };

  /** Tells a chat to wait for so many seconds, and refuses what comes before they are over. */
  function checkPause(method: string, payload: Payload, seconds: number | undefined): void {
    const { chat_id: chat } = payload;
    const isPaused = PAUSED.has(method);
    if (seconds !== undefined) {
      if (isPaused) pauses.set(chat, clock.now() + seconds * 1_000);
      throw tooMany(seconds);
    }
    const leftMs = isPaused ? (pauses.get(chat) ?? 0) - clock.now() : 0;
    if (leftMs <= 0) return;
    impatient.push({ method, payload, came: `${leftMs} ms too early` });
    throw tooMany(Math.ceil(leftMs / 1_000));
  }

  function takeFault(method: string): Fault | undefined {
    const at = faults.findIndex(
      (each) => each.method === method || (each.method === '*' && method !== 'getUpdates'),
    );
    return at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
  }
}

function missing(): never {
  throw new Refused('Not Found', 404);
}

function languageIn({ language_code: code = '' }: Payload): string {
  return String(code);
}

function limited(text: unknown, charsMax: number): string {
  if (typeof text !== 'string' || text.length > charsMax) throw new Refused('text is too long');
  return text;
}

function tooMany(seconds: number): Refused {
  return new Refused(`Too Many Requests: retry after ${seconds}`, 429, { retry_after: seconds });
}

function refused(c: Context, { code, message, parameters }: Refused): Response {
  return c.json(
    { ok: false, error_code: code, description: message, ...(parameters && { parameters }) },
    code as 400,
  );
}

/** The connection breaks: the bot cannot know what became of its request. */
export function hangUp(c: Context): Response {
  const { incoming } = c.env as { incoming: { socket: { destroy(): void } } };
  incoming.socket.destroy();
  return c.body(null);
}

/** JSON, or multipart with files as `attach://` references. */
async function read(c: Context): Promise<{ payload: Payload; file?: File }> {
  if (!c.req.header('content-type')?.startsWith('multipart/'))
    return { payload: (await c.req.json().catch(() => ({}))) as Payload };
  const form = await c.req.formData();
  const payload: Record<string, unknown> = {};
  let file: File | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string')
      payload[name] = JSON_FIELDS.has(name) || value.startsWith('{') ? JSON.parse(value) : value;
    else file = { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
  }
  return { payload, ...(file && { file }) };
}

export type BotApi = Awaited<ReturnType<typeof startBotApi>>;
