import type { Pdu } from 'smpp';
import { gsm7Octets } from '../../screen/gsm7.ts';

/** `data_coding` (SMPP 3.4, 5.2.19): the alphabet of the SMSC, and UCS-2. */
const GSM7 = 0;
const UCS2 = 8;
/** How much one SMS holds, and one part of a long one (3GPP TS 23.040): in octets of one septet, or of UCS-2. */
const ONE = { [GSM7]: 160, [UCS2]: 140 } as const;
const PART = { [GSM7]: 153, [UCS2]: 134 } as const;
/** `sm_length` is at most 254. More goes in `message_payload`. */
const SHORT_MAX_OCTETS = 254;
const ESCAPE = 0x1b;

interface Coded {
  readonly data_coding: typeof GSM7 | typeof UCS2;
  readonly octets: Buffer;
}

/** A text in the smallest alphabet that has all of it. A septet takes an octet: the SMSC packs them. */
export function coded(text: string): Coded {
  const octets = gsm7Octets(text);
  return octets
    ? { data_coding: GSM7, octets: Buffer.from(octets) }
    : { data_coding: UCS2, octets: Buffer.from(text, 'utf16le').swap16() };
}

/** The fields of a text that is sent as one. */
export function whole({ data_coding, octets }: Coded): Readonly<Record<string, unknown>> {
  return octets.length <= SHORT_MAX_OCTETS
    ? { data_coding, short_message: octets }
    : { data_coding, short_message: Buffer.alloc(0), message_payload: octets };
}

/**
 * The parts of a text that is too long for one SMS: no character is parted, nor is a pair of them that belongs together.
 * @returns one part where it fits
 */
export function partsOf({ data_coding, octets }: Coded): Buffer[] {
  if (octets.length <= ONE[data_coding]) return [octets];
  const parts: Buffer[] = [];
  for (let from = 0; from < octets.length; ) {
    const to = cutAt(octets, Math.min(from + PART[data_coding], octets.length), data_coding);
    parts.push(octets.subarray(from, to));
    from = to;
  }
  return parts;
}

function cutAt(octets: Buffer, at: number, coding: Coded['data_coding']): number {
  if (at === octets.length) return at;
  if (coding === GSM7) return octets[at - 1] === ESCAPE ? at - 1 : at;
  const isHighSurrogate = ((octets[at - 2] ?? 0) & 0xfc) === 0xd8;
  return isHighSurrogate ? at - 2 : at;
}

/** The text of a received PDU. Empty where it has none, or one in an alphabet that no customer types. */
export function textIn({ short_message, message_payload }: Pdu): string {
  for (const each of [short_message, message_payload]) {
    const message: unknown = messageIn(each);
    if (typeof message === 'string' && message !== '') return message.replaceAll('\0', '');
    // An alphabet that the package leaves alone, such as 0x0F of USSD: handsets type ASCII there.
    if (Buffer.isBuffer(message) && message.length > 0)
      return message.toString('latin1').replaceAll('\0', '');
  }
  return '';
}

function messageIn(field: unknown): unknown {
  return typeof field === 'object' && field !== null && 'message' in field ? field.message : field;
}

/** False for the later parts of a long message: what is asked for stands in the first. */
export function isFirstPart({ short_message, sar_segment_seqnum }: Pdu): boolean {
  const headers: unknown =
    typeof short_message === 'object' && short_message !== null && 'udh' in short_message
      ? short_message.udh
      : undefined;
  const concatenated = Array.isArray(headers)
    ? headers.find((each): each is Buffer => Buffer.isBuffer(each) && (each[0] === 0 || each[0] === 8))
    : undefined;
  return (concatenated?.at(-1) ?? 1) <= 1 && (sar_segment_seqnum ?? 1) <= 1;
}
