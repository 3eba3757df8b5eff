import { InputFile } from 'grammy';
import type { Reply } from '../../conversation/incoming.ts';
import { createRecent, type Recent } from '../../conversation/recent.ts';
import { CHAT_SQUARE_PIXELS, drawQr } from '../../wallet/qr/draw.ts';
import { type Size, sizeOf } from '../qr/pixels.ts';
import { readUpTo } from '../read-up-to.ts';

/** A picture only adds to the text: nobody waits long for one. */
const FETCH_MAX_MS = 3_000;
/** Half of what Telegram takes (facts B2). */
const PICTURE_BYTES_MAX = 5_000_000;
const WIDTH_AND_HEIGHT_MAX = 10_000;
const RATIO_MAX = 20;
/** How long a picture that Telegram has already is not fetched again, and how long one that failed is not asked for. */
const KEPT_MS = 3_600_000;
const FAILED_MS = 60_000;
const KEPT_MAX = 500;

/** A picture as Telegram is given it: by the id it has there, or as a file. */
export interface Picture {
  readonly file: string | InputFile;
  /** Telegram has it now, in these sizes. */
  sent(sizes: readonly { readonly file_id: string }[] | undefined): void;
  /** Telegram does not take it. */
  refused(): void;
}

export type FindPicture = (picture: Reply['screen']['picture']) => Promise<Picture | undefined>;

/**
 * Finds the pictures of screens: JPEG and PNG, at the wallet's own address or by https at another. We fetch them here
 * and hand them to Telegram, which may not reach the wallet. QR codes are drawn here. A picture that cannot be fetched
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
  /** By address, or by the text of a code: Telegram's id of the picture, or that there is none to be had. */
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
  if (bytes && fits(size)) return pictureOf(deps, key, new InputFile(bytes, `picture.${size.kind}`));
  keep(deps, key, undefined, FAILED_MS);
  return undefined;
}

function pictureOf(deps: PictureDeps, key: string, file: string | InputFile): Picture {
  return {
    file,
    sent: (sizes) => {
      const fileId = sizes?.at(-1)?.file_id;
      if (fileId !== undefined) keep(deps, key, fileId, KEPT_MS);
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

/** Telegram's own limits on photos (facts B2). */
function fits(size: Size | undefined): size is Size {
  if (size?.kind !== 'png' && size?.kind !== 'jpeg') return false;
  const { width, height } = size;
  return width + height <= WIDTH_AND_HEIGHT_MAX && Math.max(width / height, height / width) <= RATIO_MAX;
}
