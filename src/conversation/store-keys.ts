import { codec, isObject } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { readDocs, type Update, update } from '../store/update.ts';
import type { Secrets } from './secrets.ts';

/** The error that operators read where a process has another key than the store. */
export const FOREIGN_KEY =
  'SECRETS_KEY is none that this store was written with: all processes have the same, and a new one stands before the old one (SECRETS_KEY=new,old). Where the old one is lost, SECRETS_KEY_LOST=true lets Wasl begin with the new one; what was sealed stays closed';

const KEY = 'secrets-keys';
/** Under one key there is one digest of this text, and nothing leads back from it. */
const TEXT = 'the key of this store';
/** Keys that are known: the one in use and those before it, of which one is still put behind it for a while. */
const KNOWN_MAX = 8;

interface Known {
  /** Digests of one text under each key that has written here, the newest first. */
  readonly digests: readonly string[];
}
const knownCodec = codec<Known>(
  'keys of the store',
  (value) => isObject(value) && Array.isArray(value.digests),
);

type Keys = Pick<Secrets, 'digest' | 'digests'>;

/** Whether one of the keys has written in this store, or nobody has yet. Changes nothing. Rejects with `StoreDown`. */
export async function knowsKey(store: Store, keys: Keys): Promise<boolean> {
  const [doc] = await readDocs(store, partitionOf(KEY), [KEY]);
  return isKnown(knownCodec.read(doc), keys);
}

/**
 * Notes that the first of the keys writes in this store from now on. A process with another key must not begin. It
 * would seal values that the others cannot open, and would not recognise their inputs. Rejects with `StoreDown`.
 * @param isLost the keys before are lost: it begins all the same
 * @returns false where none of the keys has written here, but others have: nothing is noted then
 */
export function beginWithKey(store: Store, keys: Keys, isLost: boolean): Promise<boolean> {
  return update(store, partitionOf(KEY), [KEY], (doc): Update<boolean> => {
    const known = knownCodec.read(doc);
    if (!isKnown(known, keys) && !isLost) return { result: false };
    const first = keys.digest(TEXT);
    const { digests = [] } = known ?? {};
    if (digests[0] === first) return { result: true };
    const after = [first, ...digests.filter((each) => each !== first)].slice(0, KNOWN_MAX);
    return { writes: [knownCodec.write(doc, { digests: after })], durable: true, result: true };
  });
}

function isKnown(known: Known | undefined, keys: Keys): boolean {
  return !known || keys.digests(TEXT).some((each) => known.digests.includes(each));
}
