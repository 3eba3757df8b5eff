import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codec, isObject, UnreadableDocument } from '../../src/store/codec.ts';

interface Count {
  readonly wrong: number;
}
const byHand = codec<Count>('count', (value) => isObject(value) && typeof value.wrong === 'number');
const bySchema = codec<Count>('count', z.object({ wrong: z.number() }));

describe.each([
  ['a check by hand', byHand],
  ['a schema', bySchema],
])('a document read by %s', (_, count) => {
  test('gives the written value', () => {
    const { value, ...write } = count.write({ key: 'count:1', version: 3, value: '' }, { wrong: 2 });
    expect(write).toMatchObject({ key: 'count:1', version: 3 });
    expect(write.next).toBeGreaterThan(3);
    expect(count.read({ key: 'count:1', version: 4, value: value ?? '' })).toEqual({ wrong: 2 });
  });

  test('keeps the fields of a later release', () => {
    expect(count.parse('count:1', '{"wrong":2,"later":["x"]}')).toEqual({ wrong: 2, later: ['x'] });
  });

  test('is written back with the fields of a later release, and no other old field', () => {
    const stored = { key: 'count:1', version: 4, value: '{"wrong":2,"note":"x","later":["x"]}' };
    const noted = codec<{ wrong: number; note?: string }>(
      'count',
      z.object({ wrong: z.number(), note: z.string().exactOptional() }),
    );
    expect(JSON.parse(noted.write(stored, { wrong: 3 }).value ?? '')).toEqual({ wrong: 3, later: ['x'] });
    expect(JSON.parse(noted.write({ ...stored, version: 0 }, { wrong: 1 }).value ?? '')).toEqual({
      wrong: 1,
    });
  });

  test('is undefined when there is none', () => {
    expect(count.read({ key: 'count:1', version: 0, value: '' })).toBeUndefined();
    expect(count.read(undefined)).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"wrong":'],
    ['null', 'null'],
    ['a list', '[{"wrong":2}]'],
    ['a text', '"2"'],
    ['a value of another type', '{"wrong":"secret 2"}'],
    ['a missing value', '{"secret":2}'],
  ])('is an error when it is %s, and the message names kind and key only', (_label, text) => {
    const read = () => count.read({ key: 'count:1', version: 1, value: text });
    expect(read).toThrow(new UnreadableDocument('count', 'count:1'));
    expect(read).toThrow('the stored count count:1 cannot be read');
  });
});
