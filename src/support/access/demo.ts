import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Audit } from '../audit/audit.ts';
import type { Access, NewSignIn } from './access.ts';
import { BASE } from './endpoints.ts';

const ID = 'demo';
const NAME = 'Demo';

interface DemoDeps {
  readonly access: Access;
  readonly audit: Audit;
  readonly now: () => number;
}

/** A link that signs in as a demo admin, once. There is none with a real wallet ("no back door"). */
export type Demo = ReturnType<typeof createDemo>;

export function createDemo({ access, audit, now }: DemoDeps) {
  let expected: Buffer | undefined;
  return {
    /** The path of a new link. The one before works no more. */
    link() {
      const token = randomBytes(24).toString('base64url');
      expected = Buffer.from(token);
      return `${BASE}/demo/${token}`;
    },

    async signIn(token: string): Promise<NewSignIn | undefined> {
      const received = Buffer.from(token);
      if (!expected || received.length !== expected.length || !timingSafeEqual(received, expected))
        return undefined;
      const link = expected;
      expected = undefined;
      const account = { id: ID, name: NAME, role: 'admin', demo: true } as const;
      try {
        await audit.append({ who: ID, act: 'signIn', on: 'demo' });
        return await access.enter(ID, (before) => ({
          since: now(),
          ...before,
          ...account,
          epoch: (before?.epoch ?? 0) + 1,
        }));
      } catch (error) {
        // Nobody has come in by it, as while the records are away.
        expected ??= link;
        throw error;
      }
    },
  };
}
