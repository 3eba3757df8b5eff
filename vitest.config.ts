import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST } from './test/kit/longest.ts';
import { COMPILED } from './test/kit/tree.ts';
import { USSD_SHAPES } from './test/kit/ussd-shapes.ts';

const LONG = process.env.LONG === '1';

/**
 * Each of these files has a worker of its own: it changes the whole process (its clock, its metrics, its traces), or starts Wasl in it
 * more than once. All others leave nothing behind in theirs, and share it, so that the modules are loaded once, and a browser is
 * opened once, and not once per file. Servers and processes that a test kills are not its worker.
 */
const ALONE = [
  ...['bench', 'metrics'].map((room) => `test/${room}/**/*.test.ts`),
  ...['canaries', 'crash', 'crash-broken', 'crash-kinds', 'crash-references', 'golden', 'load'].map(
    (name) => `test/battery/${name}.test.ts`,
  ),
  ...['rotation', 'simulation', 'versions', 'versions-cases'].map((name) => `test/battery/${name}.test.ts`),
  ...['correlation', 'log', 'roles', 'rolling-restart', 'start'].map((name) => `test/${name}.test.ts`),
];

/** Files that share a worker stay together, after those that do not. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const i = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return (project.config.isolate ? 0 : LONGEST.length + 1) + (i < 0 ? LONGEST.length : i);
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    // They end what hangs, on a machine however busy; no test measures by them.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Three times the cores of a small machine: much of the time is waited for browsers, processes and timers.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // For the workers, and for the programs that they start: what was compiled once is not compiled again.
    env: COMPILED,
    // As `npm start` has it: most objects live for one turn.
    execArgv: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'],
    // A forgotten `.only` would skip the rest in silence.
    allowOnly: false,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      // Every transcript behind every gateway of USSD and over SMPP, and not only behind the one whose turn it is.
      ...(LONG ? USSD_SHAPES : []).map((shape) => ({
        extends: true as const,
        test: {
          name: shape,
          include: ['test/machines/**/*.test.ts'],
          env: { USSD_SHAPE: shape },
          isolate: false,
        },
      })),
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          isolate: false,
          // And once without a gateway.
          ...(LONG && { env: { USSD_SHAPE: '' } }),
        },
      },
    ],
  },
});
