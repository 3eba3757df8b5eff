import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec } from '../../store/codec.ts';
import type { Audit } from '../audit/audit.ts';
import type { Access, NewSignIn } from './access.ts';
import type { Book } from './account.ts';
import type { Accounts } from './accounts.ts';
import { BASE, HOME, onwardPath } from './endpoints.ts';
import { clean, discover, type OidcClient, type OidcClientConfig, troubleOf } from './oidc-client.ts';
import { ROLES, type Role } from './roles.ts';

/** Begins the names of all accounts from there. */
const PREFIX = 'oidc.';
/** How long somebody may take at the provider. */
const FLOW_MAX_MS = 10 * 60_000;
/** A flow is sealed for the browser that began it. */
const BOUND = 'support-oidc';
const NAME_MAX_CHARACTERS = 40;
/** So many tabs of one browser may be at the provider at once: each takes a cookie. */
const FLOWS_MAX = 4;
const NEXT_MAX_CHARACTERS = 200;
/** A browser keeps no cookie above 4 kB. */
const HINT_MAX_CHARACTERS = 3_500;
const ASK_FOR_S = 30 * 24 * 3_600;

/** The company's own sign-in. */
export interface OidcConfig extends OidcClientConfig {
  /** Wasl asks for these, such as `openid profile`. They decide which claims come. */
  readonly scope: string;
  /** The prompt with which the provider asks for an account. Absent: one that the provider says it knows, else `login`. */
  readonly prompt?: 'select_account' | 'login' | undefined;
  /** The claim of the ID token or of userinfo that tells a person's role: a text or a list of texts. */
  readonly roleClaim: string;
  /** The role for each of its values. A person without any of them does not come in. Of several, the highest counts. */
  readonly roles: Readonly<Record<string, Role>>;
  /** The public address of Wasl: the provider sends people back there. */
  readonly publicUrl: string;
}

interface OidcOptions {
  readonly config: OidcConfig;
  readonly accounts: Accounts;
  readonly access: Access;
  readonly audit: Audit;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly secure: boolean;
  readonly now: () => number;
}

/**
 * `noRole`: known to the provider, but none of their roles is one of ours. `cancelled`: the person or the provider said
 * no. `notBegun`: this browser did not begin it, or too long ago. `failed`: any other fault.
 */
type CameIn = { readonly next: string } & (
  | { readonly ok: true; readonly signIn: NewSignIn }
  | {
      readonly ok: false;
      readonly why: 'noRole' | 'disabled' | 'cancelled' | 'notBegun' | 'failed';
      readonly said: Readonly<Record<string, unknown>>;
    }
);
type Unsaid<T> = T extends unknown ? Omit<T, 'next'> : never;

/** `next`: the page that the person wants to see. */
const FLOW = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), next: z.string() });
type Flow = z.infer<typeof FLOW>;
const flowCodec = codec('sign-in flow', FLOW);

/** The claims that we read. */
type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

interface OidcDeps extends OidcOptions {
  /** @param isAnew whether the provider is asked again, although it is known */
  readonly client: (isAnew: boolean) => Promise<OidcClient>;
}

/**
 * Signing in at an OpenID Connect provider: authorization code with PKCE, state and nonce, and a signature that is checked.
 * The second factor is the provider's business. Its people get accounts of their own, named after their `sub`.
 */
export type Oidc = ReturnType<typeof createOidc>;

export function createOidc(options: OidcOptions) {
  const deps: OidcDeps = { ...options, client: createClient(options.config) };
  return {
    /** The address at the provider for somebody who wants to see `next`. Rejects when the provider cannot be reached. */
    begin: (c: Context, next: string) => begin(deps, c, next),
    /** Somebody comes back from the provider. */
    end: (c: Context) => end(deps, c),
    /** The address at the provider where somebody signs out there too. Undefined where there is none. */
    leave: (c: Context, account: string) => leave(deps, c, account),
  };
}

