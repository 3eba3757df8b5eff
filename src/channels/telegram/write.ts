import type {
  ForceReply,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  ReplyKeyboardMarkup,
} from 'grammy/types';
import { CHANNELS } from '../../conversation/channel.ts';
import type { Keypad, Language, Reply, SentenceKey } from '../../conversation/incoming.ts';
import { listPage } from '../../screen/lists.ts';
import type { ReceiptText, Renderer } from '../../screen/renderer.ts';
import { data } from '../button.ts';
import { withoutAddress } from '../copy.ts';
import { pieces } from '../pieces.ts';
import { placeholderOf } from '../placeholder.ts';
import { STYLES } from '../styles.ts';
import { copyButtons } from './copy.ts';
import { CAPTION_MAX_CHARS, hidesSomething, html, TEXT_MAX_CHARS } from './html.ts';

/** A list that a message holds is shown whole. A longer one is shown in pages that leave room for buttons to turn them. */
const { choicesMax: ROWS_MAX } = CHANNELS.telegram;
/** Labels that fit two in a row on a small phone. */
const SHORT_LABEL_CHARS_MAX = 16;
const PIN_DIGITS = 4;
/** These signs protect a number in a right-to-left line. They do not count in the visible length of a label. */
const INVISIBLE = /\p{Cf}/gu;

/** A screen as Telegram shows it. */
export interface Written {
  /** HTML. The last part carries the buttons, the others are sent before it. */
  readonly parts: readonly string[];
  /** A picture that the text fits under. */
  readonly picture?: NonNullable<Reply['screen']['picture']>;
  readonly markup?: InlineKeyboardMarkup | ReplyKeyboardMarkup | ForceReply;
  readonly has: 'nothing' | 'buttons' | 'keypad' | 'contact';
  /** It shows something that only its customer may see: not to be forwarded or saved. */
  readonly isProtected: boolean;
}

type Screen = Reply['screen'];
export type Keys = readonly InlineKeyboardButton[];

/** The thing to write: a reply, or a push. */
export interface TelegramScreen {
  readonly screen: Screen;
  readonly language: Language;
  /** Absent: not the conversation's current screen, so nothing can be pressed. */
  readonly screenId?: number;
  readonly keypad?: Keypad;
  /** The token of the form on which its secret can be given. */
  readonly form?: string;
  readonly page?: number;
  /** Another screen follows: a call is running, or an outcome is waited for. */
  readonly underway?: true | undefined;
  /** A sentence of the channel's own, said first. */
  readonly before?: string;
}

/** Writes screens for Telegram. Everything from outside is escaped. Labels of buttons need no escaping. */
export interface Scribe {
  /** A sentence of the channel's own, as text. */
  say(key: SentenceKey, language: Language): string;
  write(screen: TelegramScreen): Written;
}

/**
 * @param formAt the https address before a form's token. Absent where there is none: Telegram opens no other in a Mini
 *   App
 */
export function createScribe(renderer: Pick<Renderer, 'chat'>, formAt?: string): Scribe {
  const say: Say = (key, language) => renderer.chat({ key, expects: 'nothing' }, language).text;
  return { say, write: (shown) => write(renderer, say, shown, formAt) };
}

type Say = Scribe['say'];

