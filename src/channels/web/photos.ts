import type { Context } from 'hono';
import { type FilesInHand, type Input, inHand } from '../../conversation/incoming.ts';
import { photoOf, type ReadQr } from '../qr/decode.ts';

/** The page makes a picture smaller than this before it sends it. */
export const PHOTO_BYTES_MAX = 2_000_000;
/** Pictures that this process holds at a time: of more it says that it takes none now. */
const PHOTOS_MAX = 20;
const KINDS: ReadonlySet<string | undefined> = new Set(['image/jpeg', 'image/png']);

/** What the page calls lines of a table, of which it sends nothing. */
const TABLE = 'text/csv';

/** Reads the picture that a request brings; `busy`: of too many at a time. */
export type ReadPhoto = (c: Context) => Promise<Extract<Input, { type: 'photo' }> | 'busy'>;

/**
 * A picture is read and kept nowhere. One in which no code can be read is a photo without one, and so is what is no picture:
 * the screen says what to send.
 */
export function createPhotos(readQr: ReadQr): ReadPhoto {
  let held = 0;
  return async (c) => {
    const kind = c.req.header('content-type');
    if (kind === TABLE) return { type: 'photo', table: true };
    if (!KINDS.has(kind)) return { type: 'photo' };
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

/** Files that this process holds at a time, of at most two sides each. */
const UPLOADS_MAX = 10;
const SIDES_MAX = 2;

/** Takes the files that a request brings, of which nothing is believed; undefined for none, or more than a document has sides. */
export type ReadFiles = (c: Context) => Promise<FilesInHand | 'busy' | undefined>;

/**
 * What a merchant sends of a document: side by side in one request, so that this process holds it for that request alone, and another one,
 * or the same after a restart, needs nothing of it. The page keeps the first side until the second one is chosen.
 */
export function createFiles(): ReadFiles {
  let held = 0;
  return async (c) => {
    if (!c.req.header('content-type')?.startsWith('multipart/form-data')) return undefined;
    if (held >= UPLOADS_MAX) return 'busy';
    held++;
    try {
      const form = await c.req.formData().catch(() => undefined);
      const files = form?.getAll('file').filter((each) => each instanceof File) ?? [];
      if (files.length === 0 || files.length > SIDES_MAX) return undefined;
      return inHand(await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer()))));
    } finally {
      held--;
    }
  };
}
