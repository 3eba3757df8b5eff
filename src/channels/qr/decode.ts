import { Worker } from 'node:worker_threads';
import type { Input } from '../../conversation/incoming.ts';
import { readMerchantQr } from '../../wallet/qr/merchant-qr.ts';
import { pixelsOf } from './pixels.ts';

/** What was found in a picture. `texts`: one for each QR code, as it reads there. */
export type QrReading =
  | { readonly kind: 'found'; readonly texts: readonly string[] }
  | { readonly kind: 'none' | 'notAPicture' | 'tooLarge' | 'tooSlow' | 'busy' };

/** A photo of a telephone is smaller. */
export const PICTURE_BYTES_MAX = 5_000_000;
/** A small file may hold an enormous picture: what it unpacks to is four bytes for each of these. */
const PICTURE_PIXELS_MAX = 25_000_000;
const DECODE_MAX_MS = 10_000;
/** Pictures are decoded one after the other, so that they never take more than one core; the rest is sent again. */
const WAITING_MAX = 20;

export type ReadQr = (picture: Uint8Array) => Promise<QrReading>;

/**
 * Reads QR codes in JPEG and PNG pictures. Each is decoded in a thread of its own, which is ended when it takes too long: the
 * decoder (zxing-wasm) cannot be stopped otherwise, and what a picture leaves behind in its memory goes with it. Nothing is
 * started before the first picture, nothing is fetched, and no picture is kept.
 */
export function createQrReader({ maxMs = DECODE_MAX_MS }: { readonly maxMs?: number } = {}): ReadQr {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (picture) => {
    if (picture.length > PICTURE_BYTES_MAX) return { kind: 'tooLarge' };
    const pixels = pixelsOf(picture);
    if (pixels === undefined) return { kind: 'notAPicture' };
    if (pixels > PICTURE_PIXELS_MAX) return { kind: 'tooLarge' };
    if (waiting >= WAITING_MAX) return { kind: 'busy' };
    waiting++;
    const reading = last.then(() => decoded(picture, maxMs)).finally(() => waiting--);
    last = reading;
    return reading;
  };
}

/** The input that a picture is: with a code only where it is certain which one is meant. */
export function photoOf(reading: QrReading): Extract<Input, { type: 'photo' }> {
  const texts = reading.kind === 'found' ? [...new Set(reading.texts)] : [];
  const payable = texts.length > 1 ? texts.filter((text) => readMerchantQr(text).ok) : texts;
  const [qr, ...more] = payable;
  return qr !== undefined && more.length === 0 ? { type: 'photo', qr } : { type: 'photo' };
}

/** What the thread says. Anything that goes wrong in it is a picture that cannot be read; the customer sends another. */
function decoded(picture: Uint8Array, maxMs: number): Promise<QrReading> {
  const { promise, resolve } = Promise.withResolvers<QrReading>();
  const thread = new Worker(new URL('./decoder.ts', import.meta.url), { workerData: picture });
  const timer = setTimeout(() => resolve({ kind: 'tooSlow' }), maxMs);
  thread
    .once('message', (texts: readonly string[]) =>
      resolve(texts.length > 0 ? { kind: 'found', texts } : { kind: 'none' }),
    )
    .once('error', () => resolve({ kind: 'notAPicture' }))
    .once('exit', () => resolve({ kind: 'notAPicture' }));
  return promise.finally(() => {
    clearTimeout(timer);
    void thread.terminate();
  });
}
