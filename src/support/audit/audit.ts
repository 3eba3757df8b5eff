import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secrets } from '../../conversation/secrets.ts';
import type { Store } from '../../store/store.ts';
import {
  type AuditArchive,
  addLink,
  backwards,
  type ChainDeps,
  closeLink,
  closingOf,
  entryIn,
  entryOf,
  keptFor,
  type Link,
  type LinkId,
  readHead,
  type Written,
} from './chain.ts';
import { copyAudit, type OnCopying } from './copy.ts';
import type { AuditFilter, Deed, End, Entry, Origin } from './deeds.ts';
import { movedTo } from './put-back.ts';
import { type Verdict, verifyChain } from './verify.ts';

/** How many entries a page of a filtered audit looks at before it stops to ask for more, where there are no records. */
const SCAN_MAX = 2_000;
/** How many entries later, at most, it is looked for how something ended, where there are no records. */
const ENDS_WITHIN = 500;
const EXPORTED_AT_ONCE = 500;

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly Entry[];
  /** Give it as `before` to go on. Absent at the end. */
  readonly next?: number;
}

export interface Audit {
  /**
   * Records an act before it is done. When it rejects (`StoreDown`), the act must not be done. Within `during` the
   * entry is open until that ends. With an `end` it is whole at once, as a refusal is.
   */
  append(deed: Deed & Partial<End>): Promise<void>;
  /**
   * Does the work of a request. Entries appended meanwhile tell the origin of the request, and are closed with the end
   * of the request. If the end cannot be recorded any more, entries stay open, and the work of `work` stays done.
   * @param endOf may only be known later, as the answer is still being sent: nobody waits for that
   * @param originOf asked for each entry: the account may only be known on the way
   */
  during<T>(
    originOf: () => Origin,
    work: () => Promise<T>,
    endOf: (result: T) => End | Promise<End>,
  ): Promise<T>;
  /** Whether anything was appended because of the request that is being answered. */
  hasWritten(): boolean;
  /** One of several acts of a request. Entries appended meanwhile are closed with the end of that act. */
  part<T>(work: () => Promise<T>, endOf: (result: T) => End): Promise<T>;
  page(filter: AuditFilter & { readonly limit: number }): Promise<AuditPage>;
  /** Everything that a filter finds, newest first. */
  all(filter: AuditFilter): AsyncIterable<Entry>;
  /** @param witness shows whether entries were cut off since: see `verifyChain` */
  verify(witness?: string): Promise<Verdict>;
}

interface AuditOptions {
  /**
   * The records, where entries are kept for years and found by an index. Absent: the live store alone, which is read
   * through.
   */
  readonly records?: AuditArchive | undefined;
  /** The days that entries are kept. Absent: two years. */
  readonly keptDays?: number | undefined;
  /** Called where it could not be written down how something ended. */
  readonly onError?: (error: unknown) => void;
  readonly onCopying?: OnCopying;
}

/** A request, and the entries appended because of it. */
interface Request {
  readonly originOf: () => Origin;
  hasWritten: boolean;
  readonly opened: (LinkId & { readonly written: Written })[];
}

