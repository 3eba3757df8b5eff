import { expect, test } from 'vitest';
import type { Screen } from '../../../machines/kit/screen.ts';
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

test.each<[invites: boolean, Screen]>([
  [true, { key: 'pin.tooMany', expects: 'nothing' }],
  [true, { key: 'transfer.askPin', expects: 'pin', notice: { key: 'pin.tooMany' } }],
  [true, { key: 'pay.busy', expects: 'choice', choices: [{ id: 'again', key: 'pay.again' }] }],
  [false, { key: 'balance.shown', expects: 'nothing' }],
  [false, { key: 'balance.unavailable', expects: 'nothing' }],
])(
  'a screen that invites to try again, %s, is known where the payment is named in fewer words',
  (invites, screen) => {
    expect(openFirst(screen, [OPEN]).invitesAgain).toBe(invites || undefined);
    expect(openFirst(screen, [])).toEqual(screen);
  },
);
