import { createHmac } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { listening } from '../../../src/http/listening.ts';
import { hangUp } from '../bot-api/server.ts';
import { Refused, readShown, type Shown } from './rules.ts';

const PHONE_ID = '106540352242922';
const TOKEN = 'EAAG-a-token-of-the-cloud-api-in-the-tests';
const APP_SECRET = '0123456789abcdef0123456789abcdef';
const WINDOW_MS = 24 * 3_600_000;

/** How one call goes wrong: refused by a code, or its answer is lost. */
type Fault = { readonly code: number } | 'lostAnswer' | 'noConnection';

export interface Sent {
  readonly wamid: string;
  readonly to: string;
  readonly shown: Shown;
  readonly about: string | undefined;
  readonly at: number;
}

/**
 * A Cloud API server of our own, over HTTP: strict about every message (facts C2), with a window for each person and
 * signed webhooks. Nothing of it was compared with Meta's.
 */
export async function startCloudApi(now: () => number = Date.now) {
  const sent: Sent[] = [];
  const broken: string[] = [];
  const reads: string[] = [];
  /** Messages below which "typing…" was shown. */
  const typing: string[] = [];
  const files = new Map<string, { readonly bytes: Uint8Array; readonly type: string }>();
  /** By person: when they last wrote, in ms since 1970. */
  const heard = new Map<string, number>();
  const received = new Set<string>();
  const faults: Fault[] = [];
  const hook = { url: '' };
  let last = 0;

  const app = new Hono();
  const isOurs = (c: Context) => c.req.header('authorization') === `Bearer ${TOKEN}`;
  app.onError((error, c) => {
    const { code, message, status } = error instanceof Refused ? error : new Refused(1, String(error), 500);
    if (code === 131009) broken.push(message);
    return c.json({ error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } }, status as 400);
  });
  app.use('/v24.0/*', async (c, next) => {
    if (!isOurs(c)) throw new Refused(190, 'Invalid OAuth access token', 401);
    await next();
  });
  app.post(`/v24.0/${PHONE_ID}/messages`, async (c) => {
    const { messaging_product: product, ...body } = (await c.req.json()) as Record<string, unknown>;
    if (product !== 'whatsapp') throw new Refused(100, 'messaging_product is missing');
    if (body.status === 'read') {
      const { message_id: id, typing_indicator: sign } = body;
      if (!received.has(String(id))) throw new Refused(131009, 'no such message');
      if (sign === undefined) reads.push(String(id));
      else typing.push(String(id));
      return c.json({ success: true });
    }
    const { recipient_type: type, to, recipient, biz_opaque_callback_data: about, ...message } = body;
    const fault = faults.shift();
    if (fault === 'noConnection') return hangUp(c);
    if (typeof fault === 'object') throw new Refused(fault.code, `fault ${fault.code}`);
    const person = String(recipient ?? to ?? '');
    if (type !== 'individual' || (to === undefined) === (recipient === undefined))
      throw new Refused(131009, 'one recipient is needed');
    if (about !== undefined && String(about).length > 512) throw new Refused(131009, 'too long');
    const shown = readShown(message);
    if (shown.type !== 'template' && !((heard.get(person) ?? 0) > now() - WINDOW_MS))
      throw new Refused(131047, 'Re-engagement message');
    const wamid = `wamid.out${++last}`;
    sent.push({ wamid, to: person, shown, about: about as string | undefined, at: now() });
    return fault === 'lostAnswer'
      ? hangUp(c)
      : c.json({ messaging_product: 'whatsapp', messages: [{ id: wamid }] });
  });
  serveFiles(app, files, isOurs, () => `media${++last}`);
  const server = await listening(app, 0, '127.0.0.1');

  /** Posts a webhook, signed over its bytes, as Meta writes them. Gives the status of the answer. */
  async function post(body: object, signedBy = APP_SECRET): Promise<number> {
    const raw = escaped(JSON.stringify(body));
    const digest = createHmac('sha256', signedBy).update(raw).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` };
    return (await fetch(hook.url, { method: 'POST', headers, body: raw })).status;
  }

  return {
    ...{ sent, broken, reads, typing, files, heard, hook, post, now },
    settings: { apiRoot: `${server.url}/v24.0`, token: TOKEN, phoneId: PHONE_ID, appSecret: APP_SECRET },
    /** How the next messages go wrong, one after the other. */
    goesWrong: (...kinds: readonly Fault[]) => void faults.push(...kinds),
    addFile(bytes: Uint8Array, type: string): string {
      const id = `in${++last}`;
      files.set(id, { bytes, type });
      return id;
    },
    /** A webhook with these values. */
    webhook(value: object, signedBy?: string) {
      const { messages = [] } = value as { messages?: readonly { readonly id?: string }[] };
      for (const { id } of messages) if (id !== undefined) received.add(id);
      return post(
        {
          object: 'whatsapp_business_account',
          entry: [
            {
              id: 'waba',
              changes: [
                {
                  field: 'messages',
                  value: {
                    messaging_product: 'whatsapp',
                    metadata: { display_phone_number: '212500000000', phone_number_id: PHONE_ID },
                    ...value,
                  },
                },
              ],
            },
          ],
        },
        signedBy,
      );
    },
    /** Says what has become of a message. */
    status({ wamid, to, about }: Sent, status: string, code?: number) {
      const told = {
        id: wamid,
        status,
        timestamp: String(Math.floor(now() / 1_000)),
        recipient_id: to,
        ...(about !== undefined && { biz_opaque_callback_data: about }),
        ...(code !== undefined && { errors: [{ code, title: 'failed' }] }),
      };
      return this.webhook({ statuses: [told] });
    },
    close: () => server.close(),
  };
}

type Files = Map<string, { readonly bytes: Uint8Array; readonly type: string }>;

/** Files that we upload, and those that people have sent. */
function serveFiles(app: Hono, files: Files, isOurs: (c: Context) => boolean, newId: () => string): void {
  app.post(`/v24.0/${PHONE_ID}/media`, async (c) => {
    const form = await c.req.formData();
    const file = form.get('file');
    if (!(file instanceof File) || form.get('messaging_product') !== 'whatsapp')
      throw new Refused(131053, 'Media upload error');
    const id = newId();
    files.set(id, { bytes: new Uint8Array(await file.arrayBuffer()), type: String(form.get('type')) });
    return c.json({ id });
  });
  app.get('/v24.0/:media', (c) => {
    const file = files.get(c.req.param('media'));
    if (!file) throw new Refused(100, 'Unsupported get request');
    const url = `${new URL(c.req.url).origin}/file/${c.req.param('media')}`;
    return c.json({ url, mime_type: file.type, file_size: file.bytes.length, id: c.req.param('media') });
  });
  app.get('/file/:media', (c) => {
    const file = files.get(c.req.param('media'));
    return file && isOurs(c) ? c.body(Uint8Array.from(file.bytes)) : c.body(null, 404);
  });
}

/** Meta writes letters outside ASCII as escapes. */
function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export type CloudApi = Awaited<ReturnType<typeof startCloudApi>>;
