import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * A program of the tests with all that it imports in few files, each module still knowing where it stands: a process that is
 * started hundreds of times spends half of its start on finding and stripping its modules. Returns the path of the program,
 * which is made once and lies in the folder for temporary files.
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