function write(renderer: Pick<Renderer, 'chat'>, say: Say, shown: TelegramScreen, formAt?: string): Written {
  const { screen, language, screenId, keypad, before } = shown;
  const { text, marked = text, choices, receipt, reads } = renderer.chat(screen, language);
  const forms = formButtons(shown, say, formAt);
  const isTyped = screenId !== undefined && !keypad && forms.length === 0 && waitsForWords(screen);
  const ways = isTyped && hasWays(screen) && say('telegram.ways', language);
  const pages = isTyped || keypad || screenId === undefined ? [] : opens(reads);
  const said = pages.length > 0 ? withoutAddress(marked, reads) : marked;
  const whole = [before, said, keypad && dots(keypad, say('telegram.tapPin', language)), ways]
    .filter(Boolean)
    .join('\n\n');
  const parts =
    receipt && !before && !keypad ? [cardHtml(text, receipt)] : pieces(whole, TEXT_MAX_CHARS).map(html);
  const isProtected = hidesSomething(whole);
  const copies = copyButtons(screen, text, (key) => say(key, language));
  if (screenId === undefined) {
    const { markup, has } = inline(copies.map((button) => [button]));
    return { parts, ...(copies.length > 0 && { markup }), has, isProtected };
  }
  if (screen.asksOwn && screen.expects === 'phone') {
    const markup = contactKeyboard(say('telegram.shareNumber', language), placeholder(screen, say, language));
    return { parts, markup, has: 'contact', isProtected };
  }
  const picture = whole.length <= CAPTION_MAX_CHARS && screen.picture ? { picture: screen.picture } : {};
  // A menu under a question would have to be taken away again: the ways to move are in its text.
  if (isTyped) {
    const markup = { force_reply: true, ...placeholder(screen, say, language) } as const;
    return { parts, ...picture, markup, has: 'nothing', isProtected };
  }
  const moves = moveButtons(shown, screenId, say);
  const labels = choices.map(({ label }) => label);
  const rows = keypad
    ? [...keys(keypad, screenId), forms, ...pageOf(labels, { ...shown, screenId }, say), moves]
    : [
        forms,
        pages,
        ...pageOf(labels, { ...shown, screenId }, say),
        ...copies.map((button) => [button]),
        moves,
      ];
  const { markup, has } = inline(rows);
  return { parts, ...picture, markup, has: keypad ? 'keypad' : has, isProtected };
}

/** A page to read. Telegram refuses a whole message for a button to a page that it does not trust. */
function opens(reads: { readonly label: string; readonly url: string } | undefined): Keys {
  return reads?.url.startsWith('https:') ? [{ text: reads.label, url: reads.url }] : [];
}

/** A receipt: its amount stands out above its text, whose further lines stand together. */
function cardHtml(text: string, { amount, moment }: ReceiptText): string {
  const [title = '', ...lines] = text.split('\n');
  const rows = html([...lines, moment].join('\n'));
  return `<b><u>${html(amount)}</u></b>\n\n${html(title)}\n<blockquote>${rows}</blockquote>`;
}

function inline(rows: readonly Keys[]) {
  const inline_keyboard = rows.filter((row) => row.length > 0).map((row) => [...row]);
  const isMenu = inline_keyboard.flat().some((button) => 'callback_data' in button);
  return { markup: { inline_keyboard }, has: isMenu ? 'buttons' : 'nothing' } as const;
}

/** True for a question that is answered in words, and in no other way. */
function waitsForWords({ expects, choices = [] }: Screen): boolean {
  return expects !== 'nothing' && expects !== 'choice' && choices.length === 0;
}

function placeholder(screen: Screen, say: Say, language: Language) {
  const key = placeholderOf(screen);
  return key ? { input_field_placeholder: say(key, language) } : {};
}

/** In place of the phone's keyboard: one button that shares the customer's own number. */
function contactKeyboard(
  text: string,
  hint: Pick<ReplyKeyboardMarkup, 'input_field_placeholder'>,
): ReplyKeyboardMarkup {
  const keyboard = [[{ text, request_contact: true as const }]];
  return { keyboard, resize_keyboard: true, one_time_keyboard: true, ...hint };
}

/** Nobody goes back from the menu. */
function hasWays({ key }: Screen): boolean {
  return !key.startsWith('menu.');
}

function moveButtons({ screen, language, underway }: TelegramScreen, screenId: number, say: Say): Keys {
  const rests = screen.expects === 'nothing' && !underway;
  return waysOf(screen).map((to) => button(say(`nav.${to}`, language), data.way(screenId, to, rests)));
}

