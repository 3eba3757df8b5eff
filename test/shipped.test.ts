import { expect, test } from 'vitest';
import { readText } from './kit/tree.ts';

/** What is shipped with Wasl: the packages of the image, and what they are under. */
interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

const LICENCES = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', '(MIT OR CC0-1.0)'];
/** They say their licence in a file, and not in their manifest. */
const BY_FILE: Readonly<Record<string, string>> = { 'htmx-ext-sse': '0BSD' };

const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Locked> };
/** As `npm ci --omit=dev --omit=optional` installs them. */
const shipped = Object.entries(packages).flatMap(([path, { license, dev, optional, devOptional }]) => {
  const name = path.replace(/^.*node_modules\//, '');
  return path === '' || dev || optional || devOptional ? [] : [{ name, license: license ?? BY_FILE[name] }];
});

test('every package that is shipped is under a licence that asks for no more than to be named', () => {
  expect(shipped.length).toBeGreaterThan(20);
  expect(shipped.filter(({ license }) => !LICENCES.includes(license ?? 'none'))).toEqual([]);
});

test('the image is built without what tests and builds need, on a base that a release pins, and asks no shell', () => {
  const file = readText('Dockerfile');
  expect(file).toContain('npm ci --omit=dev --omit=optional');
  expect(
    shipped.map(({ name }) => name).filter((name) => /typescript|vitest|biome|playwright/.test(name)),
  ).toEqual([]);
  const bases = [...file.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toEqual(Array.from({ length: 2 }, () => '$' + '{BASE}'));
  for (const [, command = ''] of file.matchAll(/^(?:HEALTHCHECK .*\\\n\s+)?CMD (.*)$/gm))
    expect(JSON.parse(command)[0]).toBe('node');
});
