import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { OPERATION_TYPES } from '../contract/fields.ts';
import {
  type EventKind,
  WEBHOOK_HEADERS,
  type WebhookEvent,
  walletEvent,
  webhookBody,
} from '../contract/webhooks.ts';
import { oddFields } from '../odd-fields.ts';

/** A webhook as it came in: its headers as any server has them, its body as text, bytes or parsed JSON. */
export interface Webhook {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
}

/**
 * The kind and content of a webhook. Answer it with `status` and an empty body: the wallet sends again whatever gets no 200.
 *
 * - `event`: authentic. Save it before you answer.
 * - `unlisted`: authentic, of a kind that v2.3 does not list. Nothing is to be done, and nothing is to be sent again.
 * - `unreadable`: authentic, but `fields` are missing or wrong.
 * - `forged`: without your secret. Believe nothing of it.
 */
export type WebhookReading =
  | { readonly kind: 'event'; readonly status: 200; readonly event: WebhookEvent }
  | { readonly kind: 'unlisted'; readonly status: 200; readonly eventId: string; readonly data: unknown }
  | { readonly kind: 'unreadable'; readonly status: 400; readonly fields: readonly string[] }
  | { readonly kind: 'forged'; readonly status: 401 };

export type EventOf<Kind extends EventKind> = Extract<WebhookEvent, { readonly EventId: Kind }>;

const KINDS: ReadonlySet<string> = new Set(walletEvent.options.map(({ shape }) => shape.EventId.value));

/**
 * Checks the secret of a webhook in constant time, and reads it.
 * @param secrets yours, or several of them while you change it
 */
export function readWebhook({ headers, body }: Webhook, secrets: string | readonly string[]): WebhookReading {
  const given = headerOf(headers, WEBHOOK_HEADERS.key);
  const known = [secrets].flat().filter((secret) => secret !== '');
  if (known.length === 0) throw new TypeError('a webhook cannot be checked without a secret');
  if (!known.map((secret) => isSame(secret, given)).includes(true)) return { kind: 'forged', status: 401 };
  const json = jsonOf(body);
  const read = webhookBody.safeParse(json);
  if (read.success) return { kind: 'event', status: 200, event: read.data.data };
  const { EventId, ...data } = dataOf(json);
  if (typeof EventId === 'string' && EventId !== '' && !KINDS.has(EventId))
    return { kind: 'unlisted', status: 200, eventId: EventId, data: { EventId, ...data } };
  return { kind: 'unreadable', status: 400, fields: oddFields(read.error) };
}

/** Partner API v2.3, "Event kinds": the type of operation by the beginning of the kind. A level has none. */
const TYPES = [
  ['cashin.', OPERATION_TYPES.CASHIN],
  ['cashout.', OPERATION_TYPES.CASHOUT],
  ['transfer.', OPERATION_TYPES.TRANSFER],
  ['bank-transfer.', OPERATION_TYPES.BANK_TRANSFER],
  ['payment.card', OPERATION_TYPES.CARD_PAYMENT],
  ['payment.received', OPERATION_TYPES.MOBILE_PAYMENT],
  ['payment.', OPERATION_TYPES.BILL_PAYMENT],
] as const;

/** A webhook as the wallet would send it, for your tests. Properties that you leave out are made up. */
export function testWebhook<Kind extends EventKind>(
  kind: Kind,
  secret: string,
  properties: Partial<z.input<typeof walletEvent>> = {},
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const at = new Date().toISOString();
  const data = {
    WebhookId: randomUUID(),
    CRequestId: randomUUID(),
    OperationId: 1,
    OperationType: TYPES.find(([begins]) => kind.startsWith(begins))?.[1] ?? 0,
    OperationStatus: 2,
    CreatedAt: at,
    ExecutedAt: at,
    Amount: 100,
    FeeAmount: 0,
    PrimaryAccountNumber: '+212600000001',
    ...properties,
    EventId: kind,
  };
  const headers = {
    'content-type': 'application/json',
    [WEBHOOK_HEADERS.id.toLowerCase()]: randomUUID(),
    [WEBHOOK_HEADERS.key.toLowerCase()]: secret,
  };
  return { headers, body: JSON.stringify({ data }) };
}

function headerOf(headers: Webhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return [found?.[1]].flat()[0] ?? '';
}

/** Digests have one length, so that nothing tells how long the secret is. */
function isSame(secret: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(secret), digest(given));
}

function jsonOf(body: unknown): unknown {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return body;
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function dataOf(json: unknown): Readonly<Record<string, unknown>> {
  const { data } = (json ?? {}) as { readonly data?: unknown };
  return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
}
