import type { ClientAuth, Configuration } from 'openid-client';

/** All requests of one sign-in to the provider take so long at most: a person waits. */
const PROVIDER_MAX_MS = 5_000;
const SAID_MAX_CHARACTERS = 200;

export interface OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface OidcClient {
  readonly library: typeof import('openid-client');
  readonly provider: Configuration;
}

/**
 * Reads what the provider says of itself. Its keys are fetched anew with each result, so a rotated key is taken at once.
 * Every request of the result shares one deadline. Rejects where the provider does not answer as OpenID Connect Discovery has it.
 */
export async function discover({ issuer, clientId, clientSecret }: OidcClientConfig): Promise<OidcClient> {
  const library = await import('openid-client');
  const [post, basic] = [library.ClientSecretPost(clientSecret), library.ClientSecretBasic(clientSecret)];
  const auth: ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_post'];
    return (methods.includes('client_secret_post') ? post : basic)(server, ...rest);
  };
  const signal = AbortSignal.timeout(PROVIDER_MAX_MS);
  const isPlain = issuer.startsWith('http:');
  const provider = await library.discovery(new URL(issuer), clientId, clientSecret, auth, {
    execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    [library.customFetch]: (url, options) => fetch(url, { ...options, signal } as RequestInit),
  });
  return { library, provider };
}

/**
 * An error of the library as the log has it: the codes of its causes, the rule that was broken, and the provider's own error.
 * Other messages are left out, for they may quote what came from outside.
 */
export function troubleOf(error: unknown): Readonly<Record<string, unknown>> {
  const causes: (NodeJS.ErrnoException & Said)[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  const rule = causes.findLast(({ code }) => `${code}`.startsWith('OAUTH_'))?.message;
  const challenges = causes.flatMap(({ cause }) => (Array.isArray(cause) ? cause : []));
  const said = [...causes, ...challenges.map(({ parameters }) => parameters as Said)].find(
    (each) => typeof each?.error === 'string',
  );
  return {
    error: causes.map(({ name, code }) => code ?? name).join(', '),
    ...(rule && { rule: clean(rule) }),
    ...(said && { provider: clean(`${said.error}: ${said.error_description ?? ''}`) }),
  };
}

interface Said {
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** A text from outside, fit for a line of the log. */
export function clean(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, SAID_MAX_CHARACTERS);
}
