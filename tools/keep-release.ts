import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { releaseIdOf, wordsOf } from '../src/conversation/chart/release-files.ts';
import { loadLocales } from '../src/screen/locales.ts';

/** What is bundled: the charts and everything that they import, so that they stay as they are whatever changes around them. */
const ENTRY = 'src/conversation/chart/charts.ts';
/** What a release stores, as its own test has found out (`test/formats.test.ts`). */
export const FORMATS = 'releases/formats.json';

/** The first release that knows of others: those before it are not kept. */
export const FIRST_KEPT = '0.3.0';

/**
 * Keeps the tree that this program belongs to as a release, in a directory: `release.json`, `charts.js`, `words.json` and
 * `formats.json`.
 * @param root the tree
 * @param version what the changelog calls it
 */
export async function keepRelease(root: string, version: string, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const bundle = await rolldown({ input: join(root, ENTRY), platform: 'node', cwd: root });
  await bundle.write({
    file: join(directory, 'charts.js'),
    format: 'esm',
    minify: true,
    codeSplitting: false,
  });
  await bundle.close();
  writeFileSync(join(directory, 'words.json'), JSON.stringify(wordsOf(loadLocales(join(root, 'locales')))));
  if (existsSync(join(root, FORMATS))) copyFileSync(join(root, FORMATS), join(directory, 'formats.json'));
  const files = Object.fromEntries(PARTS.map((name) => [name, digestOf(join(directory, name))]));
  writeJson(join(directory, 'release.json'), { version, release: releaseIdOf(root), files });
}
const PARTS = ['charts.js', 'words.json', 'formats.json'] as const;

/** The files of a kept release that are missing, or not as they were kept. */
export function damagedIn(directory: string): string[] {
  const { files } = JSON.parse(readFileSync(join(directory, 'release.json'), 'utf8')) as {
    files: Readonly<Record<string, string>>;
  };
  return PARTS.filter((name) => digestOf(join(directory, name)) !== files[name]);
}

/** Why the releases that are kept are not the one before the newest of these; undefined where they are. */
export function keptWrongly(versions: readonly string[], kept: readonly string[]): string | undefined {
  const [, before] = versions;
  const needed = before !== undefined && !isEarlier(before, FIRST_KEPT) ? [before] : [];
  if (kept.join() === needed.join()) return undefined;
  return `releases/ has ${kept.join(', ') || 'nothing'} and not ${needed.join() || 'nothing'}`;
}

function isEarlier(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

function digestOf(path: string): string {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'missing';
}

/** The versions of a changelog, the newest first. */
export function versionsIn(changelog: string): string[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version = '']) => version);
}

export function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
