import { CHANNELS } from '../../conversation/channel.ts';
import type { Language, Reply, SentenceKey } from '../../conversation/incoming.ts';
import { DETAIL_CHARS_MAX, LABEL_CHARS_MAX, listPage, shortChoices } from '../../screen/lists.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { data } from '../button.ts';
import { pieces } from '../pieces.ts';
import { placeholderOf } from '../placeholder.ts';
import type { Message } from './api.ts';

/** Limits of the Cloud API (facts C2). */
const TEXT_MAX_CHARS = 4_096;
const BODY_MAX_CHARS = 1_024;
const BUTTONS_MAX = 3;
const { choicesMax: ROWS_MAX } = CHANNELS.whatsapp;
/** Marks around what a chat could hide. WhatsApp hides nothing. */
const HIDDEN = /[\ue000\ue001]/g;
/** Marks around what is bold. */
const BOLD = /[\ue002\ue003]/g;

type Screen = Reply['screen'];

/** The thing to write: a reply, or a push. */
export interface WhatsAppScreen {
  readonly screen: Screen;
  readonly language: Language;
  /** Absent: not the conversation's current screen, so nothing can be pressed. */
  readonly screenId?: number;
  /** The token of the form on which its secret is given. */
  readonly form?: string;
  readonly page?: number;
  readonly underway?: true | undefined;
  /** A sentence of the channel's own, said first. */
  readonly before?: string;
}

/** A file at Meta that a message shows above its text. */
export interface Header {
  readonly type: 'image' | 'document';
  readonly id: string;
  readonly name?: string;
}

/** Writes screens for WhatsApp: one message each, unless the text alone is longer than one. */
export interface Scribe {
  say(key: SentenceKey, language: Language): string;
  /** The messages of a screen. The last one has its buttons. */
  write(shown: WhatsAppScreen, header?: Header): readonly Message[];
}

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** How a customer opens the form: by a link, or by a Flow of WhatsApp. */
export type OpenForm = (shown: WhatsAppScreen & { readonly form: string }, text: string) => Message;

interface ScribeDeps {
  readonly renderer: Pick<Renderer, 'chat' | 'shortLabels'>;
  readonly openForm: OpenForm;
}

export function createScribe(deps: ScribeDeps): Scribe {
  const say: Say = (key, language) => deps.renderer.chat({ key, expects: 'nothing' }, language).text;
  return { say, write: (shown, header) => write(deps, say, shown, header) };
}

type Say = Scribe['say'];

function write(
  { renderer, openForm }: ScribeDeps,
  say: Say,
  shown: WhatsAppScreen,
  header?: Header,
): readonly Message[] {
  const { screen, language, screenId, form, before } = shown;
  const { text: plain, marked, choices: rendered, receipt } = renderer.chat(screen, language);
  // A receipt: its amount stands out above its text.
  const text = receipt
    ? `*${receipt.amount}*\n\n${plain}\n${receipt.moment}`
    : (marked ?? plain).replace(BOLD, '*');
  const wholes = rendered.map(({ label }) => label);
  const short = shortChoices(wholes, renderer.shortLabels(screen, language));
  // A label that is too long for its row is written in the text above.
  const cut = rendered.filter((_, i) => short[i]?.isCut).map(({ label }) => `• ${label}`);
  const whole = [before, text, cut.join('\n')].filter(Boolean).join('\n\n').replace(HIDDEN, '');
  if (screenId === undefined) return plainly(whole, header);
  const moves = waysOf(shown).map((to) => ({
    id: data.way(screenId, to),
    label: fitted(say(`nav.${to}`, language)),
  }));
  const opens = opener(shown, openForm, say);
  if (opens) {
    const words = [...rendered.map(({ label }) => label), ...moves.map(({ label }) => label)].join(' · ');
    const asked = form !== undefined && say('whatsapp.secretHint', language);
    const hint = words && `${say('whatsapp.orWrite', language)} ${words}`;
    return inParts([whole, asked, hint].filter(Boolean).join('\n\n'), opens);
  }
  if (screen.asksOwn && screen.expects === 'phone') return inParts(whole, asksNumber);
  const choices = short.map(({ label, detail }, i) => ({ id: data.choice(screenId, i), label, detail }));
  const all: readonly Choice[] = [...choices, ...moves];
  if (all.length === 0) return plainly(whole, header);
  // A button says it all: a short label that we have written does, and one of values does not.
  const isWhole = short.every(
    ({ detail, isShortened }, i) => detail === undefined || !(isShortened || screen.choices?.[i]?.values),
  );
  const isShort = all.length <= BUTTONS_MAX && isWhole;
  if (isShort) return inParts(whole, (body) => buttons(body, all, header));
  const listed = inParts(whole, (body) => list(body, { choices, moves }, { ...shown, screenId }, say));
  // A list has no room for a file.
  return header ? [fileMessage(header), ...listed] : listed;
}

