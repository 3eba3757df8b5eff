import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Configuration } from 'openid-client';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Audit } from '../audit/audit.ts';
import type { Access, NewSignIn } from './access.ts';
import type { Accounts } from './accounts.ts';
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

export interface OidcOptions {
  readonly config: OidcConfig;
  readonly accounts: Accounts;
  readonly access: Access;
  readonly audit: Audit;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly secure: boolean;
  readonly now: () => number;
}

/** `noRole`: known to the provider, but none of their roles is one of ours. `failed`: anything that was not as it must be. */
export type CameIn =
  | { readonly ok: true; readonly signIn: NewSignIn }
  | { readonly ok: false; readonly why: 'noRole' | 'disabled' | 'failed'; readonly cause?: unknown };

interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The claims that we read. */
type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Signing in at an OpenID Connect provider: authorization code with PKCE, state and nonce, and a signature that is checked.
 * The second factor is the provider's business. Its people get accounts of their own, named after their `sub`.
 */
export function createOidc({ config, accounts, access, audit, secrets, secure, now }: OidcOptions) {
  const cookie = secure ? '__Host-wasl-oidc' : 'wasl-oidc';
  // The way back is a link from another site, with which a `Strict` cookie would not be sent.
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const;
  const redirectUri = new URL(`${BASE}/sign-in/oidc/callback`, config.publicUrl).href;
  const client = createClient(config);

  return {
    /** Where to send somebody who wants to sign in. Rejects when the provider cannot be reached. */
    async begin(c: Context): Promise<string> {
      const { library, provider } = await client();
      const flow: Flow = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      setCookie(c, cookie, secrets.seal(JSON.stringify(flow), BOUND, now()), {
        ...attributes,
        maxAge: FLOW_MAX_MS / 1000,
      });
      return library.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      }).href;
    },

    /** Somebody comes back from the provider. */
    async end(c: Context): Promise<CameIn> {
      const sealed = getCookie(c, cookie) as Sealed | undefined;
      deleteCookie(c, cookie, attributes);
      const text = sealed && secrets.open(sealed, BOUND, now(), FLOW_MAX_MS);
      if (!text) return { ok: false, why: 'failed' };
      const { state, nonce, verifier } = JSON.parse(text) as Flow;
      let claims: Claims | undefined;
      try {
        const { library, provider } = await client();
        const back = new URL(redirectUri);
        back.search = new URL(c.req.url).search;
        const tokens = await library.authorizationCodeGrant(provider, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        claims = tokens.claims();
      } catch (cause) {
        return { ok: false, why: 'failed', cause };
      }
      return claims ? comeIn(claims) : { ok: false, why: 'failed' };
    },
  };

  async function comeIn(claims: Claims): Promise<CameIn> {
    const role = roleOf(claims[config.roleClaim], config.roles);
    const id = idOf(claims.sub);
    if (!role) {
      await audit.append({ who: id, act: 'signInFailed', on: 'oidc' });
      return { ok: false, why: 'noRole' };
    }
    for (;;) {
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
        (current) =>
          current?.epoch === before?.epoch && !current?.disabled
            ? { ...current, id, name: nameOf(claims, id), role, epoch, oidc: true }
            : 'notFound',
        [signIn.write],
      );
      if (changed.ok) return { ok: true, signIn };
    }
  }
}

/** The library and what the provider says of itself, fetched when they are first needed. */
function createClient({ issuer, clientId, clientSecret }: OidcConfig) {
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

function nameOf({ name, preferred_username: username }: Claims, id: string): string {
  const given = [name, username].find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof given === 'string'
    ? given
        .replace(/[\p{C}\p{Z}]+/gu, ' ')
        .trim()
        .slice(0, NAME_MAX_CHARACTERS)
    : id;
}
