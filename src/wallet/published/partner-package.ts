import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { helpOn } from '../../help.ts';
import { CODE_VALUES } from '../client/codes.ts';
import { clientTypes } from './client-types.ts';

/**
 * `npm run pack:client [folder]`: the partner client as a package of JavaScript and types that needs nothing of this project,
 * built in a temporary folder. Its version is the project's, and so are those of what it depends on.
 */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRIES = ['partner', 'codes'] as const;
/** What its dependencies need. A test runs the package on exactly this version. */
export const NODE = '>=22.19.0';
const DEPENDENCIES = ['cockatiel', 'undici', 'zod'] as const;

/** The output of `npm pack --json`, and our fields of package.json. */
const packing = z.tuple([z.object({ filename: z.string() })]).readonly();
const ownManifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/**
 * Builds and packs it. Gives the path of the tarball.
 * @param to a folder, made if there is none. A relative one begins where the command was started
 */
function packPartnerClient(to: string): string {
  // npm runs in the temporary folder, where a relative path would name another one.
  const into = resolve(to);
  const folder = mkdtempSync(join(tmpdir(), 'partner-client-'));
  try {
    compile(folder);
    exportIt(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), undefined, 2));
    cpSync(join(ROOT, 'docs/integrator/client.md'), join(folder, 'README.md'));
    cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    mkdirSync(into, { recursive: true });
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ filename }] = packing.parse(JSON.parse(packed));
    return join(into, filename);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(folder: string): void {
  const tsconfig = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: false,
    rewriteRelativeImportExtensions: true,
    rootDir: join(ROOT, 'src/wallet'),
    outDir: join(folder, 'dist'),
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const files = ENTRIES.map((entry) => join(ROOT, `src/wallet/client/${entry}.ts`));
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', tsconfig], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  rmSync(tsconfig);
}

/** The one file that the package exports, and its types: they name nothing else of it. */
function exportIt(folder: string): void {
  const codes = Object.keys(CODE_VALUES).map((name) => `export const ${name} = CODE_VALUES.${name};`);
  const lines = [
    "import { CODE_VALUES } from './client/codes.js';",
    "export { createPartnerClient, ERRORS, ListError } from './client/partner.js';",
    ...codes,
  ];
  writeFileSync(join(folder, 'dist/index.js'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'dist/index.d.ts'), clientTypes());
}

function manifest() {
  const { version, license, dependencies } = ownManifest.parse(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  );
  return {
    name: '@wasl/partner-client',
    version,
    description: 'A typed client for the Partner Wallet and Payments API v2.3.',
    license,
    type: 'module',
    engines: { node: NODE },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
  };
}

if (import.meta.main) {
  helpOn('npm run pack:client [folder]   packs the partner client for npm, into that folder or this one');
  console.log(packPartnerClient(process.argv[2] ?? '.'));
}
