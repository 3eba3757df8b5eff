import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** For a bundle that lives for a second: a young generation of full size from the start saves a seventh of the start. */
export const SHORT_LIVED = ['--min-semi-space-size=64', '--max-semi-space-size=64'] as const;
/** Node complains of a package's import of its `punycode` only where the package does not stand in `node_modules`. */
export const QUIET_PACKAGES = '--disable-warning=DEP0040';

/**
 * Bundles a program of the tests with its imports into few files, and returns its path. Each module still knows its own
 * place. A process that is started hundreds of times spends half of its start on its modules. The bundle is made once,
 * in the folder for temporary files.
 */
export async function bundled(entry: string): Promise<string> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    plugins: [
      {
        name: 'each module knows its place',
        transform(code, id) {
          if (id.startsWith('\0') || !code.includes('import.meta.')) return null;
          const placed = code
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
          return id === entry ? placed : placed.replaceAll('import.meta.main', 'false');
        },
      },
    ],
  });
  const dir = mkdtempSync(join(tmpdir(), 'wasl-bundled-'));
  await bundle.write({ dir, entryFileNames: 'program.mjs' });
  await bundle.close();
  return join(dir, 'program.mjs');
}
