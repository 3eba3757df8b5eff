import type { Api, Bot, Context, NextFunction } from 'grammy';
import type { CallbackQuery, Message } from 'grammy/types';
import type { Conversations, Language, SentenceKey } from '../../conversation/incoming.ts';
import { readButton } from '../button.ts';
import { isTable } from '../file-name.ts';
import { inOrder } from '../in-order.ts';
import type { Interpretation } from '../qr/picture.ts';
import type { Albums } from './album.ts';
import type { DeliverHeld } from './deliver-held.ts';
import type { Typed } from './erase.ts';
import { fileIn } from './files.ts';
import { guessLanguage, inputFromContact, inputFromText, isStart } from './input.ts';
import { type Answer, answered, promptly } from './patience.ts';
import { pictureIn, type ReadPhoto } from './photo.ts';
import type { Stage } from './show.ts';
import { tried } from './trouble.ts';
import { addressOf, type TakeTurn } from './turn.ts';

/** An update. `answer` answers a press, and does nothing where the update is none. `typed`: its words, if it has any. */
export type BotContext = Context & { answer: Answer; typed?: Typed | undefined };

export interface BotOptions {
  readonly stage: Stage;
  readonly takeTurn: TakeTurn;
  readonly deliverHeld: DeliverHeld;
  /** Tells whether the chat waits for a file now, or does once the customer has named its kind. */
  readonly asksFile: Conversations['asksFile'];
  readonly readPhoto: ReadPhoto;
  readonly albums: Albums;
  /** Spoken where nothing better is known. */
  readonly language: Language;
}

/** The kinds of files that Wasl does not read, besides documents. */
const OTHER_FILES = ['animation', 'audio', 'video', 'video_note', 'voice', 'sticker'] as const;

/**
 * Handles each kind of update. The bot translates: pressed buttons, texts and contact cards of private chats become
 * inputs. Anything else gets one sentence, or none.
 */
export function listen(bot: Bot<BotContext>, deps: BotOptions): void {
  const { api } = bot;
  bot.use((ctx, next) => prepared(api, ctx, next));
  // By hand: grammY's filters cost a second of each type-check.
  bot.use(async (ctx) => {
    const type = ctx.chat?.type;
    if (type === 'private') return takePrivate(deps, ctx);
    const isGroup = type === 'group' || type === 'supergroup';
    if (isGroup && (ctx.message?.text !== undefined || ctx.myChatMember)) await leaveGroup(api, deps, ctx);
  });
}

async function takePrivate(deps: BotOptions, ctx: BotContext): Promise<void> {
  const { callbackQuery, editedMessage, message, myChatMember } = ctx;
  if (callbackQuery?.data !== undefined) return takePress(deps, ctx, callbackQuery, callbackQuery.data);
  if (editedMessage) return answerUnread(deps, ctx, editedMessage, 'telegram.edited');
  // A customer who unblocks the bot gets the held messages about their money at once.
  if (myChatMember?.new_chat_member.status === 'member')
    await deps.deliverHeld(addressOf(myChatMember.chat.id));
  if (!message) return;
  if (message.contact) return deps.takeTurn({ ...about(ctx), raw: inputFromContact(message) });
  if (message.text !== undefined) return takeText(deps, ctx, message, message.text);
  if (message.photo || message.document) return takePicture(deps, ctx, message);
  if (OTHER_FILES.some((kind) => kind in message)) return takeOther(deps, ctx, message);
  return answerUnread(deps, ctx, message, 'telegram.notRead');
}

/** Each update has its answer and its words, and comes after what its customer is shown now. */
async function prepared(api: Api, ctx: BotContext, next: NextFunction): Promise<void> {
  const { answer, typed } = promptly(api, ctx.update);
  ctx.answer = answer;
  ctx.typed = typed;
  try {
    // Two updates of one customer may come at once, a press and a text: they are shown one after the other.
    await inOrder(addressOf(ctx.from?.id ?? ctx.chat?.id ?? 0), next);
  } finally {
    await answered(api, ctx.update);
  }
}

async function takePress(
  deps: BotOptions,
  ctx: BotContext,
  { message, from }: CallbackQuery,
  data: string,
): Promise<void> {
  const pressed = readButton(data);
  if (!pressed || !message) return ctx.answer(deps.stage.say('telegram.expired', languageOf(deps, ctx)));
  const { screenId, does, rests } = pressed;
  await deps.takeTurn({
    ...about(ctx),
    user: from.id,
    chat: message.chat.id,
    press: {
      message: message.message_id,
      screenId,
      has: does.type === 'tapped' ? 'keypad' : 'buttons',
      isPicture: 'photo' in message,
      rests,
      data,
      buttons: ('reply_markup' in message && message.reply_markup?.inline_keyboard.flat()) || [],
      answer: ctx.answer,
    },
    ...(does.type === 'page' ? { raw: { type: 'opened' }, page: does.page } : { raw: does }),
  });
}

