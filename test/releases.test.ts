import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  keptIn,
  RELEASED_PACKAGES,
  releasedFiles,
  releaseIdOf,
} from '../src/conversation/chart/release-files.ts';
import { damagedIn, FIRST_KEPT, keptWrongly, versionOf, versionsIn } from '../tools/keep-release.ts';
import { newDirectory } from './kit/new-directory.ts';
import { release, thisRelease } from './kit/release-trees.ts';
import { importsOf, ROOT, readText } from './kit/tree.ts';

/** Loaded with the first conversation that began there: as little as the charts themselves. */
const BUNDLE_MAX_BYTES = 400_000;
const CHARTS = 'src/conversation/chart/charts.ts';

describe('this tree', () => {
  test('begins its changelog with its own version', () => {
    expect(versionsIn(readText('CHANGELOG.md'))[0]).toBe(versionOf(ROOT));
  });

  test('keeps the release before it, whole', () => {
    const kept = keptIn(ROOT);
    const versions = versionsIn(readText('CHANGELOG.md'));
    expect(
      keptWrongly(
        versions,
        kept.map(({ version }) => version),
      ),
      'npm run release',
    ).toBeUndefined();
    expect(kept.flatMap(({ directory }) => damagedIn(directory))).toEqual([]);
  });

  test('has everything that its charts are made of in its id', () => {
    const reached = new Set([CHARTS]);
    const packages = new Set<string>();
    for (const path of reached) {
      for (const { isLocal, typesOnly, to } of importsOf(path)) {
        if (!typesOnly) (isLocal ? reached : packages).add(to);
      }
    }
    const released = releasedFiles(ROOT);
    expect([...reached].filter((path) => !released.includes(path))).toEqual([]);
    expect([...packages].sort()).toEqual([...RELEASED_PACKAGES]);
    expect(released.filter((path) => path.startsWith('locales/ar/')).length).toBeGreaterThan(20);
  });
});

describe('the release that is kept', () => {
  test.each<[string, string[], string[], boolean]>([
    ['none is needed before the first', [FIRST_KEPT, '0.2.0'], [], true],
    ['the first release itself has none', [FIRST_KEPT], [], true],
    ['the one before', ['0.4.0', FIRST_KEPT, '0.2.0'], [FIRST_KEPT], true],
    ['the one before, of many', ['1.10.0', '1.9.0', '1.8.0'], ['1.9.0'], true],
    ['it was forgotten', ['0.4.0', FIRST_KEPT], [], false],
    ['it is still the one before that', ['0.5.0', '0.4.0', FIRST_KEPT], [FIRST_KEPT], false],
    ['two are there', ['0.5.0', '0.4.0', FIRST_KEPT], ['0.4.0', FIRST_KEPT], false],
    ['it is this one', ['0.4.0', FIRST_KEPT], ['0.4.0'], false],
    ['it was forgotten after ten', ['0.11.0', '0.10.0', '0.9.0'], [], false],
    ['one is there that is too old', [FIRST_KEPT, '0.2.0'], ['0.2.0'], false],
  ])('%s', (_, versions, kept, isRight) => {
    expect(keptWrongly(versions, kept) === undefined).toBe(isRight);
  });
});

describe('the release command', () => {
  const directory = newDirectory('release');
  const tree = join(directory, 'tree');
  let id: string;
  beforeAll(() => {
    thisRelease(tree);
    id = releaseIdOf(tree);
    release(tree);
  });
  const kept = () => keptIn(tree).map(({ version, release }) => ({ version, release }));
  const [version = ''] = versionsIn(readText('CHANGELOG.md'));

  /** The output of a module of the tree, in a process of its own. */
  function said(code: string): string {
    const imports = `import * as releases from ${JSON.stringify(join(tree, 'src/conversation/chart/releases.ts'))};`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', imports + code], {
      encoding: 'utf8',
    });
    return stdout.trim() || stderr;
  }

  test('keeps the tree and begins the next version', () => {
    expect(kept()).toEqual([{ version, release: id }]);
    expect(versionsIn(readFileSync(join(tree, 'CHANGELOG.md'), 'utf8')).slice(0, 2)).toEqual([
      versionOf(tree),
      version,
    ]);
    expect(versionOf(tree)).not.toBe(version);
    expect(keptWrongly([versionOf(tree), version], [version])).toBeUndefined();
  });

  test('makes a small bundle with everything in it', () => {
    const [{ directory: where } = { directory: '' }] = keptIn(tree);
    expect(statSync(join(where, 'charts.js')).size).toBeLessThan(BUNDLE_MAX_BYTES);
    // Where no package is installed.
    copyFileSync(join(where, 'charts.js'), join(directory, 'charts.mjs'));
    const alone = JSON.stringify(join(directory, 'charts.mjs'));
    expect(said(`console.log(Object.keys(await import(${alone})).join())`)).toBe('MACHINES,createCharts');
    expect(readdirSync(where).sort()).toEqual(['charts.js', 'formats.json', 'release.json', 'words.json']);
    expect(damagedIn(where)).toEqual([]);
  });

  test('a changed file makes another release, and an unrelated one does not', () => {
    appendFileSync(join(tree, 'src/main.ts'), '// another line\n');
    expect(releaseIdOf(tree)).toBe(id);
    const path = join(tree, 'locales/fr/transfer.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('mobile', 'téléphone'));
    expect(releaseIdOf(tree)).not.toBe(id);
  });

  test('the charts of the one before are loaded only when they are met', () => {
    const [{ directory: where } = { directory: '' }] = keptIn(tree);
    const path = join(where, 'charts.js');
    const bundle = readFileSync(path, 'utf8');
    writeFileSync(path, `console.log('loaded');\n${bundle}`);
    expect(damagedIn(where)).toEqual(['charts.js']);
    expect(said('console.log(releases.knownReleases().length)')).toBe('2');
    const steps = `const release = ${JSON.stringify(id)};
      await releases.loadCharts({ conversation: { release } });
      console.log(releases.chartsOf({ release }).begin('help', { linked: false }, 0).conversation.release === release)`;
    expect(said(steps)).toBe('loaded\ntrue');
  });

  test('keeps one release, the newest', () => {
    const second = versionOf(tree);
    release(tree);
    expect(kept()).toEqual([{ version: second, release: releaseIdOf(tree) }]);
  });

  test('refuses a tree whose changelog does not begin with its version', () => {
    appendFileSync(join(tree, 'CHANGELOG.md'), '');
    const path = join(tree, 'CHANGELOG.md');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^## .*$/m, '## 99.0.0'));
    const before = kept();
    expect(() => release(tree)).toThrow('the changelog begins with 99.0.0');
    expect(kept()).toEqual(before);
  });
});
