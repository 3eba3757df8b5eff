import { readDocs } from '../../store/update.ts';
import { ACCOUNTS, accountsCodec, SUPPORT_PARTITION } from '../access/accounts.ts';
import {
  backwards,
  type ChainDeps,
  type Head,
  isProven,
  isTrueHead,
  isTrueLink,
  type Link,
  type LinkId,
  linkAt,
  readHead,
} from './chain.ts';
import { lastIn } from './copy.ts';
import { putBackAt } from './put-back.ts';
import { readWitness, type Witness, witnessOf } from './witness.ts';

/**
 * `ok` with a witness of the newest entry, for the next check. Otherwise the earliest entry that is not as it was
 * written. `missing`, `changed`: that entry is. `head`: the end of the chain was changed there. `begun`: the chain
 * begins with that entry, and accounts are older than it. `witness`: the given text is no witness of ours, so nothing
 * was checked. `putBack`: the store was put back to an older state than the records, which go on with that entry. The
 * chain does so, too, once Wasl runs (`put-back.ts`).
 */
export type Verdict =
  | {
      readonly ok: true;
      readonly count: number;
      readonly head: string;
      /** No witness was given: newer entries, or all of an audit that was wiped with its accounts, may be missing. */
      readonly isEndUnproven?: true;
      /** Things that were about to be done, of which nobody has written down how they ended. */
      readonly open: number;
      /** Entries that say that the store was put back: entries of the seconds before may be lost. Absent: there are none. */
      readonly putBack?: readonly number[];
    }
  | { readonly ok: false; readonly n: number; readonly why: Fault };
/** The printed sentence for a verdict with `isEndUnproven`. */
export const END_UNPROVEN = 'Its end is not proven: only a witness shows that nothing newer is missing.';
export type Fault = 'missing' | 'changed' | 'head' | 'begun' | 'witness' | 'putBack';
type Broken = Extract<Verdict, { readonly ok: false }>;

/**
 * Checks every entry that is kept. It finds out an attacker who can write store and records, but has no key. It misses
 * one who puts all back to an older state or wipes all. It also misses one who empties the store before its last
 * entries are copied, which leaves a `putBack`. A witness that was kept elsewhere finds these.
 * @param text a witness: from an earlier check, from the log, or as sent to `AUDIT_WITNESS_URL`
 */
export async function verifyChain(deps: ChainDeps, text: string | undefined): Promise<Verdict> {
  const seen = text === undefined ? undefined : readWitness(deps.secrets, text);
  if (text !== undefined && !seen) return { ok: false, n: 0, why: 'witness' };
  const head = await readHead(deps);
  const { broken, oldest, open, putBack } = await lookAtAll(deps, head, seen);
  const fault = broken ?? (await faultOfHead(deps, head, seen)) ?? (await faultOfBeginning(deps, oldest));
  if (fault) return (await faultOfPutBack(deps, fault)) ?? fault;
  const end = seen ? {} : ({ isEndUnproven: true } as const);
  const whole = { ok: true, count: head.n, head: witnessOf(deps.secrets, head), open, ...end } as const;
  return putBack.length > 0 ? { ...whole, putBack } : whole;
}

interface Looked {
  readonly broken?: Broken;
  readonly oldest?: Link;
  readonly open: number;
  readonly putBack: readonly number[];
}

async function lookAtAll(deps: ChainDeps, head: Head, seen: Witness | undefined): Promise<Looked> {
  let broken: Broken | undefined;
  let oldest: Link | undefined;
  const { open, putBack, count } = counting();
  // The entry of the witness may have been entered anew since.
  let isMoved = false;
  let above: Pick<Link, 'prevAt'> & { readonly prev?: string } = { prev: head.mac, prevAt: head.at };
  for await (const { n, link, differs } of backwards(deps, head.n)) {
    // Forgotten when its time had come, and so is everything before it.
    if (!link && above.prevAt + deps.keptMs <= deps.now()) break;
    const isTrue = link !== undefined && link.n === n && isTrueLink(deps, link);
    const isBound = above.prev === undefined || above.prev === link?.mac;
    isMoved ||= link !== undefined && isSame(link.was, seen);
    const isSeen = n !== seen?.n || isMoved || isSame(link, seen);
    if (!(isTrue && isBound && isSeen) || differs)
      broken = { ok: false, n, why: link ? 'changed' : 'missing' };
    else if (!isProven(deps, link)) broken = { ok: false, n: n - 1, why: 'head' };
    if (isTrue) count(link);
    // A changed entry proves nothing about the one before.
    above = isTrue ? link : { prevAt: above.prevAt };
    oldest = link;
  }
  return { ...(broken && { broken }), ...(oldest && { oldest }), open: open.size, putBack };
}

/** Counts from the entries, the newest first: which are open, and where the store was put back. */
function counting() {
  const [open, ended] = [new Set<number>(), new Set<number>()];
  const putBack: number[] = [];
  const count = ({ n, act, of, end }: Link) => {
    if (act === 'rejoinAudit') putBack.unshift(n);
    if (of !== undefined) ended.add(of);
    else if (end === 'open' && !ended.has(n)) open.add(n);
  };
  return { open, putBack, count };
}

function isSame(one: LinkId | undefined, other: LinkId | undefined): boolean {
  return one !== undefined && one.n === other?.n && one.mac === other.mac;
}

/** The fault, where the only one is that the store was put back. */
async function faultOfPutBack(deps: ChainDeps, { n }: Broken): Promise<Broken | undefined> {
  const { records } = deps;
  const last = records && (await lastIn(records));
  const from = last && (await putBackAt({ ...deps, records }, last.link));
  return from !== undefined && from <= n ? { ok: false, n: from, why: 'putBack' } : undefined;
}

async function faultOfHead(
  deps: ChainDeps,
  head: Head,
  seen: Witness | undefined,
): Promise<Broken | undefined> {
  const isBeyond = (await linkAt(deps, head.n + 1)) !== undefined;
  const known = Math.max(seen?.n ?? 0, (await deps.records?.auditedTo()) ?? 0);
  // Entries added since the check began are no fault.
  const { n: now } = await readHead(deps);
  if (isBeyond && now <= head.n) return { ok: false, n: head.n + 1, why: 'head' };
  if (known > now) return { ok: false, n: now + 1, why: 'missing' };
  return head.n > 0 && !isTrueHead(deps, head) ? { ok: false, n: head.n, why: 'head' } : undefined;
}

/** Every account was made by somebody whose doing so is an entry: a chain that begins later has lost its beginning. */
async function faultOfBeginning({ store }: ChainDeps, oldest: Link | undefined): Promise<Broken | undefined> {
  const [doc] = await readDocs(store, SUPPORT_PARTITION, [ACCOUNTS]);
  const accounts = Object.values(accountsCodec.read(doc) ?? {});
  if (!oldest) return accounts.length > 0 ? { ok: false, n: 1, why: 'missing' } : undefined;
  const first = Math.min(...accounts.map(({ since }) => since ?? Number.POSITIVE_INFINITY));
  return oldest.n === 1 && first < oldest.at ? { ok: false, n: 1, why: 'begun' } : undefined;
}
