import type { Message } from 'grammy/types';
import type { Address, SentenceKey } from '../../conversation/incoming.ts';
import { PICTURE_BYTES_MAX, PICTURE_KINDS, type ReadQr } from '../qr/decode.ts';
import { type Interpretation, readPicture, TOO_LARGE } from '../qr/picture.ts';
import { download, type FilesOptions } from './files.ts';

interface PhotoOptions extends FilesOptions {
  readonly readQr: ReadQr;
}

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
