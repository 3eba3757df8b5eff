import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { DRIVE_SMPP } from '../../kit/drive-smpp.ts';
import { freePort } from '../../kit/free-port.ts';

/** A port of Kannel's own: `drive_smpp` has no option for it. */
const BOX_PORT = 13_001;

/** Kannel's SMSC for tests. It also asks for Kannel's bearerbox, and gives up where nothing listens on its port. */
export async function startDriveSmpp(messages: number) {
  const box = createServer((socket) => socket.on('error', () => {}));
  // Another run may stand there already.
  box.on('error', () => {});
  box.listen(BOX_PORT, '127.0.0.1');
  const port = await freePort();
  const child = spawn(DRIVE_SMPP, ['-v', '0', '-p', `${port}`, '-m', `${messages}`]);
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    box.close();
  });
  const count = (what: string) => lines.filter((line) => line.endsWith(what)).length;
  await expect.poll(() => lines.join()).toContain('accept_thread');
  return { port, count, lines, ended };
}
