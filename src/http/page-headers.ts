import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

type Options = NonNullable<Parameters<typeof secureHeaders>[0]>;
/** A Content Security Policy: what a page may load, send and be framed by. */
export type PagePolicy = NonNullable<Options['contentSecurityPolicy']>;

/** Our own files only, nothing inline, nobody's frame. */
export const OWN_FILES_ONLY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameSrc: ["'none'"],
  frameAncestors: ["'none'"],
} satisfies PagePolicy;

/** No page of ours asks for these. A page that frames another one lets that one have its needs. */
const NOTHING_OF_THE_DEVICE = {
  ...{ camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
  ...{ displayCapture: [], midi: [], serial: [] },
};

/**
 * Headers that bind the browser on a page: the policy, no guessing of types, and no address sent to other sites. Nothing
 * stays in a cache for the next person at the machine, unless the page says otherwise.
 * @param more other headers of hono/secure-headers than its own choice
 */
export function pageHeaders(policy: PagePolicy, more: Options = {}): MiddlewareHandler {
  const secured = secureHeaders({
    contentSecurityPolicy: policy,
    // Only what is served over https may ask for it for ever.
    strictTransportSecurity: false,
    permissionsPolicy: NOTHING_OF_THE_DEVICE,
    ...more,
  });
  return async (c, next) => {
    await secured(c, next);
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
  };
}
