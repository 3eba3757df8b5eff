import { expect, test } from 'vitest';
import { type Weakness, weaknessOf } from '../../src/support/access/password.ts';

test.each<[string, string, Weakness?]>([
  ['too short', 'Ab1!xyzw', 'passwordTooShort'],
  ['too long', 'ab3'.repeat(70), 'passwordTooLong'],
  ['the account’s own name in it', 'nadia.b is here today', 'passwordNamed'],
  ['one key held down', 'aaaaaaaaaaaaaaaa', 'passwordRepeats'],
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
])('a password is refused with the rule that it breaks: %s', (_, password, weakness = 'passwordCommon') => {
  expect(weaknessOf(password, 'nadia.b')).toBe(weakness);
});

test.each([
  'four words in a row',
  'five words in one row',
  'le chat boit du lait',
  'tR7!vq-92Lmzx',
  'casablanca pluie tambour violet',
  'كلمة سر طويلة جدا هنا abc xyz',
])('a password is accepted: %s', (password) => {
  expect(weaknessOf(password, 'nadia.b')).toBeUndefined();
});
