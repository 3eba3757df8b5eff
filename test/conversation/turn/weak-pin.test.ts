import { expect, test } from 'vitest';
import { isWeakPin } from '../../../src/conversation/turn/read/weak-pin.ts';

const NOW = Date.UTC(2026, 10, 22);

test.each([
  ...['1234', '2345', '6789', '7890', '0123', '4321', '9876', '0987', '3210'],
  ...['0000', '1111', '9999', '1212', '6969', '0101', '1122', '7788', '9900'],
  ...['1900', '1956', '1987', '1999', '2000', '2012', '2026'],
  ...['2580', '0852'],
])('%s is too easy to guess', (pin) => {
  expect(isWeakPin(pin, NOW)).toBe(true);
});

test.each([
  ...['5937', '7391', '8264', '2590', '1357', '1243', '3412', '0198', '8756'],
  // Nobody was born then, or not yet.
  ...['1899', '2027', '2099', '0198', '9019'],
  ...['1221', '1223', '1123', '9809', '8902'],
])('%s is accepted', (pin) => {
  expect(isWeakPin(pin, NOW)).toBe(false);
});

test('a year is one of birth once it has begun', () => {
  expect(isWeakPin('2027', Date.UTC(2027, 0, 1))).toBe(true);
});
