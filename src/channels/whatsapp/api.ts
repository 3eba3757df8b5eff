import { z } from 'zod';
import type { Unfetched } from '../../conversation/incoming.ts';
import { parseJson } from '../../http/json.ts';
import { DOCUMENT_FILE_BYTES_MAX } from '../../wallet/file-types.ts';
import { readUpTo } from '../read-up-to.ts';
import { isUnsent } from '../unsent.ts';
import { CloudApiError, troubleOfCode } from './trouble.ts';

/** A call that takes longer is taken as lost. */
const CALL_MAX_MS = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;
/** Meta keeps the files that people send on these hosts. The token goes to no other one. */
const FILE_HOSTS = /(?:^|\.)(?:fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net)$/;

const failure = z.object({ error: z.object({ code: z.number() }) });
const sent = z.object({ messages: z.array(z.object({ id: z.string().min(1).max(512) })).min(1) });
const uploaded = z.object({ id: z.string().min(1).max(512) });
const media = z.object({ url: z.url(), file_size: z.number().optional() });

/** A message as the Cloud API takes it, without its recipient. */
export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

export interface ApiOptions {
  /** With the version: `https://graph.facebook.com/v24.0`. */
  readonly apiRoot: string;
  readonly token: string;
  readonly phoneId: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The calls of the Cloud API that we need. Each rejects with `CloudApiError`. */
export interface CloudApi {
  /**
   * Sends a message. Its id is acceptance, and no delivery.
   * @param about comes back with the statuses of the message
   */
  send(to: string, message: Message, about?: string): Promise<string>;
  /** Marks a message as read. @param isTyping shows "typing…" too, until our next message, or for 25 s */
  read(message: string, isTyping?: boolean): Promise<void>;
  /** Stores a file at Meta, and gives its id. */
  upload(file: { readonly bytes: Uint8Array; readonly type: string; readonly name: string }): Promise<string>;
  /** The bytes of a file that a person has sent. Never rejects. */
  download(id: string, maxBytes?: number): Promise<Uint8Array | Unfetched>;
}

export function createApi(options: ApiOptions): CloudApi {
  const at = `${options.apiRoot}/${options.phoneId}`;
  const json = (body: object) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', ...body }),
  });
  return {
    async send(to, message, about) {
      const addressed = { recipient_type: 'individual', ...recipient(to), ...message };
      const tracked = about === undefined ? addressed : { ...addressed, biz_opaque_callback_data: about };
      const answer = await call(options, `${at}/messages`, json(tracked));
      // Accepted without an id: the statuses are about nobody.
      return sent.safeParse(answer).data?.messages[0]?.id ?? '';
    },
    async read(message, isTyping = false) {
      const read = { status: 'read', message_id: message };
      const sign = isTyping && { typing_indicator: { type: 'text' } };
      await call(options, `${at}/messages`, json({ ...read, ...sign }));
    },
    async upload({ bytes, type, name }) {
      const body = new FormData();
      body.set('messaging_product', 'whatsapp');
      body.set('type', type);
      body.set('file', new Blob([Uint8Array.from(bytes)], { type }), name);
      return uploaded.parse(await call(options, `${at}/media`, { body })).id;
    },
    download: (id, maxBytes = DOCUMENT_FILE_BYTES_MAX) => download(options, id, maxBytes),
  };
}

/** A person is known by a user id such as `MA.1349`, or, where Meta names none yet, by digits alone. */
function recipient(to: string): Readonly<Record<string, string>> {
  return /^\d+$/.test(to) ? { to } : { recipient: to };
}

async function call(
  { token, fetch = globalThis.fetch }: ApiOptions,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body: string | FormData },
): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(CALL_MAX_MS),
  }).catch(lost);
  return answerOf(answer);
}

async function answerOf(answer: Response): Promise<unknown> {
  const bytes = await readUpTo(answer, ANSWER_BYTES_MAX).catch(lost);
  const body = parseJson(Buffer.from(bytes ?? []).toString('utf8'));
  const { code } = failure.safeParse(body).data?.error ?? {};
  if (code !== undefined) throw new CloudApiError(troubleOfCode(code, answer.status));
  if (!answer.ok) throw new CloudApiError({ kind: answer.status >= 500 ? 'unknown' : 'refused' });
  return body;
}

/** The error itself is not passed on: it may quote the address. */
function lost(error: unknown): never {
  throw new CloudApiError({ kind: isUnsent(error) ? 'later' : 'unknown' });
}

async function download(
  { apiRoot, token, fetch = globalThis.fetch }: ApiOptions,
  id: string,
  maxBytes: number,
): Promise<Uint8Array | Unfetched> {
  const headers = { authorization: `Bearer ${token}` };
  const get = (url: string) =>
    fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(CALL_MAX_MS) });
  try {
    if (!/^[\w-]{1,200}$/.test(id)) return 'gone';
    const named = await get(`${apiRoot}/${id}`);
    if (!named.ok) return named.status === 404 || named.status === 400 ? 'gone' : 'notNow';
    const { url, file_size: size = 0 } = media.parse(await named.json());
    if (size > maxBytes) return 'tooLarge';
    if (!isMetas(url, apiRoot)) return 'gone';
    const answer = await get(url);
    if (!answer.ok) return answer.status === 404 ? 'gone' : 'notNow';
    return (await readUpTo(answer, maxBytes)) ?? 'tooLarge';
  } catch {
    return 'notNow';
  }
}

function isMetas(url: string, apiRoot: string): boolean {
  const { protocol, hostname, origin } = new URL(url);
  return origin === new URL(apiRoot).origin || (protocol === 'https:' && FILE_HOSTS.test(hostname));
}
