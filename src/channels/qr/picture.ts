import type { Address, Input, SentenceKey, Unfetched } from '../../conversation/incoming.ts';
import { photoOf, type QrReading, type ReadQr } from './decode.ts';

/** The meaning of a message, and a sentence of ours about it, said before the screen. */
export interface Interpretation {
  readonly raw: Input;
  readonly say?: SentenceKey;
}

/** Said by Telegram too, before it fetches a picture. */
export const TOO_LARGE = 'telegram.photoTooLarge';
const NOT_NOW = 'telegram.photoNotNow';
/** The sentences for a picture in which there may well be a code. */
const WHY_UNREAD: Partial<Readonly<Record<QrReading['kind'], SentenceKey>>> = {
  notAPicture: 'telegram.photoKind',
  tooLarge: TOO_LARGE,
  tooSlow: 'telegram.photoTooSlow',
  busy: NOT_NOW,
};

/** Reads the QR code of a picture that was fetched, or says why none can be read. */
export async function readPicture(
  picture: Uint8Array | Unfetched,
  { readQr }: { readonly readQr: ReadQr },
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
