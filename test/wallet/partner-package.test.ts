import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { API as Compiler } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Server } from '../../src/http/listening.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { SECTIONS } from '../../src/wallet/published/sections.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { ROOT, readText } from '../kit/tree.ts';

/** The partner client as a partner gets it: packed, installed in an empty folder, compiled against and run there. */
const run = promisify(execFile);
const TSC = join(ROOT, 'node_modules/.bin/tsc');
/** The address of the sandbox in the examples. */
const ADDRESS = 'http://127.0.0.1:8081';
const BUILD_MS = 180_000;

const INTRO = `import { createPartnerClient } from '@wasl/partner-client';
const wallet = createPartnerClient({ url: '${ADDRESS}', apiKey: 'k' });
`;

const PAGE = [...readText('docs/integrator/client.md').matchAll(/^```ts\n(.*?)^```$/gms)]
  .map(([, block]) => block)
  .join('\n');
const RIGHT = [
  'wallet.bills.creditors()',
  'wallet.cardPrograms.list({ take: 2 })',
  'wallet.qrCodes.create({ amount: 12.5 })',
  `wallet.beneficiaries.create({ owner: '', name: '', phoneNumber: '' })`,
  `wallet.operations.get({ id: 1, PhoneNumber: '' }, { requestId: 'r' })`,
  `const info = await wallet.customers.get({ phoneNumber: '' });
   if (info.kind === 'ok') info.value.balance satisfies number`,
  `for await (const brand of wallet.vouchers.brands({ phoneNumber: '' })) brand.name satisfies string`,
  `const left = { operator: TelcoOperator.ORANGE, rechargeType: RechargeType.CLASSIC };
   wallet.topUps.execute({ ...left, customerPhoneNumber: '', recipientPhoneNumber: '', amount: 20 })`,
] as const;
const WRONG = [
  ['a body left out', 'wallet.transfers.preview()'],
  ['a field left out', `wallet.customers.login({ phoneNumber: '' })`],
  ['a name in the wrong case', `wallet.customers.get({ PhoneNumber: '' })`],
  ['a value of the wrong kind', `wallet.operations.get({ id: '1', PhoneNumber: '' })`],
  ['a field that it does not have', `wallet.principalAgents.get({ code: '', x: 1 })`],
  ['a code that there is not', `wallet.customers.unregister({ PhoneNumber: '', Reason: 9 })`],
  [
    'an amount of a bill in words',
    `({ idArticle: '', description: '', dateFacture: '', prixTTC: 'x', typeArticle: 0 }) satisfies BillItem`,
  ],
  ['an answer before it is looked at', '(await wallet.bills.creditors()).value'],
  ['an operation there is not', 'wallet.transfers.steal()'],
] as const;
/** What a stranger who knows v2.3 would try first. */
const GUESSES = [
  'customers.register',
  'customers.confirm',
  'customers.login',
  'customers.balance',
  'customers.get',
  'transfers.preview',
  'transfers.execute',
  'bankTransfers.preview',
  'bankTransfers.execute',
  'operations.list',
  'operations.get',
  'bills.creditors',
  'bills.form',
  'bills.unpaid',
  'bills.confirm',
  'bills.receipt',
  'vouchers.brands',
  'vouchers.articles',
  'vouchers.execute',
  'topUps.execute',
  'beneficiaries.create',
  'webhooks.read',
] as const;

const folder = newDirectory('partner');
let sandbox: Sandbox;
let server: Server;
let complaints: readonly string[];
let tarball: string | undefined;

beforeAll(async () => {
  // As docs/integrator/client.md says, but for what npm runs before it: that would install this project again.
  const { stdout } = await run('npm', ['run', '--silent', '--ignore-scripts', 'pack:client'], { cwd: ROOT });
  tarball = resolve(ROOT, stdout.trim());
  write('package.json', JSON.stringify({ name: 'partner', version: '1.0.0', type: 'module' }));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  sandbox = createSandbox({ file: ':memory:', past: true });
  server = await sandbox.listen(0);
  write('examples.ts', PAGE.replaceAll(ADDRESS, server.url));
  write(
    'right.ts',
    `${INTRO}import { RechargeType, TelcoOperator } from '@wasl/partner-client';\n${RIGHT.join(';\n')}`,
  );
  WRONG.forEach(([, call], i) => {
    write(
      `wrong-${i}.ts`,
      `${INTRO}import type { BillItem } from '@wasl/partner-client';\nexport type Item = BillItem;\n${call}`,
    );
  });
  write('stranger.ts', readText('test/wallet/stranger.txt'));
  complaints = await compile(
    'examples.ts',
    'right.ts',
    'stranger.ts',
    ...WRONG.map((_, i) => `wrong-${i}.ts`),
  );
}, BUILD_MS);

