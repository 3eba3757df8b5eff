import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Change, Settings, SettingsOf } from '../../records/settings.ts';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store, Write } from '../../store/store.ts';
import { readDocs, type Update, update } from '../../store/update.ts';
import { type Account, accountIn, accountsCodec, type Book } from './account.ts';

/**
 * The accounts stand in SQL. The live store has a copy of them beside the sign-ins. So agents go on working while SQL is away, and
 * a changed account ends its sign-ins for all processes at once.
 *
 * A change is first in SQL, then in the copy. A process that dies in between leaves an older copy, and somebody who can write the
 * store may put one back. So a request that finds the copy older than `CHECK_MS`, or older than one that its process has seen, goes by
 * SQL. While SQL is away, the copy counts until nobody could compare it for `TRUSTED_MS`. A process that has not seen this copy before,
 * such as one that has just started, believes it only if another process used it within `USED_MS`.
 *
 * An administrator who shuts somebody out while SQL is away writes the copy alone, and SQL takes that over.
 *
 * A keyed digest seals the copy with its note. Somebody who can write the store, but has no key, makes no account and no right. The
 * release before this one seals nothing. Of a copy without a seal SQL takes only what shuts somebody out, but for the very first one.
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
/** Since the copy was last used, a process believes it for so long without having seen it before. */
export const USED_MS = 2 * 60_000;
/** A request waits so long for SQL where the copy may be believed. */
const WAIT_MS = 1_000;
/** After SQL did not answer in time, requests go by the copy for so long. */
const ASK_AGAIN_MS = 5_000;

/** A forged one would be more than a database counts. */
const COUNT = z.int().min(0).max(1e12);
/**
 * The state of the copy: the version of the accounts in SQL and that of the document that has their copy (`of`). `at`: when both were compared, in ms
 * since 1970. `used`: when a request last went by the copy after that. `isAhead`: it has what SQL has not got yet.
 */
const NOTE = z.object({
  ...{ version: COUNT, of: z.int().min(0), at: z.number() },
  used: z.number().exactOptional(),
  isAhead: z.literal(true).exactOptional(),
  mac: z.string().exactOptional(),
});
type Note = Readonly<z.infer<typeof NOTE>>;
export const copiedCodec = codec<Note>('note about the copy of the accounts', NOTE);

/** The note about a copy that one of our keys has sealed, as it is. Undefined for any other. */
function sealedNote(
  { digests }: Pick<Secrets, 'digests'>,
  { version, value }: KeyedDoc,
  copied: KeyedDoc,
): Note | undefined {
  const note = copiedCodec.readable(copied);
  const isOurs = note?.mac !== undefined && digests(sealText(note, value)).includes(note.mac);
  return isOurs && note.of === version ? note : undefined;
}

function sealText({ version, of, at, used = at, isAhead }: Note, book: string): string {
  return JSON.stringify(['accounts-copy', version, of, at, used, isAhead === true, book]);
}

function noteWrite({ digest }: Pick<Secrets, 'digest'>, copied: KeyedDoc, note: Note, book: string): Write {
  return copiedCodec.write(copied, { ...note, mac: digest(sealText(note, book)) });
}

interface Known {
  readonly version: number;
  readonly book: Book;
}

/** The accounts as they stand in SQL and in the copy. `of`: the version of the document that has the copy. */
interface Compared {
  readonly book: Book;
  readonly of: number;
}

export interface BookDeps {
  readonly store: Store;
  readonly settings: Settings;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly now: () => number;
}

/** The copy as it is there, whoever has written it. Rejects with `StoreDown`. */
export async function readBook(store: Pick<Store, 'read'>): Promise<Book> {
  const [doc] = await readDocs(store, SUPPORT_PARTITION, [ACCOUNTS]);
  return accountsCodec.read(doc) ?? {};
}

/** The accounts for the requests of one process. */
export function createTrustedBook(deps: BookDeps) {
  const { store, secrets, now } = deps;
  /** Copies only get newer, unless somebody has put one back: then SQL is asked. */
  let newest = 0;
  let awayAt = Number.NEGATIVE_INFINITY;
  let comparing: Promise<Compared> | undefined;
  const compareOnce = () => {
    comparing ??= compare(deps).finally(() => {
      comparing = undefined;
    });
    return comparing;
  };
  /** Undefined where SQL does not answer. */
  const inRecords = async (waitMs: number | undefined) => {
    const compared = compareOnce().catch(() => undefined);
    const found = await (waitMs === undefined ? compared : Promise.race([compared, after(waitMs)]));
    if (found) newest = found.of;
    else awayAt = now();
    return found?.book;
  };
  /** A moment that is still to come was written by a wrong clock. */
  const since = (moment: number) => Math.abs(now() - moment);
  return {
    /** Makes the copy equal to SQL. Rejects with `StoreDown`. */
    compare: compareOnce,
    /**
     * Reads the accounts together with documents that lie beside them. The book is undefined where SQL is away and the copy
     * cannot be believed. Rejects with `StoreDown`.
     */
    async read(keys: readonly string[]) {
      const [doc, copied, ...beside] = await readDocs(store, SUPPORT_PARTITION, [ACCOUNTS, COPIED, ...keys]);
      const note = sealedNote(secrets, doc, copied);
      const ageMs = note && note.of >= newest ? since(note.at) : Number.POSITIVE_INFINITY;
      const unusedMs = since(note?.used ?? note?.at ?? 0);
      const isBelieved = ageMs < TRUSTED_MS && (note?.of === newest || unusedMs < USED_MS);
      const isAway = now() - awayAt < ASK_AGAIN_MS;
      if (ageMs >= CHECK_MS && !(isBelieved && isAway)) {
        const book = await inRecords(isBelieved ? WAIT_MS : undefined);
        if (book || !isBelieved) return { book, beside };
      }
      newest = Math.max(newest, note?.of ?? 0);
      // Where another process is faster, it has noted the same.
      if (note && unusedMs >= CHECK_MS)
        await store.commit(SUPPORT_PARTITION, {
          writes: [noteWrite(secrets, copied, { ...note, used: now() }, doc.value)],
        });
      return { book: accountsCodec.read(doc) ?? {}, beside };
    },
  };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}

