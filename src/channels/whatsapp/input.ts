import { z } from 'zod';
import type { Address, Input, ProviderStatus, SentenceKey } from '../../conversation/incoming.ts';
import { parseJson } from '../../http/json.ts';
import { readPhone } from '../../wallet/phone.ts';
import { readButton } from '../button.ts';

/** Our name for a person: their user id, which Meta gives also where it names no number (facts C1). */
const USER_ID = /^(?:[A-Z]{2}\.(?:[A-Z]+\.)?[A-Za-z\d]{1,128}|\d{6,20})$/;

const text = z.string();
const file = z.object({
  id: text,
  mime_type: text.optional(),
  caption: text.optional(),
  filename: text.optional(),
});
const contact = z.object({
  origin: text.optional(),
  phones: z.array(z.object({ phone: text.optional(), wa_id: text.optional() })).optional(),
});
/** One that is odd in a part is a message without that part. */
const message = z.object({
  from: text.optional(),
  from_user_id: text.optional(),
  id: text.min(1),
  timestamp: z.coerce.number().catch(0),
  type: text,
  text: z.object({ body: text }).optional().catch(undefined),
  interactive: z
    .object({
      button_reply: z.object({ id: text }).optional(),
      list_reply: z.object({ id: text }).optional(),
      nfm_reply: z.object({ name: text.optional() }).optional(),
    })
    .optional()
    .catch(undefined),
  button: z.object({ payload: text.optional(), text: text.optional() }).optional().catch(undefined),
  image: file.optional().catch(undefined),
  document: file.optional().catch(undefined),
  contacts: z.array(contact).optional().catch(undefined),
});
export type WhatsAppMessage = z.output<typeof message>;

const status = z.object({
  id: text.min(1),
  status: text,
  biz_opaque_callback_data: text.optional(),
  errors: z
    .array(z.object({ code: z.number() }))
    .optional()
    .catch(undefined),
});
const value = z.object({
  metadata: z.object({ phone_number_id: text }).optional().catch(undefined),
  contacts: z.array(z.object({ wa_id: text.optional(), user_id: text.optional() })).catch([]),
  messages: z.array(z.unknown()).catch([]),
  statuses: z.array(z.unknown()).catch([]),
});
const body = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.object({ changes: z.array(z.object({ field: text, value: z.unknown() })).catch([]) })),
});

/** A message of one person, and where it is from. */
interface Received {
  readonly from: Address;
  readonly message: WhatsAppMessage;
}
/** The status of one of our messages. */
export interface StatusCame {
  readonly name: string;
  readonly about: string | undefined;
  readonly status: ProviderStatus;
  readonly code: number | undefined;
}

/** The content of a webhook. Undefined for a body that is none of WhatsApp's. */
export function readWebhook(
  raw: string,
  phoneId: string,
): { readonly messages: readonly Received[]; readonly statuses: readonly StatusCame[] } | undefined {
  const read = body.safeParse(parseJson(raw)).data;
  if (!read) return undefined;
  const values = read.entry
    .flatMap(({ changes }) => changes)
    .filter(({ field }) => field === 'messages')
    .flatMap((change) => value.safeParse(change.value).data ?? [])
    // Another number of the same account is served by another Wasl.
    .filter(({ metadata }) => metadata === undefined || metadata.phone_number_id === phoneId);
  return {
    messages: values.flatMap((each) => each.messages.flatMap((one) => receivedIn(one, each) ?? [])),
    statuses: values.flatMap((each) => each.statuses.flatMap((one) => statusIn(one) ?? [])),
  };
}

/** A stored message, read again. */
export function readMessage(raw: string): WhatsAppMessage | undefined {
  return message.safeParse(parseJson(raw)).data;
}

function receivedIn(one: unknown, { contacts }: z.output<typeof value>): Received | undefined {
  const read = message.safeParse(one).data;
  if (!read) return undefined;
  const named = contacts.find(({ wa_id }) => wa_id !== undefined && wa_id === read.from) ?? contacts[0];
  const user = read.from_user_id ?? named?.user_id ?? read.from;
  return user !== undefined && USER_ID.test(user) ? { from: `whatsapp:${user}`, message: read } : undefined;
}

const STATUSES: Readonly<Record<string, ProviderStatus>> = {
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
};

function statusIn(one: unknown): StatusCame | undefined {
  const read = status.safeParse(one).data;
  const known = read && STATUSES[read.status];
  if (!known) return undefined;
  return { name: read.id, about: read.biz_opaque_callback_data, status: known, code: read.errors?.[0]?.code };
}

/** A customer's action and the screen it was made on, or why nothing of it can be read. */
export interface Meaning {
  readonly raw: Input;
  readonly screenId?: number;
  readonly page?: number;
  readonly say?: SentenceKey;
}

/** Reads a message that is not a file. Undefined for one that needs no answer. */
export function meaningOf(message: WhatsAppMessage): Meaning | undefined {
  const { type, text: said, interactive, button } = message;
  if (type === 'text' && said) return { raw: { type: 'said', text: said.body } };
  // A reaction to a message says nothing that could be answered.
  if (type === 'reaction' || type === 'system') return undefined;
  if (type === 'contacts') return { raw: contactIn(message) };
  const pressed = interactive?.button_reply ?? interactive?.list_reply;
  if (pressed) return pressedOf(pressed.id);
  // A Flow has answered its screen already: the chat gets the next one by itself.
  if (interactive?.nfm_reply) return undefined;
  // A button of a template leads back into the conversation.
  if (button) return { raw: { type: 'opened' } };
  return { raw: { type: 'opened' }, say: 'telegram.notRead' };
}

function pressedOf(id: string): Meaning {
  const pressed = readButton(id);
  if (!pressed) return { raw: { type: 'opened' }, say: 'telegram.expired' };
  const { does, screenId } = pressed;
  return does.type === 'page'
    ? { raw: { type: 'opened' }, screenId, page: does.page }
    : { raw: does, screenId };
}

/**
 * A contact card. It proves the sender's own number only where it answers our request (`origin`, facts C1), and names no other
 * number than the sender's, where that is known. Any other card is a number like a typed one.
 */
function contactIn({ contacts = [], from }: WhatsAppMessage): Input {
  const [card, ...others] = contacts;
  const { phone = '', wa_id: digits } = card?.phones?.[0] ?? {};
  const number = readPhone(digits !== undefined && /^\d+$/.test(digits) ? `+${digits}` : phone);
  if (!number) return { type: 'said', text: phone };
  const isSenders = from === undefined || !/^\d+$/.test(from) || `+${from}` === number;
  const answersUs = card?.origin === 'contact_request';
  return { type: 'contact', phone: number, own: answersUs && others.length === 0 && isSenders };
}
