/** Fields of an EMVCo code by their two-digit ids. */
export type Fields = ReadonlyMap<string, string>;

/** Why a text is no well-formed EMVCo code. */
export type Malformed = 'notEmvco' | 'tooLong' | 'checksum' | 'brokenOff' | 'repeated';
export type FieldsReading =
  | { readonly ok: true; readonly fields: Fields }
  | { readonly ok: false; readonly why: Malformed };

/** EMVCo QR code specification for payment systems, merchant-presented mode 1.1: a code has no more characters. */
const CHARS_MAX = 512;
/** The format indicator comes first, the checksum last (facts E6). */
const BEGINNING = '000201';
const ENDING = /6304([\dA-Fa-f]{4})$/;
const CHECKSUM_CHARS = 4;

/** Reads the fields of an EMVCo code with a right checksum. A template's value is left as it is. */
export function readFields(content: string): FieldsReading {
  if (!content.startsWith(BEGINNING)) return { ok: false, why: 'notEmvco' };
  if (content.length > CHARS_MAX) return { ok: false, why: 'tooLong' };
  const checksum = ENDING.exec(content)?.[1]?.toUpperCase();
  if (checksum === undefined) return { ok: false, why: 'brokenOff' };
  if (checksum !== checksumOf(content.slice(0, -CHECKSUM_CHARS))) return { ok: false, why: 'checksum' };
  return fieldsIn(content, '63');
}

/**
 * Reads ids, lengths and values that follow one another: a code, or the value of a template in one.
 * @param last the field that must be there, where one must
 */
export function fieldsIn(text: string, last?: string): FieldsReading {
  const byCharacters = split([...text], last);
  if (byCharacters.ok || /^\p{ASCII}*$/u.test(text)) return byCharacters;
  // Lengths are characters. Some writers of names in Arabic or with accents count bytes.
  const byBytes = split(
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)),
    last,
  );
  if (!byBytes.ok) return byCharacters;
  return { ok: true, fields: new Map([...byBytes.fields].map(([id, value]) => [id, decoded(value)])) };
}

function split(chars: readonly string[], last: string | undefined): FieldsReading {
  const fields = new Map<string, string>();
  for (let at = 0; at < chars.length; ) {
    const head = chars.slice(at, at + 4).join('');
    const end = at + 4 + Number(head.slice(2));
    if (!/^\d{4}$/.test(head) || end > chars.length) return { ok: false, why: 'brokenOff' };
    if (fields.has(head.slice(0, 2))) return { ok: false, why: 'repeated' };
    fields.set(head.slice(0, 2), chars.slice(at + 4, end).join(''));
    at = end;
  }
  return last === undefined || fields.has(last) ? { ok: true, fields } : { ok: false, why: 'brokenOff' };
}

function decoded(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Writes an EMVCo code: indicator, fields in order, checksum. A field without a value is left out. */
export function writeCode(fields: readonly (readonly [id: string, value: string | undefined])[]): string {
  const content = `${BEGINNING}${writeFields(fields)}6304`;
  return content + checksumOf(content);
}

/** The same for the fields in a template. A value that is longer than a length can say is a bug. */
export function writeFields(fields: readonly (readonly [id: string, value: string | undefined])[]): string {
  return fields
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([id, value = '']) => {
      const length = [...value].length;
      if (length > 99) throw new Error(`field ${id} is longer than 99 characters`);
      return `${id}${String(length).padStart(2, '0')}${value}`;
    })
    .join('');
}

/** CRC-16/CCITT-FALSE over the UTF-8 bytes, as four upper-case hexadecimal digits (facts E6). */
export function checksumOf(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
