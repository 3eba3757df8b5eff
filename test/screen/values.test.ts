import { describe, expect, test } from 'vitest';
import { createWriter, maskPhone } from '../../src/screen/values.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import { msisdn } from '../../src/wallet/phone.ts';
import { money, phone } from './sample.ts';

const ALI = msisdn('0612345678');

test.each([
  [{ name: 'Maroc Telecom (test)' }, 'Maroc Telecom'],
  [{ name: 'SRM Casa-Settat (test)' }, 'SRM Casa-Settat'],
  [{ name: 'SRM Rabat-Salé-Kénitra' }, 'SRM Rabat-Salé'],
  [{ name: 'Redal' }, 'Redal'],
  [{ text: '0655667737' }, '7737'],
  [{ text: 'AB-12' }, 'AB-12'],
])('%j is told by as much of it as a small page has room for', (value, written) => {
  expect(createWriter('ar', 'brief')(value, 'bare')).toBe(written);
});

describe('money', () => {
  test.each([
    ['fr', 'chat', 123450, '1\u00a0234,50\u00a0DH'],
    ['fr', 'ussd', 123450, '1\u00a0234,50\u00a0DH'],
    ['en', 'chat', 123450, 'MAD\u00a01,234.50'],
    ['ar', 'chat', 123450, '\u20661\u00a0234,50\u2069\u00a0درهم'],
    // No space between groups of digits where nothing isolates them: bidi would swap them.
    ['ar', 'ussd', 123450, '1234,50\u00a0درهم'],
    ['ar', 'sms', 100000000, '1000000\u00a0درهم'],
    ['ar', 'ussd', 100005, '1000,05\u00a0درهم'],
    ['ar', 'ussd', 0, '0\u00a0درهم'],
    ['fr', 'chat', 0, '0,00\u00a0DH'],
    ['fr', 'chat', 5, '0,05\u00a0DH'],
    ['fr', 'chat', 99999, '999,99\u00a0DH'],
    ['fr', 'chat', 100000, '1\u00a0000,00\u00a0DH'],
    ['en', 'chat', 100000000, 'MAD\u00a01,000,000.00'],
    ['fr', 'chat', 123456789012, '1\u00a0234\u00a0567\u00a0890,12\u00a0DH'],
    ['fr', 'chat', -123450, '-1\u00a0234,50\u00a0DH'],
    ['fr', 'chat', -5, '-0,05\u00a0DH'],
  ] as const)('%s %s %d', (language, medium, amount, text) => {
    expect(createWriter(language, medium)(money(amount))).toBe(text);
  });

  test.each([
    ['fr', 'chat', -20000, '−200,00\u00a0DH'],
    ['fr', 'chat', 123450, '+1\u00a0234,50\u00a0DH'],
    // The true minus is not in GSM-7: one would make the page a third as long.
    ['fr', 'ussd', -20000, '-200,00\u00a0DH'],
    ['fr', 'sms', 5, '+0,05\u00a0DH'],
    ['en', 'chat', -123450, '−MAD\u00a01,234.50'],
    ['en', 'ussd', 100, '+MAD\u00a01.00'],
    // Its sign stays before it where the line reads from the right.
    ['ar', 'chat', -20000, '\u2066−200,00\u2069\u00a0درهم'],
    ['ar', 'chat', 20000, '\u2066+200,00\u2069\u00a0درهم'],
    ['ar', 'ussd', -123450, '-1234,50\u00a0درهم'],
    ['fr', 'chat', 0, '0,00\u00a0DH'],
    ['fr', 'chat', -0, '0,00\u00a0DH'],
  ] as const)('signed: %s %s %d', (language, medium, amount, text) => {
    expect(createWriter(language, medium)({ signed: amount as Centimes })).toBe(text);
  });

  test.each([
    ['fr', 'ussd', 'bare', 123450, '1\u00a0234,50', '+1\u00a0234,50'],
    ['fr', 'ussd', 'bare', 20000, '200,00', '+200,00'],
    ['fr', 'ussd', 'whole', 20000, '200', '+200'],
    ['fr', 'ussd', 'whole', -20000, '-200', '-200'],
    // Only what says nothing is left out.
    ['fr', 'ussd', 'whole', 20050, '200,50', '+200,50'],
    ['fr', 'ussd', 'whole', 0, '0', '0'],
    ['ar', 'ussd', 'whole', 150000, '1500', '+1500'],
    ['ar', 'chat', 'bare', 20000, '\u2066200,00\u2069', '\u2066+200,00\u2069'],
    ['en', 'ussd', 'whole', -35075, '-350.75', '-350.75'],
    ['en', 'sms', 'bare', 100000, '1,000.00', '+1,000.00'],
  ] as const)('without its currency: %s %s %s %d', (language, medium, format, amount, text, signed) => {
    const write = createWriter(language, medium);
    expect(write(money(amount), format)).toBe(text);
    expect(write({ signed: amount as Centimes }, format)).toBe(signed);
  });

  test.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY])('%d is never shown', (amount) => {
    expect(() => createWriter('fr', 'chat')({ money: amount as Centimes })).toThrow('not a whole number');
    expect(() => createWriter('fr', 'chat')({ signed: amount as Centimes })).toThrow('not a whole number');
  });
});

