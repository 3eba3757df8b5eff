import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import ar from '../../../locales/ar/identity-provider.json' with { type: 'json' };
import en from '../../../locales/en/identity-provider.json' with { type: 'json' };
import fr from '../../../locales/fr/identity-provider.json' with { type: 'json' };
import { LOOK, pageWithLabels } from '../../http/files.ts';
import { pageHeaders } from '../../http/page-headers.ts';

/** The path of the stand-in. */
export const PROVIDER_PAGE = '/idprovider';

const PAGE = pageWithLabels(new URL('./provider-page.html', import.meta.url), { fr, ar, en });
const STYLE = readFileSync(new URL('palette.css', LOOK), 'utf8');
const FILLED = PAGE.replace('/* palette */', () => STYLE);

/** The digests of what stands inline between such tags, as a Content Security Policy names them. */
function inline(tag: 'style' | 'script'): string[] {
  const found = FILLED.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'));
  return [...found].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

const HEADERS = pageHeaders(
  { defaultSrc: ["'none'"], baseUri: ["'none'"], styleSrc: inline('style'), scriptSrc: inline('script') },
  // Anybody who plays an operator's page may show it in a frame.
  {
    xFrameOptions: false,
    crossOriginResourcePolicy: false,
    crossOriginOpenerPolicy: false,
    referrerPolicy: 'no-referrer',
  },
);

/**
 * A stand-in for an operator's page around the identity provider's web SDK, which v2.3 does not show. It takes the token from the page that holds it
 * in a frame, and a press for the scan and the selfie. It sends nothing anywhere.
 */
export function providerPages(): Hono {
  return new Hono().get(PROVIDER_PAGE, HEADERS, (c) => c.html(FILLED));
}
