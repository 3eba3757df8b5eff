import type { Context } from 'hono';
import { type Address, type FilesInHand, type Input, inHand } from '../../conversation/incoming.ts';
import { multipartIn } from '../../http/multipart.ts';
import { PICTURE_KINDS, photoOf, type ReadQr } from '../qr/decode.ts';

/** The page makes a picture smaller than this before it sends it. */
export const PHOTO_BYTES_MAX = 2_000_000;
/** Pictures that this process holds at a time. Further ones are told to come again. */
const PHOTOS_MAX = 100;
/** Of those, the ones from one network address: strangers there cannot take the places of everybody else. */
const PHOTOS_OF_NETWORK_MAX = 10;

/** The kind that the page names for a table file. It sends nothing of the file. */
const TABLE = 'text/csv';

/**
 * Reads the picture that a request brings. `busy`: too many at a time, or a second one of this visitor.
 * @param network the visitor's network address, where it is known
 */
export type ReadPhoto = (
  c: Context,
  visitor: Address,
  network: string | undefined,
) => Promise<Extract<Input, { type: 'photo' }> | 'busy'>;

/**
 * A picture is read and kept nowhere. One in which no code can be read is a photo without one, and so is what is no picture:
 * the screen says what to send.
 */
export function createPhotos(readQr: ReadQr): ReadPhoto {
  const take = createPlaces(PHOTOS_MAX, PHOTOS_OF_NETWORK_MAX);
  return async (c, visitor, network) => {
    const kind = c.req.header('content-type');
    if (kind === TABLE) return { type: 'photo', table: true };
    if (!PICTURE_KINDS.has(kind)) return { type: 'photo' };
    const caller = network ?? visitor;
    return take(visitor, caller, async () => {
      const reading = await readQr(new Uint8Array(await c.req.arrayBuffer()), caller);
      return reading.kind === 'busy' ? 'busy' : photoOf(reading);
    });
  };
}

/** Files that this process holds at a time, of at most two sides each, and those from one network address. */
const UPLOADS_MAX = 10;
const UPLOADS_OF_NETWORK_MAX = 4;
const SIDES_MAX = 2;

/**
 * Takes the files of a request, and believes nothing that it says about them. Undefined for none, or more than a
 * document has sides.
 */
export type ReadFiles = (
  c: Context,
  visitor: Address,
  network: string | undefined,
) => Promise<FilesInHand | 'busy' | undefined>;

/**
 * Reads a merchant's document: both sides come in one request. This process holds them for that request alone, so
 * another process, or this one after a restart, needs nothing of it. The page keeps the first side until the second one
 * is chosen.
 */
export function createFiles(): ReadFiles {
  const take = createPlaces(UPLOADS_MAX, UPLOADS_OF_NETWORK_MAX);
  return async (c, visitor, network) =>
    take(visitor, network ?? visitor, async () => {
      const files = (await multipartIn(c))?.getAll('file').filter((each) => each instanceof File) ?? [];
      if (files.length === 0 || files.length > SIDES_MAX) return undefined;
      return inHand(await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer()))));
    });
}

/** Does something in one of `max` places: one for each visitor, and so many for one network. `busy`: there is none now. */
function createPlaces(max: number, maxOfNetwork: number) {
  const held: { readonly visitor: Address; readonly caller: string }[] = [];
  return async <T>(visitor: Address, caller: string, job: () => Promise<T>): Promise<T | 'busy'> => {
    const isSecond = held.some((each) => each.visitor === visitor);
    const ofNetwork = held.filter((each) => each.caller === caller).length;
    if (isSecond || ofNetwork >= maxOfNetwork || held.length >= max) return 'busy';
    const here = { visitor, caller };
    held.push(here);
    try {
      return await job();
    } finally {
      held.splice(held.indexOf(here), 1);
    }
  };
}
