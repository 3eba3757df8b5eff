import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpOn } from '../src/help.ts';
import { packed } from './packed.ts';

/** `npm run pack:sandbox [folder]`: the sandbox as a package. It has a function that starts it, and a command. */
helpOn('npm run pack:sandbox [folder]   packs the sandbox for npm, into that folder or this one');
const ENTRY = 'src/sandbox/library';
const COMMAND = 'src/sandbox/cli';
const TYPES = ['Running', 'Partner', 'FaultOrder', 'Settings', 'Played', 'Scenario'];

const sandbox = {
  manifest: {
    name: '@wasl/sandbox',
    description: 'The Partner Wallet and Payments API v2.3 with play money.',
    node: '>=22.16',
    bin: { 'wasl-sandbox': `./dist/${COMMAND}.js` },
  },
  dependencies: [
    ...['@expo-google-fonts/cairo', '@hono/node-server', 'bidi-js', 'cockatiel', 'harfbuzzjs'],
    ...['hono', 'undici', 'zod', 'zxing-wasm'],
  ],
  entries: [ENTRY, COMMAND],
  declares: true,
  served: ['src/sandbox', 'src/http', 'src/wallet/published'],
  readme: 'docs/integrator/sandbox-package.md',
  /** It reads files beside its modules, so its CommonJS side loads them as they are. */
  index(dist: string) {
    const write = (name: string, text: string) => writeFileSync(join(dist, name), text);
    write('index.js', `export { startSandbox } from './${ENTRY}.js';\n`);
    write('index.d.ts', `export * from './${ENTRY}.js';\n`);
    write(
      'index.cjs',
      `exports.startSandbox = async (options) => (await import('./${ENTRY}.js')).startSandbox(options);\n`,
    );
    const from = `import('./${ENTRY}.js', { with: { 'resolution-mode': 'import' } })`;
    write(
      'index.d.cts',
      [
        `export declare const startSandbox: typeof ${from}.startSandbox;`,
        ...TYPES.map((name) => `export type ${name} = ${from}.${name};`),
      ].join('\n'),
    );
  },
};
console.log(await packed(sandbox, process.argv[2] ?? '.'));
