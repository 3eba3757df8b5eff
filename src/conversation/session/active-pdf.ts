import { inflateRawSync, constants as zlib } from 'node:zlib';

/**
 * What makes a PDF more than pages: scripts, programs that are started, forms that are sent, other files inside, what is done when a
 * page is shown, and a cipher, behind which nobody can look (ISO 32000-1, 7.6, 7.11.4, 12.6, 13).
 */
const ACTIVE =
  /\/(?:JavaScript|Launch|SubmitForm|ImportData|GoToR|GoToE|EmbeddedFiles?|RichMedia|Rendition|XFA|Encrypt)(?![A-Za-z\d])|\/AA\s*(?:<<|\d+\s+\d+\s+R)/;
/** What is done when it is opened: a page to begin with (an array), an action, or the number of either. */
const ON_OPENING = /\/OpenAction\s*(?=(?:(\d+)\s+\d+\s+R)?([\s\S]{0,300}))/g;
const GOES_TO_A_PAGE = /^\s*(?:\[|<<(?:(?!>>)[\s\S])*\/S\s*\/GoTo(?![A-Za-z]))/;
/** A stream with objects (7.5.7), and how one may be packed that is looked into. */
const OF_OBJECTS = /\/(?:ObjStm|First)(?![A-Za-z])/;
const PLAINLY_PACKED = /\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])/;
const REPACKED = /\/(?:DecodeParms|DP|F|FFilter)(?![A-Za-z])/;
/** What all streams of a file may hold: far more than the pages that somebody sends in a chat. */
const INFLATED_BYTES_MAX = 50_000_000;
/** What stands before the compressed bytes (RFC 1950); what stands behind them no viewer looks at. */
const ZLIB_HEADER_BYTES = 2;
const DICTIONARY_CHARS_MAX = 10_000;

/**
 * True for a PDF that does anything by itself, or that hides from us whether it does: an adviser sends pages. There is no small
 * library for Node that says so. It reads names with their escapes, and objects in compressed streams, and refuses what it cannot read.
 */
export function isActivePdf(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  const parts = [text];
  let left = INFLATED_BYTES_MAX;
  for (const { 0: start, index } of text.matchAll(/(?<!end)stream\s*/g)) {
    const dictionary = dictionaryBefore(text, index);
    if (dictionary === undefined) continue;
    const hasObjects = dictionary === 'unread' || OF_OBJECTS.test(dictionary);
    if (hasObjects && (dictionary === 'unread' || isRepacked(dictionary))) return true;
    const inside = inflated(bytes.subarray(index + start.length), left);
    if (inside === 'tooMuch') return true;
    if (hasObjects && inside === undefined && dictionary.includes('/Filter')) return true;
    parts.push(inside ?? '');
    left -= inside?.length ?? 0;
  }
  const named = parts.map(unescaped);
  return named.some((part) => ACTIVE.test(part) || actsOnOpening(part, named));
}

/** Each character of a name may be written by its number: `/#4AavaScript`. */
function unescaped(text: string): string {
  return text.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function actsOnOpening(part: string, parts: readonly string[]): boolean {
  return [...part.matchAll(ON_OPENING)].some(([, number, action = '']) => {
    const actions = number === undefined ? [action] : parts.flatMap((each) => objectsIn(each, number));
    return actions.length === 0 || !actions.every((each) => GOES_TO_A_PAGE.test(each));
  });
}

/** Every object of this number: by its own head, or by the list at the beginning of a stream of objects. */
function objectsIn(part: string, number: string): readonly string[] {
  const headed = [...part.matchAll(new RegExp(`(?<!\\d)${number}\\s+\\d+\\s+obj(?=([\\s\\S]{0,300}))`, 'g'))];
  const [list = ''] = /^[\d\s]+/.exec(part) ?? [];
  const numbers = list.trim().split(/\s+/);
  const listed = numbers.flatMap((each, i) =>
    i % 2 === 0 && each === number ? [part.slice(list.length + Number(numbers[i + 1]))] : [],
  );
  return [...headed.map(([, object = '']) => object), ...listed.map((each) => each.slice(0, 300))];
}

/** Objects in a stream that is packed otherwise than we unpack it. */
function isRepacked(dictionary: string): boolean {
  return REPACKED.test(dictionary) || (dictionary.includes('/Filter') && !PLAINLY_PACKED.test(dictionary));
}

/** The dictionary of a stream; undefined where none begins, `unread` where it cannot be told where it begins. */
function dictionaryBefore(text: string, at: number): string | 'unread' | undefined {
  const before = text.slice(Math.max(0, at - DICTIONARY_CHARS_MAX), at).trimEnd();
  if (!before.endsWith('>>')) return undefined;
  let depth = 0;
  for (let i = before.length - 2; i >= 0; i--) {
    const pair = before.slice(i, i + 2);
    if (pair === '>>') depth++;
    if (pair === '<<') depth--;
    if (pair === '<<' && depth === 0)
      return /\d\s+obj\s*$/.test(before.slice(0, i)) ? unescaped(before.slice(i)) : 'unread';
    if (pair === '>>' || pair === '<<') i--;
  }
  return 'unread';
}

/** What is in a stream, as a viewer unpacks it: whatever its checksum says. Undefined where that cannot be done. */
function inflated(packed: Uint8Array, maxBytes: number): string | 'tooMuch' | undefined {
  try {
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, maxBytes) };
    return inflateRawSync(packed.subarray(ZLIB_HEADER_BYTES), options).toString('latin1');
  } catch (error) {
    return error instanceof RangeError ? 'tooMuch' : undefined;
  }
}