/** The message that leads to a page: the form, or the bank's. Undefined where the screen leads to none. */
function opener(
  { form, ...shown }: WhatsAppScreen,
  openForm: OpenForm,
  say: Say,
): ((body: string) => Message) | undefined {
  const { screen, language } = shown;
  if (form !== undefined) return (body) => openForm({ ...shown, form }, body);
  const { link } = screen;
  return link === undefined
    ? undefined
    : (body) => urlButton(body, fitted(say('whatsapp.goOn', language)), link);
}

/** One button that opens an address. */
export function urlButton(text: string, label: string, url: string): Message {
  const action = { name: 'cta_url', parameters: { display_text: label, url } };
  return interactive({ type: 'cta_url', body: { text }, action });
}

function asksNumber(text: string): Message {
  return interactive({
    type: 'request_contact_info',
    body: { text },
    action: { name: 'request_contact_info' },
  });
}

function buttons(text: string, all: readonly Choice[], header?: Header): Message {
  const replies = all.map(({ id, label }) => ({ type: 'reply', reply: { id, title: label } }));
  return interactive({
    type: 'button',
    ...(header && { header: shownAbove(header) }),
    body: { text },
    action: { buttons: replies },
  });
}

function list(
  text: string,
  { choices, moves }: { readonly choices: readonly Choice[]; readonly moves: readonly Choice[] },
  { screenId, language, page = 0 }: WhatsAppScreen & { readonly screenId: number },
  say: Say,
): Message {
  const limits = { rows: ROWS_MAX, moves: moves.length };
  const { from, to, page: at, pages } = listPage(choices.length, limits, page);
  const turns: readonly Choice[] = [
    ...(at < pages - 1
      ? [{ id: data.page(screenId, at + 1), label: `${say('nav.more', language)} (${at + 2}/${pages})` }]
      : []),
    ...(at > 0 ? [{ id: data.page(screenId, at - 1), label: say('telegram.previous', language) }] : []),
  ];
  const rows = [...choices.slice(from, to), ...turns, ...moves].map(({ id, label, detail }) => ({
    id,
    title: label,
    ...(detail !== undefined && { description: detail.slice(0, DETAIL_CHARS_MAX) }),
  }));
  const action = { button: fitted(say('whatsapp.choose', language)), sections: [{ rows }] };
  return interactive({ type: 'list', body: { text }, action });
}

/** A text in messages: the last one fits its buttons, and the others are text alone. */
function inParts(text: string, last: (body: string) => Message): readonly Message[] {
  const parts = pieces(text, BODY_MAX_CHARS);
  const [end = ''] = parts.splice(-1);
  const before = parts.length > 0 ? pieces(parts.join('\n'), TEXT_MAX_CHARS) : [];
  return [...before.map(textMessage), last(end)];
}

function plainly(text: string, header?: Header): readonly Message[] {
  if (!header || text.length > BODY_MAX_CHARS) return pieces(text, TEXT_MAX_CHARS).map(textMessage);
  const { type, id, name } = header;
  const file = { id, caption: text, ...(type === 'document' && name !== undefined && { filename: name }) };
  return [{ type, [type]: file }];
}

/** A file by itself. */
export function fileMessage(header: Header): Message {
  return shownAbove(header);
}

function shownAbove({ type, id, name }: Header): Message {
  return { type, [type]: { id, ...(type === 'document' && name !== undefined && { filename: name }) } };
}

export function textMessage(body: string): Message {
  return { type: 'text', text: { preview_url: false, body } };
}

export function interactive(content: object): Message {
  return { type: 'interactive', interactive: content };
}

/** Ways to move that are worth a button: none back from the menu, and help where something can be typed. */
function waysOf({ screen, underway }: WhatsAppScreen): ('back' | 'menu' | 'help')[] {
  const { expects, key } = screen;
  if (underway) return [];
  if (expects === 'nothing') return ['menu'];
  // The question for a language is the first one of all: three buttons that everybody understands, and no list.
  if (key.startsWith('menu.') || key === 'language.choose') return [];
  return placeholderOf(screen) ? ['back', 'menu', 'help'] : ['back', 'menu'];
}

/** A label of ours as a button holds it. */
function fitted(label: string): string {
  return shortChoices([label])[0]?.label ?? label.slice(0, LABEL_CHARS_MAX);
}