afterAll(async () => {
  await server?.close();
  await sandbox?.close();
  if (tarball) rmSync(tarball, { force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** As a partner would compile, and more strictly: the types of the package are checked too. */
function compile(...files: string[]): Promise<readonly string[]> {
  return compileAs({}, files);
}

async function compileAs(how: object, files: readonly string[]): Promise<readonly string[]> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    ...how,
  };
  const config = `tsconfig.${Object.values(how).join('-') || 'all'}.json`;
  write(config, JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(TSC, ['-p', config], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split('\n').filter((line) => line.includes(': error '));
}

/** The output of a program in the partner's folder, line by line. */
const DEPENDENCIES = ['cockatiel', 'undici', 'zod'];

async function printed(program: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(folder, program)], { cwd: folder });
  return stdout.trim().split('\n');
}

test('the package describes itself and brings only its needs', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  const ours = JSON.parse(readText('package.json'));
  expect(read('node_modules/@wasl/partner-client/package.json')).toMatchObject({
    name: '@wasl/partner-client',
    version: ours.version,
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, ours.dependencies[name]])),
  });
  expect(Object.keys(read('node_modules/.package-lock.json').packages)).toEqual([
    'node_modules/@wasl/partner-client',
    ...DEPENDENCIES.map((name) => `node_modules/${name}`),
  ]);
});

test('the package has none of what the bot reads in a chat', () => {
  const modules = readdirSync(join(folder, 'node_modules/@wasl/partner-client/dist/src/wallet'));
  expect(modules).toContain('money.js');
  expect(modules.filter((name) => /amount|spoken|letters/.test(name))).toEqual([]);
});

test(
  'it runs on exactly the Node that it names',
  async () => {
    const engines = JSON.parse(
      readFileSync(join(folder, 'node_modules/@wasl/partner-client/package.json'), 'utf8'),
    ).engines;
    const version = /^>=(\d+\.\d+\.\d+)$/.exec(engines.node)?.[1] ?? '';
    // The package `node` has the program of each version.
    const home = newDirectory('node');
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `node@${version}`], {
      cwd: home,
    });
    const node = join(home, 'node_modules/node/bin/node');
    write(
      'oldest.mjs',
      `import { createPartnerClient } from '@wasl/partner-client';
     const partner = createPartnerClient({ url: '${server.url}', apiKey: 'sandbox-key' });
     const { value } = await partner.customers.get({ phoneNumber: '+212600000002' });
     console.log(process.version, value.fullName);`,
    );
    write(
      'oldest.cjs',
      `const { createPartnerClient } = require('@wasl/partner-client');
     console.log(typeof createPartnerClient);`,
    );
    const said = async (program: string) =>
      (await run(node, [join(folder, program)], { cwd: folder })).stdout.trim();
    expect(await said('oldest.mjs')).toBe(`v${version} Youssef Benali`);
    expect(await said('oldest.cjs')).toBe('function');
  },
  BUILD_MS,
);

test('JavaScript imports it and calls the sandbox, by the names that one would guess', async () => {
  write(
    'call.mjs',
    `import { createPartnerClient } from '@wasl/partner-client';
     const wallet = createPartnerClient({ url: '${server.url}', apiKey: 'sandbox-key' });
     const guesses = ${JSON.stringify(GUESSES)};
     console.log(guesses.filter((guess) => guess.split('.').reduce((at, name) => at?.[name], wallet)).length);
     const info = await wallet.customers.get({ phoneNumber: '+212600000002' });
     console.log(info.value.fullName);`,
  );
  const [known, name] = await printed('call.mjs');
  expect(Number(known)).toBeGreaterThanOrEqual(18);
  expect(name).toBe('Youssef Benali');
});

