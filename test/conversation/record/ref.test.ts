import { describe, expect, test } from 'vitest';
import { isOurRef, newRef, partitionOfRef } from '../../../src/conversation/record/ref.ts';
import { createSecrets } from '../../../src/conversation/secrets.ts';

const OURS = createSecrets('a secrets key of the tests, 32 characters');
const THEIRS = createSecrets('the secrets key of somebody else, 32 ch.');
/** Changes one hexadecimal digit. */
const changed = (ref: string, at: number) =>
  ref.slice(0, at) + ((Number.parseInt(ref.charAt(at), 16) + 1) % 16).toString(16) + ref.slice(at + 1);

describe('a request id', () => {
  test.each([0, 1, 127, 255])(
    'is a UUID v4 that names partition %i and can be verified as ours',
    (partition) => {
      const ref = newRef(partition, OURS);
      expect(ref).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(partitionOfRef(ref)).toBe(partition);
      expect(isOurRef(ref, OURS)).toBe(true);
    },
  );

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newRef(7, OURS))).size).toBe(10_000);
  });

  test.each<[string, (ref: string) => string]>([
    ['another partition', (ref) => changed(ref, 1)],
    ['another random digit', (ref) => changed(ref, 10)],
    ['another digit of its tag', (ref) => changed(ref, 35)],
    ['capital letters', () => 'ABCDEF00-0000-4000-8000-00000000000A'],
    ['a UUID of another application', () => crypto.randomUUID()],
    ['one digit less', (ref) => ref.slice(0, -1)],
    ['something behind it', (ref) => `${ref}0`],
    ['nothing', () => ''],
  ])('with %s is not ours', (_, forge) => {
    expect(isOurRef(forge(newRef(7, OURS)), OURS)).toBe(false);
  });

  test('made by another key is not ours', () => {
    expect(isOurRef(newRef(7, THEIRS), OURS)).toBe(false);
  });
});
