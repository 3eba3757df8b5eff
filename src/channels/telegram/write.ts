import type { InlineKeyboardButton, InlineKeyboardMarkup, ReplyKeyboardMarkup } from 'grammy/types';
import { CHANNELS } from '../../conversation/channel.ts';
import type { Keypad, Language, Reply, SentenceKey } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { data } from './button.ts';
import { CAPTION_MAX_CHARS, hidesSomething, html, pieces } from './html.ts';

/** A list that a message holds is shown whole; a longer one in pages that leave room for buttons to turn them. */
const { choicesMax: CHOICES_WHOLE_MAX } = CHANNELS.telegram;
const CHOICES_PER_PAGE = 8;
/** Labels that fit two in a row on a small phone. */
const SHORT_LABEL_CHARS_MAX = 16;
const PIN_DIGITS = 4;

/** A screen as Telegram shows it. */
export interface Written {
  /** HTML; all but the last are sent before it. */
  readonly parts: readonly string[];
  /** A picture that the text fits under. */
  readonly picture?: NonNullable<Reply['screen']['picture']>;
  readonly markup?: InlineKeyboardMarkup | ReplyKeyboardMarkup;
  readonly has: 'nothing' | 'buttons' | 'keypad' | 'contact';
  /** It shows something that only its customer may see: not to be forwarded or saved. */
  readonly isProtected: boolean;
}

type Screen = Reply['screen'];

/** What is written: a reply, or a push. */
export interface Shown {
  readonly screen: Screen;
  readonly language: Language;
  /** Absent: not the conversation's current screen, so nothing can be pressed. */
  readonly screenId?: number;
  readonly keypad?: Keypad;
  readonly page?: number;
  /** A sentence of the channel's own, said first. */
  readonly before?: string;
}

/** Writes screens for Telegram. Everything from outside is escaped; labels of buttons need no escaping. */
export interface Scribe {
  /** A sentence of the channel's own, as text. */
  say(key: SentenceKey, language: Language): string;
  write(shown: Shown): Written;
}

export function createScribe(renderer: Pick<Renderer, 'chat'>): Scribe {
  const say: Say = (key, language) => renderer.chat({ key, expects: 'nothing' }, language).text;
  return { say, write: (shown) => write(renderer, say, shown) };
}

type Say = Scribe['say'];

function write(renderer: Pick<Renderer, 'chat'>, say: Say, shown: Shown): Written {
  const { screen, language, screenId, keypad, before } = shown;
  const { text, choices } = renderer.chat(screen, language);
  const whole = [before, text, keypad && dots(keypad)].filter(Boolean).join('\n\n');
  const parts = pieces(whole).map(html);
  const isProtected = hidesSomething(whole);
  const picture = whole.length <= CAPTION_MAX_CHARS && screen.picture ? { picture: screen.picture } : {};
  if (screenId === undefined) return { parts, has: 'nothing', isProtected };
  if (screen.asksOwn && screen.expects === 'phone') {
    return {
      parts,
      markup: contactKeyboard(say('telegram.shareNumber', language)),
      has: 'contact',
      isProtected,
    };
  }
  const ways = waysOf(screen).map((to) => button(say(`nav.${to}`, language), data.way(screenId, to)));
  const labels = choices.map(({ label }) => label);
  const rows = keypad ? keys(keypad, screenId, ways) : [...pageOf(labels, { ...shown, screenId }, say), ways];
  const inline_keyboard = rows.filter((row) => row.length > 0);
  const has = keypad ? 'keypad' : inline_keyboard.length > 0 ? 'buttons' : 'nothing';
  return { parts, ...picture, markup: { inline_keyboard }, has, isProtected };
}

/** In place of the phone's keyboard: one button that shares the customer's own number. */
function contactKeyboard(text: string): ReplyKeyboardMarkup {
  return { keyboard: [[{ text, request_contact: true }]], resize_keyboard: true, one_time_keyboard: true };
}

/** Ways to move that are worth a button: none back from the menu, and help where something must be typed. */
function waysOf({ key, expects }: Screen): ('back' | 'menu' | 'help')[] {
  if (expects === 'nothing') return ['menu'];
  if (key.startsWith('menu.')) return [];
  return expects === 'choice' || expects === 'pin' || expects === 'newPin'
    ? ['back', 'menu']
    : ['back', 'menu', 'help'];
}

function pageOf(
  labels: readonly string[],
  { screenId, language, page = 0 }: Shown & { readonly screenId: number },
  say: Say,
): InlineKeyboardButton[][] {
  const isWhole = labels.length <= CHOICES_WHOLE_MAX;
  const pages = isWhole ? 1 : Math.ceil(labels.length / CHOICES_PER_PAGE);
  const at = page % pages;
  const from = at * CHOICES_PER_PAGE;
  const shown = isWhole ? labels : labels.slice(from, from + CHOICES_PER_PAGE);
  const buttons = shown.map((label, i) => button(label, data.choice(screenId, (isWhole ? 0 : from) + i)));
  const turns = [
    ...(at > 0 ? [button(say('telegram.previous', language), data.page(screenId, at - 1))] : []),
    ...(at < pages - 1
      ? [button(`${say('nav.more', language)} (${at + 2}/${pages})`, data.page(screenId, at + 1))]
      : []),
  ];
  const isShort = shown.length > 1 && shown.every((label) => label.length <= SHORT_LABEL_CHARS_MAX);
  return [...rowsOf(buttons, isShort ? 2 : 1), turns];
}

/** Digits stand where this prompt's order puts them: what a button sends is only its place. */
function keys(
  { keys: digits }: Keypad,
  screenId: number,
  ways: readonly InlineKeyboardButton[],
): InlineKeyboardButton[][] {
  const pressed = digits.map((digit, position) => button(String(digit), data.key(screenId, position)));
  const [last] = pressed.splice(-1);
  const erase = button('⌫', data.key(screenId, 'erase'));
  return [...rowsOf(pressed, 3), [...(last ? [last] : []), erase], [...ways]];
}

function dots({ typed }: Keypad): string {
  return Array.from({ length: PIN_DIGITS }, (_, i) => (i < typed ? '●' : '○')).join(' ');
}

function button(text: string, callback_data: string): InlineKeyboardButton {
  return { text, callback_data };
}

function rowsOf<T>(items: readonly T[], width: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / width) }, (_, i) =>
    items.slice(i * width, (i + 1) * width),
  );
}
