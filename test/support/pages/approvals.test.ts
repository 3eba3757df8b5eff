import { expect, test } from 'vitest';
import { FATIMA, NOW } from '../records.ts';
import { PAYMENT, PRINCIPAL, session } from './fixtures.ts';
import { GONE, theConsole } from './stage.ts';

const { stage, as } = theConsole();

/** Each kind of proposal, and the path by which another person approves it. */
const APPROVALS: readonly (readonly [
  what: string,
  path: () => string,
  make: (proposal: { by: string; at: number; reason: string }) => void,
])[] = [
  [
    'a thaw',
    () => `${session}/approve-thaw`,
    (proposal) => {
      stage.frozen = { at: NOW, by: 'nadia', proposal };
    },
  ],
  [
    'an agent who is restored',
    () => `${session}/approve-restore`,
    (proposal) => {
      const stopped = { by: 'nadia', at: NOW, reason: 'x', proposal };
      stage.agent = { code: 'RA-1', name: 'Tabac', until: NOW, stopped };
    },
  ],
  [
    'an outcome',
    () => `/payments/${PAYMENT.id}/approve`,
    ({ reason: evidence, ...proposal }) => {
      stage.payment = { ...PAYMENT, proposal: { ...proposal, as: 'succeeded', evidence } };
    },
  ],
  [
    'a number of the principal agent',
    () => `/principal/numbers/approve`,
    (proposal) => {
      stage.principal = {
        ...PRINCIPAL,
        numbers: async () => [{ phone: FATIMA, proposal }],
        approveBinding: async () => {
          stage.done.push('approved');
          return 'done';
        },
      };
    },
  ],
];

test.each(APPROVALS)(
  'only another person who has read the proposal of %s approves it',
  async (_what, path, make) => {
    const says = async (who: string, at: number) => {
      return as(who, 'admin').said(path(), { at: `${at}`, phone: FATIMA });
    };
    const [at, reason] = [NOW + 1, 'seen in person'];
    make({ by: 'nadia', at, reason });
    expect(await says('nadia', at), 'in a second browser').toBe('sameAgent');
    expect(await says('salma', at), 'by an account that they have made').toBe('sameAgent');
    expect(await says('omar', at - 1), 'another one than was read').toBe('notNow');
    expect(await says('omar', Number.NaN)).toBe('notNow');
    make({ by: GONE, at, reason });
    expect(await says('omar', at), 'its proposer has lost the right').toBe('proposerGone');
    expect(stage.done.filter((each) => each.startsWith('approve'))).toEqual([]);
    make({ by: 'nadia', at, reason });
    expect(await says('omar', at)).toBe('done');
  },
);