interface Deps extends ChainDeps {
  readonly requests: AsyncLocalStorage<Request>;
  readonly onError: (error: unknown) => void;
  readonly onCopying: OnCopying;
  /** Does one thing after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * The console's audit: an append-only chain of documents. Each is bound to the one before by an HMAC under
 * `SECRETS_KEY`. So an attacker who can write the store, but does not have the key, cannot change, remove or reorder an
 * entry unseen. An act is one entry before it is done, and another one when it has ended.
 */
export function createAudit(
  store: Store,
  secrets: Pick<Secrets, 'digest' | 'digests'>,
  now: () => number,
  { records, keptDays, onError = () => {}, onCopying = NOBODY }: AuditOptions = {},
): Audit {
  /** Appends of one process wait for each other. Those of several are distinguished by the head's version. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const requests = new AsyncLocalStorage<Request>();
  const deps: Deps = {
    store,
    secrets,
    records,
    keptMs: keptFor(keptDays),
    now,
    requests,
    onError,
    onCopying,
    inTurn,
  };
  return {
    append: (deed) => append(deps, deed),
    during: (originOf, work, endOf) => during(deps, originOf, work, endOf),
    hasWritten: () => requests.getStore()?.hasWritten === true,
    part: (work, endOf) => {
      const request = requests.getStore();
      return request ? during(deps, request.originOf, work, endOf) : work();
    },
    page: async ({ limit, ...filter }) => withoutOwn(deps, await page(deps, filter, limit)),
    all: (filter) => all(deps, filter),
    async verify(witness) {
      const verdict = await verifyChain(deps, witness);
      return verdict.ok ? { ...verdict, open: Math.max(0, verdict.open - ownOf(deps).size) } : verdict;
    },
  };
}

const NOBODY: OnCopying = { onGap() {}, onPutBack() {}, onRefused() {} };

async function append(deps: Deps, deed: Deed & Partial<End>): Promise<void> {
  const request = deps.requests.getStore();
  const isOpen = deed.end === undefined && request !== undefined;
  const written = { ...deed, ...request?.originOf(), ...(isOpen && { end: 'open' as const }) };
  const known = await deps.inTurn(() => addLink(deps, written));
  if (request) request.hasWritten = true;
  if (isOpen) request.opened.push({ ...known, written });
}

async function during<T>(
  deps: Deps,
  originOf: () => Origin,
  work: () => Promise<T>,
  endOf: (result: T) => End | Promise<End>,
): Promise<T> {
  const request: Request = { originOf, hasWritten: false, opened: [] };
  const close = async (end: End) => {
    for (const each of request.opened) await deps.inTurn(() => closeOne(deps, each, end)).catch(deps.onError);
  };
  try {
    const result = await deps.requests.run(request, work);
    const end = endOf(result);
    if (end instanceof Promise) void end.then(close);
    else await close(end);
    return result;
  } catch (error) {
    await close({ end: 'failed', endWhy: error instanceof Error ? error.name : 'unknown' });
    throw error;
  }
}

/** Records the end of an act, where its entry stands. An entry that stands nowhere any more is written again whole. */
async function closeOne(
  deps: Deps,
  { written, ...opened }: LinkId & { readonly written: Written },
  end: End,
): Promise<void> {
  const closes = (link: LinkId) => closeLink(deps, link, closingOf({ ...written, n: link.n }, end));
  if (await closes(opened)) return;
  // The store was put back meanwhile: it comes back from the records, or was entered anew behind what these have.
  const { records, onCopying } = deps;
  if (records) await copyAudit({ ...deps, records, ...onCopying }).catch(deps.onError);
  const place = await movedTo(deps, opened);
  if (place && (await closes(place))) return;
  await addLink(deps, { ...written, ...end });
}

/** Entries of the request that is being answered. The reader of the answer learns its end from the answer. */
function ownOf({ requests }: Deps): ReadonlySet<number> {
  return new Set(requests.getStore()?.opened.map(({ n }) => n));
}

function withoutOwn(deps: Deps, { entries, next }: AuditPage): AuditPage {
  const own = ownOf(deps);
  const shown = entries.map(({ end, ...entry }) => ({ ...entry, ...(end && !own.has(entry.n) && { end }) }));
  return { entries: shown, ...(next !== undefined && { next }) };
}

async function page(deps: Deps, filter: AuditFilter, limit: number): Promise<AuditPage> {
  const { records, onCopying } = deps;
  if (!records) return scan(deps, filter, limit);
  await copyAudit({ ...deps, records, ...onCopying });
  const found = await records.auditPage(filter, limit + 1);
  const entries = found.slice(0, limit).flatMap(entryIn);
  const last = entries.at(-1);
  return { entries, ...(found.length > limit && last && { next: last.n }) };
}

/** The same without records: it looks at one entry after the other. */
async function scan(deps: Deps, filter: AuditFilter, limit: number): Promise<AuditPage> {
  const { n: newest } = await readHead(deps);
  const from = Math.min(newest, (filter.before ?? newest + 1) - 1);
  const closings = new Map<number, Link>();
  const entries: Entry[] = [];
  for await (const { n, link } of backwards(deps, Math.min(newest, from + ENDS_WITHIN))) {
    if (link?.of !== undefined) closings.set(link.of, link);
    if (n > from) continue;
    if (!link) break;
    if (entries.length === limit || n === from - SCAN_MAX) return { entries, next: n + 1 };
    const entry = entryOf(link, closings.get(n));
    if (link.of === undefined && isMeant(entry, filter)) entries.push(entry);
    if (link.at < (filter.from ?? 0)) break;
  }
  return { entries };
}

function isMeant(entry: Entry, filter: AuditFilter): boolean {
  const { who, act, on, about, end, from = 0, to = Number.POSITIVE_INFINITY } = filter;
  return (
    (!who || entry.who === who) &&
    (!act || entry.act === act) &&
    (!on || entry.on === on) &&
    (!end || entry.end === end) &&
    (!about || about.some((name) => name === entry.about || name === entry.on)) &&
    entry.at >= from &&
    entry.at < to
  );
}

async function* all(deps: Deps, filter: AuditFilter): AsyncGenerator<Entry> {
  let before = filter.before;
  for (;;) {
    const found = await page(deps, { ...filter, ...(before !== undefined && { before }) }, EXPORTED_AT_ONCE);
    yield* found.entries;
    if (found.next === undefined) return;
    before = found.next;
  }
}
