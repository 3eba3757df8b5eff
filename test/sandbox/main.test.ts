import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newDirectory } from '../kit/new-directory.ts';
import { FATIMA, IN_BALANCE, sandbox, transfer, YOUSSEF } from './kit.ts';

const ANSWERS = 40;
const MAIN = join(import.meta.dirname, '../../src/sandbox/main.ts');

function folder(): string {
  const path = newDirectory();
  return path;
}

/** Starts the sandbox as `npm run sandbox` does. */
function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SANDBOX_PORT: '0', ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, ended, said: () => said };
}

test('starts alone, answers, keeps its data to itself, and stops when told', async () => {
  const DATA_DIR = folder();
  const first = start({ DATA_DIR });
  await expect.poll(first.said).toMatch(/^Sandbox wallet on http:\/\/127\.0\.0\.1:\d+, key sandbox-key/);
  const url = /http:\S+(?=,)/.exec(first.said())?.[0] ?? '';
  const path = '/api/customers/balance?phoneNumber=%2B212600000001';
  const response = await fetch(`${url}${path}`, { headers: { 'Svc-Api-Key': 'sandbox-key' } });
  expect(await response.json()).toEqual({ data: { balance: 3500 } });

  const second = start({ DATA_DIR });
  expect(await second.ended).toBe(1);
  expect(second.said()).toMatch(/^The sandbox cannot start: .*sandbox\.db is in use by another process\.\n$/);

  const third = start({ DATA_DIR: folder(), SANDBOX_PORT: new URL(url).port });
  expect(await third.ended).toBe(1);
  expect(third.said()).toContain('it is in use; set SANDBOX_PORT to another');

  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
});

test('an answered call is there after the process was killed', async () => {
  const DATA_DIR = folder();
  const first = start({ DATA_DIR });
  await expect.poll(first.said).toContain('Sandbox wallet on');
  const url = /http:\S+(?=,)/.exec(first.said())?.[0] ?? '';
  const answered: number[] = [];
  const send = async () => {
    const response = await fetch(`${url}/api/operations/transfer`, {
      method: 'POST',
      headers: { 'Svc-Api-Key': 'sandbox-key' },
      body: JSON.stringify(transfer(FATIMA, YOUSSEF, 1)),
    });
    const { data } = (await response.json()) as { data: { operationId: number } };
    if (answered.push(data.operationId) === ANSWERS) first.child.kill('SIGKILL');
  };
  await Promise.allSettled(Array.from({ length: 2 * ANSWERS }, send));
  await first.ended;
  const wallet = sandbox({ file: join(DATA_DIR, 'sandbox.db') });
  const executed = wallet.executions().map(({ operationId }) => operationId);
  expect(answered.length).toBeGreaterThanOrEqual(ANSWERS);
  expect(answered.filter((id) => !executed.includes(id))).toEqual([]);
  expect(wallet.checkLedger()).toMatchObject(IN_BALANCE);
});

test.each([
  ['a port in words', { SANDBOX_PORT: 'http' }, 'SANDBOX_PORT must be a port number'],
  ['a port that cannot be', { SANDBOX_PORT: '65536' }, 'SANDBOX_PORT must be a port number'],
  ['no host', { HOST: '' }, 'HOST must be a host name or address'],
  ['no folder', { DATA_DIR: '' }, 'DATA_DIR must be a folder'],
  ['a file for a folder', { DATA_DIR: MAIN }, 'cannot be opened'],
])('does not start with %s, and says so in one sentence', async (_, environment, why) => {
  const { ended, said } = start({ DATA_DIR: folder(), ...environment });
  expect(await ended).toBe(1);
  expect(said()).toContain(why);
  expect(said().trim().split('\n')).toHaveLength(1);
});
