import type { Api } from 'grammy';
import type { Language } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { FindPicture, Picture } from './picture.ts';
import { tried, troubleOf } from './trouble.ts';
import { readView, type View, writeView } from './view.ts';
import { createScribe, type Scribe, type Shown, type Written } from './write.ts';

/** How a screen comes into a chat. */
export interface Showing extends Shown {
  /** The channel's note of the chat. */
  readonly view?: string | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: number | undefined;
  /** A call is running: what comes of it takes this message's place. */
  readonly underway?: true | undefined;
  /** The customer has asked for nothing since the last screen. */
  readonly unasked?: true;
}

/** What a chat shows: screens, and messages that are not the current screen. */
export interface Stage {
  /** A sentence of the channel's own. */
  readonly say: Scribe['say'];
  /** Shows the current screen. Gives the note to keep. Rejects with grammY's error when it could not be shown. */
  show(chat: number, showing: CurrentScreen): Promise<string>;
  /**
   * Sends a message that is not the current screen, which then is not the last message any more. Gives the note to keep,
   * where there was one. Rejects with grammY's error when it could not be sent.
   */
  notify(chat: number, notice: Showing): Promise<string | undefined>;
}

type CurrentScreen = Showing & { readonly screenId: number };

interface StageDeps {
  readonly api: Api;
  readonly scribe: Scribe;
  readonly pictureAt: FindPicture;
}

/**
 * Shows screens in chats: in place where a button of the last message was pressed, else as a new message, and the one
 * before loses its buttons, so that no menu is left that nobody answers.
 */
export function createStage(api: Api, renderer: Pick<Renderer, 'chat'>, pictureAt: FindPicture): Stage {
  const deps: StageDeps = { api, scribe: createScribe(renderer), pictureAt };
  return {
    say: deps.scribe.say,
    show: (chat, showing) => show(deps, chat, showing),
    notify: (chat, notice) => notify(deps, chat, notice),
  };
}

async function show(deps: StageDeps, chat: number, showing: CurrentScreen): Promise<string> {
  const { api, scribe, pictureAt } = deps;
  const written = scribe.write(showing);
  const picture = await pictureAt(written.picture);
  const before = readView(showing.view);
  const isPressed = before !== undefined && showing.pressed === before.message;
  const isUnderway = showing.underway === true;
  const stays = showing.screen.expects === 'nothing' && !isUnderway;
  const isNext = isPressed || (showing.unasked === true && before?.isUnderway === true);
  if (isNext && fitsInPlace(before, written, picture) && (await edited(api, chat, before, written, picture)))
    return writeView({ ...before, isPicture: picture !== undefined, isOvertaken: stays, isUnderway });
  if (before) await retire(deps, chat, before, { isPressed, next: written, language: showing.language });
  // A button of an older message: it is as dead as its menu.
  if (showing.pressed !== undefined && showing.pressed !== before?.message) {
    await tried(api.editMessageReplyMarkup(chat, showing.pressed));
  }
  const { message, isPicture } = await send(api, chat, written, picture);
  const asksContact = written.has === 'contact';
  return writeView({
    message,
    screenId: showing.screenId,
    has: hasOf(written),
    isPicture,
    isOvertaken: stays,
    asksContact,
    isUnderway,
  });
}

async function notify(
  { api, scribe }: StageDeps,
  chat: number,
  notice: Showing,
): Promise<string | undefined> {
  await send(api, chat, scribe.write(notice));
  const before = readView(notice.view);
  return before && writeView({ ...before, isOvertaken: true });
}

/** Sends all parts of a text, under a picture where there is one. Gives the last message. */
async function send(
  api: Api,
  chat: number,
  written: Written,
  picture?: Picture,
): Promise<{ readonly message: number; readonly isPicture: boolean }> {
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

/** Undefined where Telegram does not take the picture: then the text is sent without it. */
async function sendPicture(
  api: Api,
  chat: number,
  { parts, markup, isProtected }: Written,
  picture: Picture,
): Promise<number | undefined> {
  try {
    const sent = await api.sendPhoto(chat, picture.file, {
      caption: parts[0] ?? '',
      parse_mode: 'HTML',
      ...(isProtected && { protect_content: true }),
      ...(markup && { reply_markup: markup }),
    });
    picture.sent(sent.photo);
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
      const media = { type: 'photo', media: picture.file, caption: text, parse_mode: 'HTML' } as const;
      const changed = await api.editMessageMedia(chat, message, media, keyboard);
      if (typeof changed === 'object' && 'photo' in changed) picture.sent(changed.photo);
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
    const trouble = troubleOf(error);
    if (trouble.kind !== 'refused') throw error;
    return trouble.isUnchanged;
  }
}

/**
 * A keypad goes with its screen, and a menu with the press of its button: it has said what it had to say. What was
 * answered in words stays above the answer, without its buttons; so does what Telegram does not delete any more.
 */
async function retire(
  { api, scribe }: StageDeps,
  chat: number,
  before: View,
  now: { readonly isPressed: boolean; readonly next: Written; readonly language: Language },
): Promise<void> {
  const { isPressed, next, language } = now;
  const goes = before.has === 'keypad' || (isPressed && !before.isOvertaken);
  const isGone = goes && (await tried(api.deleteMessage(chat, before.message)));
  if (!isGone && before.has !== 'nothing') await tried(api.editMessageReplyMarkup(chat, before.message));
  if (before.asksContact && next.has !== 'contact') {
    // Only a message can take the button away, and one with buttons of its own cannot.
    const moment = await api.sendMessage(chat, scribe.say('telegram.moment', language), {
      reply_markup: { remove_keyboard: true },
    });
    await tried(api.deleteMessage(chat, moment.message_id));
  }
}

/**
 * How a conversation ended stays in the chat, so nothing is put in its place. A hidden text is protected, which an edit
 * cannot do; a keypad is replaced by nothing but a keypad, and a picture by nothing but a picture.
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
    has !== 'contact' &&
    (before.has === 'keypad') === (has === 'keypad')
  );
}

function hasOf({ has }: Written): View['has'] {
  return has === 'contact' ? 'nothing' : has;
}
