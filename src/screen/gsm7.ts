/** The alphabets of USSD and SMS: what fits in GSM-7, at what cost, and how French is written inside it. */

export type Encoding = 'gsm7' | 'ucs2';

/** The default alphabet of 3GPP TS 23.038, §6.2.1, without its escape character: one septet each. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Its extension table, §6.2.1.1: an escape and a character, two septets. */
const EXTENSION = '\f^{}\\[~]|€';

const SEPTETS_BY_CHAR = new Uint8Array(0x10000);
for (const char of BASIC) SEPTETS_BY_CHAR[char.charCodeAt(0)] = 1;
for (const char of EXTENSION) SEPTETS_BY_CHAR[char.charCodeAt(0)] = 2;

/** The octets of each character, one for each septet: `ESCAPE` stands before those of the extension. */
const ESCAPE = 0x1b;
const EXTENSION_CODES = [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65];
const OCTETS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...Array.from(BASIC, (char, i) => [char, [i < ESCAPE ? i : i + 1]] as const),
  ...Array.from(EXTENSION, (char, i) => [char, [ESCAPE, EXTENSION_CODES[i] ?? 0]] as const),
]);

/** A text in the default alphabet, a septet in each octet. Undefined if one of its characters is not in GSM-7. */
export function gsm7Octets(text: string): number[] | undefined {
  const octets: number[] = [];
  for (const char of text) {
    const codes = OCTETS.get(char);
    if (!codes) return undefined;
    octets.push(...codes);
  }
  return octets;
}

/** The length of a text in septets, or undefined if one of its characters is not in GSM-7. */
export function septets(text: string): number | undefined {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const cost = SEPTETS_BY_CHAR[text.charCodeAt(i)];
    if (!cost) return undefined;
    sum += cost;
  }
  return sum;
}

/** The alphabet a text needs and its length there: in septets, or in UCS-2 code units. */
export function measure(text: string): { encoding: Encoding; units: number } {
  const units = septets(text);
  return units === undefined ? { encoding: 'ucs2', units: text.length } : { encoding: 'gsm7', units };
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  œ: 'oe',
  Œ: 'Oe',
  '‘': "'",
  '’': "'",
  '‛': "'",
  ʼ: "'",
  '′': "'",
  '`': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '…': '...',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '•': '*',
  '·': '.',
  '°': 'o',
  '²': '2',
  '³': '3',
  '×': 'x',
  '→': '>',
};

/** French quotes keep their spaces inside, which mean nothing once they are straight ones. */
const QUOTE_SPACES = /(?<=«)[\s\u00a0\u202f]+|[\s\u00a0\u202f]+(?=»)/g;
const SUSPECTS = /[^\n -_a-z]/g;
const ACCENTS = /\p{M}/gu;

/**
 * Writes Latin text with GSM-7 letters only: `ê` becomes `e`, `ç` `c`, `’` `'`, while `é è ù à` stay. Letters of other
 * alphabets are left alone (they turn the page into UCS-2), and so are no-break spaces, which keep values in one piece
 * until the page is cut.
 */
export function transliterate(text: string): string {
  if (septets(text) !== undefined) return text;
  return text.normalize('NFC').replace(QUOTE_SPACES, '').replace(SUSPECTS, inGsm7);
}

function inGsm7(char: string): string {
  if (SEPTETS_BY_CHAR[char.charCodeAt(0)]) return char;
  const lookalike = LOOKALIKES[char];
  if (lookalike) return lookalike;
  const bare = char.normalize('NFD').replace(ACCENTS, '');
  return septets(bare) === undefined ? char : bare;
}

const ONE_SMS = { gsm7: 160, ucs2: 70 };
/** A longer SMS is sent in parts, each of which spends six octets on saying which part it is. */
const SMS_PART = { gsm7: 153, ucs2: 67 };

/** How many SMS a text costs. No part ends inside an escaped character or a surrogate pair. */
export function segments(text: string): number {
  const { encoding, units } = measure(text);
  if (units <= ONE_SMS[encoding]) return 1;
  let parts = 1;
  let used = 0;
  for (const char of text) {
    const cost = encoding === 'gsm7' ? (SEPTETS_BY_CHAR[char.charCodeAt(0)] ?? 1) : char.length;
    if (used + cost > SMS_PART[encoding]) {
      parts += 1;
      used = 0;
    }
    used += cost;
  }
  return parts;
}
