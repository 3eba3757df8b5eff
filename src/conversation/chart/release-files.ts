import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { CLAIMS, type Claim, INVITES_AGAIN } from '../../../machines/kit/claims.ts';
import { SENTENCES } from '../../../machines/kit/sentence-names.ts';
import type { createCharts } from './charts.ts';
import { READINGS } from './readings.ts';

/*
 * The files of a release. This release is the tree itself. The one before it is kept in `releases/<version>/` by `npm
 * run release`. There `release.json` names it, `charts.js` has its charts with all that they import, and `words.json`
 * has its sentences.
 */

/** This tree. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ID_HEX_CHARS = 12;
/** The sources of the charts: the charts, their imports, the sentences that they say, and the one file that runs them. */
const RELEASED = [
  'machines',
  'machines/*',
  'locales/*',
  'src/payments',
  'src/wallet',
  'src/wallet/contract',
  'src/wallet/qr',
  'src/conversation/chart/charts.ts',
  'src/conversation/chart/machine-list.ts',
] as const;
/** The packages that charts import. */
export const RELEASED_PACKAGES = ['xstate', 'zod'] as const;

/** Sentences by language, conversation (the file's name) and name. */
export type Sentences = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** The sentences of a release, as data that any other release can show. */
export interface Words {
  readonly sentences: Sentences;
  /** The claim of each sentence about the customer's money, by its key. */
  readonly claims: Readonly<Record<string, Claim>>;
  /** The keys of sentences that invite to do it again. */
  readonly invitesAgain: readonly string[];
}

export function wordsOf(all: Sentences): Words {
  const readings = READINGS.map(({ id }) => id);
  const files = new Set([...Object.keys(SENTENCES), ...readings]);
  const sentences = Object.fromEntries(
    Object.entries(all).map(([language, tables]) => [
      language,
      Object.fromEntries(Object.entries(tables).filter(([file]) => files.has(file))),
    ]),
  );
  const read = Object.entries(sentences).flatMap(([, tables]) =>
    readings.flatMap((id) =>
      Object.keys(tables[id] ?? {}).map((name) => [`${id}.${name.split('_', 1)[0]}`, 'nothing'] as const),
    ),
  );
  return {
    sentences,
    claims: { ...Object.fromEntries(read), ...Object.fromEntries(CLAIMS) },
    invitesAgain: [...INVITES_AGAIN],
  };
}

const textTable = z.record(z.string(), z.string());
export const wordsSchema = z.object({
  sentences: z.record(z.string(), z.record(z.string(), textTable)),
  claims: z.record(
    z.string(),
    z.custom<Claim>((value) => typeof value === 'string'),
  ),
  invitesAgain: z.array(z.string()),
});
const keptSchema = z.object({ version: z.string(), release: z.string() });
const packageSchema = z.object({ dependencies: textTable });

export interface KeptRelease {
  /** Its section in the changelog. */
  readonly version: string;
  /** Its id (`releaseIdOf` its tree). */
  readonly release: string;
  readonly directory: string;
}

/** A digest of the sources of its charts: any change of behaviour or words makes another release. */
export function releaseIdOf(root: string): string {
  const digest = createHash('sha256');
  for (const path of releasedFiles(root)) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  const { dependencies } = packageSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  for (const name of RELEASED_PACKAGES) digest.update(`${name}@${dependencies[name]}\0`);
  return digest.digest('hex').slice(0, ID_HEX_CHARS);
}

/** The files of a tree that its charts are made of, by their paths from the root. */
export function releasedFiles(root: string): string[] {
  return RELEASED.flatMap((each) => filesOf(root, each)).sort();
}

/** The files that an entry of `RELEASED` names: one, those of a folder, or with `*` those of the folders in it. */
function filesOf(root: string, entry: string): string[] {
  if (entry.endsWith('.ts')) return [entry];
  const folder = entry.replace(/\/\*$/, '');
  const inside = readdirSync(join(root, folder), { withFileTypes: true });
  if (folder === entry) return inside.filter((each) => each.isFile()).map(({ name }) => `${folder}/${name}`);
  return inside
    .filter((each) => each.isDirectory())
    .flatMap(({ name }) => filesOf(root, `${folder}/${name}`));
}

/** The releases that are kept in a tree: none, or the one before it. */
export function keptIn(root: string): KeptRelease[] {
  const releases = join(root, 'releases');
  if (!existsSync(releases)) return [];
  return readdirSync(releases, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => {
      const directory = join(releases, name);
      const text = readFileSync(join(directory, 'release.json'), 'utf8');
      return { ...keptSchema.parse(JSON.parse(text)), directory };
    });
}

export async function readKept({ directory }: Pick<KeptRelease, 'directory'>) {
  const bundle: { readonly createCharts: typeof createCharts } = await import(
    pathToFileURL(join(directory, 'charts.js')).href
  );
  const words: Words = wordsSchema.parse(JSON.parse(readFileSync(join(directory, 'words.json'), 'utf8')));
  return { createCharts: bundle.createCharts, words };
}