/** Ways to move that are worth a button: none back from the menu, and help where something can be typed. */
function waysOf(screen: Screen): ('back' | 'menu' | 'help')[] {
  const { expects } = screen;
  if (expects === 'nothing') return ['menu'];
  if (!hasWays(screen)) return [];
  return expects === 'choice' || expects === 'pin' || expects === 'newPin'
    ? ['back', 'menu']
    : ['back', 'menu', 'help'];
}

function pageOf(
  labels: readonly string[],
  { screen, screenId, language, page = 0 }: TelegramScreen & { readonly screenId: number },
  say: Say,
): InlineKeyboardButton[][] {
  const { from, to, page: at, pages } = listPage(labels.length, { rows: ROWS_MAX }, page);
  const shown = labels.slice(from, to);
  const buttons = shown.map((label, i) =>
    button(label, data.choice(screenId, from + i), STYLES[screen.choices?.[from + i]?.key ?? '']),
  );
  const turns = [
    ...(at > 0 ? [button(say('telegram.previous', language), data.page(screenId, at - 1))] : []),
    ...(at < pages - 1
      ? [button(`${say('nav.more', language)} (${at + 2}/${pages})`, data.page(screenId, at + 1))]
      : []),
  ];
  const isShort =
    shown.length > 1 && shown.every((label) => label.replace(INVISIBLE, '').length <= SHORT_LABEL_CHARS_MAX);
  return [...rowsOf(buttons, isShort ? 2 : 1), turns];
}

/** Digits stand where this prompt's order puts them: a button sends only its place. */
function keys({ keys: digits }: Keypad, screenId: number): InlineKeyboardButton[][] {
  const pressed = digits.map((digit, position) => button(String(digit), data.key(screenId, position)));
  const [last] = pressed.splice(-1);
  const erase = button('⌫', data.key(screenId, 'erase'));
  return [...rowsOf(pressed, 3), [...(last ? [last] : []), erase]];
}

/** Opens the form as a Mini App, to which Telegram tells the user. Also leads on to another site's page. */
function formButtons({ screen, form, language }: TelegramScreen, say: Say, formAt: string | undefined): Keys {
  const { expects, link } = screen;
  const isAnywhere = ['card', 'cvv', 'document', 'twoSided', 'csv'].includes(expects);
  const text = say('telegram.openForm', language);
  const url = `${formAt}/${form}`;
  const opens: Keys = formAt?.startsWith('https:')
    ? [{ text, web_app: { url } }]
    : isAnywhere
      ? [{ text, url }]
      : [];
  return [
    // Without https there is no Mini App (the simulator): a card is typed, and a file given, in any browser, a PIN is tapped in the chat.
    ...(form !== undefined && formAt !== undefined ? opens : []),
    ...(link === undefined ? [] : [{ text: say('card-cash-in.goOn', language), url: link }]),
  ];
}

/** The digits so far. Before the first one it is said how they are given: the sentence above speaks of typing. */
function dots({ typed }: Keypad, how: string): string {
  const digits = Array.from({ length: PIN_DIGITS }, (_, i) => (i < typed ? '●' : '○')).join(' ');
  return typed === 0 ? `${how}\n${digits}` : digits;
}

function button(
  text: string,
  callback_data: string,
  style?: NonNullable<InlineKeyboardButton['style']>,
): InlineKeyboardButton {
  return { text, callback_data, ...(style && { style }) };
}

function rowsOf<T>(items: readonly T[], width: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / width) }, (_, i) =>
    items.slice(i * width, (i + 1) * width),
  );
}

/**
 * The buttons that stay in a message once nobody answers them: copy buttons, and the chosen one, which does nothing.
 * @param chosen what the pressed button carries; absent where it was not taken as an answer
 */
export function keysLeft(buttons: Keys, chosen?: string): Keys {
  return buttons.flatMap((each): InlineKeyboardButton[] => {
    if ('copy_text' in each) return [each];
    const isChosen = 'callback_data' in each && each.callback_data === chosen && chosen.startsWith('c:');
    return isChosen ? [{ text: each.text, disabled: {} }] : [];
  });
}
