import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesIn, type Import, importsOf, ROOT, readText } from './tree.ts';

/** It reads all sentences from the disk. */
const READS_SENTENCES = 'src/screen/locales.ts';

/** Test files that reach one of these, the nearest first. */
export function nearest(files: readonly string[]): string[] {
  const importers = Map.groupBy(
    filesIn(['src', 'machines', 'test', 'bench', 'tools']).flatMap(importsOf),
    ({ to }: Import) => to,
  );
  const tests = filesIn(['test'], ['.test.ts']);
  const found = new Set<string>();
  const readers = files.some((file) => file.startsWith('locales/')) ? [READS_SENTENCES] : [];
  const named = files.filter(isRead).flatMap((file) => tests.filter((test) => names(test, file)));
  let ring = [...files, ...readers, ...named];
  while (ring.length > 0) {
    for (const file of ring) found.add(file);
    ring = ring.flatMap((file) => (importers.get(file) ?? []).map(({ from }) => from));
    ring = [...new Set(ring)].filter((file) => !found.has(file));
  }
  return [...found].filter((file) => file.endsWith('.test.ts') && existsSync(join(ROOT, file)));
}

/** Nothing imports it: tests read it from the disk. */
function isRead(file: string): boolean {
  return !file.endsWith('.ts');
}

/** Whether a test names such a file, or its folder. */
function names(test: string, file: string): boolean {
  const text = readText(test);
  return text.includes(basename(file)) || text.includes(`'${file.split('/')[0]}`);
}
