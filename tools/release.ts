import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpOn } from '../src/help.ts';
import { keepRelease, versionOf, versionsIn, writeJson } from './keep-release.ts';

/**
 * `npm run release [next version]`: run once the tree is released. Keeps it in `releases/<version>/` in place of the one
 * before, and begins the next version (one minor further unless it is given) in package.json and the changelog.
 */
helpOn('npm run release [next version]   keeps this version in releases/ and begins the next one');
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RELEASES = join(ROOT, 'releases');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

const version = versionOf(ROOT);
const changelog = readFileSync(CHANGELOG, 'utf8');
const [newest] = versionsIn(changelog);
if (newest !== version) {
  console.error(`package.json says ${version}, but the changelog begins with ${newest}: nothing was done.`);
  process.exit(1);
}
const next =
  process.argv[2] ?? version.replace(/^(\d+)\.(\d+)\..*$/, (_, major, minor) => `${major}.${+minor + 1}.0`);

const kept = existsSync(RELEASES) ? readdirSync(RELEASES, { withFileTypes: true }) : [];
for (const { name } of kept.filter((each) => each.isDirectory()))
  rmSync(join(RELEASES, name), { recursive: true });
await keepRelease(ROOT, version, join(RELEASES, version));
for (const name of ['package.json', 'package-lock.json']) {
  const path = join(ROOT, name);
  if (existsSync(path)) writeJson(path, versioned(JSON.parse(readFileSync(path, 'utf8')), next));
}
writeFileSync(CHANGELOG, changelog.replace(`## ${version}\n`, `## ${next}\n\n## ${version}\n`));
console.log(`${version} is kept in releases/${version}; the tree is ${next} now.`);

/** A package file with another version of this package. */
function versioned(file: Record<string, unknown>, version: string): Record<string, unknown> {
  const { packages } = file as { packages?: Record<string, object> };
  return {
    ...file,
    version,
    ...(packages && { packages: { ...packages, '': { ...packages[''], version } } }),
  };
}
