import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Conversations, Form } from '../../conversation/incoming.ts';
import { bodyAtMost } from '../../http/body-limit.ts';
import { parseJson } from '../../http/json.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { InputIds } from '../digest.ts';
import { fieldOf } from '../form/fields.ts';
import { give } from '../form/give.ts';
import { LABELS } from '../form/page.ts';
import { signedBody } from './webhook.ts';
import { interactive, type OpenForm } from './write.ts';

/** A person waits less than the ten seconds after which WhatsApp gives up (facts C4). */
const DEADLINE_MS = 8_000;
const BODY_MAX_BYTES = 64 * 1024;
const TAG_BYTES = 16;
/** The statuses that WhatsApp understands (facts C4). */
const CANNOT_DECRYPT = 421;
const NO_SUCH_TOKEN = 427;
const WRONG_SIGNATURE = 432;
const SCREEN = 'SECRET';

const base64 = z.string().regex(/^[\w+/=-]+$/);
const sealedRequest = z.object({
  encrypted_flow_data: base64,
  encrypted_aes_key: base64,
  initial_vector: base64,
});
const request = z.object({
  action: z.string(),
  flow_token: z.string().max(1_024).optional(),
  data: z.record(z.string(), z.unknown()).catch({}),
});

interface FlowOptions {
  readonly conversations: Pick<Conversations, 'form' | 'receive' | 'fallback'>;
  readonly renderer: Pick<Renderer, 'chat'>;
  readonly inputIds: InputIds;
  readonly appSecret: string;
  /** The RSA key whose public half Meta has, as PEM. */
  readonly privateKey: string;
  readonly log: Log;
}

/** Opens a screen for one secret inside WhatsApp. Its field takes digits, so that passwords, cards and files go by the link. */
export function openFlow(
  flowId: string,
  label: (shown: Parameters<OpenForm>[0]) => string,
  byLink: OpenForm,
): OpenForm {
  return (shown, text) => {
    if (fieldOf(shown.screen)?.digits === undefined) return byLink(shown, text);
    const parameters = {
      flow_message_version: '3',
      flow_token: shown.form,
      flow_id: flowId,
      flow_cta: label(shown),
      flow_action: 'data_exchange',
    };
    return interactive({ type: 'flow', body: { text }, action: { name: 'flow', parameters } });
  };
}

/**
 * `POST /flow`: the endpoint of the Flow, encrypted. It is another page of the one form: the same token, fields and answer.
 * The secret is in the request and in the call, and nowhere else. What goes back into the chat holds no secret.
 */
export function flowRoutes(options: FlowOptions): Hono {
  const key = createPrivateKey(options.privateKey);
  const app = new Hono();
  app.use(bodyAtMost(BODY_MAX_BYTES));
  app.onError((error, c) => {
    options.log.say('A request failed', { channel: 'whatsapp', ...thrown(error) });
    return c.text('unavailable\n', 503);
  });
  app.post('/', async (c) => {
    const raw = await signedBody(c, options.appSecret);
    if (!raw) return c.body(null, WRONG_SIGNATURE as 400);
    const opened = opens(raw.toString('utf8'), key);
    if (!opened) return c.body(null, CANNOT_DECRYPT as 400);
    const answer = await answerTo(options, opened.clear);
    return answer ? c.text(sealed(answer, opened)) : c.body(null, NO_SUCH_TOKEN as 400);
  });
  return app;
}

interface Opened {
  readonly clear: z.output<typeof request>;
  readonly aes: Buffer;
  readonly iv: Buffer;
}

/** Reads a request. Undefined for one that nobody has made for our key. */
function opens(raw: string, key: KeyObject): Opened | undefined {
  const read = sealedRequest.safeParse(parseJson(raw)).data;
  if (!read) return undefined;
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const aes = privateDecrypt(
      { key, padding, oaepHash: 'sha256' },
      Buffer.from(read.encrypted_aes_key, 'base64'),
    );
    const iv = Buffer.from(read.initial_vector, 'base64');
    const data = Buffer.from(read.encrypted_flow_data, 'base64');
    const decipher = createDecipheriv('aes-128-gcm', aes, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(data.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]);
    const clear = request.safeParse(parseJson(text.toString('utf8'))).data;
    return clear && { clear, aes, iv };
  } catch {
    return undefined;
  }
}

/** The answer under the same key, with every bit of the IV flipped. */
function sealed(answer: object, { aes, iv }: Opened): string {
  const flipped = iv.map((byte) => ~byte & 0xff);
  const cipher = createCipheriv('aes-128-gcm', aes, flipped, { authTagLength: TAG_BYTES });
  const body = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([body, cipher.getAuthTag()]).toString('base64');
}

/** The answer to a request. Undefined where its token is good for nothing any more. */
async function answerTo(
  options: FlowOptions,
  { action, flow_token: token = '', data }: Opened['clear'],
): Promise<object | undefined> {
  if (action === 'ping') return { data: { status: 'active' } };
  // The phone could not show our answer. It says so only.
  if (data.error !== undefined) return { data: { acknowledged: true } };
  const form = await options.conversations.form(token);
  const field = form && fieldOf(form.reply.screen);
  if (!form || !field) return undefined;
  const labels = LABELS[form.reply.language];
  if (action !== 'data_exchange') return question(options, form);
  const typed = typeof data.secret === 'string' ? data.secret : '';
  const secret = field.read(typed);
  if (secret === undefined) return question(options, form, field.wrong(labels));
  const inputs = [{ type: 'secret', secret } as const];
  const next = await give(options, form, { inputs }, { page: 'whatsapp', deadlineMs: DEADLINE_MS });
  if ('unavailable' in next) return question(options, form, next.unavailable);
  if (next.stale) return undefined;
  // The next screen comes into the chat. The token is used up, and no secret.
  return { screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token: token } } } };
}

/** The one screen of the Flow (`flow.json`). */
function question({ renderer }: FlowOptions, { reply: { screen, language } }: Form, wrong?: string): object {
  const labels = LABELS[language];
  const { text } = renderer.chat(screen, language);
  const label = fieldOf(screen)?.label(labels) ?? '';
  return {
    screen: SCREEN,
    data: { question: text, label, send: labels.send, ...(wrong !== undefined && { error_message: wrong }) },
  };
}
