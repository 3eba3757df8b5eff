import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export const CLIENT = { clientId: 'wasl', clientSecret: 'a secret of the tests' } as const;

/** The claims of each person, by the name typed at the sign-in. */
const PEOPLE: Readonly<Record<string, object>> = {
  nadia: { name: 'Nadia Bennis', roles: ['wallet-support'] },
  omar: { name: 'Omar Alami', roles: ['canteen'] },
};

/** An OpenID provider that others wrote and had certified (npm `oidc-provider`). Its claims come from userinfo alone. */
export async function startConformingProvider(publicUrl: string) {
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Takes a new signing key, and forgets the old one. */
  const rotate = (more: Configuration = {}) => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [`${publicUrl}/support/sign-in/oidc/callback`],
          post_logout_redirect_uris: [`${publicUrl}/support/sign-in`],
        },
      ],
      clientAuthMethods: ['client_secret_basic'],
      cookies: { keys: ['a cookie key of the tests'] },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: `${Math.random()}`, use: 'sig' }] },
      scopes: ['openid', 'profile', 'wasl'],
      claims: { profile: ['name'], wasl: ['roles'] },
      findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...PEOPLE[id] }) }),
      ...more,
    });
    handle = provider.callback();
  };
  rotate();
  return {
    issuer,
    rotate,
    /** From now on it takes requests and answers none. */
    hang(): void {
      handle = () => {};
    },
    person: () => createPerson(issuer),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A person's browser as far as it is at the provider: it keeps its cookies, follows redirects there and fills in its forms. */
function createPerson(issuer: string) {
  const cookies = new Map<string, string>();

  async function goes(to: string, form?: Readonly<Record<string, string>>): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(to, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const next = response.headers.get('location');
    if (!next) return { at: to, text: await response.text() };
    const url = new URL(next, to);
    return url.origin === issuer ? goes(url.href) : { at: url.href, text: '' };
  }

  const confirmsSignOut = (page: Page) =>
    goes(formOf(page), { xsrf: /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '', logout: 'yes' });

  return {
    goes,
    /** Opens an address of the provider, and signs in as `name` where it asks. */
    async signsIn(to: string, name: string): Promise<Page> {
      let page = await goes(to);
      if (asks(page)) page = await goes(formOf(page), { prompt: 'login', login: name, password: 'x' });
      // Somebody else was signed in: their browser sends this form by itself.
      if (page.text.includes('name="xsrf"')) page = await confirmsSignOut(page);
      return page.text.includes('value="consent"') ? goes(formOf(page), { prompt: 'consent' }) : page;
    },
    /** Opens an address of the provider, and clicks on "Cancel". */
    async cancels(to: string): Promise<Page> {
      const page = await goes(to);
      return goes(/href="([^"]+\/abort)"/.exec(page.text)?.[1] ?? '');
    },
    /** Opens the provider's sign-out, and says yes. */
    signsOut: async (to: string) => confirmsSignOut(await goes(to)),
  };
}

interface Page {
  readonly at: string;
  readonly text: string;
}

/** Whether the provider asks who somebody is. */
export function asks({ text }: Page): boolean {
  return text.includes('name="login"');
}

function formOf({ text }: Page): string {
  return /action="([^"]+)"/.exec(text)?.[1] ?? '';
}
