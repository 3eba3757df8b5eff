import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Address, ChannelName } from '../../conversation/channel.ts';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { bodyAtMost, uploadAtMost } from '../../http/body-limit.ts';
import { sameOrigin } from '../../http/origin.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { ChatFile, Chats } from './chats.ts';

const PICTURE_BYTES_MAX = 5_000_000;
/** A message of the longest text, in any script. */
const BODY_MAX_BYTES = 64 * 1024;
/** The limit of Telegram and of WhatsApp on a message. */
const TEXT_MAX_CHARS = 4_096;
/** Far above any password. */
const SECRET_MAX_CHARS = 300;
const PICTURES: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

const wants = z.strictObject({
  phone: z.string().transform((text) => readPhone(text)),
  language: z.enum(LANGUAGES as [Language, ...Language[]]),
});
const does = z.discriminatedUnion('does', [
  wants.extend({ does: z.literal('write'), text: z.string().trim().min(1).max(TEXT_MAX_CHARS) }),
  wants.extend({ does: z.literal('press'), message: z.int(), data: z.string().max(256) }),
  wants.extend({ does: z.literal('share') }),
  wants.extend({
    does: z.literal('flow'),
    message: z.int(),
    secret: z.string().max(SECRET_MAX_CHARS).optional(),
  }),
]);

/** The owner of the smartphone. `user`: the digits of their number, by which the app knows them. */
export interface Person {
  readonly user: number;
  readonly phone: Msisdn;
  readonly language: Language;
}

/** A chat app of the smartphone. Acts resolve once they are answered, with false where there is nothing to press. */
export interface PhoneApp {
  readonly channel: ChannelName;
  readonly chats: Chats;
  readonly commands?: (language: string) => unknown;
  write(person: Person, text: string): Promise<boolean>;
  press(person: Person, message: number, data: string): Promise<boolean>;
  share(person: Person): Promise<boolean>;
  sendPicture(person: Person, file: ChatFile): Promise<boolean>;
  /** Opens the Flow of a message, or answers its screen. Gives the next screen. Undefined where it is over. */
  readonly flow?: (person: Person, message: number, secret?: string) => Promise<unknown>;
}

/** The routes by which the page shows and plays an app. */
export function phoneRoutes(phoneApp: PhoneApp, log: Log): Hono {
  const app = new Hono();
  app.use(sameOrigin);
  app.onError((error, c) => {
    log.say('An error ended turns', { channel: phoneApp.channel, ...thrown(error) });
    return c.json({ error: 'unavailable' }, 503);
  });
  app.get('/chat', (c) => showChat(c, phoneApp));
  app.get('/file', (c) => sendFile(c, phoneApp));
  app.post('/', bodyAtMost(BODY_MAX_BYTES, tooLarge), (c) => takeAction(c, phoneApp));
  app.post('/photo', uploadAtMost(PICTURE_BYTES_MAX, tooLarge), (c) => takePhoto(c, phoneApp));
  return app;
}

/** `GET /chat`: the messages that the phone shows. */
function showChat(c: Context, { chats, commands }: PhoneApp): Response {
  const read = wants.safeParse(c.req.query()).data;
  if (!read?.phone) return c.json({ error: 'not a mobile number' }, 400);
  const { messages, keyboard, typingUntil, said } = chats.open(idOf(read.phone));
  return c.json({
    messages: messages.map(({ file, ...message }) => ({ ...message, file: file && about(file) })),
    keyboard,
    said,
    isTyping: typingUntil > Date.now(),
    commands: commands?.(read.language) ?? [],
  });
}

/** `GET /file`: the file of a message. */
function sendFile(c: Context, { chats }: PhoneApp): Response | Promise<Response> {
  const phone = readPhone(c.req.query('phone') ?? '');
  const file = phone && chats.find(idOf(phone), Number(c.req.query('message')))?.file;
  if (!file) return c.notFound();
  return c.body(file.bytes.slice(), 200, {
    'content-type': typeOf(file.name) ?? 'application/octet-stream',
    'content-disposition': `attachment; filename="${file.name.replace(/[^\w.-]/g, '_')}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

/** `POST /`: the person writes, presses a button, shares their number or goes through a Flow. */
async function takeAction(c: Context, app: PhoneApp): Promise<Response> {
  const action = does.safeParse(await c.req.json().catch(() => undefined)).data;
  if (!action?.phone) return c.json({ error: 'bad request' }, 400);
  const { phone, language } = action;
  const person = { user: idOf(phone), phone, language };
  if (action.does === 'flow') {
    const screen = await app.flow?.(person, action.message, action.secret);
    return screen ? c.json(screen) : c.json({ error: 'no such Flow' }, 404);
  }
  const isDone =
    action.does === 'write'
      ? app.write(person, action.text)
      : action.does === 'press'
        ? app.press(person, action.message, action.data)
        : app.share(person);
  return (await isDone) ? c.body(null, 204) : c.json({ error: 'no such button' }, 404);
}

/** `POST /photo`: the person sends a picture. */
async function takePhoto(c: Context, app: PhoneApp): Promise<Response> {
  const { phone, language = 'fr' } = wants.safeParse(c.req.query()).data ?? {};
  const ending = PICTURES[c.req.header('content-type') ?? ''];
  if (!phone || !ending) return c.json({ error: 'bad request' }, 400);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  await app.sendPicture({ user: idOf(phone), phone, language }, { name: `photo.${ending}`, bytes });
  return c.body(null, 204);
}

function tooLarge(c: Context): Response {
  return c.json({ error: 'too large' }, 413);
}

/** The addresses of the person with this number in the played apps. Their ids are none of real people. */
export function addressesOf(phone: Msisdn): readonly Address[] {
  return [`telegram:${idOf(phone)}`, `whatsapp:MA.${idOf(phone)}`];
}

/** `+212612345678`: a real Telegram id has fewer digits. */
function idOf(phone: Msisdn): number {
  return Number(phone.slice(1));
}

function about({ name, bytes }: ChatFile) {
  return { name, bytes: bytes.length, isPicture: typeOf(name) !== undefined };
}

function typeOf(name: string): string | undefined {
  return Object.keys(PICTURES).find((type) => name.endsWith(`.${PICTURES[type]}`));
}
