import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test('a process whose output nobody takes goes on after an error, and ends when it is told to', async () => {
  const child = started('cannot be heard', 'pipe');
  expect(`${(await once(child.stderr as Readable, 'data'))[0]}`).toBe('goes on');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** `logging.ts`, whose output is read once somebody listens. */
function started(end: string, stderr: 'pipe' | 'inherit') {
  const program = fileURLToPath(new URL('./logging.ts', import.meta.url));
  const child = spawn(process.execPath, [program, end], { stdio: ['ignore', 'pipe', stderr] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test.each([
  ['killed after an error', ['first', 'second']],
  ['exits', ['first']],
  ['goes on', ['first']],
])('the log of a process that %s is on its output', async (end, steps) => {
  const child = started(end, 'inherit');
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    output += part;
  });
  const said = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).step);
  await expect.poll(said).toEqual(steps);
});
