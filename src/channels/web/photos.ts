import type { Context } from 'hono';
import type { Input } from '../../conversation/incoming.ts';
import { photoOf, type ReadQr } from '../qr/decode.ts';

/** The page makes a picture smaller than this before it sends it. */
export const PHOTO_BYTES_MAX = 2_000_000;
/** Pictures that this process holds at a time: of more it says that it takes none now. */
const PHOTOS_MAX = 20;
const KINDS: ReadonlySet<string | undefined> = new Set(['image/jpeg', 'image/png']);

/** Reads the picture that a request brings; `busy`: of too many at a time. A picture of another kind is undefined. */
export type ReadPhoto = (c: Context) => Promise<Extract<Input, { type: 'photo' }> | 'busy' | undefined>;

/** A picture is read and kept nowhere. One in which no code can be read is a photo without one: its customer sends another. */
export function createPhotos(readQr: ReadQr): ReadPhoto {
  let held = 0;
  return async (c) => {
    if (!KINDS.has(c.req.header('content-type'))) return undefined;
    if (held >= PHOTOS_MAX) return 'busy';
    held++;
    try {
      const reading = await readQr(new Uint8Array(await c.req.arrayBuffer()));
      return reading.kind === 'busy' ? 'busy' : photoOf(reading);
    } finally {
      held--;
    }
  };
}