async function begin(deps: OidcDeps, c: Context, next: string): Promise<string> {
  const { library, provider } = await deps.client(false);
  const flow: Flow = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
    next: next.length > NEXT_MAX_CHARACTERS ? HOME : onwardPath(next),
  };
  const { name, ask, attributes } = cookiesOf(deps);
  // A browser sends the oldest first.
  const others = Object.keys(getCookie(c)).filter((each) => each.startsWith(name('')));
  for (const each of others.slice(0, 1 - FLOWS_MAX)) deleteCookie(c, each, attributes);
  setCookie(c, name(flow.state), deps.secrets.seal(JSON.stringify(flow), BOUND, deps.now()), {
    ...attributes,
    maxAge: FLOW_MAX_MS / 1000,
  });
  return library.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(deps).href,
    scope: deps.config.scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(getCookie(c, ask) && {
      prompt: deps.config.prompt ?? promptOf(provider.serverMetadata().prompt_values_supported),
    }),
  }).href;
}

/**
 * The prompt with which the provider asks for the person. Every provider knows `login`. A provider that knows
 * `select_account` may say so.
 */
function promptOf(supported: unknown): string {
  return Array.isArray(supported) && supported.includes('select_account') ? 'select_account' : 'login';
}

async function end(deps: OidcDeps, c: Context): Promise<CameIn> {
  const { name, ask, hint, attributes, hintAttributes } = cookiesOf(deps);
  const flowName = name(c.req.query('state') ?? '');
  const sealed = getCookie(c, flowName) as Sealed | undefined;
  const text = sealed && deps.secrets.open(sealed, BOUND, deps.now(), FLOW_MAX_MS);
  if (!text) return { ok: false, why: 'notBegun', said: {}, next: HOME };
  deleteCookie(c, flowName, attributes);
  const flow = flowCodec.parse(BOUND, text);
  const { next } = flow;
  let came: Awaited<ReturnType<typeof claimsOf>>;
  try {
    came = await claimsOf(deps, flow, new URL(c.req.url).search);
  } catch (cause) {
    const isNo = cause instanceof Error && 'error' in cause && cause.error === 'access_denied';
    return { ok: false, why: isNo ? 'cancelled' : 'failed', said: troubleOf(cause), next };
  }
  const cameIn = await comeIn(deps, came.claims);
  if (!cameIn.ok) setCookie(c, ask, '1', { ...attributes, maxAge: ASK_FOR_S });
  else {
    deleteCookie(c, ask, attributes);
    // Of a token that is too long nothing stays, nor of whose sign-in was before.
    setCookie(c, hint, came.idToken.length > HINT_MAX_CHARACTERS ? '' : came.idToken, hintAttributes);
  }
  return { ...cameIn, next };
}

/**
 * Redeems the code that the browser has brought back for the claims about its person. The claims of a scope come from
 * userinfo (OpenID Connect Core 5.4) unless the ID token has them. The claims of the ID token take precedence.
 */
