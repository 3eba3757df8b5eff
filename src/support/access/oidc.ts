import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec } from '../../store/codec.ts';
import { OVERTAKEN, untilCommitted } from '../../store/update.ts';
import type { Audit } from '../audit/audit.ts';
import type { Access, NewSignIn } from './access.ts';
import type { Accounts, Book } from './accounts.ts';
import { BASE } from './endpoints.ts';
import { ROLES, type Role } from './roles.ts';

/** How long somebody may take at the provider. */
const FLOW_MAX_MS = 10 * 60_000;
const SCOPE = 'openid profile';
/** A flow is sealed for whoever began it. */
const BOUND = 'support-oidc';
const NAME_MAX_CHARACTERS = 40;

/** The company's own sign-in. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of the ID token that says what somebody is: a text or a list of texts. */
  readonly roleClaim: string;
  /** What its values mean here. Who has none of them does not come in; of several, the highest counts. */
  readonly roles: Readonly<Record<string, Role>>;
  /** Where the world reaches Wasl: the provider sends people back there. */
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

/** `noRole`: known to the provider, but none of their roles is one of ours. `failed`: anything that was not as it must be. */
type CameIn =
  | { readonly ok: true; readonly signIn: NewSignIn }
  | { readonly ok: false; readonly why: 'noRole' | 'disabled' | 'failed'; readonly cause?: unknown };

interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}
const flowCodec = codec<Flow>(
  'sign-in flow',
  z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
);

/** The claims that we read. */
type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Signing in at an OpenID Connect provider: authorization code with PKCE, state and nonce, and a signature that is checked.
 * The second factor is the provider's business. Its people get accounts of their own, named after their `sub`.
 */
export interface Oidc {
  /** Where to send somebody who wants to sign in. Rejects when the provider cannot be reached. */
  begin(c: Context): Promise<string>;
  /** Somebody comes back from the provider. */
  end(c: Context): Promise<CameIn>;
}

interface OidcDeps extends OidcOptions {
  readonly client: Client;
}

export function createOidc(options: OidcOptions): Oidc {
  const deps: OidcDeps = { ...options, client: createClient(options.config) };
  return { begin: (c) => begin(deps, c), end: (c) => end(deps, c) };
}

async function begin(deps: OidcDeps, c: Context): Promise<string> {
  const { library, provider } = await deps.client();
  const flow: Flow = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  };
  const { name, attributes } = cookieOf(deps);
  setCookie(c, name, deps.secrets.seal(JSON.stringify(flow), BOUND, deps.now()), {
    ...attributes,
    maxAge: FLOW_MAX_MS / 1000,
  });
  return library.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(deps).href,
    scope: SCOPE,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  }).href;
}

async function end(deps: OidcDeps, c: Context): Promise<CameIn> {
  const { name, attributes } = cookieOf(deps);
  const sealed = getCookie(c, name) as Sealed | undefined;
  deleteCookie(c, name, attributes);
  const text = sealed && deps.secrets.open(sealed, BOUND, deps.now(), FLOW_MAX_MS);
  if (!text) return { ok: false, why: 'failed' };
  const flow = flowCodec.parse(BOUND, text);
  let claims: Claims | undefined;
  try {
    claims = await claimsOf(deps, flow, new URL(c.req.url).search);
  } catch (cause) {
    return { ok: false, why: 'failed', cause };
  }
  // Without a subject, whoever else comes without one would be the same person.
  return claims && claims.sub.trim() !== '' ? comeIn(deps, claims) : { ok: false, why: 'failed' };
}

/** What the provider says of somebody, for the code that the browser has brought back. */
async function claimsOf(
  deps: OidcDeps,
  { state, nonce, verifier }: Flow,
  search: string,
): Promise<Claims | undefined> {
  const { library, provider } = await deps.client();
  const back = redirectUri(deps);
  back.search = search;
  const tokens = await library.authorizationCodeGrant(provider, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  return tokens.claims();
}

async function comeIn({ config, accounts, access, audit, now }: OidcDeps, claims: Claims): Promise<CameIn> {
  const role = roleOf(claims[config.roleClaim], config.roles);
  const id = idOf(claims.sub);
  if (!role) {
    await audit.append({ who: id, act: 'signInFailed', on: 'oidc' });
    return { ok: false, why: 'noRole' };
  }
  return untilCommitted<CameIn>(async () => {
    const before = await accounts.find(id);
    if (before && !access.mayComeIn(before)) {
      await audit.append({ who: id, act: 'signInFailed', on: 'oidc' });
      return { ok: false, why: 'disabled' };
    }
    // Another role than the last time: older sign-ins end.
    const epoch = (before?.epoch ?? 0) + (before && before.role !== role ? 1 : 0);
    const signIn = access.begin({ id, epoch });
    await audit.append({ who: id, act: 'signIn', on: 'oidc' });
    const changed = await accounts.change(
      id,
      (current, book) =>
        current?.epoch === before?.epoch && !current?.disabled
          ? {
              since: now(),
              ...current,
              id,
              name: ownNameIn(book, nameOf(claims, id), id),
              role,
              epoch,
              oidc: true,
            }
          : 'notFound',
      [signIn.write],
    );
    return changed.ok ? { ok: true, signIn } : OVERTAKEN;
  });
}

function cookieOf({ secure }: OidcOptions) {
  // The way back is a link from another site, with which a `Strict` cookie would not be sent.
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const;
  return { name: secure ? '__Host-wasl-oidc' : 'wasl-oidc', attributes };
}

function redirectUri({ config }: OidcOptions): URL {
  return new URL(`${BASE}/sign-in/oidc/callback`, config.publicUrl);
}

type Client = () => Promise<{
  readonly library: typeof import('openid-client');
  readonly provider: Configuration;
}>;

/** The library and what the provider says of itself, fetched when they are first needed. */
function createClient({ issuer, clientId, clientSecret }: OidcConfig): Client {
  let found: Promise<Configuration> | undefined;
  return async () => {
    const library = await import('openid-client');
    const isPlain = issuer.startsWith('http:');
    found ??= library
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return { library, provider: await found };
  };
}

function roleOf(claim: unknown, roles: OidcConfig['roles']): Role | undefined {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return ROLES.findLast((role) => values.some((value) => typeof value === 'string' && roles[value] === role));
}

/** `oidc.` and the subject, where that can be a name of an account. */
function idOf(sub: string): string {
  const isName = /^[a-z\d.-]{1,64}$/.test(sub);
  return `oidc.${isName ? sub : createHash('sha256').update(sub).digest('hex').slice(0, 20)}`;
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
