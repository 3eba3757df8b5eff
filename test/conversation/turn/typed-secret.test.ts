import { describe, expect, test } from 'vitest';
import type { Expected } from '../../../machines/kit/screen.ts';
import { holdsCardNumber, secretIn } from '../../../src/conversation/turn/read/typed-secret.ts';

describe('the number of a card', () => {
  test.each([
    ['in one piece', '4111111111111111'],
    ['as it is printed', '4111 1111 1111 1111'],
    ['with dashes', '5500-0000-0000-0004'],
    ['in Arabic digits', '٤١١١١١١١١١١١١١١١'],
    ['of American Express', '3782 822463 10005'],
    ['of 13 digits', '4222222222222'],
    ['of 19 digits', '6304000000000000000'],
    ['with its expiry and code', '4111 1111 1111 1111 12/27 123'],
    ['in a sentence', 'voici ma carte 4111111111111111 merci'],
    ['in a line of its own', 'carte\n5500000000000004\n12/27'],
    ['after a command', '/transfer 4111111111111111'],
  ])('is one %s', (_, text) => {
    expect(holdsCardNumber(text, { expects: 'phone' })).toBe(true);
    expect(holdsCardNumber(text, { expects: 'field' })).toBe(true);
  });

  test.each([
    ['a digit changed', '4111111111111112'],
    ['a phone number', '0612345678'],
    ['with the country', '00212612345678'],
    ['a number and an amount', '612345678 20000'],
    ['a number, an amount and a fee', '+212 612 345 678 200 2'],
    ['a RIB', '011519000001205000534921'],
    ['a RIB in groups', '011 519 4000001205000534 21'],
    ['an amount', '1 000 000,00'],
    ['12 digits', '411111111111'],
    ['20 digits', '41111111111111111111'],
    ['groups of another kind', '41 11 11 11 11 11 11 11'],
    ['words', 'quatre mille cent onze'],
    ['nothing', ''],
  ])('is not: %s', (_, text) => {
    expect(holdsCardNumber(text, { expects: 'phone' })).toBe(false);
  });

  test.each([
    ['alone', '4111111111111111', false],
    ['in groups', '4111 1111 1111 1111', false],
    ['in groups with dashes', '5500-0000-0000-0004', false],
    ['in Arabic digits', '٤١١١١١١١١١١١١١١١', false],
    ['with an expiry', '4111 1111 1111 1111 12/27', true],
    ['in a sentence', 'ma carte 4111111111111111', true],
    ['after a command', '/transfer 4111111111111111', true],
  ])('may be a contract number at a question for one of that length: %s', (_, text, isCard) => {
    expect(holdsCardNumber(text, { expects: 'field', takesLongNumber: true })).toBe(isCard);
  });
});

describe('typed text that is erased', () => {
  test.each<[string, Expected, string | undefined]>([
    ['1234', 'pin', 'pin'],
    ['12 34', 'newPin', 'pin'],
    ['le 1234', 'pin', 'pin'],
    ['١٢٣٤', 'pin', 'pin'],
    ['annuler', 'pin', undefined],
    ['/menu', 'pin', undefined],
    ['123-456', 'otp', 'code'],
    ['123456', 'otp', 'code'],
    ['1', 'otp', undefined],
    ['mot de passe', 'password', 'code'],
    ['1234', 'choice', 'pin'],
    ['1234', 'nothing', 'pin'],
    ['1234', 'phone', 'pin'],
    ['1234', 'amount', undefined],
    ['1234', 'field', undefined],
    ['12', 'choice', undefined],
    ['0612345678', 'phone', undefined],
    ['4111 1111 1111 1111', 'name', 'card'],
    ['4111 1111 1111 1111', 'field', 'card'],
    ['/transfer 4111 1111 1111 1111', 'choice', 'card'],
  ])('%j, where %s is asked: %s', (text, expects, secret) => {
    expect(secretIn({ type: 'said', text }, { expects })).toBe(secret);
  });

  test.each<[string, Expected, string | undefined]>([
    ['1234', 'amount', 'pin'],
    ['1234', 'field', 'pin'],
    ['1234 DH', 'amount', undefined],
    ['200', 'amount', undefined],
  ])('%j, where %s is asked right after the PIN: %s', (text, expects, secret) => {
    expect(secretIn({ type: 'said', text }, { expects, afterPin: true })).toBe(secret);
  });

  test('only typed text', () => {
    expect(secretIn({ type: 'tapped', position: 1 }, { expects: 'pin' })).toBeUndefined();
    expect(secretIn(undefined, { expects: 'pin' })).toBeUndefined();
  });
});
