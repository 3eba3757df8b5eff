import { type Api, InputFile } from 'grammy';
import type { Language, ShownScreen } from '../../conversation/incoming.ts';
import { createRecent, type Recent } from '../../conversation/recent.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { FindPicture, Picture } from '../picture.ts';
import { isUnchanged, tried, troubleOf } from './trouble.ts';
import { readView, type View, writeView } from './view.ts';
import { createScribe, type Keys, type Scribe, type TelegramScreen, type Written } from './write.ts';

interface Showing extends TelegramScreen {
  /** The channel's note of the chat. */
  readonly view?: string | undefined;
  /** The message whose button was pressed, and the buttons that it keeps once nobody answers them. */
  readonly pressed?: { readonly message: number; readonly keys: Keys } | undefined;
  /** The customer has asked for nothing since the last screen. */
  readonly unasked?: true;
  /** A screen of before that this makes untrue. */
  readonly replaces?: ShownScreen | undefined;
  /** The customer's typed message is erased. So the message before it is still the last one. */
  readonly isErased?: boolean;
}

/** Shows things in a chat: screens, and messages that are not the current screen. */
export interface Stage {
  readonly say: Scribe['say'];
  /** Shows the current screen. Gives the note to keep. Rejects with grammY's error when it could not be shown. */
  show(chat: number, showing: CurrentScreen): Promise<string>;
  /**
   * Sends a message that is not the current screen, which then is not the last message any more. Gives the note to keep,
   * where there was one. Rejects with grammY's error when it could not be sent.
   */
  notify(chat: number, notice: Notified): Promise<string | undefined>;
  /**
   * Sends the sentence for a store that cannot be read or written. It is in no note, and goes when something else is
   * shown.
   */
  warn(chat: number, fallback: Showing): Promise<void>;
}

type CurrentScreen = Showing & { readonly screenId: number };
type Notified = Showing & { readonly money?: boolean | undefined };

interface StageDeps {
  readonly api: Api;
  readonly scribe: Scribe;
  readonly pictureAt: FindPicture;
  readonly provisional: Recent<number, Provisional>;
}

/**
 * Messages of this process that are overtaken by what is shown next, by what they say: a store that stands still takes no note of
 * them.
 */
interface Provisional {
  readonly underway?: number;
  readonly warning?: number;
}

/** How many chats a process remembers such messages of. */
const PROVISIONAL_CHATS_MAX = 10_000;

/**
 * Shows screens in chats. A pressed button of the last message changes that message in place. Otherwise a new message
 * comes, and the one before loses its buttons, so that no menu is left that nobody answers. A push is a new message, as
 * an edit does not notify. If the message before said "not known yet", it goes after that.
 */
export function createStage(
  api: Api,
  renderer: Pick<Renderer, 'chat'>,
  pictureAt: FindPicture,
  formAt?: string,
): Stage {
  const provisional: StageDeps['provisional'] = createRecent(PROVISIONAL_CHATS_MAX);
  const deps: StageDeps = { api, scribe: createScribe(renderer, formAt), pictureAt, provisional };
  return {
    say: deps.scribe.say,
    show: (chat, showing) => show(deps, chat, showing),
    notify: (chat, notice) => notify(deps, chat, notice),
    warn: (chat, fallback) => warn(deps, chat, fallback),
  };
}

async function show(deps: StageDeps, chat: number, showing: CurrentScreen): Promise<string> {
  const view = await showScreen(deps, chat, showing);
  await takeAway(deps, chat, showing, view);
  return writeView(view);
}

/**
 * Removes a message that said "not known yet", once another screen is there. The new screen says it again, or the
 * result.
 */
async function takeAway(
  { api, provisional }: StageDeps,
  chat: number,
  showing: CurrentScreen,
  { message, isUnderway }: View,
): Promise<void> {
  const before = readView(showing.view);
  const { underway, warning } = provisional.get(chat) ?? {};
  if (isUnderway) provisional.set(chat, { underway: message });
  else provisional.delete(chat);
  const noted = before && (before.isUnderway || isAnsweredBy(before, showing)) ? before.message : undefined;
  for (const each of new Set([warning, underway, noted]))
    if (each !== undefined && each !== message) await tried(api.deleteMessage(chat, each));
}

