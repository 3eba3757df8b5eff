import type { Input } from '../../conversation/incoming.ts';
import { createFairThread } from '../../threads/fair-thread.ts';
import { readMerchantQr } from '../../wallet/qr/merchant-qr.ts';
import { pixelsOf } from './pixels.ts';

/** The codes found in a picture. `texts`: one for each QR code, as it reads there. */
export type QrReading =
  | { readonly kind: 'found'; readonly texts: readonly string[] }
  | { readonly kind: 'none' | 'notAPicture' | 'tooLarge' | 'tooSlow' | 'busy' };

export const PICTURE_BYTES_MAX = 5_000_000;
/** The kinds that are read, as a browser or Telegram names them. */
export const PICTURE_KINDS: ReadonlySet<string | undefined> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
]);
/** A small file may hold an enormous picture: unpacked, it takes four bytes for each of these. */
const PICTURE_PIXELS_MAX = 25_000_000;
const DECODE_MAX_MS = 2_000;
const WAITING_MAX = 20;
/** A third of a core: a mobile operator has many customers behind one network address. */
const CALLER_MAX_MS = 20_000;

/** @param caller whose picture it is: a network address, or a chat where there is none */
export type ReadQr = (picture: Uint8Array, caller: string) => Promise<QrReading>;

/**
 * Reads QR codes in pictures. The decoders run in a thread that ends after two seconds, one picture at a time, in a fair queue.
 * Nothing is started before the first picture, nothing is fetched, and no picture is kept.
 */
export function createQrReader({ maxMs = DECODE_MAX_MS }: { readonly maxMs?: number } = {}): ReadQr {
  const decode = createFairThread<readonly string[]>({
    program: new URL('./decoder.ts', import.meta.url),
    jobMaxMs: maxMs,
    waitingMax: WAITING_MAX,
    callerMaxMs: CALLER_MAX_MS,
  });
  return async (picture, caller) => {
    if (picture.length > PICTURE_BYTES_MAX) return { kind: 'tooLarge' };
    const pixels = pixelsOf(picture);
    if (pixels === undefined) return { kind: 'notAPicture' };
    if (pixels > PICTURE_PIXELS_MAX) return { kind: 'tooLarge' };
    const decoded = await decode(picture, caller);
    if (decoded === 'failed') return { kind: 'notAPicture' };
    if (typeof decoded === 'string') return { kind: decoded };
    return decoded.result.length > 0 ? { kind: 'found', texts: decoded.result } : { kind: 'none' };
  };
}

/** The input that a picture is: with a code only where it is certain which one is meant. */
export function photoOf(reading: QrReading): Extract<Input, { type: 'photo' }> {
  const texts = reading.kind === 'found' ? [...new Set(reading.texts)] : [];
  const payable = texts.length > 1 ? texts.filter((text) => readMerchantQr(text).ok) : texts;
  const [qr, ...more] = payable;
  return qr !== undefined && more.length === 0 ? { type: 'photo', qr } : { type: 'photo' };
}
