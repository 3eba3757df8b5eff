import type { Message } from 'grammy/types';
import type { Address, Input, SentenceKey, Unfetched } from '../../conversation/incoming.ts';
import { PICTURE_BYTES_MAX, PICTURE_KINDS, photoOf, type QrReading, type ReadQr } from '../qr/decode.ts';
import { download, type FilesOptions } from './files.ts';

interface PhotoOptions extends FilesOptions {
  readonly readQr: ReadQr;
}

/** The meaning of a message, and a sentence of ours about it, said before the screen. */
export interface Interpretation {
  readonly raw: Input;
  readonly say?: SentenceKey;
}

const TOO_LARGE = 'telegram.photoTooLarge';
const NOT_NOW = 'telegram.photoNotNow';
/** The sentences for a picture in which there may well be a code. */
const WHY_UNREAD: Partial<Readonly<Record<QrReading['kind'], SentenceKey>>> = {
  notAPicture: 'telegram.photoKind',
  tooLarge: TOO_LARGE,
  tooSlow: 'telegram.photoTooSlow',
  busy: NOT_NOW,
};

/** The file of a picture: the largest that we read, of the sizes Telegram keeps, or a picture sent as a file. Else why not. */
export function pictureIn({
  photo,
  document,
}: Message): { readonly file: string } | { readonly say: SentenceKey } {
  const fits = (size: number | undefined) => (size ?? 0) <= PICTURE_BYTES_MAX;
  const largest = photo?.findLast(({ file_size: size }) => fits(size));
  if (photo) return largest ? { file: largest.file_id } : { say: TOO_LARGE };
  if (!document?.mime_type?.startsWith('image/')) return { say: 'telegram.notRead' };
  if (!PICTURE_KINDS.has(document.mime_type)) return { say: 'telegram.photoKind' };
  return fits(document.file_size) ? { file: document.file_id } : { say: TOO_LARGE };
}

/**
 * Reads the QR code of a picture, by the id of its file. A picture that cannot be fetched or read gets a sentence, and the
 * customer sends it again: Telegram would bring the update again for a day.
 */
export type ReadPhoto = (fileId: string, chat: Address) => Promise<Interpretation>;

export function createPhotos(options: PhotoOptions): ReadPhoto {
  return (fileId, chat) => readPhoto(options, fileId, chat);
}

async function readPhoto(options: PhotoOptions, fileId: string, chat: Address): Promise<Interpretation> {
  return readPicture(await download(options, fileId, PICTURE_BYTES_MAX), options, chat);
}

/** Reads the QR code of a picture that was fetched, or says why none can be read. */
export async function readPicture(
  picture: Uint8Array | Unfetched,
  { readQr }: Pick<PhotoOptions, 'readQr'>,
  chat: Address,
): Promise<Interpretation> {
  if (typeof picture === 'string') return unread(picture === 'tooLarge' ? TOO_LARGE : NOT_NOW);
  const reading = await readQr(picture, chat);
  const why = WHY_UNREAD[reading.kind];
  return why === undefined ? { raw: photoOf(reading) } : unread(why);
}

function unread(say: SentenceKey): Interpretation {
  return { raw: { type: 'opened' }, say };
}
