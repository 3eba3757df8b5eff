import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Address } from '../../conversation/incoming.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { BASE, HOME } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import type { Html } from '../layout.ts';
import { sightOf } from '../masks.ts';
import type { Tools } from './options.ts';
import { isGood, isSaid, type Said, saidNote, type View } from './parts.ts';

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
  if (!isByScript(c)) return saysOn(c, said, back);
  if (!isGood(said)) c.set('refusal', said);
  const { because, piece } = here;
  return c.html(
    html`${saidNote(toldOf(c, said), c.var.language, because)}${piece}`,
    isGood(said) ? 200 : 409,
  );
}

/** Says the result of an act on a page, to which the browser is led. @param path of the page */
export function saysOn(c: Context<Guarded>, said: Said, path: string): Response {
  if (!isGood(said)) c.set('refusal', said);
  const address = `${path}${path.includes('?') ? '&' : '?'}said=${toldOf(c, said)}`;
  if (!isByScript(c)) return c.redirect(address, 303);
  c.header('hx-redirect', address);
  return c.body(null, 204);
}

/** A script of the page has sent the form, and puts the answer into the page. */
export function isByScript(c: Context): boolean {
  return c.req.header('hx-request') !== undefined;
}

/** The result of an act, with the act's name where it was done. */
function toldOf(c: Context<Guarded>, said: Said): Said {
  const act = said === 'done' ? c.var.acted?.() : undefined;
  return act ? `done-${act}` : said;
}

/**
 * Leads on from a case that was closed. The page there says what was done.
 * @param after the next case. Absent: to the inbox
 */
export function leadsOn(c: Context<Guarded>, after: string | undefined): Response {
  return saysOn(c, 'done', after ? `${BASE}/cases/${after}/work` : HOME);
}

/** Thrown for something that is not there: the answer is the page for that (`notThere`). */
export class NotThere extends Error {
  override name = 'NotThere';
}

/** @throws NotThere */
export function found<T>(it: T | undefined): T {
  if (it === undefined) throw new NotThere();
  return it;
}

/** Writes an act of the signed-in agent into the audit, before it is done. Details that are empty are left out. */
export function audited(
  { audit }: Pick<Tools, 'audit'>,
  c: Context<Guarded>,
  act: Audited,
  details: { readonly [name in 'on' | 'about' | 'what' | 'why']?: string | undefined } = {},
): Promise<void> {
  const given = Object.entries(details).filter(([, value]) => value);
  return audit.append({ who: c.var.who.id, act, ...Object.fromEntries(given) });
}

/** For whom a page is made, and what it says of the act that led to it. */
export function viewOf(
  { now }: { readonly now: () => number },
  c: Context<Guarded>,
  isRevealed = false,
): View {
  const { who, language } = c.var;
  const said = c.req.query('said');
  return {
    who,
    language,
    now: now(),
    sight: sightOf(who, isRevealed),
    said: isSaid(said) ? said : undefined,
  };
}

/** The customer of a session, as the audit has them. Undefined where the customer is not known. */
export async function aboutWhom(
  { desk }: Pick<Tools, 'desk'>,
  address: Address,
): Promise<Msisdn | undefined> {
  return (await desk.session(address))?.wallet;
}
