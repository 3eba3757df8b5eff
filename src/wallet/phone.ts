import { isOneScript, latinDigits } from './digits.ts';

/** A Moroccan mobile number, `+212` and nine digits beginning with 6 or 7: the name of a wallet. */
export type Msisdn = `+212${string}` & { readonly kind: 'msisdn' };

const MOBILE = /^(?:(?:\+|00)?212)?0?([67]\d{8})$/;

/**
 * Reads a number as people write it: `0612345678`, `06 12-34.56 78`, `+212 06…`, `00212…`, `٠٦…`.
 * Gives undefined for anything but a Moroccan mobile (ANRT: 06 and 07 are mobile, 05 is geographic, facts E1).
 */
export function readPhone(text: string): Msisdn | undefined {
  const national = MOBILE.exec(text)?.[1] ?? MOBILE.exec(undecorated(text))?.[1];
  return national ? (`+212${national}` as Msisdn) : undefined;
}

/** Removes the spaces, dots, dashes and invisible marks that people and keyboards put in. Letters are no decoration. */
function undecorated(text: string): string {
  if (!isOneScript(text)) return '';
  return latinDigits(text.replace(/^tel:/i, '')).replace(/[^\d+]/g, (char) =>
    /[\p{L}*#\u202d\u202e]/u.test(char) ? char : '',
  );
}

/** Reads a number that must be one: from our own store, or checked before. Throws otherwise. */
export function msisdn(text: string): Msisdn {
  const read = readPhone(text);
  if (!read) throw new Error('not a Moroccan mobile number');
  return read;
}

/** `0612345678`: how a number is written and dialled in Morocco. */
export function nationalNumber(phone: Msisdn): string {
  return `0${phone.slice(4)}`;
}
