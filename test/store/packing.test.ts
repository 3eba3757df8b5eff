import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRAGMENTS, FRAGMENTS_WRITTEN } from '../../src/store/fragments.ts';
import { pack, unpack } from '../../src/store/packing.ts';

const KEY = 'session:ussd:+212612345678';
const ID = 'a5ca6758-584e-4a85-b14e-76c776b9ace0';
const AT = 1795457120817;
const CODES = '\x00\x01\x02\x03\x04\x1a\x1b\x1c\x1d\x1e\x1f!~';

/** What is like what documents are made of, cut and joined anywhere. */
const piece = fc.oneof(
  fc.constantFrom(...FRAGMENTS),
  fc.constantFrom(...FRAGMENTS).map((fragment) => fragment.slice(1, -1)),
  fc.constantFrom(
    ...CODES,
    '+212612345678',
    '+21261234567',
    ID,
    ID.toUpperCase(),
    ID.slice(1),
    `:${AT}`,
    `,${AT}0`,
  ),
  fc.constantFrom('"+212612345678"', '+2126123456789', '9999999999999', ':1000000000000', ':1999999999999'),
  fc.uuid(),
  fc.integer(),
  fc.string({ unit: 'binary' }),
  fc.json(),
);

describe('a text that is packed', () => {
  test('is the same once it is unpacked, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('', KEY, 'wallet:+212612345678', 'x'), (pieces, key) => {
        const text = pieces.join('');
        expect(unpack(pack(text, key), key)).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each<[string, unknown]>([
    ['a document', { seen: ['x'], screen: 1, wallet: '+212612345678', at: AT, intent: ID }],
    ['codes that a customer has typed', { text: CODES, more: '\x1b!\x1c123456789\x1d\x1e\x1f' }],
    [
      'more values than can be referred to',
      [0, 0].flatMap(() => Array.from({ length: 200 }, (_, i) => AT + i)),
    ],
    [
      'a RIB, and a card with a moment in it',
      { rib: '007780001234567890123456', pan: '4179545712081700', at: [AT] },
    ],
    ['a moment of another century', [-1, 0, 999, 1e12, 2e12, 4e12, 1e15]],
    ['a number that is no mobile phone', ['+212000000000', '+33612345678', '+2126123456789']],
  ])('is JSON of %s', (_, value) => {
    const text = JSON.stringify(value);
    expect(unpack(pack(text, KEY), KEY)).toBe(text);
  });

  test.each(['a', 'ه', '€', '\x1f', `"${ID}",`, '😀'])('has room as long as it may be, of %j', (piece) => {
    const longest = piece.repeat(Math.floor(65_536 / piece.length));
    expect(unpack(pack(longest, KEY), KEY)).toBe(longest);
  });

  test('is stored as it is where it is longer: what is so long is sealed', () => {
    const longer = `{"sealed":"${'a'.repeat(65_536)}"}`;
    expect(pack(longer, KEY)).toBe(longer);
    expect(unpack(longer, KEY)).toBe(longer);
  });

  test.each([
    [`"${ID}"`, '"\x1epcpnWFhOSoWxTnbHdrms4A"'],
    [`"${ID.slice(0, 8)}+${ID.slice(9)}"`, `"${ID.slice(0, 8)}+${ID.slice(9)}"`],
    [`"${ID.replace('c', 'C')}"`, `"${ID.replace('c', 'C')}"`],
    [`"${ID.slice(0, -1)}`, `"${ID.slice(0, -1)}`],
    ['+212698765432 +212698765432', '\x1c698765432 \x1b"'],
    ['+212612345678', '\x1b!'],
    ['+21269876543', '+21269876543'],
    ['+213698765432', '+213698765432'],
    [`[${AT},${AT}]`, '[\x1daIJlXox,\x1b"]'],
    [`{${AT}}`, `{${AT}}`],
    [`[${AT}`, `[${AT}`],
    ['[2795457120817]', '[2795457120817]'],
  ])('has values in as few characters as every release reads: %j', (text, packed) => {
    expect(pack(text, KEY)).toBe(packed);
  });

  test('is as it was where nothing in it is known', () => {
    expect(pack('{"colour":7}', KEY)).toBe('{"colour":7}');
  });

  test('is read as it is where an older release has stored it plainly', () => {
    const text = JSON.stringify({ seen: ['x'], screen: 1, wallet: '+212612345678', at: AT, intent: ID });
    expect(unpack(text, KEY)).toBe(text);
  });

  test('has no secret in another form: digits in a text stay as they are', () => {
    const text = JSON.stringify({ code: '1234567890123', pin: '1234', card: '1111222233334444' });
    for (const secret of ['1234567890123', '1234', '1111222233334444'])
      expect(pack(text, KEY)).toContain(secret);
  });

  test.each([
    // Two digests are most of it.
    ['while a gateway may ask again', ['rMOIgOx5aNmJMhUd'], { dialog: 'rMOIgOx5aNmJMhUe' }, 60],
    // Redis has room for it in the smallest piece that holds a document at all.
    ['once nobody does', [], {}, 18],
  ])('is short where it is what every customer has, %s', (_, seen, dialog, chars) => {
    const idle = { seen, screen: 8, page: 0, at: AT, wallet: '+212612345678', linked: true, ...dialog };
    for (const language of ['fr', 'ar', 'en'])
      expect(pack(JSON.stringify({ ...idle, language }), KEY).length, language).toBeLessThan(chars);
  });
});

describe('what a text cannot be read without', () => {
  test('is the key that it was packed with, for the number in it alone', () => {
    const packed = pack('{"wallet":"+212612345678","to":"+212698765432"}', KEY);
    expect(unpack(packed, '')).toBe('{"wallet":"","to":"+212698765432"}');
  });

  test.each([
    '\x01',
    '\x01 ',
    '\x03\x7f',
    '\x1b',
    '\x1b!',
    '\x1b\x00',
    '\x1c12',
    '\x1d',
    '\x1e',
    '\x1f',
    '\x00',
  ])('is not all there: %j is read as far as it goes', (damaged) => {
    expect(() => unpack(`{"a":1}${damaged}`, KEY)).not.toThrow();
  });
});

describe('the pieces', () => {
  test('are each there once, and can each be told from what follows them', () => {
    expect(new Set(FRAGMENTS).size).toBe(FRAGMENTS.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: codes begin with these
    expect(FRAGMENTS.filter((fragment) => fragment.length < 3 || /\d$|[\0-\x1f]/.test(fragment))).toEqual([]);
    expect(FRAGMENTS_WRITTEN).toBeLessThanOrEqual(FRAGMENTS.length);
  });

  test('have short codes, and no two the same', () => {
    const codes = FRAGMENTS.slice(0, FRAGMENTS_WRITTEN).map((fragment) => pack(fragment, ''));
    expect(new Set(codes).size).toBe(FRAGMENTS_WRITTEN);
    expect(codes.filter((code) => code.length > 2)).toEqual([]);
  });
});
