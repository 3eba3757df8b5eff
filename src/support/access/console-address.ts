import { z } from 'zod';
import { codec } from '../../store/codec.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import { SUPPORT_PARTITION } from './accounts.ts';

const KEY = 'support:at';
const addressCodec = codec<{ readonly url: string }>('address of the console', z.object({ url: z.string() }));
/** The address of a process that listens on all interfaces: nobody can open it. */
const EVERYWHERE = /^http:\/\/(?:0\.0\.0\.0|\[::\]):/;

/** Notes where a console listens, for links that another process prints (`npm run support`). Rejects with `StoreDown`. */
export async function noteConsole(store: Store, url: string): Promise<void> {
  await update(store, SUPPORT_PARTITION, [KEY], (doc) => ({
    writes: [addressCodec.write(doc, { url })],
    result: undefined,
  }));
}

/** The address of the console that was started last. Undefined where none was, or where it cannot be opened. */
export async function consoleAddress(store: Store): Promise<string | undefined> {
  const [doc] = await readDocs(store, SUPPORT_PARTITION, [KEY]);
  const url = addressCodec.readable(doc)?.url;
  return url && !EVERYWHERE.test(url) ? url : undefined;
}
