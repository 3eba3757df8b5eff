import { sizeOf } from '../../../src/channels/qr/pixels.ts';

/** A file of a request in parts. */
export interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The answer of the Bot API to a request that breaks its rules (facts B2). */
export class Refused extends Error {
  readonly code: number;
  readonly parameters: Readonly<Record<string, unknown>> | undefined;
  constructor(description: string, code = 400, parameters?: Readonly<Record<string, unknown>>) {
    super(code === 400 ? `Bad Request: ${description}` : description);
    this.code = code;
    this.parameters = parameters;
  }
}

export type Payload = Readonly<Record<string, unknown>>;

export interface Button {
  readonly text: string;
  readonly callback_data?: string;
  readonly copy_text?: { readonly text: string };
  readonly disabled?: object;
  readonly style?: string;
  readonly request_contact?: boolean;
  readonly url?: string;
  readonly web_app?: { readonly url: string };
}
export interface Markup {
  readonly force_reply?: boolean;
  readonly input_field_placeholder?: string;
  readonly inline_keyboard?: readonly (readonly Button[])[];
  readonly keyboard?: readonly (readonly Button[])[];
  readonly remove_keyboard?: boolean;
}
/** A text after its entities were parsed. */
export interface Parsed {
  readonly text: string;
  readonly spoilers: readonly string[];
}

const TAGS = new Set(['b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'tg-spoiler', 'blockquote']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const TOKEN = /<(\/?)([a-z-]+)>|&(amp|lt|gt|quot);|</g;

/** Telegram's HTML: a closed list of tags, all of them balanced. `<` is never text. */
export function parseHtml(source: string): Parsed {
  const open: string[] = [];
  const spoilers: string[] = [];
  let text = '';
  let at = 0;
  let spoilerFrom = 0;
  for (const match of source.matchAll(TOKEN)) {
    text += source.slice(at, match.index);
    at = match.index + match[0].length;
    const [token, closing, tag = '', entity] = match;
    if (entity) text += ENTITIES[entity];
    else if (!TAGS.has(tag)) throw new Refused(`can't parse entities: Unsupported start tag "${token}"`);
    else if (closing) {
      if (open.pop() !== tag) throw new Refused(`can't parse entities: Unmatched end tag "${tag}"`);
      if (tag === 'tg-spoiler') spoilers.push(text.slice(spoilerFrom));
    } else {
      open.push(tag);
      spoilerFrom = text.length;
    }
  }
  if (open.length > 0) throw new Refused(`can't parse entities: Can't find end tag of "${open.at(-1)}"`);
  return { text: text + source.slice(at), spoilers };
}

export function readText(payload: Payload, max = 4_096): Parsed {
  const source = string(payload, 'text');
  const parsed = payload.parse_mode === 'HTML' ? parseHtml(source) : { text: source, spoilers: [] };
  if (payload.parse_mode !== undefined && payload.parse_mode !== 'HTML')
    throw new Refused('unsupported parse_mode');
  if (parsed.text.trim() === '') throw new Refused('message text is empty');
  if (parsed.text.length > max) throw new Refused('message is too long');
  return { ...parsed, text: parsed.text.trim() };
}

/** The text under a picture. */
export function readCaption({ caption = '', ...payload }: Payload): Parsed {
  return caption === '' ? { text: '', spoilers: [] } : readText({ ...payload, text: caption }, 1_024);
}

/** A picture that Telegram takes as a photo: JPEG or PNG, not too large, not too long. */
export function checkPhoto({ bytes }: File): void {
  const size = sizeOf(bytes);
  if (!size) throw new Refused('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  if (bytes.length > 10 * 1024 * 1024) throw new Refused('file is too big');
  if (width + height > 10_000 || Math.max(width / height, height / width) > 20)
    throw new Refused('PHOTO_INVALID_DIMENSIONS');
}

export function readMarkup(payload: Payload, isPrivate: boolean): Markup | undefined {
  const markup = payload.reply_markup as Markup | undefined;
  if (markup === undefined) return undefined;
  if (JSON.stringify(markup).length > 10_000) throw new Refused('reply markup is too long');
  const { inline_keyboard: inline, keyboard, remove_keyboard: removes, force_reply: forces } = markup;
  const { input_field_placeholder: placeholder } = markup;
  if (placeholder !== undefined && (inline || placeholder.length < 1 || placeholder.length > 64))
    throw new Refused('wrong input field placeholder');
  if (inline) checkRows(inline, 100, 8, checkInline);
  else if (keyboard) checkRows(keyboard, 300, 12, (button) => checkReply(button, isPrivate));
  else if (!removes && !forces) throw new Refused('object expected as reply markup');
  return inline?.flat().length === 0 ? undefined : markup;
}

function checkRows(
  rows: readonly (readonly Button[])[],
  max: number,
  perRow: number,
  check: (button: Button) => void,
): void {
  if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row)))
    throw new Refused('field "inline_keyboard" must be an Array of Arrays');
  if (rows.flat().length > max || rows.some((row) => row.length > perRow))
    throw new Refused('reply markup is too long');
  rows.flat().forEach(check);
}

