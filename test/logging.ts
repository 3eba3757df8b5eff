import { openLog } from '../src/log.ts';

/** A process of `log.test.ts`, which logs and then ends as it is told to. */
const log = openLog('info', 'worker');
const [, , end] = process.argv;
log.say('Wasl starts', { step: 'first' });
if (end === 'killed after an error') {
  log.say('A request failed', { step: 'second' });
  process.kill(process.pid, 'SIGKILL');
}
if (end === 'exits') process.exit(0);
if (end === 'cannot be heard') {
  // More than a pipe holds.
  for (let line = 0; line < 2_000; line++) log.say('A turn was answered', { text: 'x'.repeat(100) });
  log.say('A request failed', { step: 'second' });
  process.once('SIGTERM', () => process.exit(0));
  process.stderr.write('goes on');
}
// Otherwise it goes on, and says nothing more.
setInterval(() => {}, 1_000);
