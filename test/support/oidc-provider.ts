import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Hono } from 'hono';
import { listening } from '../../src/http/listening.ts';

type Json = Readonly<Record<string, unknown>>;

/** The claims of the next ID token, beside the required ones. */
interface Person {
  /** Replace or take away claims, also the ones that protect. */
  readonly claims?: Json;
  /** Signed by somebody else. */
  readonly forged?: boolean;
}

export const CLIENT = { clientId: 'wasl', clientSecret: 'a secret of the tests' } as const;

/** A small OpenID Connect provider on this machine. It signs in the person that the test has set, without a question. */
export async function startProvider() {
  const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, { nonce: string; challenge: string; redirect: string }>();
  const seen: Json[] = [];
  let person: Person = {};
  let issuer = '';

  const app = new Hono();
  app.get('/.well-known/openid-configuration', (c) =>
    c.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
  );
  app.get('/jwks', (c) =>
    c.json({ keys: [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] }),
  );
  app.get('/authorize', (c) => {
    const asked = c.req.query();
    seen.push(asked);
    const code = randomBytes(8).toString('hex');
    codes.set(code, {
      nonce: asked.nonce ?? '',
      challenge: asked.code_challenge ?? '',
      redirect: asked.redirect_uri ?? '',
    });
    return c.redirect(`${asked.redirect_uri}?code=${code}&state=${asked.state}`);
  });
  app.post('/token', async (c) => {
    const form = await c.req.parseBody();
    const found = codes.get(`${form.code}`);
    codes.delete(`${form.code}`);
    const challenge = createHash('sha256').update(`${form.code_verifier}`).digest('base64url');
    const isOurs = form.client_id === CLIENT.clientId && form.client_secret === CLIENT.clientSecret;
    if (!found || !isOurs || challenge !== found.challenge || form.redirect_uri !== found.redirect)
      return c.json({ error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: CLIENT.clientId,
      sub: 'nadia',
      name: 'Nadia Bennis',
      roles: ['wallet-support'],
      iat: now,
      exp: now + 60,
      nonce: found.nonce,
      ...person.claims,
    };
    const part = (of: Json) => Buffer.from(JSON.stringify(of)).toString('base64url');
    const body = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`;
    const key = (person.forged ? theirs : ours).privateKey;
    const idToken = `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
    return c.json({ access_token: 'none of our business', token_type: 'Bearer', id_token: idToken });
  });

  const server = await listening(app, 0, '127.0.0.1');
  issuer = server.url;
  return {
    issuer,
    /** The requests to its sign-in page. */
    seen,
    /** Sets the person who signs in from now on. */
    becomes(next: Person): void {
      person = next;
    },
    close: () => server.close(),
  };
}