const STYLES = new Set(['danger', 'success', 'primary']);

/** Besides its text and style a button has exactly one field, which says what it does. */
function checkInline({ text, style, ...does }: Button): void {
  if (!text) throw new Refused('text of inline keyboard button is empty');
  if (style !== undefined && !STYLES.has(style)) throw new Refused('wrong button style');
  const { callback_data: data, copy_text: copies, disabled, url, web_app: app, ...rest } = does;
  if (Object.keys(does).length !== 1 || Object.keys(rest).length > 0)
    throw new Refused('Text buttons are unallowed in the inline keyboard');
  if (copies && (copies.text.length < 1 || copies.text.length > 256))
    throw new Refused('BUTTON_COPY_TEXT_INVALID');
  if (url !== undefined && !/^https?:\/\/[^/]/.test(url)) throw new Refused('BUTTON_URL_INVALID');
  if (app && !/^https:\/\/[^/]/.test(app.url)) throw new Refused('BUTTON_URL_INVALID');
  if (disabled && Object.keys(disabled).length > 0) throw new Refused('BUTTON_TYPE_INVALID');
  if (data === undefined) return;
  const bytes = Buffer.byteLength(data);
  if (bytes < 1 || bytes > 64) throw new Refused('BUTTON_DATA_INVALID');
}

function checkReply({ text, request_contact: asks }: Button, isPrivate: boolean): void {
  if (!text) throw new Refused('text of keyboard button is empty');
  if (asks && !isPrivate) throw new Refused('phone number can be requested in private chats only');
}

export function string(payload: Payload, name: string): string {
  const value = payload[name];
  if (typeof value !== 'string' || value === '') throw new Refused(`parameter "${name}" is required`);
  return value;
}

export function number(payload: Payload, name: string): number {
  const value = Number(payload[name]);
  if (payload[name] === undefined || !Number.isSafeInteger(value))
    throw new Refused(`parameter "${name}" is required`);
  return value;
}

const ACTIONS = new Set(['typing', 'upload_photo', 'upload_document', 'find_location']);

export function checkAction(payload: Payload): void {
  if (!ACTIONS.has(string(payload, 'action'))) throw new Refused('wrong parameter action in request');
}

/** The commands by language. The default ones stand under ''. */
export function readCommands(payload: Payload): [language: string, commands: readonly string[]] {
  const commands = payload.commands as readonly { command: string; description: string }[];
  if (!Array.isArray(commands) || commands.length > 100) throw new Refused('BOT_COMMANDS_TOO_MUCH');
  for (const { command, description } of commands) {
    if (!/^[a-z\d_]{1,32}$/.test(command)) throw new Refused('BOT_COMMAND_INVALID');
    if (!description || description.length > 256) throw new Refused('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  const language = payload.language_code ?? '';
  if (!/^([a-z]{2})?$/.test(language as string)) throw new Refused('invalid language code specified');
  return [language as string, commands.map(({ command, description }) => `${command} ${description}`)];
}

export function checkWebhook(payload: Payload): { url: string; secret: string; allowed: readonly string[] } {
  const url = string(payload, 'url');
  const secret = string(payload, 'secret_token');
  if (!/^[\w-]{1,256}$/.test(secret)) throw new Refused('secret token contains unallowed characters');
  const connections = payload.max_connections === undefined ? 40 : number(payload, 'max_connections');
  if (connections < 1 || connections > 100) throw new Refused('bad max_connections');
  return { url, secret, allowed: payload.allowed_updates as readonly string[] };
}
