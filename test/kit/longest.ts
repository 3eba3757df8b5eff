/**
 * The tests that take longest, in the order in which they begin: what begins last is waited for by everybody. Those that compute
 * stand beside those that wait for other processes.
 */
export const LONGEST = [
  'test/battery/crash.test.ts',
  'test/battery/simulation.test.ts',
  'test/battery/records.test.ts',
  'test/battery/crash-kinds.test.ts',
  'test/battery/crash-references.test.ts',
  'test/store/redis-cluster.test.ts',
  'test/battery/truth-kinds.test.ts',
  'test/start.test.ts',
  'test/battery/load.test.ts',
  'test/battery/failover.test.ts',
  'test/battery/versions.test.ts',
  'test/rolling-restart.test.ts',
  'test/formats.test.ts',
  'test/browser/simulator.test.ts',
  'test/browser/console.test.ts',
  'test/conversation/navigation.test.ts',
  'test/browser/morning.test.ts',
  'test/browser/sandbox-desk.test.ts',
  'test/browser/three-ds.test.ts',
];
