import { z } from 'zod';
import type { Change, Settings, SettingsOf } from '../../records/settings.ts';
import { codec } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import { type Account, accountIn, accountsCodec, type Book } from './account.ts';

/**
 * The accounts stand in SQL. The live store has a copy of them beside the sign-ins. So agents go on working while SQL is away, and
 * a changed account ends its sign-ins for all processes at once.
 *
 * A change is first in SQL, then in the copy. A process that dies in between leaves an older copy. The next request that finds the
 * copy older than `CHECK_MS` has it compared. Nobody is let in by a copy that nobody could compare for `TRUSTED_MS`.
 *
 * Two may write the copy without SQL: the release before this one, and an administrator who shuts somebody out while SQL is
 * away. The version of the copy tells that, and SQL takes their changes over.
 */

/** Everything about who gets in lives in one partition, so that one commit can write all of it. */
export const SUPPORT_PARTITION = partitionOf('support:accounts');
export const ACCOUNTS = 'support:accounts';
export const COPIED = 'support:accounts-copied';
const KIND = 'account';
/** How often the copy is compared with SQL. */
export const CHECK_MS = 10_000;
/** For so long the copy is believed while SQL is away. */
export const TRUSTED_MS = 4 * 60 * 60_000;

/** A forged one would be more than a database counts. */
const COUNT = z.int().min(0).max(1e12);
/**
 * The state of the copy: the version of the accounts in SQL, that of the document that has their copy (`of`), and when both were
 * compared (`at`, in ms since 1970).
 */
export const copiedCodec = codec(
  'note about the copy of the accounts',
  z.object({ version: COUNT, of: z.int().min(0), at: z.number() }),
);

interface Known {
  readonly version: number;
  readonly book: Book;
}

export interface BookDeps {
  readonly store: Store;
  readonly settings: Settings;
  readonly now: () => number;
}

/** The copy. Rejects with `StoreDown`. */
export async function readBook(store: Pick<Store, 'read'>): Promise<Book> {
  const [doc] = await readDocs(store, SUPPORT_PARTITION, [ACCOUNTS]);
  return accountsCodec.read(doc) ?? {};
}

/**
 * Changes an account in SQL, then in the copy.
 * @param step gives the account as it is to be, or a refusal
 * @param also is asked for after `step`, and committed together with the copy
 */
export async function changeBook<Refusal extends string>(
  deps: BookDeps,
  id: string,
  step: (account: Account | undefined, book: Book) => Account | Refusal,
  also: () => readonly Write[],
): Promise<Refusal | undefined> {
  await compare(deps);
  const changed = await deps.settings.change(KIND, (now): Change<Refusal | Known> => {
    const { version, book } = knownIn(now);
    const next = step(accountIn(book, id), book);
    if (typeof next === 'string') return { result: next };
    return { writes: [rowOf(next)], result: { version: version + 1, book: { ...book, [id]: next } } };
  });
  if (typeof changed === 'string') return changed;
  await copy(deps, changed, also());
  return undefined;
}

/** Makes the copy equal to SQL, after what others have written into it is in SQL. Rejects with `StoreDown`. */
export async function compare(deps: BookDeps): Promise<void> {
  await copy(deps, knownIn(await deps.settings.of(KIND)), []);
}

function copy(deps: BookDeps, read: Known, also: readonly Write[]): Promise<void> {
  const { store, settings, now } = deps;
  let known = read;
  return update(store, SUPPORT_PARTITION, [ACCOUNTS, COPIED], async (doc, copied) => {
    // What cannot be read is written anew from SQL.
    const last = copiedCodec.readable(copied) ?? { version: 0, of: 0, at: 0 };
    const theirs = accountsCodec.readable(doc);
    const isOthers = doc.version !== last.of;
    // Another process has copied a later state, or SQL was put back to an earlier one.
    if (known.version < last.version) known = knownIn(await settings.of(KIND));
    if (isOthers || known.version < last.version)
      known = await takeOver(settings, theirs ?? {}, last.version);
    const isSame = theirs !== undefined && !isOthers && known.version === last.version;
    const write = accountsCodec.write(doc, known.book);
    const note = { version: known.version, of: isSame ? doc.version : write.next, at: now() };
    return {
      writes: [...(isSame ? [] : [write]), copiedCodec.write(copied, note), ...also],
      durable: !isSame || also.length > 0,
      result: undefined,
    };
  });
}

/** Takes accounts that others have written into the copy. Nobody gets back what SQL has taken from them since. */
function takeOver(settings: Settings, theirs: Book, copied: number): Promise<Known> {
  return settings.change(
    KIND,
    (now) => {
      const { version, book } = knownIn(now);
      const newer = (account: Account): Account | readonly [] => {
        const own = accountIn(book, account.id);
        if (!own) return account;
        if (version <= copied)
          return account.epoch >= own.epoch && JSON.stringify(account) !== JSON.stringify(own) ? account : [];
        if (own.disabled) return [];
        if (account.epoch > own.epoch) return account;
        // Both have changed it, and there it was shut out.
        return account.disabled && account.epoch === own.epoch ? { ...nextEpoch(own), disabled: true } : [];
      };
      const taken = Object.values(theirs).flatMap(newer);
      const next = { ...book, ...Object.fromEntries(taken.map((account) => [account.id, account])) };
      return {
        writes: taken.map(rowOf),
        result: { version: Math.max(version, copied) + 1, book: next },
      };
    },
    copied,
  );
}

/** All sign-ins of before end. */
export function nextEpoch(account: Account): Account {
  return { ...account, epoch: account.epoch + 1 };
}

function rowOf(account: Account) {
  return { id: account.id, value: JSON.stringify(account) };
}

/** Each account goes through the check that its copy has to pass. One that is damaged is none. */
function knownIn({ version, all }: SettingsOf): Known {
  const entries = all.flatMap(({ id, value }) => {
    const one = accountsCodec.readable({ key: id, version: 1, value: `{${JSON.stringify(id)}:${value}}` });
    return Object.entries(one ?? {});
  });
  return { version, book: Object.fromEntries(entries) };
}
