import { expect, test } from 'vitest';
import type { Address } from '../../src/conversation/incoming.ts';
import { createBoard, ROWS_MAX } from '../../src/support/board.ts';
import { acted, called, NOW, said, TIME, turn, unclear } from './records.ts';

const IDLE_MS = 30 * 60_000;

function board() {
  return createBoard((address) => `id of ${address}`, IDLE_MS);
}

test('the board has a row for each address, with its state and the time since', () => {
  const all = board();
  all.add(turn({ at: NOW, to: 'transfer.askingRecipient' }));
  all.add(turn({ at: NOW + 5_000, to: 'transfer.askingAmount', language: 'ar' }));
  all.add(turn({ at: NOW + 9_000, to: 'transfer.askingAmount' }));
  expect(all.find({}, NOW + 9_000, 10)).toMatchObject({
    count: 1,
    rows: [{ place: 'transfer.askingAmount', since: NOW + 5_000, at: NOW + 9_000, channel: 'ussd' }],
  });
});

test.each([
  ['no filter', {}, ['web:3', 'telegram:2', 'ussd:1']],
  ['by channel', { channel: 'telegram' }, ['telegram:2']],
  ['by language', { language: 'ar' }, ['web:3']],
  ['by machine', { place: 'transfer' }, ['telegram:2', 'ussd:1']],
  ['by state', { place: 'transfer.askingAmount' }, ['telegram:2']],
  ['by waiting time', { waitingMs: 60_000 }, ['ussd:1']],
  ['by two of them', { channel: 'web', language: 'fr' }, []],
] as const)('the list: %s', (_name, filter, addresses) => {
  const all = board();
  all.add(turn({ address: 'ussd:1', at: NOW - 60_000, to: 'transfer.askingRecipient' }));
  all.add(turn({ address: 'telegram:2', at: NOW - 2_000, to: 'transfer.askingAmount' }));
  all.add(turn({ address: 'web:3', at: NOW - 1_000, to: 'menu.choosing', language: 'ar' }));
  expect(all.find(filter, NOW, 10).rows.map(({ address }) => address)).toEqual(addresses);
});

test('ended and old sessions are not listed, unless an agent has taken over', () => {
  const all = board();
  all.add(turn({ address: 'web:ended', to: '' }));
  all.add(turn({ address: 'web:away', at: NOW - IDLE_MS }));
  all.add(turn({ address: 'web:owned', at: NOW - IDLE_MS, owner: 'nadia' }));
  expect(all.find({}, NOW, 10).rows.map(({ address }) => address)).toEqual(['web:owned']);
});

test('a customer is stuck after three unclear answers in a row, until a clear one', () => {
  const all = board();
  const miss = turn({ event: unclear(said()) });
  const failed = turn({ ran: [called('preview', { kind: 'refused', code: '20005' })] });
  const isStuck = () => all.stuck(NOW, 10).length === 1;
  const asked = {
    key: 'transfer.askAmount',
    notice: { key: 'amount.ambiguous' },
    expects: 'amount',
  } as const;
  const again = turn({ from: 'transfer.askingAmount', to: 'transfer.askingAmount', screen: asked });
  for (const record of [miss, failed]) all.add(record);
  expect(isStuck()).toBe(false);
  all.add(turn({ event: TIME }));
  expect(isStuck()).toBe(false);
  // Asked the same again, with a word on why.
  all.add(again);
  expect(isStuck()).toBe(true);
  all.add(turn({ event: acted('takeOver'), owner: 'nadia' }));
  expect(isStuck(), 'somebody looks after them').toBe(false);
  all.add(turn({ ran: [called('preview', { kind: 'ok' })] }));
  expect(isStuck()).toBe(false);
});

test('of ten thousand sessions the board shows two hundred and counts the rest', () => {
  const all = board();
  for (let i = 0; i < 10_000; i++) all.add(turn({ address: `web:${i}` }));
  const { rows, count } = all.find({}, NOW, 200);
  expect([rows.length, count, rows[0]?.address]).toEqual([200, 10_000, 'web:9999']);
});

test('the board forgets the quietest session at its limit', () => {
  const all = board();
  const address = (i: number): Address => `web:${i}`;
  const miss = turn({ address: 'web:quiet', to: 'top-up.askingAmount', event: unclear(said()) });
  for (const _ of [1, 2, 3]) all.add(miss);
  const known = () => [all.stuck(NOW, 10).length, all.places().includes('top-up.askingAmount')];
  expect(known()).toEqual([1, true]);
  expect(all.isPartial(NOW)).toBe(false);
  for (let i = 0; i <= ROWS_MAX; i++) {
    if (i === ROWS_MAX) all.add(turn({ address: address(0) }));
    all.add(turn({ address: address(i) }));
  }
  expect(all.size).toBe(ROWS_MAX);
  expect(known(), 'nor is anything else left of them').toEqual([0, false]);
  expect(all.row(address(0))).toBeDefined();
  expect(all.row(address(1))).toBeUndefined();
  expect(all.isPartial(NOW), 'there are at least as many as are known').toBe(true);
  expect(all.isPartial(NOW + IDLE_MS), 'those who were forgotten are away by now').toBe(false);
});