async function showScreen(deps: StageDeps, chat: number, showing: CurrentScreen): Promise<View> {
  const { api, scribe, pictureAt } = deps;
  const written = scribe.write(showing);
  const picture = await pictureAt(written.picture);
  const before = readView(showing.view);
  const isUnderway = showing.underway === true;
  const now = {
    screenId: showing.screenId,
    has: hasOf(written),
    isOvertaken: showing.screen.expects === 'nothing' && !isUnderway,
    asksContact: written.has === 'contact',
    isUnderway,
  };
  if (before && isLast(before, showing) && fitsInPlace(before, written, picture))
    if (await edited(api, chat, before, written, picture))
      return { ...now, message: before.message, isPicture: picture !== undefined };
  const toSend = () => send(api, chat, written, picture);
  // The awaited message is sent before "under way" goes.
  const sent = await (before && isAnsweredBy(before, showing)
    ? toSend()
    : below(deps, chat, { before, showing, written }, toSend));
  return { ...now, ...sent };
}

/** True where nothing stands below the message that shows the screen before, and the customer has answered that screen. */
function isLast(before: View, { pressed, isErased }: Showing): boolean {
  return pressed?.message === before.message || (isErased === true && before.has !== 'nothing');
}

/**
 * True where the message before told the customer to wait for this one. Another process may have turned its keypad into
 * such a message.
 */
function isAnsweredBy(before: View, { unasked }: Showing): boolean {
  return unasked === true && (before.isUnderway || before.has === 'keypad');
}

type Send = () => Promise<Sent>;

interface Following {
  readonly before: View | undefined;
  readonly showing: CurrentScreen;
  readonly written: Written;
}

/** Sends a screen, and takes from the chat what nobody answers any more: the customer waits for the screen alone. */
async function below(
  deps: StageDeps,
  chat: number,
  { before, showing, written }: Following,
  toSend: Send,
): Promise<Sent> {
  const { pressed, language } = showing;
  if (before?.asksContact && written.has !== 'contact') await takeKeyboard(deps, chat, language);
  const old: Promise<unknown>[] = [];
  if (before && before.has !== 'nothing' && pressed?.message !== before.message)
    old.push(withoutButtons(deps.api, chat, before.message));
  if (pressed) old.push(retirePressed(deps.api, chat, before, pressed));
  const [sent] = await Promise.all([toSend(), ...old]);
  return sent;
}

async function notify(deps: StageDeps, chat: number, notice: Notified): Promise<string | undefined> {
  const before = readView(notice.view);
  // A message about money notifies, which an edit does not. Only other messages take the place of the old one.
  const isInPlace = !notice.money && (await replace(deps, chat, before, notice));
  if (!isInPlace) await send(deps.api, chat, deps.scribe.write(notice));
  if (notice.money) await replace(deps, chat, before, notice);
  return before && writeView({ ...before, isOvertaken: true });
}

/**
 * Corrects a message that is untrue now, without its buttons. Only the menu button stays, where the message shows the
 * current screen. False where nothing was corrected.
 */
async function replace(
  { api, scribe }: StageDeps,
  chat: number,
  before: View | undefined,
  notice: Showing,
): Promise<boolean> {
  const { screenId, view } = notice.replaces ?? {};
  const old = readView(view);
  if (screenId === undefined || old?.screenId !== screenId || old.isPicture) return false;
  const isCurrent = old.message === before?.message;
  const { parts, markup } = scribe.write({ ...notice, ...(isCurrent && { screenId }) });
  const keys = markup && 'inline_keyboard' in markup ? { reply_markup: markup } : {};
  const [text = ''] = parts;
  return tried(api.editMessageText(chat, old.message, text, { parse_mode: 'HTML', ...keys }));
}

async function warn({ api, scribe, provisional }: StageDeps, chat: number, fallback: Showing): Promise<void> {
  const { message } = await send(api, chat, scribe.write(fallback));
  provisional.set(chat, { ...provisional.get(chat), warning: message });
}

type Sent = Pick<View, 'message' | 'isPicture'>;

