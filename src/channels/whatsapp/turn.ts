import type { Address, Conversations, Language, Reply } from '../../conversation/incoming.ts';
import type { Log } from '../../log/thrown.ts';
import { createChatTurns, isNotice, noteShown, type TakeChatTurn } from '../chat-turns.ts';
import type { InputIds } from '../digest.ts';
import { isTable } from '../file-name.ts';
import { inOrder } from '../in-order.ts';
import { PICTURE_BYTES_MAX, PICTURE_KINDS, type ReadQr } from '../qr/decode.ts';
import { readPicture } from '../qr/picture.ts';
import type { CloudApi } from './api.ts';
import { type Meaning, meaningOf, type WhatsAppMessage } from './input.ts';
import type { Sender } from './show.ts';
import { whatsAppTroubles } from './trouble.ts';
import { textMessage } from './write.ts';

interface TurnOptions {
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

/** Carries one message of a customer to the next screen in their chat (`TakeChatTurn`). */
type TakeTurn = (from: Address, message: WhatsAppMessage) => Promise<void>;

interface TurnDeps extends TurnOptions {
  readonly takeChatTurn: TakeChatTurn;
}

export function createTurns(options: TurnOptions): TakeTurn {
  const troubles = whatsAppTroubles(options.log);
  const deps: TurnDeps = { ...options, takeChatTurn: createChatTurns({ ...options, troubles }) };
  return (from, message) => inOrder(from, () => takeTurn(deps, from, message));
}

async function takeTurn(deps: TurnDeps, from: Address, message: WhatsAppMessage): Promise<void> {
  const { sender, inputIds } = deps;
  sender.read(from, message.id);
  const meaning = await interpret(deps, from, message);
  if (!meaning) return;
  const { raw, screenId } = meaning;
  const caption = message.image?.caption ?? message.document?.caption;
  const incoming = {
    address: from,
    ...inputIds(['whatsapp', message.id]),
    inputs: [raw],
    ...(screenId !== undefined && { screenId }),
    ...(caption !== undefined && { unreadText: caption }),
  };
  await deps.takeChatTurn(from, {
    incoming: async () => incoming,
    show: (reply) => show(deps, from, meaning, reply),
    warn: ({ screen, language }) => sender.show(from, { screen, language }),
    say: (key, language) => sender.send(from, textMessage(sender.say(key, language))),
  });
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

async function show(
  { conversations, sender, log }: TurnDeps,
  from: Address,
  meaning: Meaning,
  reply: Reply,
): Promise<void> {
  const { say, page } = meaning;
  if (isShown(meaning, reply)) return;
  if (reply.retryAfterMs !== undefined) return conversations.screenNotShown(from, reply.retryAfterMs);
  const { screenId, language, stale, page: read } = reply;
  const key = say ?? (stale ? 'telegram.expired' : undefined);
  const before = key && sender.say(key, language);
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
