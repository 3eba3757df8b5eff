import type { Address, Conversations, Language, Reply } from '../../conversation/incoming.ts';
import type { Log } from '../../log/thrown.ts';
import {
  type ChatTurns,
  createChatTurns,
  DEADLINE_MS,
  isNotice,
  noteShown,
  SENDING_MS,
} from '../chat-turns.ts';
import type { InputIds } from '../digest.ts';
import { isTable } from '../file-name.ts';
import { inOrder } from '../in-order.ts';
import { PICTURE_BYTES_MAX, PICTURE_KINDS, type ReadQr } from '../qr/decode.ts';
import { readPicture } from '../telegram/photo.ts';
import type { CloudApi } from './api.ts';
import { type Meaning, meaningOf, type WhatsAppMessage } from './input.ts';
import type { Sender } from './show.ts';
import { troubleOf } from './trouble.ts';

export interface TurnOptions {
  readonly api: CloudApi;
  readonly sender: Sender;
  readonly conversations: Conversations;
  readonly inputIds: InputIds;
  readonly readQr: ReadQr;
  /** Spoken where nothing better is known. */
  readonly language: Language;
  readonly log: Log;
  readonly now: () => number;
}

/**
 * Carries one message of a customer to the next screen in their chat. Rejects when nothing could be saved, so that the inbox
 * brings it again.
 */
export type TakeTurn = (from: Address, message: WhatsAppMessage) => Promise<void>;

interface TurnDeps extends TurnOptions {
  readonly turns: ChatTurns;
}

export function createTurns(options: TurnOptions): TakeTurn {
  const deps: TurnDeps = { ...options, turns: createChatTurns(options.now) };
  return (from, message) => inOrder(from, () => takeTurn(deps, from, message));
}

async function takeTurn(deps: TurnDeps, from: Address, message: WhatsAppMessage): Promise<void> {
  const { sender, conversations, inputIds, turns } = deps;
  sender.read(from, message.id);
  const meaning = await interpret(deps, from, message);
  if (!meaning) return;
  const { raw, screenId } = meaning;
  const caption = message.image?.caption ?? message.document?.caption;
  const incoming = {
    address: from,
    ...inputIds(['whatsapp', message.id]),
    inputs: [raw],
    ...(screenId !== undefined && { answers: screenId }),
    ...(caption !== undefined && { unreadText: caption }),
  };
  const reply = await conversations
    .receive(incoming, DEADLINE_MS, undefined, SENDING_MS)
    .catch(async (error) => {
      await warnOnce(deps, from);
      throw error;
    });
  turns.saved(from);
  if (turns.isSecondPress(from, screenId, reply)) return;
  await show(deps, from, meaning, reply);
  turns.done(from, screenId, reply);
}

/** The meaning of a message. A file is fetched: as the one that is asked for, or to read its QR code. */
async function interpret(
  { api, conversations, readQr }: TurnDeps,
  from: Address,
  message: WhatsAppMessage,
): Promise<Meaning | undefined> {
  const file = message.image ?? message.document;
  if (!file) return meaningOf(message);
  // A store that is down is the turn's to tell of.
  const asked = await conversations.asksFile(from).catch(() => undefined);
  if (asked === 'now') return { raw: { type: 'photo', file: file.id } };
  if (isTable(file.filename)) return { raw: { type: 'photo', table: true } };
  if (!PICTURE_KINDS.has(file.mime_type?.split(';')[0]))
    return asked === 'next'
      ? { raw: { type: 'photo' } }
      : { raw: { type: 'opened' }, say: 'telegram.notRead' };
  return readPicture(await api.download(file.id, PICTURE_BYTES_MAX), { readQr }, from);
}

/** Shows a reply. The turn is saved: a screen that WhatsApp does not take now is owed. */
async function show(deps: TurnDeps, from: Address, meaning: Meaning, reply: Reply): Promise<void> {
  const { conversations, sender, log } = deps;
  if (isShown(meaning, reply)) return;
  if (reply.retryAfterMs !== undefined) return conversations.screenNotShown(from, reply.retryAfterMs);
  try {
    await send(deps, from, meaning, reply);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'closed') return;
    if (trouble.kind !== 'refused') {
      if (trouble.kind === 'ours') log.say('WhatsApp does not let us send', { code: trouble.code });
      return conversations.screenNotShown(from, trouble.afterMs);
    }
    log.say('WhatsApp refuses a message', { code: trouble.code });
    await sender.say(from, 'telegram.notShown', reply.language).catch(troubleOf);
  }
}

async function send(
  { conversations, sender, log }: TurnDeps,
  from: Address,
  { say, page }: Meaning,
  reply: Reply,
): Promise<void> {
  const { screenId, language, stale, page: read } = reply;
  const key = say ?? (stale ? 'telegram.expired' : undefined);
  const before = key && sender.sentence(key, language);
  const { screenId: _current, form: _form, ...notice } = reply;
  const shown = isNotice(reply) ? notice : { ...reply, page: page ?? read };
  const document = reply.repeated ? undefined : conversations.document;
  await sender.show(from, { ...shown, ...(before && { before }) }, { ...(document && { document }) });
  if (isNotice(reply)) return;
  await noteShown({ conversations, log }, from, screenId, noteOf(screenId), reply);
}

/** The channel's note of a chat: the screen that was shown last. */
export function noteOf(screenId: number): string {
  return `w${screenId}`;
}

/** True where nothing is to be shown, or it is there already. */
function isShown({ say }: Meaning, reply: Reply): boolean {
  // A person answers when they have read it.
  if (reply.toPerson) return say === undefined;
  // The inbox brings a message again where its process died behind the turn.
  return reply.repeated === true && reply.view === noteOf(reply.screenId);
}

async function warnOnce(
  { conversations, sender, language: house, turns }: TurnDeps,
  from: Address,
): Promise<void> {
  const { screen, language } = conversations.fallback(from, house);
  await turns.warnOnce(from, () => sender.show(from, { screen, language }).catch(troubleOf));
}
