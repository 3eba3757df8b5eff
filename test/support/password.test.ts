import { expect, test } from 'vitest';
import { isGoodPassword } from '../../src/support/access/password.ts';

test.each([
  ['too short', 'Ab1!xyzw'],
  ['too long', 'ab3'.repeat(70)],
  ['the account’s own name in it', 'nadia.b is here today'],
  ['one key held down', 'aaaaaaaaaaaaaaaa'],
  ['digits only', '314159265358'],
  ['digits and signs only', '12/03/1985-0612345678'],
  ['a word and a year', 'Password2026!'],
  ['a word written with digits', 'p4ssw0rd-2026'],
  ['two words of the lists', 'motdepasse-azerty'],
  ['the keyboard’s first row', 'azertyuiop123'],
  ['the town and the year', 'Casablanca2030'],
  ['what it is for', 'wallet support 1'],
  ['the word three times', 'adminadminadmin'],
  ['in full-width letters', 'ｐａｓｓｗｏｒｄ２０２６'],
])('refused: %s', (_, password) => {
  expect(isGoodPassword(password, 'nadia.b')).toBe(false);
});

test.each([
  'four words in a row',
  'five words in one row',
  'le chat boit du lait',
  'tR7!vq-92Lmzx',
  'casablanca pluie tambour violet',
  'كلمة سر طويلة جدا هنا abc xyz',
])('taken: %s', (password) => {
  expect(isGoodPassword(password, 'nadia.b')).toBe(true);
});
