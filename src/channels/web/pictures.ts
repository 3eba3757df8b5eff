import type { Context } from 'hono';
import type { Secrets } from '../../conversation/secrets.ts';
import { readUpTo } from '../read-up-to.ts';

/** The page's own policy is sent with them: a script in a drawing does not run, wherever it is opened. */
const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']);
const PICTURE_MAX_BYTES = 1_000_000;
const FETCH_MAX_MS = 5_000;
const KEPT_SECONDS = 24 * 3_600;

/** The wallet's pictures, fetched by us: its address is nobody's business in a browser, and may be reached from here alone. */
export interface WalletPictures {
  /** The page's address for a picture of the wallet's. Undefined for one of any other origin. */
  at(picture: string): string | undefined;
  file(c: Context): Promise<Response>;
}

/** A digest is in the address, so that nobody has us fetch an address that the wallet has not named. */
export function walletPictures(walletUrl: string, secrets: Pick<Secrets, 'digests'>): WalletPictures {
  const { origin } = new URL(walletUrl);
  const digests = (path: string) => secrets.digests(JSON.stringify(['web-picture', path]));
  return {
    at(picture) {
      const url = URL.parse(picture, walletUrl);
      if (url?.origin !== origin) return undefined;
      const path = url.pathname + url.search;
      return `/chat/pictures/${digests(path)[0]}?at=${encodeURIComponent(path)}`;
    },
    async file(c) {
      const path = c.req.query('at') ?? '';
      if (!digests(path).includes(c.req.param('digest') ?? '')) return c.notFound();
      const signal = AbortSignal.timeout(FETCH_MAX_MS);
      const answer = await fetch(origin + path, { signal, redirect: 'error' }).catch(() => undefined);
      const type = answer?.headers.get('content-type')?.split(';')[0] ?? '';
      const isShown = answer?.ok && TYPES.has(type);
      const bytes = isShown ? await readUpTo(answer, PICTURE_MAX_BYTES).catch(() => undefined) : undefined;
      if (!bytes) return c.notFound();
      const headers = { 'content-type': type, 'cache-control': `private, max-age=${KEPT_SECONDS}` };
      return c.body(Uint8Array.from(bytes), 200, headers);
    },
  };
}
