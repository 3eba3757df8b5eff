import type { Reply } from '../conversation/incoming.ts';
import { createRecent, type Recent } from '../conversation/recent.ts';
import { CHAT_SQUARE_PIXELS, drawQr } from '../wallet/qr/draw.ts';
import { type Size, sizeOf } from './qr/pixels.ts';
import { readUpTo } from './read-up-to.ts';

/** A picture only adds to the text: nobody waits long for one. */
const FETCH_MAX_MS = 3_000;
/** Half of what Telegram takes, and all that WhatsApp does (facts B2, C1.2). */
const PICTURE_BYTES_MAX = 5_000_000;
const WIDTH_AND_HEIGHT_MAX = 10_000;
const RATIO_MAX = 20;
/** How long a picture that the provider has already is not fetched again, and how long one that failed is not asked for. */
const KEPT_MS = 3_600_000;
const FAILED_MS = 60_000;
const KEPT_MAX = 500;

interface PictureFile {
  readonly bytes: Uint8Array;
  readonly kind: 'png' | 'jpeg';
}

/** A picture as a chat's provider is given it: by the id it has there, or as a file. */
export interface Picture {
  readonly file: string | PictureFile;
  /** The provider has it now, by this id. */
  sent(id: string | undefined): void;
  refused(): void;
}

export type FindPicture = (picture: Reply['screen']['picture']) => Promise<Picture | undefined>;

/**
 * Finds the pictures of screens: JPEG and PNG, at the wallet's own address or by https at another. We fetch them here
 * and hand them to the provider of the chat, which may not reach the wallet. QR codes are drawn here. A picture that cannot be fetched
 * or shown is left out: the text says it all.
 * @param walletUrl where paths begin; absent: there are no pictures but those that are drawn
 */
export function createPictures(walletUrl?: string, now: () => number = Date.now): FindPicture {
  const deps: PictureDeps = { walletUrl, now, known: createRecent(KEPT_MAX) };
  return (wanted) => find(deps, wanted);
}

interface PictureDeps {
  readonly walletUrl: string | undefined;
  readonly now: () => number;
  /** By address, or by the text of a code: the provider's id of the picture, or that there is none to be had. */
  readonly known: Recent<string, { readonly fileId: string | undefined; readonly until: number }>;
}

async function find(deps: PictureDeps, wanted: Reply['screen']['picture']): Promise<Picture | undefined> {
  const source = wanted && sourceOf(wanted, deps.walletUrl);
  if (!source) return undefined;
  const { key, load } = source;
  const kept = deps.known.get(key);
  if (kept && kept.until > deps.now())
    return kept.fileId === undefined ? undefined : pictureOf(deps, key, kept.fileId);
  const bytes = await load().catch(() => undefined);
  const size = bytes && sizeOf(bytes);
  if (bytes && fits(size)) return pictureOf(deps, key, { bytes, kind: size.kind });
  keep(deps, key, undefined, FAILED_MS);
  return undefined;
}

function pictureOf(deps: PictureDeps, key: string, file: Picture['file']): Picture {
  return {
    file,
    sent: (id) => {
      if (id !== undefined) keep(deps, key, id, KEPT_MS);
    },
    refused: () => keep(deps, key, undefined, FAILED_MS),
  };
}

function keep({ known, now }: PictureDeps, key: string, fileId: string | undefined, ms: number): void {
  known.set(key, { fileId, until: now() + ms });
}

interface Source {
  readonly key: string;
  load(): Promise<Uint8Array | undefined>;
}

function sourceOf(wanted: string | { readonly qr: string }, walletUrl?: string): Source | undefined {
  if (typeof wanted !== 'string') {
    const draw = async () => (await drawQr(wanted.qr, CHAT_SQUARE_PIXELS))?.png;
    return { key: `qr:${wanted.qr}`, load: draw };
  }
  const url = walletUrl && placeOf(wanted, walletUrl);
  return url ? { key: url, load: () => fetched(url) } : undefined;
}

/** We trust the wallet with its own address. Elsewhere, https keeps the inside of our network out of reach. */
function placeOf(address: string, walletUrl: string): string | undefined {
  if (!URL.canParse(address, walletUrl)) return undefined;
  const { href, origin, protocol } = new URL(address, walletUrl);
  return protocol === 'https:' || origin === new URL(walletUrl).origin ? href : undefined;
}

async function fetched(url: string): Promise<Uint8Array | undefined> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MAX_MS), redirect: 'error' });
  return answer.ok ? readUpTo(answer, PICTURE_BYTES_MAX) : undefined;
}

/** Telegram's limits on photos (facts B2). WhatsApp names none. */
function fits(size: Size | undefined): size is Size & Pick<PictureFile, 'kind'> {
  if (size?.kind !== 'png' && size?.kind !== 'jpeg') return false;
  const { width, height } = size;
  return width + height <= WIDTH_AND_HEIGHT_MAX && Math.max(width / height, height / width) <= RATIO_MAX;
}
