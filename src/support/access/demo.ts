import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Audit } from '../audit/audit.ts';
import type { Access, NewSignIn } from './access.ts';
import type { Accounts } from './accounts.ts';
import { BASE } from './endpoints.ts';

const ID = 'demo';
const NAME = 'Demo';

/** A link that signs in as a demo admin, once. There is none with a real wallet ("no back door"). */
export interface Demo {
  /** The path of a new link. The one before works no more. */
  link(): string;
  signIn(token: string): Promise<NewSignIn | undefined>;
}

export function createDemo({
  accounts,
  access,
  audit,
  now,
}: {
  readonly accounts: Accounts;
  readonly access: Access;
  readonly audit: Audit;
  readonly now: () => number;
}): Demo {
  let expected: Buffer | undefined;
  return {
    link() {
      const token = randomBytes(24).toString('base64url');
      expected = Buffer.from(token);
      return `${BASE}/demo/${token}`;
    },

    async signIn(token) {
      const received = Buffer.from(token);
      if (!expected || received.length !== expected.length || !timingSafeEqual(received, expected))
        return undefined;
      expected = undefined;
      await audit.append({ who: ID, act: 'signIn', on: 'demo' });
      const epoch = ((await accounts.find(ID))?.epoch ?? 0) + 1;
      const signIn = access.begin({ id: ID, epoch });
      const account = { id: ID, name: NAME, role: 'admin', epoch, demo: true } as const;
      await accounts.change(ID, (before) => ({ since: now(), ...before, ...account }), [signIn.write]);
      return signIn;
    },
  };
}
