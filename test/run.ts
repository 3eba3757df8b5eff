import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { helpOn } from '../src/help.ts';
import { provideNeeds } from './kit/needs.ts';
import { overBudget, partsOf } from './kit/type-budget.ts';

/**
 * `npm test`: types, format and lint, then every test. Arguments choose files, as with vitest. A failed stage ends the
 * run. A line for each failed test is followed by the last line `N passed, N failed`, where each earlier stage counts
 * as one. A skipped test has failed.
 */
helpOn(`npm test [file …]        types, format, lint, and every test or those in these files
npm run test:long        the long form of the battery, and every transcript behind each gateway of USSD and over SMPP`);
const NODE_MIN = 24;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Where Linux has files that are in memory only. */
const IN_MEMORY = '/dev/shm';
/** The most that the suite writes, with room to spare. */
const ROOM_MIN_BYTES = 4_000_000_000;
const BIN = join(ROOT, 'node_modules', '.bin');

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
interface Count {
  passed: number;
  failed: number;
}

const count: Count = { passed: 0, failed: 0 };
const refused =
  Number.parseInt(process.versions.node, 10) < NODE_MIN
    ? `The tests need Node ${NODE_MIN} or newer, not ${process.versions.node}: run npm test, which brings it.`
    : provideNeeds();
if (refused) {
  console.error(refused);
  count.failed++;
} else if (types() && stage('format and lint', run('biome', 'check', '--max-diagnostics=100'))) {
  runTests();
}
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed > 0 ? 1 : 0;

/** Checks the types, and what they cost: `tsc` says both at once. */
function types(): boolean {
  const { status, stdout } = spawnSync(join(BIN, 'tsc'), ['--extendedDiagnostics'], {
    ...options(),
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const { errors, figures } = partsOf(stdout);
  process.stdout.write(errors);
  if (!stage('types', status === 0)) return false;
  const refusal = overBudget(figures);
  if (refusal) console.error(refusal);
  return stage('the budget of types', refusal === undefined);
}

/** Says how a stage has gone, and counts it. */
function stage(name: string, isFine: boolean): boolean {
  console.log(isFine ? `✓ ${name}` : `✗ ${name}`);
  if (isFine) count.passed++;
  else count.failed++;
  return isFine;
}

function runTests(): void {
  const directory = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'wasl-test-'));
  // PostgreSQL runs as a user of its own.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  const file = join(directory, 'report.json');
  const isFine = run(
    'vitest',
    'run',
    ...process.argv.slice(2),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  );
  const before = count.failed;
  try {
    countTests(JSON.parse(readFileSync(file, 'utf8')) as Report);
  } catch {
    console.error('vitest left no report');
  }
  rmSync(directory, { recursive: true, force: true });
  // An error outside of all tests fails the run as well.
  if (!isFine && count.failed === before) count.failed++;
}

/**
 * Each payment waits for the disk several times. No test checks the disk, so the embedded store of the tests is in
 * memory if possible.
 */
function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_MIN_BYTES;
  } catch {
    return false;
  }
}

function countTests({ testResults }: Report): void {
  for (const { name, status, message, assertionResults } of testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed') {
        count.passed++;
        continue;
      }
      count.failed++;
      const what = test.status === 'failed' ? 'failed' : `not run (${test.status})`;
      console.error(`${what}: ${test.fullName}, ${name}`);
    }
    if (status === 'failed' && assertionResults.every((test) => test.status === 'passed')) {
      count.failed++;
      console.error(`not run: ${name}: ${message}`);
    }
  }
}

/** The tools' own `#!/usr/bin/env node` must find Node 24 too, where this file was not started by npm. */
function options() {
  return { cwd: ROOT, env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}` } };
}

/** Runs a tool of `node_modules`. False when it complains. */
function run(tool: string, ...args: string[]): boolean {
  return spawnSync(join(BIN, tool), args, { ...options(), stdio: 'inherit' }).status === 0;
}
