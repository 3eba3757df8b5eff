import { expect, test } from 'vitest';
import { rowOf } from '../../src/support/audit/chain.ts';

/** Such an entry stood before all that came later: PostgreSQL refused it, and each copy ended there. */
test.each([
  ['with a NUL', 'x\0y', 'xy'],
  ['longer than an index has room for', 'x'.repeat(6_000), 'x'.repeat(2_000)],
  ['as most are', 'c-2345678', 'c-2345678'],
])('an audit entry about an id %s can be filed', (_, on, filed) => {
  const link = { n: 1, at: 1, who: 'nadia', act: 'retry', on, about: on, link: '', digest: '' };
  expect(rowOf(link as never)).toMatchObject({ on: filed, about: filed });
});
