import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { newDirectory } from '../kit/new-directory.ts';

/**
 * The OpenAPI document in the hands of tools that others wrote. They are no part of Wasl: `npm run test:long` installs them.
 * `npm test` asks Redocly's library (test/sandbox/door/published.test.ts) and the names below.
 */
const TOOLS = [
  ...['@stoplight/spectral-cli@6.15.0', '@redocly/cli@2.77.0'],
  ...['openapi-typescript@7.13.0', '@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
];
const folder = newDirectory('generators');
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** What a tool says, also where it complains. */
async function says(tool: string, ...words: string[]): Promise<string> {
  const bin = join(folder, 'node_modules/.bin', tool);
  const run = promisify(execFile)(process.execPath, [bin, ...words], { cwd: folder });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

async function published(): Promise<string> {
  const sandbox = createSandbox({ file: ':memory:', seed: 'test' });
  const answer = await sandbox.app.request('http://127.0.0.1:8081/openapi.json');
  const text = await answer.text();
  await sandbox.close();
  return text;
}

test('no two names become one in a generator', async () => {
  const { paths, components } = JSON.parse(await published());
  const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap(Object.values);
  for (const names of [operations.map(({ operationId }) => operationId), Object.keys(components.schemas)]) {
    expect(names.filter((name) => !/^[A-Za-z]\w*$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  }
});

/** They are installed from the network: only the long form does so. */
if (process.env.LONG === '1') describe('tools of others', toolsOfOthers);

function toolsOfOthers(): void {
  beforeAll(async () => {
    write('package.json', JSON.stringify({ name: 'generators', type: 'module' }));
    write('.spectral.yaml', 'extends: ["spectral:oas"]');
    write('openapi.json', await published());
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', ['install', ...options, ...TOOLS], { cwd: folder });
  });

  test('Spectral has no error, warning, information or hint', async () => {
    const report = await says('spectral', 'lint', 'openapi.json', '--fail-severity=hint', '--format=stylish');
    expect(report).toContain("No results with a severity of 'hint' or higher found");
  });

  test('Redocly has no error and no warning, by its strict rules', async () => {
    const report = await says('redocly', 'lint', 'openapi.json', '--extends=recommended-strict');
    expect(report).toContain('Your API description is valid');
    expect(report).not.toMatch(/warning|error/i);
  });

  test('what openapi-typescript and @hey-api/openapi-ts make of it type-checks strictly, and is used by name', async () => {
    await says('openapi-typescript', 'openapi.json', '-o', 'types.ts');
    await says('openapi-ts', '-i', 'openapi.json', '-o', 'client', '--no-log-file');
    write(
      'use.ts',
      `import type { operations } from './types';
import { previewTransfer } from './client';
import { newDirectory } from '../kit/new-directory.ts';
type Body = NonNullable<operations['previewTransfer']['requestBody']>['content']['application/json'];
const body: Body = { CustomerPhoneNumber: '+212600000001', RecipientPhoneNumber: '+212600000002', Amount: 10, Reason: 'x' };
const { data } = await previewTransfer({ body, headers: { 'Svc-Api-Key': 'k' } });
export const fee: number | undefined = data?.data.feesAmount;`,
    );
    const compilerOptions = { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler' };
    const more = { target: 'es2022', skipLibCheck: false, noUncheckedIndexedAccess: true, types: [] };
    const files = ['use.ts', 'types.ts', 'client/index.ts'];
    write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, files }));
    expect(readFileSync(join(folder, 'client/sdk.gen.ts'), 'utf8')).toContain('export const previewTransfer');
    expect(await says('tsc', '-p', '.')).toBe('');
  });
}
