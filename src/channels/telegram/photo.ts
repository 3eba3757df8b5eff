import type { Api } from 'grammy';
import type { Message } from 'grammy/types';
import type { Raw } from '../../conversation/incoming.ts';
import { PICTURE_BYTES_MAX, photoOf, type ReadQr } from '../qr/decode.ts';

const DOWNLOAD_MAX_MS = 10_000;

export interface PhotoOptions {
  readonly api: Api;
  readonly token: string;
  readonly apiRoot?: string | undefined;
  readonly readQr: ReadQr;
  /** In place of the network: the simulator's Telegram is in this process. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The file of a picture: the largest that we read, of the sizes Telegram keeps, or a picture sent as a file. */
export function pictureIn({ photo, document }: Message): string | undefined {
  const fits = (size: number | undefined) => (size ?? 0) <= PICTURE_BYTES_MAX;
  const largest = photo?.findLast(({ file_size: size }) => fits(size));
  if (largest) return largest.file_id;
  return document?.mime_type?.startsWith('image/') && fits(document.file_size) ? document.file_id : undefined;
}

/**
 * Reads the QR code of a picture. What cannot be fetched or read is a picture without a code, and the customer sends
 * another: Telegram would bring the update again for a day.
 */
export function createPhotos({
  api,
  token,
  apiRoot = 'https://api.telegram.org',
  readQr,
  fetch = globalThis.fetch,
}: PhotoOptions) {
  return async (fileId: string): Promise<Raw> => {
    try {
      const { file_path: path, file_size: size = 0 } = await api.getFile(fileId);
      if (!path || size > PICTURE_BYTES_MAX) return { type: 'photo' };
      const signal = AbortSignal.timeout(DOWNLOAD_MAX_MS);
      const answer = await fetch(`${apiRoot}/file/bot${token}/${path}`, { signal });
      if (!answer.ok) return { type: 'photo' };
      return photoOf(await readQr(new Uint8Array(await answer.arrayBuffer())));
    } catch {
      // Whatever was thrown may quote the address, and with it the token: it is told to nobody.
      return { type: 'photo' };
    }
  };
}