/** Sends all parts of a text, under a picture where there is one. Gives the last message. */
async function send(api: Api, chat: number, written: Written, picture?: Picture): Promise<Sent> {
  const { parts, markup, isProtected } = written;
  const sent = picture && (await sendPicture(api, chat, written, picture));
  if (sent !== undefined) return { message: sent, isPicture: true };
  let message = 0;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const sent = await api.sendMessage(chat, part, {
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      ...(isProtected && { protect_content: true }),
      ...(isLast && markup && { reply_markup: markup }),
    });
    message = sent.message_id;
  }
  return { message, isPicture: false };
}

function fileOf({ file }: Picture): string | InputFile {
  return typeof file === 'string' ? file : new InputFile(file.bytes, `picture.${file.kind}`);
}

/** Undefined where Telegram does not take the picture: then the text is sent without it. */
async function sendPicture(
  api: Api,
  chat: number,
  { parts, markup, isProtected }: Written,
  picture: Picture,
): Promise<number | undefined> {
  try {
    const sent = await api.sendPhoto(chat, fileOf(picture), {
      caption: parts[0] ?? '',
      parse_mode: 'HTML',
      ...(isProtected && { protect_content: true }),
      ...(markup && { reply_markup: markup }),
    });
    picture.sent(sent.photo.at(-1)?.file_id);
    return sent.message_id;
  } catch (error) {
    if (troubleOf(error).kind !== 'refused') throw error;
    picture.refused();
    return undefined;
  }
}

/** False when the message cannot be edited any more. */
async function edited(
  api: Api,
  chat: number,
  { message }: View,
  { parts, markup }: Written,
  picture?: Picture,
): Promise<boolean> {
  const keyboard = markup && 'inline_keyboard' in markup ? { reply_markup: markup } : {};
  const [text = ''] = parts;
  try {
    if (picture) {
      const media = { type: 'photo', media: fileOf(picture), caption: text, parse_mode: 'HTML' } as const;
      const changed = await api.editMessageMedia(chat, message, media, keyboard);
      if (typeof changed === 'object' && 'photo' in changed) picture.sent(changed.photo?.at(-1)?.file_id);
    } else {
      const link_preview_options = { is_disabled: true };
      await api.editMessageText(chat, message, text, {
        parse_mode: 'HTML',
        link_preview_options,
        ...keyboard,
      });
    }
    return true;
  } catch (error) {
    if (troubleOf(error).kind !== 'refused') throw error;
    return isUnchanged(error);
  }
}

/**
 * A message with a chosen button stays, with the button disabled. A message that the customer has only moved away from
 * is deleted.
 */
async function retirePressed(
  api: Api,
  chat: number,
  before: View | undefined,
  { message, keys }: NonNullable<Showing['pressed']>,
): Promise<void> {
  const goes = message === before?.message && !before.isOvertaken && keys.length === 0;
  if (!goes || !(await tried(api.deleteMessage(chat, message))))
    await withoutButtons(api, chat, message, keys);
}

/**
 * An answered message stays above the answer, without its buttons. The chosen one stays to be read, and cannot be
 * pressed.
 */
async function withoutButtons(api: Api, chat: number, message: number, left: Keys = []): Promise<void> {
  const reply_markup = { inline_keyboard: left.map((button) => [button]) };
  if (left.length > 0 && (await tried(api.editMessageReplyMarkup(chat, message, { reply_markup })))) return;
  // An operator's own Bot API server may be older than disabled buttons.
  await tried(api.editMessageReplyMarkup(chat, message));
}

/** The button that shares a number stands in place of the phone's keyboard: only a message without buttons takes it away. */
async function takeKeyboard({ api, scribe }: StageDeps, chat: number, language: Language): Promise<void> {
  const moment = await api.sendMessage(chat, scribe.say('telegram.moment', language), {
    reply_markup: { remove_keyboard: true },
  });
  await tried(api.deleteMessage(chat, moment.message_id));
}

/**
 * The end of a conversation stays in the chat, so nothing is put in its place. A hidden text is protected, which an
 * edit cannot do. Only a picture can replace a picture.
 */
function fitsInPlace(
  before: View,
  { parts, has, isProtected }: Written,
  picture: Picture | undefined,
): boolean {
  return (
    !before.isOvertaken &&
    (picture !== undefined || !before.isPicture) &&
    !before.asksContact &&
    parts.length === 1 &&
    !isProtected &&
    has !== 'contact'
  );
}

function hasOf({ has }: Written): View['has'] {
  return has === 'contact' ? 'nothing' : has;
}
