import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { helpOn } from '../src/help.ts';
import { LONGEST } from './kit/longest.ts';
import { nearest } from './kit/nearest.ts';
import { ROOT } from './kit/tree.ts';

/**
 * `npm run test:changed`: runs the tests nearest to what changed since a commit, for about a minute. A test is near when few
 * imports lie between it and a changed file. It takes no test that would not fit, and says how many it left out.
 */
helpOn(`npm run test:changed             the tests nearest to what you changed since main, for about a minute
npm run test:changed -- COMMIT   the same since another commit`);
/** The tests of one run take this long together. Starting and loading them takes the rest of the minute. */
const BUDGET_MS = 45_000;
/** For a test file that has never run here. Those that are known to be long never fit. */
const UNKNOWN_MS = 1500;
/** The last run of the test runner on this machine: how long each file took. */
const RESULTS = 'node_modules/.vite/vitest/da39a3ee5e6b4b0d3255bfef95601890afd80709/results.json';

const since = process.argv[2] ?? 'main';
const changed = changedFiles();
const related = nearest(changed);
const chosen = fitting(related);
console.log(
  `${changed.length} files changed since ${since}. ${related.length} test files reach them: running the nearest ${chosen.length}.`,
);
if (chosen.length < related.length) console.log('npm test runs the others, too.');
if (chosen.length > 0) {
  const vitest = join(ROOT, 'node_modules/.bin/vitest');
  process.exitCode = spawnSync(vitest, ['run', ...chosen], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** By their paths from the root: committed since then, or not committed yet. */
function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const base = git('merge-base', since, 'HEAD')[0] ?? since;
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(files)].filter(Boolean);
}

/** As many as fit, in this order. */
function fitting(tests: readonly string[]): string[] {
  const took = durations();
  let left = BUDGET_MS;
  return tests.filter((test) => {
    const ms = took.get(test) ?? (LONGEST.includes(test) ? Number.POSITIVE_INFINITY : UNKNOWN_MS);
    if (ms > left) return false;
    left -= ms;
    return true;
  });
}

function durations(): ReadonlyMap<string, number> {
  const file = join(ROOT, RESULTS);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return new Map();
  const { projects } = JSON.parse(readFileSync(file, 'utf8')) as {
    projects: Record<string, { files: Record<string, { duration: number }> }>;
  };
  return new Map(
    Object.values(projects).flatMap(({ files }) =>
      Object.entries(files).map(([name, { duration }]) => [name, duration] as const),
    ),
  );
}