test.each([
  ['a phone in a chat', 'fr', 'chat', phone('+212612345678'), '06\u00a012\u00a034\u00a056\u00a078'],
  [
    'a phone in an Arabic chat',
    'ar',
    'chat',
    { phone: ALI },
    '\u206606\u00a012\u00a034\u00a056\u00a078\u2069',
  ],
  ['a phone on USSD', 'ar', 'ussd', { phone: ALI }, '0612345678'],
  ['a phone in an SMS', 'en', 'sms', { phone: ALI }, '0612345678'],
  ['a masked phone', 'fr', 'chat', { masked: ALI }, '06\u00a0••\u00a0••\u00a0••\u00a078'],
  [
    'a masked phone in an Arabic chat',
    'ar',
    'chat',
    { masked: ALI },
    '\u206606\u00a0••\u00a0••\u00a0••\u00a078\u2069',
  ],
  ['a masked phone in an SMS', 'fr', 'sms', { masked: ALI }, '06******78'],
  ['a masked phone in an Arabic SMS', 'ar', 'sms', { masked: ALI }, '06xxxxxx78'],
  ['the end of a card on USSD', 'fr', 'ussd', { code: '...8189' }, '...8189'],
  ['the end of a card on Arabic USSD', 'ar', 'ussd', { code: '...8189' }, '8189'],
  [
    'a date after the change to GMT',
    'fr',
    'chat',
    { date: Date.UTC(2026, 10, 20, 14, 5) },
    '20/11/2026\u00a014:05',
  ],
  ['a date before it, at +1', 'fr', 'ussd', { date: Date.UTC(2026, 6, 1, 23, 30) }, '02/07/2026\u00a000:30'],
  ['a date in Ramadan, at 0', 'en', 'ussd', { date: Date.UTC(2026, 1, 20, 9, 0) }, '20/02/2026\u00a009:00'],
  [
    'a date in an Arabic chat',
    'ar',
    'chat',
    { date: Date.UTC(2026, 10, 20, 0, 5) },
    '\u206620/11/2026\u00a000:05\u2069',
  ],
  ['a day after the change to GMT', 'fr', 'chat', { day: Date.UTC(2026, 10, 20, 23, 59) }, '20/11'],
  ['a day that has begun in Morocco, at +1', 'fr', 'ussd', { day: Date.UTC(2026, 6, 1, 23, 30) }, '02/07'],
  ['a day in an Arabic chat', 'ar', 'chat', { day: Date.UTC(2026, 10, 20, 0, 5) }, '\u206620/11\u2069'],
  ['a day on Arabic USSD', 'ar', 'ussd', { day: Date.UTC(2026, 10, 20, 0, 5) }, '20/11'],
  ['a count', 'fr', 'chat', { count: 3 }, '3'],
  ['a large count', 'fr', 'ussd', { count: 1000000 }, '1\u00a0000\u00a0000'],
  ['a large count on Arabic USSD', 'ar', 'ussd', { count: 12000 }, '12000'],
  ['a code', 'fr', 'chat', { code: 'TX 26' }, 'TX\u00a026'],
  ['a code in an Arabic chat', 'ar', 'chat', { code: 'TX-26' }, '\u2066TX-26\u2069'],
  ['a code with an override', 'ar', 'chat', { code: '\u202eTX\u2069' }, '\u2066TX\u2069'],
  ['a name in a chat', 'fr', 'chat', { name: 'Zoë' }, '\u2068Zoë\u2069'],
  ['a name on USSD', 'fr', 'ussd', { name: 'Zoë Benîtah 😀' }, 'Zoe Benitah'],
  ['a name on Arabic USSD', 'ar', 'ussd', { name: 'Zoë\u200f 😀' }, 'Zoe'],
  ['an Arabic name on French USSD', 'fr', 'ussd', { name: 'فاطمة' }, 'فاطمة'],
  ['a name of emoji only', 'fr', 'sms', { name: '😀😀' }, '-'],
] as const)('%s', (_, language, medium, value, text) => {
  expect(createWriter(language, medium)(value)).toBe(text);
});

test('a masked number shows its beginning and end only', () => {
  expect(maskPhone(ALI, 'chat', 'ar')).toBe('06 •• •• •• 78');
  expect(maskPhone(ALI, 'ussd', 'en')).toBe('06******78');
  expect(maskPhone(ALI, 'sms', 'ar')).toBe('06xxxxxx78');
});
