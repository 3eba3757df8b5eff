import { z } from 'zod';

import { codec, isObject, type KeyedDoc } from '../store/codec.ts';
import type { Store } from '../store/store.ts';
import { readDocs } from '../store/update.ts';
import {
  ACCOUNTS,
  type BookDeps,
  COPIED,
  compare,
  copiedCodec,
  readBook,
  SUPPORT_PARTITION,
} from './access/account-book.ts';

/**
 * The release before this one keeps teams, labels, macros, canned answers and filters in documents of the live store. They are
 * taken into SQL at the first start. Where a process of that release changes an entry later, that entry is taken again. Remove this file one release later.
 */
const PREFIX = 'support:';
const LISTS = ['teams', 'labels', 'macros', 'answers', 'filters'].map((kind) => `${PREFIX}${kind}`);
/** Each list as it was when it was taken. */
const TAKEN = 'taken';

const listCodec = codec<{ readonly all: readonly { readonly id: string }[] }>(
  'list of the console',
  z.object({ all: z.array(z.custom<{ id: string }>((it) => isObject(it) && typeof it.id === 'string')) }),
);

/** Takes what is not there yet, the accounts too. Rejects with `StoreDown`. */
export async function takeOlderSettings(deps: BookDeps): Promise<void> {
  await compare(deps);
  const docs = await listsIn(deps.store);
  await deps.settings.change(TAKEN, ({ all }) => {
    const taken = new Map(all.map(({ id, value }) => [id, value]));
    const writes = docs.flatMap((doc) => writesOf(doc, taken.get(doc.key)));
    return writes.length > 0 ? { writes, result: undefined } : { result: undefined };
  });
}

/** The documents that are not in SQL as they are: a sign that nobody has taken them yet. Rejects with `StoreDown`. */
export async function settingsMissing({ store, settings }: Pick<BookDeps, 'store' | 'settings'>) {
  const taken = new Map((await settings.of(TAKEN)).all.map(({ id, value }) => [id, value]));
  const lists = (await listsIn(store)).filter((doc) => writesOf(doc, taken.get(doc.key)).length > 0);
  const [accounts, copied] = await readDocs(store, SUPPORT_PARTITION, [ACCOUNTS, COPIED]);
  const isCopy = accounts.version === (copiedCodec.read(copied)?.of ?? 0);
  return [...(isCopy ? [] : [ACCOUNTS]), ...lists.map(({ key }) => key)];
}

async function listsIn(store: Pick<Store, 'read'>): Promise<readonly KeyedDoc[]> {
  const own = Object.keys(await readBook(store)).map((id) => `${PREFIX}filters:${id}`);
  return readDocs(store, SUPPORT_PARTITION, [...LISTS, ...own]);
}

/** @param before the list as it was taken last */
function writesOf(doc: KeyedDoc, before: string | undefined) {
  if (doc.version === 0 || doc.value === before) return [];
  const kind = doc.key.slice(PREFIX.length);
  const [was, is] = [entriesIn(doc.key, before), entriesIn(doc.key, doc.value)];
  const changed = [...is].filter(([id, value]) => was.get(id) !== value);
  const removed = [...was.keys()].filter((id) => !is.has(id));
  return [
    ...changed.map(([id, value]) => ({ kind, id, value })),
    ...removed.map((id) => ({ kind, id, value: null })),
    { id: doc.key, value: doc.value },
  ];
}

function entriesIn(key: string, text: string | undefined): ReadonlyMap<string, string> {
  const { all } = text === undefined ? { all: [] } : listCodec.parse(key, text);
  return new Map(all.map((it) => [it.id, JSON.stringify(it)]));
}
