import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LONG = process.env.LONG === '1';
const ROOT = join(import.meta.dirname, '..', '..');
/** What is under test: each change of it has the short form play others of what rotates. */
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
 * Of what differs little from what is always played: everything in the long form, and in the short form a sixth of it, which is another one
 * in each tree.
 * @param of what they are moments of: those of another one have turns of their own
 */
export function inTurn<T>(of: string, ...all: readonly T[]): readonly T[] {
  return LONG ? all : all.filter((each) => drawn(`${of} ${JSON.stringify(each)}`, TURNS) === 0);
}
