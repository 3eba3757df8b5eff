import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { helpOn } from '../src/help.ts';
import { CODE_VALUES } from '../src/wallet/client/codes.ts';
import { clientTypes } from '../src/wallet/published/client-types.ts';
import { packed, ROOT } from './packed.ts';

/** `npm run pack:client [folder]`: the partner client as a package. */
helpOn('npm run pack:client [folder]   packs the partner client for npm, into that folder or this one');
const FROM = './src/wallet/client';

const client = {
  manifest: {
    name: '@wasl/partner-client',
    description: 'A typed client for the Partner Wallet and Payments API v2.3.',
    // What its dependencies need. A test runs the package on exactly this version.
    node: '>=22.19.0',
  },
  dependencies: ['cockatiel', 'undici', 'zod'],
  entries: ['src/wallet/client/partner', 'src/wallet/client/codes'],
  declares: false,
  served: [],
  readme: 'docs/integrator/client.md',
  /** Its types name nothing of its modules. In CommonJS it is one file, with the dependency that is no CommonJS in it. */
  async index(dist: string) {
    const write = (name: string, text: string) => writeFileSync(join(dist, name), text);
    const codes = Object.keys(CODE_VALUES).map((name) => `export const ${name} = CODE_VALUES.${name};`);
    const lines = [
      `import { CODE_VALUES, ERROR_CODES } from '${FROM}/codes.js';`,
      'export const ERRORS = ERROR_CODES;',
      `export { createPartnerClient, ListError } from '${FROM}/partner.js';`,
      ...codes,
    ];
    write('index.js', `${lines.join('\n')}\n`);
    for (const name of ['index.d.ts', 'index.d.cts']) write(name, clientTypes());
    const bundle = await rolldown({
      resolve: { modules: [join(ROOT, 'node_modules')] },
      input: join(dist, 'index.js'),
      platform: 'node',
      external: ['undici', 'zod'],
    });
    await bundle.write({ file: join(dist, 'index.cjs'), format: 'cjs' });
    await bundle.close();
    cpSync(join(ROOT, 'node_modules/cockatiel/LICENSE'), join(dist, 'cockatiel.LICENSE'));
  },
};
console.log(await packed(client, process.argv[2] ?? '.'));
