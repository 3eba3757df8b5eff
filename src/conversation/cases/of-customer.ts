import { z } from 'zod';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs } from '../../store/update.ts';
import { CASES, type Case, caseCodec, caseKey, isSameCustomer, type Whose } from './case.ts';

/** Open cases of one customer that are noted; of more the latest ones are. */
const NOTED_MAX = 200;

const notedCodec = codec<{ readonly cases: readonly string[] }>(
  'cases of a customer',
  z.object({ cases: z.array(z.string()) }),
);

/** Where the open cases of a customer are noted: by their wallet, and by each address that one is about. */
export function customerKeys({ address, wallet }: Whose): string[] {
  return [wallet, address].flatMap((name) => (name ? [`cases-of:${name}`] : []));
}

/** The cases of a customer that are not closed, however many others there are. */
export async function openOf(store: Pick<Store, 'read'>, whose: Whose): Promise<Case[]> {
  const noted = await readDocs(store, CASES, customerKeys(whose));
  const all = await openAmong(store, [...new Set(noted.flatMap(idsIn))]);
  return all.filter((it) => isSameCustomer(it, whose));
}

/**
 * What notes a case that is not closed as its customer's, in the commit that writes it; nothing where it is noted. So it is at
 * each change and each look: a case from before there were such notes is found from its next one on.
 */
export async function notedWrites(store: Pick<Store, 'read'>, it: Case, keepUntil: number): Promise<Write[]> {
  if (it.state === 'closed') return [];
  const noted = await readDocs(store, CASES, customerKeys(it));
  const missing = noted.filter((doc) => !idsIn(doc).includes(it.id));
  return Promise.all(
    missing.map(async (doc) => {
      // Those that are closed meanwhile make room.
      const others = (await openAmong(store, idsIn(doc))).map(({ id }) => id);
      return notedCodec.write(doc, { cases: [...others, it.id].slice(-NOTED_MAX) }, { keepUntil });
    }),
  );
}

function idsIn(doc: KeyedDoc): readonly string[] {
  return notedCodec.readable(doc)?.cases ?? [];
}

async function openAmong(store: Pick<Store, 'read'>, ids: readonly string[]): Promise<Case[]> {
  const docs: readonly KeyedDoc[] = await readDocs(store, CASES, ids.map(caseKey));
  return docs.flatMap((doc) => {
    const it = caseCodec.readable(doc);
    return it && it.state !== 'closed' ? [it] : [];
  });
}