/** The accounts as SQL has them, after it has taken over what the copy has of its own. Rejects with `RecordsDown`. */
export async function bookInRecords(deps: BookDeps): Promise<Book> {
  return (await compare(deps)).book;
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
export async function compare(deps: BookDeps): Promise<Compared> {
  return copy(deps, knownIn(await deps.settings.of(KIND)), []);
}

function copy(deps: BookDeps, read: Known, also: readonly Write[]): Promise<Compared> {
  const { store, settings, secrets, now } = deps;
  let known = read;
  return update(store, SUPPORT_PARTITION, [ACCOUNTS, COPIED], async (doc, copied) => {
    const note = sealedNote(secrets, doc, copied);
    const theirs = accountsCodec.readable(doc);
    // Another process has copied a later state, or SQL was put back to an earlier one.
    if (note && known.version < note.version) known = knownIn(await settings.of(KIND));
    if (!note || note.isAhead || known.version < note.version)
      known = await takeOver(settings, theirs ?? {}, note);
    const isSame = theirs !== undefined && !note?.isAhead && known.version === note?.version;
    const write = accountsCodec.write(doc, known.book);
    const { version: of, value } = isSame ? doc : { version: write.next, value: write.value };
    const next = { version: known.version, of, at: now() };
    return {
      writes: [...(isSame ? [] : [write]), noteWrite(secrets, copied, next, value ?? ''), ...also],
      durable: !isSame || also.length > 0,
      result: { book: known.book, of },
    };
  });
}

/**
 * Changes an account in the copy alone, while SQL is away.
 * @param step gives the account as it is to be, or a refusal. It may only take away
 */
export function shutOutInCopy<Refusal extends string>(
  { store, secrets, now }: BookDeps,
  id: string,
  step: (account: Account | undefined, book: Book) => Account | Refusal,
): Promise<Refusal | undefined> {
  return update(store, SUPPORT_PARTITION, [ACCOUNTS, COPIED], (doc, copied): Update<Refusal | undefined> => {
    const note = sealedNote(secrets, doc, copied);
    const book = accountsCodec.read(doc) ?? {};
    const next = step(accountIn(book, id), book);
    if (typeof next === 'string') return { result: next };
    const write = accountsCodec.write(doc, { ...book, [id]: next });
    const ahead = note && { ...note, of: write.next, at: Math.min(note.at, now()), isAhead: true as const };
    // A copy that nobody has sealed gets no seal by that.
    const notes = ahead ? [noteWrite(secrets, copied, ahead, write.value ?? '')] : [];
    return { writes: [write, ...notes], durable: true, result: undefined };
  });
}

/**
 * Takes accounts that others have written into the copy. Nobody gets back what SQL has taken from them since.
 * @param note of a copy that was sealed. Of another one only what shuts somebody out is taken, unless SQL has no account yet
 */
function takeOver(settings: Settings, theirs: Book, note: Note | undefined): Promise<Known> {
  const copied = note?.version ?? 0;
  return settings.change(
    KIND,
    (now) => {
      const { version, book } = knownIn(now);
      const newer = (account: Account) => newerOf(account, { version, book }, note) ?? [];
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

/** The account that SQL takes from a copy. Undefined: none. */
function newerOf(account: Account, { version, book }: Known, note: Note | undefined): Account | undefined {
  const own = accountIn(book, account.id);
  if (!own) return note || version === 0 ? account : undefined;
  const [isLater, isDisabled] = [account.epoch > own.epoch, account.disabled && account.epoch >= own.epoch];
  if (note && version <= note.version) {
    const isOther = JSON.stringify(account) !== JSON.stringify(own);
    return account.epoch >= own.epoch && isOther ? account : undefined;
  }
  if (own.disabled) return undefined;
  if (note && isLater) return account;
  // Both have changed it, or it was shut out there alone.
  if (isDisabled) return { ...nextEpoch(own), disabled: true };
  return isLater ? nextEpoch(own) : undefined;
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
