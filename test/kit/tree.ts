import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** For programs of the project that tests start: as with `npm start`, what was compiled once is not compiled again. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') };

/** A file of the project, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The files under some directories with one of these endings, by their paths from the root. */
export function filesIn(directories: readonly string[], endings: readonly string[] = ['.ts']): string[] {
  return directories
    .flatMap((directory) =>
      readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        // The bench installs its peers' libraries below itself.
        entry.isFile() && !entry.parentPath.includes('/node_modules')
          ? [relative(ROOT, join(entry.parentPath, entry.name))]
          : [],
      ),
    )
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort();
}

export interface Import {
  readonly from: string;
  /** A path from the root. A package or `node:` module has its name. */
  readonly to: string;
  readonly isLocal: boolean;
  /** Its names there. Of a file that is imported whole, `*`. */
  readonly names: readonly string[];
  /** Nothing of it is left when the program runs. */
  readonly typesOnly: boolean;
  /** It is loaded when that line runs, not before. */
  readonly isLazy: boolean;
}

const IMPORT =
  /^(?:import|export)\s(?:(type\s)?([^;'"]*?)\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm;

/** The imports of a file. */
export function importsOf(from: string): Import[] {
  return [...readText(from).matchAll(IMPORT)].map(([, type, names = '', fixed, dynamic]) => {
    const source = fixed ?? dynamic ?? '';
    const isLocal = source.startsWith('.');
    const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
    const everyNameIsType =
      inner?.split(',').every((name) => !name.trim() || /^\s*type\s/.test(name)) ?? false;
    const own = inner?.split(',').map((name) => /^\s*(?:type\s+)?(\w*)/.exec(name)?.[1] ?? '');
    return {
      from,
      names: own ?? ['*'],
      to: isLocal ? normalize(join(dirname(from), source)) : source,
      isLocal,
      typesOnly: type !== undefined || everyNameIsType,
      isLazy: dynamic !== undefined,
    };
  });
}
