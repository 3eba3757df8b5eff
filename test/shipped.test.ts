import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newDirectory } from './kit/new-directory.ts';
import { ROOT, readText } from './kit/tree.ts';

/** The parts that are shipped with Wasl: the packages of the image, and its base. */
interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

const LICENCES = [
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  '(MIT OR CC0-1.0)',
  'MIT AND OFL-1.1',
];
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

test('the image has no test or build packages, a pinned base and no shell', () => {
  const file = readText('Dockerfile');
  expect(file).toContain('npm ci --omit=dev --omit=optional');
  expect(
    shipped.map(({ name }) => name).filter((name) => /typescript|vitest|biome|playwright/.test(name)),
  ).toEqual([]);
  const bases = [...file.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toEqual(Array.from({ length: 2 }, () => '$' + '{BASE}'));
  for (const [, command = ''] of file.matchAll(/^(?:HEALTHCHECK .*\\\n\s+)?CMD (.*)$/gm))
    expect(JSON.parse(command)[0]).toBe('node');
  const [flags] = /--.*(?= src)/.exec(JSON.parse(readText('package.json')).scripts.start) ?? [];
  const started = [...file.matchAll(/^CMD (.*)$/gm)].map(([, command = '']) => JSON.parse(command).join(' '));
  expect(started).toEqual([`node ${flags} src/main.ts`]);
});

describe('the base image is pinned before a release', () => {
  const NEWER = `sha256:${'0123456789abcdef'.repeat(4)}`;
  /** Runs the step on a copy of our Dockerfile, with a `docker` that says this of the image. */
  function pins(says: string, status = 0, from = readText('Dockerfile')) {
    const directory = newDirectory('pin');
    const file = join(directory, 'Dockerfile');
    writeFileSync(file, from);
    const asked = join(directory, 'asked');
    const docker = `#!/bin/sh\necho "$@" >> ${asked}\necho '${says}'\nexit ${status}\n`;
    writeFileSync(join(directory, 'docker'), docker, { mode: 0o755 });
    const { status: code, stderr } = spawnSync(process.execPath, ['tools/pin-base.ts', file], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: `${directory}:/bin:/usr/bin` },
    });
    return { code, stderr, after: readFileSync(file, 'utf8'), asked: readFileSync(asked, 'utf8') };
  }

  test('by the digest that docker has pulled, also in place of an older one', () => {
    const first = pins(`node@${NEWER}`);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.asked.split('\n')[0]).toBe('pull --quiet node:24-slim');
    const pinned = readText('Dockerfile').replace(/^ARG BASE=.*$/m, `ARG BASE=node:24-slim@${NEWER}`);
    expect(first.after).toBe(pinned);
    const again = pins(`node@${NEWER}`, 0, pinned.replace(NEWER, `sha256:${'f'.repeat(64)}`));
    expect(again.after).toBe(pinned);
    expect(again.asked.split('\n')[0]).toBe('pull --quiet node:24-slim');
  });

  test.each([
    ['docker fails', 'no such image', 1],
    ['there is no digest', '', 0],
    ['what it says is no digest', 'node@sha256:123', 0],
  ])('is not pinned when %s', (_label, says, status) => {
    const { code, after, stderr } = pins(says, status);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The base image was not pinned: .*\.\n$/);
    expect(after).toBe(readText('Dockerfile'));
  });
});
