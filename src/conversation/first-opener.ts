import { z } from 'zod';
import { codec } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import type { Store } from '../store/store.ts';
import { update } from '../store/update.ts';
import type { Secrets } from './secrets.ts';

/** Longer than any form is valid. */
const KEPT_MS = 3_600_000;

/** The owner of a link: a digest of the value that its first opener's browser was given. */
const openerCodec = codec<{ readonly by: string }>('opener', z.object({ by: z.string() }));

/** True for the browser that has opened this link first, and for no other. Rejects with `StoreDown`. */
export type IsFirstOpener = (link: string, browser: string) => Promise<boolean>;

/**
 * Binds a link to the browser that opens it first, for a chat that cannot tell who opens it. A link that was passed on or
 * read by somebody else is then of no use, and its customer sees that it was opened.
 */
export function firstOpeners({
  store,
  secrets,
  now = Date.now,
}: {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly now?: () => number;
}): IsFirstOpener {
  return (link, browser) => {
    const key = `opener:${secrets.digest(link)}`;
    const by = secrets.digest(`opener ${browser}`);
    return update(store, partitionOf(key), [key], (doc) => {
      const known = openerCodec.read(doc);
      if (known) return { result: known.by === by };
      return { writes: [openerCodec.write(doc, { by }, { keepUntil: now() + KEPT_MS })], result: true };
    });
  };
}
