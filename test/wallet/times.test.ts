import { expect, test } from 'vitest';
import { day, moment } from '../../src/support/times.ts';
import { createWallet } from '../../src/wallet/client.ts';
import { midnight, momentOf } from '../../src/wallet/times.ts';
import { answering, FATIMA, say } from './answering.ts';

test.each([
  ['summer, an hour ahead', '2026-08-15T10:00:00', '2026-08-15T09:00:00Z'],
  ['the same with a zone', '2026-08-15T10:00:00+01:00', '2026-08-15T09:00:00Z'],
  ['the same in UTC', '2026-08-15T10:00:00Z', '2026-08-15T10:00:00Z'],
  ['with a space', '2026-08-15 10:00:00', '2026-08-15T09:00:00Z'],
  ['with parts of a second', '2026-08-15T10:00:00.1234567', '2026-08-15T09:00:00.123Z'],
  ['a day alone begins at midnight', '2026-08-15', '2026-08-14T23:00:00Z'],
  ['just after midnight', '2026-08-15T00:30:00', '2026-08-14T23:30:00Z'],
  ['Ramadan 2025, as UTC', '2025-03-10T10:00:00', '2025-03-10T10:00:00Z'],
  ['the last hour ahead', '2026-09-20T00:59:59', '2026-09-19T23:59:59Z'],
  ['the hour that comes twice: the second one', '2026-09-20T01:30:00', '2026-09-20T01:30:00Z'],
  ['since then as UTC', '2026-09-20T02:00:00', '2026-09-20T02:00:00Z'],
  ['today', '2026-11-28T10:00:00', '2026-11-28T10:00:00Z'],
  ['in words', 'Sat, 15 Aug 2026 10:00:00 GMT', '2026-08-15T10:00:00Z'],
])('a time is Moroccan where it names no zone: %s', (_case, said, is) => {
  expect(momentOf(said)).toBe(Date.parse(is));
});

test.each(['', 'soon', '2026-13-01T10:00:00', '2026-08-15T25:00:00'])('%o is no time', (said) => {
  expect(momentOf(said)).toBeNaN();
});

test.each([
  ['2026-08-15T23:59:59', '15/08/2026 23:59'],
  ['2026-08-15T00:00:00', '15/08/2026 00:00'],
  ['2025-03-10T23:59:59', '10/03/2025 23:59'],
  ['2026-09-20T00:00:00', '20/09/2026 00:00'],
])('an operation of %s is shown as the wallet wrote it', async (transactionDate, shown) => {
  const data = {
    operationId: 1,
    amount: 10,
    operationType: 3,
    transactionDate,
    sens: 1,
    transactionStatus: 2,
  };
  const { url } = await answering(say(200, { data }));
  const answer = await createWallet({ url, apiKey: 'key' }).operation(FATIMA, 1);
  const at = answer.kind === 'ok' ? answer.value.at : Number.NaN;
  expect(moment(at)).toBe(shown);
  expect(day(at)).toBe(shown.slice(0, 10));
  expect(at - midnight(at)).toBe(at - momentOf(transactionDate.slice(0, 10)));
});