const USE = `import { createPartnerClient, OperationStatus } from '@wasl/partner-client';
export const wallet = createPartnerClient({ url: '${ADDRESS}', apiKey: 'k' });
export const done: 2 = OperationStatus.COMPLETED;
void wallet.customers.balance({ phoneNumber: '' }).then((it) => (it.kind === 'ok' ? it.value.balance.toFixed(2) : it.said));
`;
/** Each way in which TypeScript looks for a package, from both kinds of modules. */
test.each([
  ['nodenext', 'nodenext', 'cts'],
  ['nodenext', 'nodenext', 'mts'],
  ['node16', 'node16', 'cts'],
  ['node16', 'node16', 'mts'],
  ['commonjs', 'bundler', 'ts'],
  ['esnext', 'bundler', 'ts'],
])(
  'strict TypeScript finds its types: module %s, resolution %s, from .%s',
  async (module, moduleResolution, kind) => {
    write(`use.${kind}`, USE);
    expect(await compileAs({ module, moduleResolution }, [`use.${kind}`])).toEqual([]);
  },
);

test('a program with one call makes the compiler instantiate next to nothing', async () => {
  write('one-call.mts', USE);
  const how = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--noEmit', '--skipLibCheck'];
  const { stdout } = await run(
    TSC,
    ['one-call.mts', ...how, '--ignoreConfig', '--types', '--extendedDiagnostics'],
    {
      cwd: folder,
    },
  );
  // A count, because time depends on the machine. It is 4 today. The page of the client has the times.
  expect(Number(/Instantiations: +(\d+)/.exec(stdout)?.[1])).toBeLessThan(200);
});

test('CommonJS requires it, also where Node cannot require ES modules', async () => {
  write(
    'require.cjs',
    `const { createPartnerClient, OperationStatus } = require('@wasl/partner-client');
     const wallet = createPartnerClient({ url: '${server.url}', apiKey: 'sandbox-key' });
     wallet.customers.get({ phoneNumber: '+212600000002' }).then(({ value }) => console.log(value.fullName, OperationStatus.COMPLETED));`,
  );
  const words = ['--no-experimental-require-module', 'require.cjs'];
  const { stdout } = await run(process.execPath, words, { cwd: folder });
  expect(stdout.trim()).toBe('Youssef Benali 2');
});

test('strict TypeScript accepts right calls, what a stranger writes, and the types of the package themselves', () => {
  expect(complaints.filter((line) => !line.startsWith('wrong-'))).toEqual([]);
});

test.each(WRONG.map(([what], i) => [what, i]))('TypeScript refuses %s', (_, i) => {
  expect(complaints.filter((line) => line.startsWith(`wrong-${i}.ts`))).toHaveLength(1);
});

test('an editor describes every operation', () => {
  const compiler = new Compiler({ cwd: folder });
  onTestFinished(() => compiler.close());
  const opened = compiler.updateSnapshot({ openProjects: [join(folder, 'tsconfig.all.json')] });
  const checker = opened.getProjects()[0]?.checker;
  const client = checker?.getTypeAtPosition(join(folder, 'right.ts'), INTRO.indexOf('wallet ='));
  const resources = (client && checker?.getPropertiesOfType(client)) ?? [];
  const calls = resources.flatMap((resource) => {
    const type = checker?.getTypeOfSymbol(resource);
    return (type && checker?.getPropertiesOfType(type)) ?? [];
  });
  const words = calls.map((call) => checker?.getDocumentationCommentOfSymbol(call));
  const sentences = SECTIONS.flatMap(({ operations }) => Object.values(operations));
  expect(sentences.filter((sentence) => !words.some((said) => said?.includes(sentence)))).toEqual([]);
  expect(words.filter((said) => !said)).toEqual([]);
});

test('at least 80 % of the lines of its types are documented, and they name nothing of this project', () => {
  const types = readFileSync(join(folder, 'node_modules/@wasl/partner-client/dist/index.d.ts'), 'utf8');
  const lines = types.split('\n');
  const isMember = (line: string) =>
    /^(export (interface|type|declare)| {2}(readonly )?['\w]+[?(:])/.test(line);
  const members = lines.flatMap((line, i) => (isMember(line) ? [{ line, above: lines[i - 1] ?? '' }] : []));
  const documented = members.filter(({ above }) => above.trim().endsWith('*/'));
  expect(members.length).toBeGreaterThan(1_000);
  expect(documented.length / members.length).toBeGreaterThanOrEqual(0.8);
  expect(types).not.toMatch(/zod|docs\/|\.\.\/|open question/i);
});

test('the page of examples runs and prints its own results', async () => {
  const promised = [...PAGE.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
  expect(PAGE.match(/console\.log/g)).toHaveLength(promised.length);
  expect(await printed('examples.ts')).toEqual(promised);
});
