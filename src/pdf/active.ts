import { inflateRawSync, constants as zlib } from 'node:zlib';

/**
 * The active parts of a PDF: scripts, programs that it starts, forms that it sends, files inside or elsewhere, films, sounds and actions of a page.
 * Encryption counts too, as it hides everything (ISO 32000-1, 7.6, 7.11, 8.10.4, 12.6, 13). We look for their names everywhere, because an object may
 * begin inside a string, a comment or a picture. Names of two letters must be followed by a value, because pictures contain any two letters.
 */
const ACTIVE =
  /\/(?:JavaScript|Launch|SubmitForm|ImportData|GoToR|GoToE|GoToDp|EmbeddedFiles?|FileAttachment|Filespec|URL|OPI|RichMedia|Rendition|Movie|Sound|3DD|XFA|Encrypt|Ref(?![\0\s]*\[))(?![A-Za-z\d])|\/(?:AA|EF)(?:[\0\s]*[<%]|[\0\s]+\d)/;
/** An allowed action at opening: a link, which harms nobody because the reader follows it on purpose. */
const ACTION = /\/(?:URI|Named|Thread|Hide|SetOCGState|GoTo3DView)(?![A-Za-z\d])/;
/** A name that is long enough to be the one under which a document says what is done then, by letters or by their numbers. */
const LONG_NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]{10,30}/g;
/**
 * The limits of all object streams of a file and of the bytes to unpack. They are far above the files that people send
 * in a chat.
 */
