import { configDefaults, defineConfig } from 'vitest/config';

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

export default defineConfig({
  test: {
    // They end what hangs, on a machine however busy; no test measures by them.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
    // Twice the cores of a small machine: much of the time is waited for browsers, processes and timers.
    maxWorkers: 4,
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
