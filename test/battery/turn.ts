import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LONG = process.env.LONG === '1';
const ROOT = join(import.meta.dirname, '..', '..');
/** The sources under test. Each change of them makes the short form play another part of what rotates. */
const TREE = ['machines', 'src', 'test/battery'];
/** The short form plays one in so many of what rotates. */
const TURNS = 6;

let digested: string | undefined;

/** The same for one tree, however often it is played. */
function treeDigest(): string {
  if (digested) return digested;
  const digest = createHash('sha256');
  for (const folder of TREE)
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true }))
      if (entry.isFile() && entry.name.endsWith('.ts'))
        digest.update(readFileSync(join(entry.parentPath, entry.name)));
  digested = digest.digest('hex');
  return digested;
}

/** A number from 0 up to `sides`, which depends on what it is drawn for and on the tree alone. */
export function drawn(name: string, sides: number): number {
  const digest = createHash('sha256').update(`${treeDigest()} ${name}`).digest();
  return digest.readUInt32BE() % sides;
}

/**
 * All moments in the long form. In the short form a sixth of them, which changes with the sources.
 * @param of the name of a group. Each group has turns of its own
 */
export function inTurn<T>(of: string, ...all: readonly T[]): readonly T[] {
  return LONG ? all : all.filter((each) => drawn(`${of} ${JSON.stringify(each)}`, TURNS) === 0);
}
