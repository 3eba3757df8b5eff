import { expect, test } from 'vitest';
import { openFirst } from '../../../src/conversation/session/open-first.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { msisdn } from '../../../src/wallet/phone.ts';

const OPEN = {
  id: 'one',
  at: 0,
  says: {
    key: 'transfer.notConfirmed',
    values: { amount: { money: centimes(200_00) }, to: { phone: msisdn('0655000000') } },
  },
} as const;

test.each([
  'menu.unavailable',
  'balance.unavailable',
  'statement.unavailable',
  'profile.unavailable',
] as const)('%s invites nobody to try again while a payment is open', (key) => {
  const screen = { key, expects: 'nothing' } as const;
  expect(openFirst(screen, [])).toEqual(screen);
  expect(openFirst(screen, [OPEN])).toMatchObject({
    key: 'nav.down',
    first: [{ key: 'transfer.notConfirmed' }],
  });
});