async function claimsOf(deps: OidcDeps, { state, nonce, verifier }: Flow, search: string) {
  const { library, provider } = await deps.client(true);
  const back = redirectUri(deps);
  back.search = search;
  const tokens = await library.authorizationCodeGrant(provider, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const [claims, idToken] = [tokens.claims(), tokens.id_token];
  // Without a subject, all people who come without one would be the same person.
  if (!idToken || !claims?.sub.trim())
    throw Object.assign(new Error('the ID token names no subject'), { code: 'OAUTH_NO_SUBJECT' });
  const isWhole = claims[deps.config.roleClaim] !== undefined && typeof claims.name === 'string';
  const hasMore = !isWhole && provider.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore && (await library.fetchUserInfo(provider, tokens.access_token, claims.sub));
  return { claims: { ...more, ...claims } as Claims, idToken };
}

async function leave(deps: OidcDeps, c: Context, account: string): Promise<string | undefined> {
  if (!account.startsWith(PREFIX)) return undefined;
  const { ask, hint, attributes, hintAttributes } = cookiesOf(deps);
  const idToken = getCookie(c, hint);
  deleteCookie(c, hint, hintAttributes);
  setCookie(c, ask, '1', { ...attributes, maxAge: ASK_FOR_S });
  // A provider that cannot be reached keeps nobody signed in here.
  const found = await deps.client(false).catch(() => undefined);
  if (!found?.provider.serverMetadata().end_session_endpoint) return undefined;
  return found.library.buildEndSessionUrl(found.provider, {
    post_logout_redirect_uri: new URL(`${BASE}/sign-in`, deps.config.publicUrl).href,
    ...(idToken && { id_token_hint: idToken }),
  }).href;
}

async function comeIn(
  { config, accounts, access, audit, now }: OidcDeps,
  claims: Claims,
): Promise<Unsaid<CameIn>> {
  const role = roleOf(claims[config.roleClaim], config.roles);
  const id = idOf(claims.sub);
  if (!role) {
    await audit.append({ who: id, act: 'signInFailed', on: 'oidc' });
    // Names of claims and roles of the company, which the operator compares with OIDC_ROLE_CLAIM and OIDC_ROLES.
    const found = clean(JSON.stringify(claims[config.roleClaim]) ?? 'absent');
    const came = clean(Object.keys(claims).join(' '));
    return { ok: false, why: 'noRole', said: { account: id, claim: config.roleClaim, found, came } };
  }
  await accounts.compare();
  const before = await accounts.find(id);
  const mayComeIn = !before || access.mayComeIn(before);
  await audit.append({ who: id, act: mayComeIn ? 'signIn' : 'signInFailed', on: 'oidc' });
  const signIn = await access.enter(id, (current, book) => {
    if (current && !access.mayComeIn(current)) return 'notFound';
    const name = ownNameIn(book, nameOf(claims, id), id);
    // Another role than the last time: older sign-ins end.
    const epoch = (current?.epoch ?? 0) + (current && current.role !== role ? 1 : 0);
    return { since: now(), ...current, id, name, role, epoch, oidc: true };
  });
  return signIn ? { ok: true, signIn } : { ok: false, why: 'disabled', said: { account: id } };
}

function cookiesOf({ secure }: OidcOptions) {
  // The way back is a link from another site, with which a `Strict` cookie would not be sent.
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const;
  const prefix = secure ? '__Host-' : '';
  return {
    /** One for each tab that is at the provider. */
    name: (state: string) => `${prefix}wasl-oidc-${state.slice(0, 16)}`,
    /** The next sign-in asks for an account. */
    ask: `${prefix}wasl-ask-account`,
    /** The ID token, by which the provider knows who signs out: sent with nothing else. */
    hint: `${secure ? '__Secure-' : ''}wasl-id-token`,
    hintAttributes: { ...attributes, path: `${BASE}/sign-out` },
    attributes,
  };
}

function redirectUri({ config }: OidcOptions): URL {
  return new URL(`${BASE}/sign-in/oidc/callback`, config.publicUrl);
}

/** Wasl asks the provider about itself at the first need, and before it takes a sign-in that comes back. */
function createClient(config: OidcConfig): OidcDeps['client'] {
  let found: Promise<OidcClient> | undefined;
  return (isAnew) => {
    if (found && !isAnew) return found;
    const asked = discover(config);
    found = asked;
    asked.catch(() => {
      if (found === asked) found = undefined;
    });
    return asked;
  };
}

function roleOf(claim: unknown, roles: OidcConfig['roles']): Role | undefined {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return ROLES.findLast((role) => values.some((value) => typeof value === 'string' && roles[value] === role));
}

/** `oidc.` and the subject, where that can be a name of an account. */
function idOf(sub: string): string {
  const isName = /^[a-z\d.-]{1,64}$/.test(sub);
  return `${PREFIX}${isName ? sub : createHash('sha256').update(sub).digest('hex').slice(0, 20)}`;
}

/** Customers read the name: nobody bears that of another account. */
function ownNameIn(book: Book, name: string, id: string): string {
  const read = (text: string) => text.normalize('NFKC').toLowerCase();
  const isTaken = Object.values(book).some((other) => other.id !== id && read(other.name) === read(name));
  return isTaken ? id : name;
}

function nameOf({ name, preferred_username: username }: Claims, id: string): string {
  const given = [name, username].find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof given === 'string'
    ? given
        .replace(/[\p{C}\p{Z}]+/gu, ' ')
        .trim()
        .slice(0, NAME_MAX_CHARACTERS)
    : id;
}