const INFLATED_BYTES_MAX = 20_000_000;
/** The header of the compressed bytes (RFC 1950). No viewer reads the checksum behind them. */
const ZLIB_HEADER_BYTES = 2;
/** How often a file may be read in all, dictionary by dictionary: one that nests objects in each other is none that a program wrote. */
const READINGS_MAX = 4;
/** Thrown where a file would be read more often than that. */
const TOO_MUCH = new Error('more to read than any program writes');
/** A string by numbers that has no end costs what was looked through for it. */
const UNCLOSED = /^<(?!<)[^>]*$/;
/** White space and comments, names, the marks of dictionaries, arrays and strings, and everything else (7.2.2, 7.3). */
const TOKEN =
  /[\0\t\n\f\r ]+|%[^\r\n]*|\/[^\0\t\n\f\r ()<>[\]{}/%]*|<<|>>|<[^<>]*>?|[[\]{}(]|[^\0\t\n\f\r ()<>[\]{}/%]+/y;

/**
 * True for a PDF that does anything by itself, or that hides from us whether it does: an adviser sends pages. There is no small
 * library for Node that says so. It reads names with their escapes, and objects in compressed streams, and refuses what it cannot read.
 */
export function isActivePdf(bytes: Uint8Array): boolean {
  try {
    return isActive(bytes);
  } catch (error) {
    if (error !== TOO_MUCH) throw error;
    return true;
  }
}

/** How many more characters may be read. Every reading of every part of the file is charged to it, so that the work is linear. */
interface Budget {
  left: number;
}

function isActive(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  const parts = [text];
  const packed: Packed[] = [];
  let isAction = false;
  let left = INFLATED_BYTES_MAX;
  const budget: Budget = { left: text.length * READINGS_MAX };
  // A stream is an object of the file. Every viewer begins at this word and reads forwards, and so do we.
  for (const { index } of text.matchAll(/obj(?=[\0\s%<])/g)) {
    const read = dictionaryAt(text, index + 'obj'.length, budget);
    if (read === 'unread') return true;
    if (!read.tokens) continue;
    isAction ||= acts(read.tokens);
    if (!text.startsWith('stream', read.end)) continue;
    const kind = kindOf(read.tokens);
    if (kind === 'hidden') return true;
    // Those that are not packed were read with the file, but not one by one, and nobody writes them.
    isAction ||= kind === 'plain';
    if (kind !== 'packed') continue;
    const unpacked = inflated(bytes.subarray(dataAt(text, read.end)), left);
    if (!unpacked) return true;
    const { inside, packedBytes } = unpacked;
    parts.push(inside);
    packed.push({ tokens: read.tokens, inside });
    left -= inside.length + packedBytes;
    budget.left += inside.length * READINGS_MAX;
  }
  const named = parts.map(unescaped);
  if (named.some((part) => ACTIVE.test(part))) return true;
  if (!named.some((part) => ACTION.test(part))) return false;
  isAction ||= packed.some((stream) => holdsAction(stream, budget));
  return parts.some((part) => actsOnOpening(part, isAction, budget));
}

/**
 * Whether opening the file may do more than begin with a page.
 * @param isAction whether any object is by itself an action that does more. We do not look for the one that is used,
 *   because a file can be made
 *   in which each viewer finds another one. The links of LaTeX, Word and browsers have their actions inside
 */
function actsOnOpening(part: string, isAction: boolean, budget: Budget): boolean {
  for (const { 0: name, index } of part.matchAll(LONG_NAME)) {
    if (unescaped(name) !== '/OpenAction') continue;
    const from = index + name.length;
    const { token } = tokenAt(part, from, budget);
    // A page, or the name of one.
    if (/^[[(/]/.test(token)) continue;
    const read = token === '<<' ? dictionaryAt(part, from, budget) : undefined;
    if (read ? read === 'unread' || acts(read.tokens ?? []) : isAction) return true;
  }
  return false;
}

/** Whether a dictionary is an action that does more than go to a page: another kind, one that stands elsewhere, or a next one. */
function acts(tokens: readonly string[]): boolean {
  const kinds = tokens.flatMap((token, i) => (token === '/S' ? [i + 1] : []));
  if (kinds.length > 0 && tokens.includes('/Next')) return true;
  return kinds.some((at) => ACTION.test(tokens[at] ?? '') || tokens[at + 2] === 'R');
}

/** A stream of objects, unpacked. */
interface Packed {
  /** Those of its dictionary. */
  readonly tokens: readonly string[];
  readonly inside: string;
}

/** Whether one of its objects is such an action: be it where the stream says that one begins, or behind another one. */
function holdsAction({ tokens, inside }: Packed, budget: Budget): boolean {
  const [count, first] = ['/N', '/First'].map((name) => numberAfter(name, tokens));
  const starts = count !== undefined && first !== undefined && startsIn(inside, count, first, budget);
  return (
    !starts ||
    [...starts, ...dictionariesIn(inside, first, budget)].some((start) => {
      const read = dictionaryAt(inside, start, budget);
      return read === 'unread' || acts(read.tokens ?? []);
    })
  );
}

/** The offset at which the stream's objects begin. Undefined where the stream does not say so in plain numbers. */
function startsIn(inside: string, count: number, first: number, budget: Budget): number[] | undefined {
  const starts: number[] = [];
  let at = 0;
  for (let i = 0; i < 2 * count; i++) {
    const { token, end } = tokenAt(inside, at, budget);
    if (!/^\d+$/.test(token)) return undefined;
    if (i % 2 === 1) starts.push(first + Number(token));
    at = end;
  }
  return starts;
}

/** Where those dictionaries begin that are in no other one. */
function dictionariesIn(inside: string, from: number, budget: Budget): number[] {
  const starts: number[] = [];
  let depth = 0;
  for (let at = from; ; ) {
    const { token, start, end } = tokenAt(inside, at, budget);
    if (token === '') return starts;
    if (token === '<<' && depth++ === 0) starts.push(start);
    if (token === '>>' && depth > 0) depth--;
    at = end;
  }
}

/** The number under a name in a dictionary. Undefined where it has none, several, or one that stands elsewhere. */
function numberAfter(name: string, tokens: readonly string[]): number | undefined {
  const [at, ...more] = tokens.flatMap((token, i) => (token === name ? [i + 1] : []));
  if (at === undefined || more.length > 0 || tokens[at + 2] === 'R') return undefined;
  const token = tokens[at] ?? '';
  return /^\d{1,9}$/.test(token) ? Number(token) : undefined;
}

/** Each character of a name may be written by its number: `/#4AavaScript`. */
function unescaped(text: string): string {
  return text.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The dictionary of an object without its inner levels, and the offset behind it. */
interface Dictionary {
  /** The tokens of its own level, with `…` for each level below. Absent where the object is no dictionary. */
  readonly tokens?: readonly string[];
  readonly end: number;
}

/** The dictionary that begins here. `unread` where its end cannot be found. */
function dictionaryAt(text: string, from: number, budget: Budget): Dictionary | 'unread' {
  const tokens: string[] = [];
  let depth = 0;
  for (let at = from; ; ) {
    const { token, start, end } = tokenAt(text, at, budget);
    if (depth === 0 && token !== '<<') return { end: start };
    if (token === '') return 'unread';
    if (depth === 1 && token === '<<') tokens.push('…');
    if (depth === 1 && !/^(?:<<|>>)$/.test(token)) tokens.push(unescaped(token));
    if (token === '<<') depth++;
    if (token === '>>' && --depth === 0) return { tokens, end: tokenAt(text, end, budget).start };
    at = end;
  }
}

/** The next token behind white space and comments. Empty at the end, and where no token can stand. */
function tokenAt(text: string, from: number, budget: Budget): { token: string; start: number; end: number } {
  for (let start = from; ; ) {
    TOKEN.lastIndex = start;
    const [token = ''] = TOKEN.exec(text) ?? [];
    const end = token === '(' ? endOfString(text, start) : start + token.length;
    budget.left -= end - start;
    if (budget.left < 0) throw TOO_MUCH;
    if (UNCLOSED.test(token)) return { token: '', start, end: start };
    if (!/^[\0\s%]/.test(token)) return { token, start, end };
    start = end;
  }
}

/** Behind a string, in which brackets nest and a backslash takes the next character with it (7.3.4.2). */
function endOfString(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * The kind of a stream: no objects; plain objects, which are read with the file; or objects that are packed as we
 * unpack them. `hidden`: its bytes are in another file, or its objects are packed differently (7.3.8.2, 7.5.7).
 */
function kindOf(tokens: readonly string[]): 'none' | 'plain' | 'packed' | 'hidden' {
  const has = (...names: readonly string[]) => tokens.some((token) => names.includes(token));
  if (has('/F', '/FFilter')) return 'hidden';
  if (!has('/ObjStm', '/First')) return 'none';
  if (has('/DecodeParms', '/DP')) return 'hidden';
  if (!has('/Filter')) return 'plain';
  const [, ...filters] = tokens.join(' ').split('/Filter ');
  const isFlate = /^(?:\/FlateDecode|\[ \/FlateDecode \])(?= |$)/.test(filters[0] ?? '');
  return isFlate && filters.length === 1 ? 'packed' : 'hidden';
}

function dataAt(text: string, keyword: number): number {
  const start = /stream\s*/y;
  start.lastIndex = keyword;
  return start.test(text) ? start.lastIndex : keyword;
}

/**
 * The content of a stream as a viewer unpacks it, whatever its checksum says. Undefined where it cannot be unpacked, or
 * is too large.
 * @param maxBytes of the bytes read and written, because empty blocks cost as much
 */
function inflated(packed: Uint8Array, maxBytes: number): { inside: string; packedBytes: number } | undefined {
  if (maxBytes < 1) return undefined;
  try {
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxBytes, info: true };
    const read: unknown = inflateRawSync(packed.subarray(ZLIB_HEADER_BYTES), options);
    const { buffer, engine } = read as { buffer: Buffer; engine: { bytesWritten: number } };
    return { inside: buffer.toString('latin1'), packedBytes: engine.bytesWritten };
  } catch {
    return undefined;
  }
}
