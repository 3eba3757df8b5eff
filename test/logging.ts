import { openLog } from '../src/log.ts';

/** A process of `log.test.ts`, which logs and then ends as it is told to. */
const log = openLog('info');
const [, , end] = process.argv;
log.info({ step: 'first' }, 'turn');
if (end === 'killed after an error') {
  log.error({ step: 'second' }, 'failed');
  process.kill(process.pid, 'SIGKILL');
}
if (end === 'exits') process.exit(0);
if (end === 'cannot be heard') {
  // More than a pipe holds.
  for (let line = 0; line < 2_000; line++) log.info({ step: 'more', text: 'x'.repeat(100) }, 'turn');
  log.error({ step: 'second' }, 'failed');
  process.once('SIGTERM', () => process.exit(0));
  process.stderr.write('goes on');
}
// Otherwise it goes on, and says nothing more.
setInterval(() => {}, 1_000);
