import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { Hono } from 'hono';
import { z } from 'zod';
import { CHANNELS } from '../../conversation/channel.ts';
import { type Conversations, LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { parseJson } from '../../http/json.ts';
import { html } from '../telegram/html.ts';
import TEMPLATE from '../whatsapp/templates.json' with { type: 'json' };
import { createWhatsApp, type WhatsApp, type WhatsAppOptions } from '../whatsapp/whatsapp.ts';
import { type ChatButton, type ChatFile, type ChatMessage, Chats } from './chats.ts';
import { sealFlow } from './flow.ts';
import { type Person, type PhoneApp, phoneRoutes } from './phone-app.ts';

/** Nobody listens there: the network is played, and these secrets are none. */
const HOST = 'https://simulator.invalid';
const OURS = { token: 'simulator', phoneId: '1', appSecret: 'simulator', verifyToken: 'simulator' };
const UPLOADS_MAX = 200;
/** The keys of the played Flow are made anew at each start. They are short, as they protect nothing. */
const FLOW_KEYS = {
  modulusLength: 1_024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;

const row = z.object({ id: z.string(), title: z.string(), description: z.string().optional() });
const file = z.object({ id: z.string(), caption: z.string().optional() }).optional();
const interactive = z.object({
  type: z.string(),
  header: z.object({ image: file, document: file }).optional(),
  body: z.object({ text: z.string() }),
  action: z.object({
    button: z.string().optional(),
    buttons: z.array(z.object({ reply: row })).optional(),
    sections: z.array(z.object({ rows: z.array(row) })).optional(),
    parameters: z
      .union([
        z.object({ display_text: z.string(), url: z.string() }),
        z.object({ flow_cta: z.string(), flow_token: z.string() }),
      ])
      .optional(),
  }),
});
/** As much of a request as the page shows. */
const request = z.object({
  status: z.literal('read').optional(),
  message_id: z.string().optional(),
  typing_indicator: z.unknown().optional(),
  recipient: z.string().optional(),
  biz_opaque_callback_data: z.string().optional(),
  text: z.object({ body: z.string() }).optional(),
  image: file,
  document: file,
  interactive: interactive.optional(),
  template: z
    .object({
      language: z.object({ code: z.enum(LANGUAGES as [Language, ...Language[]]) }),
      components: z.array(z.object({ parameters: z.array(z.object({ text: z.string() })) })),
    })
    .optional(),
});
type Sent = z.output<typeof request>;

interface Played {
  readonly chats: Chats;
  /** Files of ours, by their ids, until a message shows them. */
  readonly uploads: Map<string, ChatFile>;
  /** The public key of the Flow, as PEM. */
  readonly publicKey: string;
  /** Posts to our own routes, signed as Meta signs. */
  post(path: string, body: string): Promise<Response>;
}

interface SimulatedWhatsApp extends Pick<WhatsApp, 'deliver' | 'chatAt'> {
  open(conversations: Conversations): Hono;
}

/**
 * WhatsApp without an account: the real channel, joined to a played Cloud API in this process. It is no judge of
 * requests: the Cloud API server of the tests is.
 */
export function simulateWhatsApp(
  options: Omit<WhatsAppOptions, keyof typeof OURS | 'apiRoot' | 'fetch'>,
): SimulatedWhatsApp {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', FLOW_KEYS);
  const post = async () => new Response(null, { status: 503 });
  const played: Played = { chats: new Chats(Date.now), uploads: new Map(), publicKey, post };
  const fetch: typeof globalThis.fetch = (url, init) => answer(played, new URL(String(url)), init?.body);
  const apiRoot = `${HOST}/v24.0`;
  const { deliver, chatAt, open } = createWhatsApp({
    ...{ ...options, ...OURS, apiRoot, fetch },
    templates: true,
    flow: { id: '1', privateKey },
  });
  return {
    deliver,
    chatAt,
    open(conversations) {
      const hook = open(conversations);
      played.post = async (path, body) => {
        const digest = createHmac('sha256', OURS.appSecret).update(body).digest('hex');
        const headers = { 'x-hub-signature-256': `sha256=${digest}` };
        return hook.request(path, { method: 'POST', headers, body });
      };
      return phoneRoutes(appOf(played, options.inbox), options.log);
    },
  };
}

/** Posts a webhook. Rejects where it could not be kept. */
async function tell({ post }: Played, value: object): Promise<void> {
  const entry = [{ changes: [{ field: 'messages', value }] }];
  const { ok } = await post('/webhook', JSON.stringify({ object: 'whatsapp_business_account', entry }));
  if (!ok) throw new Error('a webhook could not be kept');
}

/** The app of the smartphone: its acts are webhooks. */
function appOf(played: Played, inbox: WhatsAppOptions['inbox']): PhoneApp {
  const { chats } = played;
  async function send({ user }: Person, text: string, message: object, file?: ChatFile): Promise<true> {
    const { id, at } = chats.add(user, personsMessage(text, file));
    const of = `MA.${user}`;
    const media = file && { image: { id: `${user}.${id}`, mime_type: 'image/png' } };
    const timestamp = String(Math.floor(at / 1_000));
    const sent = { from_user_id: of, id: `wamid.${user}.${id}`, timestamp, ...message, ...media };
    await tell(played, { contacts: [{ user_id: of }], messages: [sent] });
    await inbox.rests(`whatsapp:${of}`);
    return true;
  }
  return {
    channel: 'whatsapp',
    chats,
    write: (person, text) => send(person, text, { type: 'text', text: { body: text } }),
    async press(person, message, data) {
      const buttons = chats.find(person.user, message)?.buttons.flat() ?? [];
      const row = buttons.flatMap(({ rows = [] }) => rows).find((each) => each.data === data);
      const pressed = row ?? buttons.find((each) => data !== '' && each.data === data);
      if (!pressed) return false;
      const type = row ? 'list_reply' : 'button_reply';
      const reply = { [type]: { id: data, title: pressed.text } };
      return send(person, pressed.text, { type: 'interactive', interactive: reply });
    },
    share(person) {
      const phones = [{ phone: person.phone, wa_id: String(person.user) }];
      return send(person, person.phone, {
        type: 'contacts',
        contacts: [{ origin: 'contact_request', phones }],
      });
    },
    sendPicture: (person, file) => send(person, '', { type: 'image' }, file),
    async flow(person, message, secret) {
      const opened = chats
        .find(person.user, message)
        ?.buttons.flat()
        .find(({ flow }) => flow);
      if (!opened) return undefined;
      const screen = await askFlow(played, opened.flow, secret);
      // The phone tells its business that the Flow is over.
      if (screen?.screen === 'SUCCESS')
        await send(person, opened.text, {
          type: 'interactive',
          interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{}' } },
        });
      return screen;
    },
  };
}

/** Asks the endpoint of the Flow for its screen, or gives it the answer of one. Undefined where it takes neither. */
async function askFlow(
  { post, publicKey }: Played,
  token: string | undefined,
  secret: string | undefined,
): Promise<{ readonly screen?: string } | undefined> {
  const asks = secret === undefined ? { action: 'INIT' } : { action: 'data_exchange', data: { secret } };
  const { body, opened } = sealFlow({ ...asks, flow_token: token }, publicKey);
  const answer = await post('/flow', body);
  return answer.ok ? (opened(await answer.text()) as { readonly screen?: string }) : undefined;
}

function personsMessage(text: string, file: ChatFile | undefined): Omit<ChatMessage, 'id' | 'at'> {
  return { by: 'person', text, buttons: [], isProtected: false, ...(file && { file }) };
}

async function answer(played: Played, { pathname }: URL, body: unknown): Promise<Response> {
  const name = pathname.split('/').at(-1) ?? '';
  if (body instanceof FormData) return Response.json({ id: await keepUpload(played, body) });
  if (body !== undefined) return Response.json(take(played, request.parse(parseJson(String(body)))));
  const [user = 0, message = 0] = name.split('.').map(Number);
  const bytes = played.chats.find(user, message)?.file?.bytes;
  if (!bytes) return Response.json({ error: { code: 100 } }, { status: 400 });
  if (pathname.startsWith('/file/')) return new Response(bytes.slice());
  return Response.json({ url: `${HOST}/file/${name}`, file_size: bytes.length });
}

async function keepUpload({ chats, uploads }: Played, form: FormData): Promise<string> {
  const file = form.get('file') as File;
  const id = String(chats.nextId());
  const [oldest = ''] = uploads.keys();
  if (uploads.size >= UPLOADS_MAX) uploads.delete(oldest);
  uploads.set(id, { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  return id;
}

function take(played: Played, sent: Sent): object {
  const { chats, uploads } = played;
  if (sent.status === 'read') {
    const [user = 0, message = 0] = (sent.message_id ?? '').split('.').slice(1).map(Number);
    chats.edit(user, message, { isRead: true });
    if (sent.typing_indicator) chats.showTyping(user, CHANNELS.whatsapp.typingMs);
    return { success: true };
  }
  const { recipient = '', biz_opaque_callback_data: about } = sent;
  const user = Number(recipient.slice('MA.'.length));
  const { id } = chats.add(user, messageOf(sent, uploads));
  const name = `wamid.${user}.${id}`;
  if (about !== undefined) {
    const delivered = { id: name, status: 'delivered', biz_opaque_callback_data: about };
    void tell(played, { statuses: [delivered] }).catch(() => {});
  }
  return { messages: [{ id: name }] };
}

function messageOf(sent: Sent, uploads: Played['uploads']): Omit<ChatMessage, 'id' | 'at'> {
  const { text, interactive: asked, template } = sent;
  const { image, document } = asked?.header ?? sent;
  const shown = image ?? document;
  const attached = shown && uploads.get(shown.id);
  const value = template?.components[0]?.parameters[0]?.text;
  const said = template
    ? TEMPLATE.bodies[template.language.code].replace('{{1}}', () => value ?? '')
    : (text?.body ?? asked?.body.text ?? shown?.caption ?? '');
  return {
    by: 'bot',
    text: html(said).replace(/\*([^*\n]+)\*/g, '<b>$1</b>'),
    buttons: asked ? buttonsOf(asked) : [],
    isProtected: false,
    ...(attached && { file: attached }),
    ...(template && { isTemplate: true }),
  };
}

function buttonsOf({ type, action }: z.output<typeof interactive>): ChatMessage['buttons'] {
  const { button = '', buttons = [], sections = [], parameters } = action;
  const rowOf = ({ id, title, description }: z.output<typeof row>) => ({
    ...{ text: title, data: id },
    ...(description !== undefined && { detail: description }),
  });
  const keys: readonly ChatButton[] = [
    ...buttons.map(({ reply }) => rowOf(reply)),
    ...sections.map(({ rows }) => ({ text: button, data: '', rows: rows.map(rowOf) })),
    ...(parameters ? [leadsTo(parameters)] : []),
    // Its words are WhatsApp's own.
    ...(type === 'request_contact_info' ? [{ text: '', data: '', sharesContact: true as const }] : []),
  ];
  return keys.map((key) => [key]);
}

function leadsTo(parameters: NonNullable<z.output<typeof interactive>['action']['parameters']>): ChatButton {
  return 'url' in parameters
    ? { text: parameters.display_text, data: '', url: parameters.url }
    : { text: parameters.flow_cta, data: '', flow: parameters.flow_token };
}
