import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test.each([
  ['killed after an error', ['first', 'second']],
  ['exits', ['first']],
  ['goes on', ['first']],
])('what was logged by a process that %s is on its output', async (end, steps) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./logging.ts', import.meta.url)), end], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
  });
  const said = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).step);
  await expect.poll(said).toEqual(steps);
});
