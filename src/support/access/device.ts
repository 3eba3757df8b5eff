import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Secrets } from '../../conversation/secrets.ts';

const KEPT_DAYS = 180;
const COOKIE = /^([\w-]{22})\.([\w-]{16})$/;

/**
 * Browsers in which somebody has signed in before ("device cookies", OWASP): their wrong tries are counted apart, so that
 * those of strangers keep nobody out of their own browser. The cookie signs nobody in.
 */
export type Devices = ReturnType<typeof createDevices>;

export function createDevices(secrets: Pick<Secrets, 'digests'>, { secure }: { readonly secure: boolean }) {
  const name = secure ? '__Host-wasl-device' : 'wasl-device';
  const digests = (account: string, random: string) =>
    secrets.digests(JSON.stringify(['support-device', account, random]));
  return {
    /** The name of this browser, where this account has signed in with it. Undefined for a stranger's. */
    of(c: Context, account: string): string | undefined {
      const [, random = '', digest = ''] = COOKIE.exec(getCookie(c, name) ?? '') ?? [];
      return random && digests(account, random).includes(digest) ? random : undefined;
    },
    /** Remembers, in the browser, that this account has signed in. */
    remember(c: Context, account: string): void {
      const random = randomBytes(16).toString('base64url');
      const [digest = ''] = digests(account, random);
      const maxAge = KEPT_DAYS * 24 * 60 * 60;
      setCookie(c, name, `${random}.${digest}`, {
        path: '/',
        httpOnly: true,
        secure,
        sameSite: 'Strict',
        maxAge,
      });
    },
  };
}
