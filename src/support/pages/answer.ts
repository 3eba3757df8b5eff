import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Language } from '../../conversation/incoming.ts';
import { BASE, HOME } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { type Html, layout } from '../layout.ts';
import { sightOf } from '../masks.ts';
import { say } from '../sentences.ts';
import { flash, isGood, type Said, saidNote, type View } from './parts.ts';

/**
 * Says the result of an act: next to its form where a script has sent it, else on the page that it was sent from.
 * @param back that page's path
 * @param here more for a script: an earlier act of another agent, in a sentence, and a piece of the page as it is now
 */
export function answer(
  c: Context<Guarded>,
  said: Said,
  back: string,
  here: { readonly because?: string | undefined; readonly piece?: Html | undefined } = {},
): Response | Promise<Response> {
  if (!isGood(said)) c.set('refusal', said);
  const told = toldOf(c, said);
  if (!c.req.header('hx-request'))
    return c.redirect(`${back}${back.includes('?') ? '&' : '?'}said=${told}`, 303);
  const { because, piece } = here;
  return c.html(html`${saidNote(told, c.var.language, because)}${piece}`, isGood(said) ? 200 : 409);
}

/** The result of an act, with the act's name where it was done. */
function toldOf(c: Context<Guarded>, said: Said): Said {
  const act = said === 'done' ? c.var.acted?.() : undefined;
  return act ? `done-${act}` : said;
}

/**
 * Leads on from a case that was closed, also an agent whose form was sent by a script. The page there says what was done.
 * @param after the next case. Absent: to the inbox
 */
export function leadsOn(c: Context<Guarded>, after: string | undefined): Response | Promise<Response> {
  const path = `${after ? `${BASE}/cases/${after}/work` : HOME}?said=${toldOf(c, 'done')}`;
  if (!c.req.header('hx-request')) return c.redirect(path, 303);
  c.header('HX-Redirect', path);
  return c.html('');
}

/** The page for what is not there, or is named by an address that was not made here. */
export function notFound(c: Context<Guarded>): Response | Promise<Response> {
  const language: Language = c.var.language;
  const title = say(language, 'console.notThere');
  return c.html(layout({ title, language, who: c.var.who, body: flash('nothingFound', language) }), 404);
}

/** For whom a page is made. */
export function viewOf(c: Context<Guarded>, now: number): View {
  const { who, language } = c.var;
  return { who, language, now, sight: sightOf(who) };
}
