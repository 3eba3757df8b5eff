import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Language } from '../../conversation/incoming.ts';
import { isForgeable } from '../../http/origin.ts';
import type { Audit } from '../audit/audit.ts';
import type { Audited } from '../audit/deeds.ts';
import { fields } from '../form.ts';
import { languageOf } from '../language.ts';
import { type Html, layout } from '../layout.ts';
import { say } from '../sentences.ts';
import type { Access } from './access.ts';
import type { Kinship } from './accounts.ts';
import { BASE, BY_ITSELF, ENDPOINTS, signInPath } from './endpoints.ts';
import { type Act, may, type Role } from './roles.ts';
import { noticePage } from './sign-in-pages.ts';

export interface Who {
  /** The account's name, as `nadia.b`. */
  readonly id: string;
  /** The name that customers read. */
  readonly name: string;
  readonly role: Role;
  /** The operator lets agents see the amounts of payments (`AGENTS_SEE_AMOUNTS`). */
  readonly seesAmounts?: boolean;
  /** Names this sign-in. It cannot be used to sign in. */
  readonly sessionId: string;
  /** Every form sends it as `csrf`, every script as `x-csrf-token`. */
  readonly csrf: string;
  readonly language: Language;
  /** Other accounts that count as the same person, each with why: what those have proposed they do not approve. Absent: none. */
  readonly kin?: Readonly<Record<string, Kinship>>;
}

/** The data that the guard leaves for the handlers behind it. */
export interface Guarded {
  Variables: {
    /** On every endpoint that is not for `anyone`, where somebody is signed in. */
    readonly who: Who;
    /** The one who is signed in, or the browser's. */
    readonly language: Language;
    /** The reason why nothing was done although the answer is a page like any other. Absent: its status tells it. */
    readonly refusal?: string;
    /** The last act of this request that the audit has. */
    readonly acted?: () => Audited | undefined;
  };
}

/**
 * Stands before every endpoint of the console. `ENDPOINTS` has the rights. A route that is missing there is closed to
 * everybody. A request without a sign-in is sent to the sign-in (a page) or answered 401 (anything else). An agent
 * without the right is answered 403. Every request that may change something must come from our own page: its `Origin`
 * is ours, and with an account it carries the `csrf` token.
 */
export function guard(
  access: Pick<Access, 'whoIs'>,
  audit: Pick<Audit, 'append'>,
): MiddlewareHandler<Guarded> {
  return async (c, next) => {
    const endpoint = endpointOf(c);
    const needed = ENDPOINTS[endpoint];
    c.set('language', languageOf(c));
    if (needed === undefined) {
      const who = wantsPage(c) ? await access.whoIs(c, c.var.language, true) : undefined;
      if (who) c.set('who', who);
      return notThere(c);
    }
    if (needed === 'anyone') return isForgeable(c) ? c.text('wrong origin\n', 403) : next();

    const who = await access.whoIs(c, c.var.language, !BY_ITSELF.has(endpoint));
    if (!who) return isForgeable(c) ? c.text('wrong origin\n', 403) : askForSignIn(c);
    c.set('who', who);
    const refusal = await refusalOf(c, who, needed);
    if (refusal) {
      const refused = { end: 'refused', endWhy: refusal } as const;
      await audit.append({ who: who.id, act: 'denied', on: endpoint, ...namedBy(c, endpoint), ...refused });
      const showsPage = refusal === 'forbidden' && wantsPage(c);
      return showsPage ? c.html(forbiddenPage(who), 403) : c.text(`${REFUSALS[refusal]}\n`, 403);
    }
    c.set('language', who.language);
    return next();
  };
}

/** The reason why a signed-in agent is refused, as the audit has it, and the answer to a script. */
const REFUSALS = { origin: 'wrong origin', forbidden: 'forbidden', token: 'wrong token' } as const;

async function refusalOf(c: Context, who: Who, needed: Act): Promise<keyof typeof REFUSALS | undefined> {
  if (isForgeable(c)) return 'origin';
  if (!may(who.role, needed)) return 'forbidden';
  return isChange(c) && (await csrfOf(c)) !== who.csrf ? 'token' : undefined;
}

function isChange(c: Context): boolean {
  return c.req.method !== 'GET' && c.req.method !== 'HEAD';
}

function askForSignIn(c: Context): Response {
  return wantsPage(c)
    ? c.redirect(signInPath(isChange(c) ? BASE : c.req.path + new URL(c.req.url).search), 303)
    : c.text('sign in\n', 401);
}

/** The page for what is not there, or is named by an address that was not made here. */
export function notThere(c: Context<Guarded>): Response | Promise<Response> {
  if (!wantsPage(c)) return c.text('not found\n', 404);
  const who: Who | undefined = c.var.who;
  const language = who?.language ?? c.var.language;
  const [title, sentence] = [say(language, 'console.notThere'), say(language, 'console.noSuchPage')];
  return c.html(noticePage(language, { title, sentence, who }), 404);
}

function forbiddenPage(who: Who): Html {
  const title = say(who.language, 'console.forbidden');
  return layout({ language: who.language, who }, title)`<section class="narrow card">
      <h1>${title}</h1>
      <p>${say(who.language, 'console.forbiddenHint')}</p>
    </section>`;
}

/** The endpoint that this request is for, as `ENDPOINTS` names it. Empty where there is none. */
export function endpointOf(c: Context): string {
  const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL');
  return route ? `${route.method} ${route.path.slice(BASE.length) || '/'}` : '';
}

/**
 * The customer, case or account that the path of a refused request names. Paths with a token are open to anyone and
 * never named.
 */
export function namedBy(c: Context, endpoint: string): { readonly what?: string } {
  const asked = `${c.req.method} ${c.req.path.slice(BASE.length)}`.slice(0, ASKED_MAX_CHARACTERS);
  return asked === endpoint || ENDPOINTS[endpoint] === 'anyone' ? {} : { what: asked };
}
const ASKED_MAX_CHARACTERS = 120;

function wantsPage(c: Context): boolean {
  return (c.req.header('accept') ?? '').includes('text/html');
}

async function csrfOf(c: Context): Promise<unknown> {
  const header = c.req.header('x-csrf-token');
  if (header !== undefined) return header;
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/.test(
    c.req.header('content-type') ?? '',
  );
  return isForm ? (await fields(c)).csrf : undefined;
}
