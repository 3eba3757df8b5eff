import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { helpOn } from '../src/help.ts';

/**
 * `npm run pack:sandbox [folder]`: the sandbox as a package of JavaScript and types that needs nothing of this project. It has a
 * function that starts it, and a command.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = 'src/sandbox/library';
const COMMAND = 'src/sandbox/cli';
const DEPENDENCIES = [
  ...['@expo-google-fonts/cairo', '@hono/node-server', 'bidi-js', 'cockatiel', 'harfbuzzjs'],
  ...['hono', 'undici', 'zod', 'zxing-wasm'],
];
/** Pages, styles and scripts that stand beside the code which serves them. */
const SERVED = ['src/sandbox', 'src/http', 'src/wallet/published'];

const packing = z.tuple([z.object({ filename: z.string() })]).readonly();
const ownManifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** Builds and packs it. Gives the path of the tarball. */
function packSandbox(to: string): string {
  const into = resolve(to);
  const folder = mkdtempSync(join(tmpdir(), 'wasl-sandbox-'));
  try {
    compile(folder);
    for (const served of SERVED)
      cpSync(join(ROOT, served), join(folder, 'dist', served), {
        recursive: true,
        filter: (path) => extname(path) !== '.ts',
      });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), undefined, 2));
    cpSync(join(ROOT, 'docs/integrator/sandbox-package.md'), join(folder, 'README.md'));
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
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: ROOT,
    outDir: join(folder, 'dist'),
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const files = [ENTRY, COMMAND].map((entry) => join(ROOT, `${entry}.ts`));
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', tsconfig], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  rmSync(tsconfig);
}

function manifest() {
  const { version, license, dependencies } = ownManifest.parse(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  );
  return {
    name: '@wasl/sandbox',
    version,
    description: 'The Partner Wallet and Payments API v2.3 with play money.',
    license,
    type: 'module',
    engines: { node: '>=22.16' },
    bin: { 'wasl-sandbox': `./dist/${COMMAND}.js` },
    exports: { '.': { types: `./dist/${ENTRY}.d.ts`, default: `./dist/${ENTRY}.js` } },
    files: ['dist'],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
  };
}

if (import.meta.main) {
  helpOn('npm run pack:sandbox [folder]   packs the sandbox for npm, into that folder or this one');
  console.log(packSandbox(process.argv[2] ?? '.'));
}
