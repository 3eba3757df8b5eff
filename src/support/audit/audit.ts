import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secrets } from '../../conversation/secrets.ts';
import type { AuditRecords } from '../../records/records.ts';
import type { Store } from '../../store/store.ts';
import {
  asFiled,
  type ChainDeps,
  endedAs,
  entryOf,
  keptFor,
  linkIn,
  NUMBER_MAX,
  type Written,
} from './chain.ts';
import type { Audited, AuditFilter, Deed, End, Entry, Origin } from './deeds.ts';
import { addWaiting } from './outbox.ts';
import { type OnTaking, takeAll } from './take.ts';
import { type Verdict, verifyChain } from './verify.ts';

const EXPORTED_AT_ONCE = 500;

export interface AuditPage {
  readonly entries: readonly Entry[];
  /** Give it as `before` to go on. Absent at the end. */
  readonly next?: number;
}

interface AuditOptions {
  /** The days that entries are kept. Absent: two years. */
  readonly keptDays?: number | undefined;
  /** Called where it could not be written down how something ended. */
  readonly onError?: (error: unknown) => void;
  readonly onTaking?: OnTaking;
}

/** A request, and the entries appended because of it. */
interface Request {
  readonly originOf: () => Origin;
  hasWritten: boolean;
  lastAct?: Audited;
  readonly opened: { readonly mac: string; readonly written: Written }[];
}

interface Deps extends ChainDeps {
  readonly requests: AsyncLocalStorage<Request>;
  readonly onError: (error: unknown) => void;
  readonly onTaking: OnTaking;
  /** Does one thing after the other. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * The console's audit. An act is one entry before it is done, and another one when it has ended. Each entry is first on the
 * disk of the live store, in an outbox, so an act needs no database. Then it gets its place in the one chain of the records
 * (`take.ts`), where an HMAC under `SECRETS_KEY` binds it to the entry before. So an attacker who can write store and
 * records, but does not have the key, cannot change, remove or reorder an entry unseen.
 */
export type Audit = ReturnType<typeof createAudit>;

export function createAudit(
  store: Store,
  secrets: Pick<Secrets, 'digest' | 'digests'>,
  now: () => number,
  records: AuditRecords,
  { keptDays, onError = () => {}, onTaking = { onGap() {} } }: AuditOptions = {},
) {
  /** Appends of one process wait for each other. Those of several are distinguished by the head's version. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const requests = new AsyncLocalStorage<Request>();
  const keptMs = keptFor(keptDays);
  const deps: Deps = { store, secrets, records, keptMs, now, requests, onError, onTaking, inTurn };
  return {
    /**
     * Records an act before it is done. When it rejects (`StoreDown`, and `AuditFull` while the records are away for too long),
     * the act must not be done. Within `during` the entry is open until that ends. With an `end` it is whole at once, as a
     * refusal is.
     */
    append: (deed: Deed & Partial<End>) => append(deps, deed),
    /**
     * Does the work of a request. Entries appended meanwhile tell the origin of the request, and are closed with the end
     * of the request. If the end cannot be recorded any more, entries stay open, and the work of `work` stays done.
     * @param endOf may only be known later, as the answer is still being sent: nobody waits for that
     * @param originOf asked for each entry: the account may only be known on the way
     */
    during: <T>(originOf: () => Origin, work: () => Promise<T>, endOf: (result: T) => End | Promise<End>) =>
      during(deps, originOf, work, endOf),
    /** Whether anything was appended because of the request that is being answered, and its last act. */
    hasWritten: () => requests.getStore()?.hasWritten === true,
    lastAct: () => requests.getStore()?.lastAct,
    /** One of several acts of a request. Entries appended meanwhile are closed with the end of that act. */
    part<T>(work: () => Promise<T>, endOf: (result: T) => End): Promise<T> {
      const request = requests.getStore();
      return request ? during(deps, request.originOf, work, endOf) : work();
    },
    page: ({ limit, ...filter }: AuditFilter & { readonly limit: number }) => page(deps, filter, limit),
    all: (filter: AuditFilter): AsyncIterable<Entry> => all(deps, filter),
    /** @param witness shows whether entries were cut off since: see `verifyChain` */
    async verify(witness?: string): Promise<Verdict> {
      const verdict = await verifyChain({ ...deps, ...onTaking }, witness);
      return verdict.ok ? { ...verdict, open: Math.max(0, verdict.open - ownOf(deps).size) } : verdict;
    },
  };
}

async function append(deps: Deps, deed: Deed & Partial<End>): Promise<void> {
  const request = deps.requests.getStore();
  const isOpen = deed.end === undefined && request !== undefined;
  const written = { ...deed, ...request?.originOf(), ...(isOpen && { end: 'open' as const }) };
  const mac = await deps.inTurn(() => addWaiting(deps, written));
  if (request) Object.assign(request, { hasWritten: true, lastAct: deed.act });
  if (isOpen) request.opened.push({ mac, written });
}

async function during<T>(
  deps: Deps,
  originOf: () => Origin,
  work: () => Promise<T>,
  endOf: (result: T) => End | Promise<End>,
): Promise<T> {
  const request: Request = { originOf, hasWritten: false, opened: [] };
  const close = async (end: End) => {
    for (const { mac, written } of request.opened)
      await deps.inTurn(() => addWaiting(deps, endedAs(written, end), mac)).catch(deps.onError);
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

/** Entries of the request that is being answered. The reader of the answer learns its end from the answer. */
function ownOf({ requests }: Deps): ReadonlySet<string> {
  return new Set(requests.getStore()?.opened.map(({ mac }) => mac));
}

async function page(deps: Deps, filter: AuditFilter, limit: number): Promise<AuditPage> {
  await takeAll({ ...deps, ...deps.onTaking });
  const own = ownOf(deps);
  const found = await deps.records.page(askable(filter), limit + 1);
  const entries = found.slice(0, limit).flatMap(({ link: text, closing }): Entry[] => {
    const link = linkIn(text);
    if (!link) return [];
    const { end, ...entry } = entryOf(link, closing === undefined ? undefined : linkIn(closing));
    return [{ ...entry, ...(end && !own.has(link.was?.mac ?? '') && { end }) }];
  });
  const last = found[limit - 1];
  return { entries, ...(found.length > limit && last && { next: last.n }) };
}

/** Entries are found as they are filed. A database refuses to be asked for what it cannot hold. */
function askable(filter: AuditFilter): AuditFilter {
  const { who, act, on, about, before } = filter;
  return {
    ...filter,
    ...(who !== undefined && { who: asFiled(who) }),
    ...(act !== undefined && { act: asFiled(act) }),
    ...(on !== undefined && { on: asFiled(on) }),
    ...(about && { about: about.map(asFiled) }),
    ...(before !== undefined && { before: Math.min(before, NUMBER_MAX) }),
  };
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