async function takeText(deps: BotOptions, ctx: BotContext, { chat }: Message, text: string): Promise<void> {
  if (isStart(text)) await deps.deliverHeld(addressOf(chat.id));
  await deps.takeTurn({ ...about(ctx), raw: inputFromText(text) });
}

async function takePicture(deps: BotOptions, ctx: BotContext, message: Message): Promise<void> {
  const { media_group_id: album } = message;
  // A store that is down is the turn's to tell of.
  const asked = await deps.asksFile(addressOf(message.chat.id)).catch(() => undefined);
  if (asked === 'now') return takeFile(deps, ctx, message);
  if (isTable(message.document?.file_name))
    return deps.takeTurn({ ...about(ctx), raw: { type: 'photo', table: true } });
  const picture = pictureIn(message);
  if ('say' in picture && asked === 'next') return answerTooSoon(deps, ctx, album);
  if ('say' in picture) return answerUnread(deps, ctx, message, picture.say);
  if (deps.albums.isAnswered(album, true)) return;
  // Of an album that has been answered, only a picture with a code is a turn: it must be read to know that.
  const read =
    deps.albums.isAnswered(album, false) && (await deps.readPhoto(picture.file, addressOf(message.chat.id)));
  if (read && !hasCode(read)) return;
  let code = false;
  const raw = async () => {
    const interpretation = read || (await deps.readPhoto(picture.file, addressOf(message.chat.id)));
    code = hasCode(interpretation);
    return interpretation;
  };
  await deps.takeTurn({ ...about(ctx), raw });
  deps.albums.answered(album, code);
}

/** A voice message, a sticker, a video: where a file is asked for, it is one that cannot be sent. */
async function takeOther(deps: BotOptions, ctx: BotContext, message: Message): Promise<void> {
  const asked = await deps.asksFile(addressOf(message.chat.id)).catch(() => undefined);
  return asked === 'now'
    ? deps.takeTurn({ ...about(ctx), ...unfit('documents.otherType') })
    : answerUnread(deps, ctx, message, 'telegram.notRead');
}

/** A file that is asked for. The pictures of an album are the sides of a document, one after the other. */
async function takeFile({ takeTurn }: BotOptions, ctx: BotContext, message: Message): Promise<void> {
  const found = fileIn(message);
  await takeTurn({
    ...about(ctx),
    ...('say' in found ? unfit(found.say) : { raw: { type: 'photo', file: found.file } }),
  });
}

/** A file that is asked for cannot be sent: why is said before the question. */
function unfit(say: SentenceKey): Interpretation {
  return { raw: { type: 'opened', isExplained: true }, say };
}

/** No picture, and sent before it is asked for, or one more than is: of an album that is said once. */
async function answerTooSoon(
  { takeTurn, albums }: BotOptions,
  ctx: BotContext,
  album: string | undefined,
): Promise<void> {
  if (albums.isAnswered(album, false)) return;
  await takeTurn({ ...about(ctx), raw: { type: 'photo' } });
  albums.answered(album, false);
}

function hasCode({ raw }: Interpretation): boolean {
  return raw.type === 'photo' && raw.qr !== undefined;
}

/** The customer is told that their message cannot be read, and the current screen comes again. */
async function answerUnread(
  { takeTurn, albums }: BotOptions,
  ctx: BotContext,
  message: Message,
  say: SentenceKey,
): Promise<void> {
  const { media_group_id: album } = message;
  if (isNoise(message) || albums.isAnswered(album, false)) return;
  await takeTurn({ ...about(ctx), raw: { type: 'opened' }, say });
  albums.answered(album, false);
}

/** One sentence, and not a second one: nobody's wallet is discussed in a group. */
async function leaveGroup(api: Api, deps: BotOptions, ctx: BotContext): Promise<void> {
  const status = ctx.myChatMember?.new_chat_member.status;
  if (!ctx.chat || status === 'left' || status === 'kicked') return;
  await tried(api.sendMessage(ctx.chat.id, deps.stage.say('telegram.privateOnly', languageOf(deps, ctx))));
  await tried(api.leaveChat(ctx.chat.id));
}

function about({ update, from, typed }: BotContext) {
  const user = from?.id ?? 0;
  return {
    updateId: update.update_id,
    user,
    chat: user,
    language: guessLanguage(from?.language_code),
    typed,
  };
}

function languageOf({ language }: BotOptions, { from }: Context): Language {
  return guessLanguage(from?.language_code) ?? language;
}

const SERVICE = ['pinned_message', 'message_auto_delete_timer_changed', 'write_access_allowed'] as const;

/** Service messages say nothing, and a location that moves is edited all the time. */
function isNoise(message: Message): boolean {
  const { location, edit_date: isEdited } = message;
  const moves = location !== undefined && Boolean(location.live_period ?? isEdited);
  return moves || SERVICE.some((kind) => kind in message);
}
