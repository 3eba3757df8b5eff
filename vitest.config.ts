import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONGEST } from './test/kit/longest.ts';
import { COMPILED } from './test/kit/tree.ts';

/**
 * Rooms whose tests run in one process and leave nothing behind in it: their files share a worker, so that the modules are
 * loaded once, and a browser is opened once, and not once per file. Processes and servers that are killed (`battery`, `store`)
 * get a worker of their own for each file.
 */
const SHARING = [
  'browser',
  'channels',
  'conversation',
  'http',
  'machines',
  'payments',
  'push',
  'sandbox',
  'screen',
  'support',
  'wallet',
  'webhooks',
].map((room) => `test/${room}/**/*.test.ts`);

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
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
    // Three times the cores of a small machine: much of the time is waited for browsers, processes and timers.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // For the workers, and for the programs that they start: what was compiled once is not compiled again.
    env: COMPILED,
    // A forgotten `.only` would skip the rest in silence.
    allowOnly: false,
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING],
        },
      },
    ],
  },
});
