import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { LANGUAGES, type Language } from '../conversation/incoming.ts';

const COOKIE = 'console-language';
const KEPT_SECONDS = 365 * 24 * 3_600;

/**
 * The language of the console's pages for a request: the one just chosen (`?language=ar`, then kept in a cookie), the
 * one chosen before, or the browser's first. French where we have none of them.
 */
export function languageOf(c: Context): Language {
  const chosen = known(c.req.query('language'));
  if (chosen) {
    setCookie(c, COOKIE, chosen, {
      path: '/support',
      maxAge: KEPT_SECONDS,
      sameSite: 'Lax',
      httpOnly: true,
    });
    return chosen;
  }
  return known(getCookie(c, COOKIE)) ?? asked(c.req.header('accept-language') ?? '') ?? 'fr';
}

function asked(header: string): Language | undefined {
  for (const each of header.split(',')) {
    const language = known(each.trim().slice(0, 2).toLowerCase());
    if (language) return language;
  }
  return undefined;
}

function known(text: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === text);
}
