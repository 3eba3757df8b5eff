import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A part of this project as a package for npm. Paths begin at the root of the project. */
interface Packing {
  /** Its fields of package.json. Version, license and the versions of its dependencies are those of the project. */
  readonly manifest: Readonly<Record<'name' | 'description' | 'node', string>> & { readonly bin?: object };
  readonly dependencies: readonly string[];
  /** The sources to compile, with all that they import, into the same places of `dist`. */
  readonly entries: readonly string[];
  /** True writes the types of the sources, too. */
  readonly declares: boolean;
  /** Folders whose files that are no TypeScript are copied: pages, styles and scripts. */
  readonly served: readonly string[];
  readonly readme: string;
  /** Writes what the package exports: `index.js`, `index.cjs` and the types of each. @param dist with the compiled sources */
  readonly index: (dist: string) => Promise<void> | void;
}

/** The output of `npm pack --json`, and our fields of package.json. */
const packing = z.tuple([z.object({ filename: z.string() })]).readonly();
const ownManifest = z.object({
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/**
 * Builds and packs a package that needs nothing of this project. Gives the path of the tarball.
 * @param to a folder, made if there is none. A relative one begins where the command was started
 */
export async function packed(what: Packing, to: string): Promise<string> {
  // npm runs in the temporary folder, where a relative path would name another one.
  const into = resolve(to);
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    compile(what, folder);
    for (const served of what.served)
      cpSync(join(ROOT, served), join(folder, 'dist', served), {
        recursive: true,
        filter: (path) => extname(path) !== '.ts',
      });
    await what.index(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOf(what), undefined, 2));
    cpSync(join(ROOT, what.readme), join(folder, 'README.md'));
    cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
    mkdirSync(into, { recursive: true });
    const said = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [{ filename }] = packing.parse(JSON.parse(said));
    return join(into, filename);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile({ entries, declares: declaration }: Packing, folder: string): void {
  const tsconfig = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration,
    rewriteRelativeImportExtensions: true,
    rootDir: ROOT,
    outDir: join(folder, 'dist'),
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const files = entries.map((entry) => join(ROOT, `${entry}.ts`));
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', tsconfig], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  rmSync(tsconfig);
}

function manifestOf({ manifest: { node, ...manifest }, dependencies: names }: Packing) {
  const { version, license, dependencies } = ownManifest.parse(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  );
  return {
    ...manifest,
    version,
    license,
    type: 'module',
    engines: { node },
    // `main` and `types` are for tools that know no `exports`.
    main: './dist/index.cjs',
    types: './dist/index.d.cts',
    exports: {
      '.': {
        import: { types: './dist/index.d.ts', default: './dist/index.js' },
        require: { types: './dist/index.d.cts', default: './dist/index.cjs' },
      },
      './package.json': './package.json',
    },
    files: ['dist'],
    dependencies: Object.fromEntries(names.map((name) => [name, dependencies[name]])),
  };
}
