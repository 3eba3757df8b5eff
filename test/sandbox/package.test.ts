import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { newDirectory } from '../kit/new-directory.ts';
import { ROOT, readText } from '../kit/tree.ts';

/** The sandbox as a stranger gets it: packed, installed in an empty folder, started there by a program and by a command. */
const run = promisify(execFile);
const BUILD_MS = 180_000;
const folder = newDirectory('stranger');
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const node = async (...words: string[]) =>
  (await run(process.execPath, words, { cwd: folder })).stdout.trim();
const COMMAND = 'node_modules/@wasl/sandbox/dist/src/sandbox/cli.js';

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(ROOT, 'tools/pack-sandbox.ts'), folder], {
    cwd: ROOT,
  });
  write('package.json', JSON.stringify({ name: 'stranger', version: '1.0.0', type: 'module' }));
  const options = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, stdout.trim()], { cwd: folder });
}, BUILD_MS);

test('a program starts it on a free port, moves its clock and closes it', async () => {
  write('scenario.json', JSON.stringify({ balances: { '+212600000001': 12 } }));
  write(
    'start.mjs',
    `import { startSandbox } from '@wasl/sandbox';
     const sandbox = await startSandbox({ seed: 'test', scenario: 'scenario.json' });
     const headers = { 'Svc-Api-Key': sandbox.apiKey };
     const get = async (path) => (await fetch(sandbox.url + path, { headers })).text();
     console.log(await get('/api/customers/balance?phoneNumber=%2B212600000001'));
     const before = sandbox.clock.now();
     await sandbox.clock.advance(3_600_000);
     console.log(sandbox.clock.now() - before >= 3_600_000);
     for (const path of ['/', '/desk/desk.css', '/reference', '/llms.txt', '/openapi.json', '/idprovider'])
       console.log(path, (await get(path)).length > 500);
     console.log((await fetch(sandbox.url + '/qr/0600000011.png')).status);
     await sandbox.close();
     console.log(await get('/').catch(() => 'closed'));`,
  );
  expect((await node('start.mjs')).split('\n')).toEqual([
    '{"data":{"balance":12}}',
    'true',
    ...['/', '/desk/desk.css', '/reference', '/llms.txt', '/openapi.json', '/idprovider'].map(
      (path) => `${path} true`,
    ),
    '200',
    'closed',
  ]);
});

test('CommonJS requires it, and strict TypeScript finds its types from both kinds of modules', async () => {
  const use = `import { startSandbox, type Running } from '@wasl/sandbox';
    export const started: Promise<Running> = startSandbox({ settings: { wrongPin: 'notLogged' } });`;
  for (const kind of ['cts', 'mts']) write(`use.${kind}`, use);
  const compilerOptions = {
    module: 'node16',
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const types = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...types }, files: ['use.cts', 'use.mts'] }),
  );
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder });
  write(
    'start.cjs',
    `require('@wasl/sandbox').startSandbox().then((sandbox) => sandbox.close()).then(() => console.log('closed'));`,
  );
  expect(await node('--no-experimental-require-module', 'start.cjs')).toBe('closed');
});

test('one line of a CI starts it around a command, and ends as the command does', async () => {
  write(
    'ask.mjs',
    `const { WALLET_URL, WALLET_API_KEY } = process.env;
     const answer = await fetch(WALLET_URL + '/api/bills/creanciers', { headers: { 'Svc-Api-Key': WALLET_API_KEY } });
     console.log(answer.status);
     process.exitCode = Number(process.argv[2]);`,
  );
  expect(await node(COMMAND, '--', process.execPath, 'ask.mjs', '0')).toBe('200');
  await expect(node(COMMAND, '--', process.execPath, 'ask.mjs', '3')).rejects.toMatchObject({ code: 3 });
});

test.each([
  ['a word that is none', ['--speed', '2'], '--speed'],
  ['a port that is none', ['--port', 'x'], 'x is no port'],
  ['a scenario that is not there', ['--scenario', 'none.json'], 'none.json'],
  ['a scenario that makes no sense', ['--scenario', 'package.json'], 'makes no sense'],
  ['a command that is not there', ['--', 'no-such-command'], 'no-such-command'],
])('the command refuses %s', async (_, words, said) => {
  await expect(node(COMMAND, ...words)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(said),
  });
});

test('its page works as it is written', () => {
  const page = readText('docs/integrator/sandbox-package.md');
  expect(page).toContain('npx wasl-sandbox -- npm test');
});
