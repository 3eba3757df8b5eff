import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec, isObject } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';

/** How long an entry is kept (retention). */
export const AUDIT_KEPT_MS = 2 * 365 * 24 * 60 * 60 * 1000;
/** How many entries a page of a filtered audit looks at before it stops to ask for more. */
const SCAN_MAX = 2_000;
const BATCH = 100;
const WHY_MAX_CHARACTERS = 500;

/** What is written down: each look at a session, every act, and all about accounts and sign-ins. */
export const AUDITED = [
  'seeSession',
  'seePayment',
  'seePerson',
  'addNote',
  'seeCase',
  'nextCase',
  'giveCase',
  'changeCase',
  'mergeCase',
  'closeCase',
  'reopenCase',
  'takeFrom',
  'search',
  'reveal',
  'takeOver',
  'write',
  'handBack',
  'nudge',
  'toMenu',
  'end',
  'resend',
  'answerHelp',
  'propose',
  'approve',
  'withdraw',
  'webhooks',
  'closeWebhook',
  'seeAudit',
  'signIn',
  'signInFailed',
  'signOut',
  'signOutEverywhere',
  'changePassword',
  'setUp',
  'createAccount',
  'changeRole',
  'disableAccount',
  'enableAccount',
  'resetAccount',
  'confirmAccount',
  'openAnswer',
  'exportCustomer',
  'eraseCustomer',
] as const;
export type Audited = (typeof AUDITED)[number];

/** What somebody did. */
export interface Deed {
  /** The account. */
  readonly who: string;
  readonly act: Audited;
  /** To what: an address (`web:…`), an intent's id, an account. */
  readonly on?: string;
  /** The reason given. */
  readonly why?: string;
}

export interface Entry extends Deed {
  /** 1, 2, 3, … */
  readonly n: number;
  /** In ms since 1970. */
  readonly at: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly Entry[];
  /** Give it as `before` to go on; absent at the end. */
  readonly next?: number;
}

/** `ok` with the newest entry, for the next check; else the earliest entry that is not as it was written. */
export type Verdict =
  | { readonly ok: true; readonly count: number; readonly head: string }
  | { readonly ok: false; readonly n: number; readonly why: 'missing' | 'changed' | 'head' };

export interface Audit {
  /**
   * Writes down what somebody is about to do, before it is done: when it rejects (`StoreDown`), it must not be done.
   */
  append(deed: Deed): Promise<void>;
  page(filter: {
    readonly who?: string;
    readonly act?: string;
    readonly on?: string;
    readonly before?: number;
    readonly limit: number;
  }): Promise<AuditPage>;
  /** @param witness a `head` of an earlier check: shows whether entries since then were cut off. */
  verify(witness?: string): Promise<Verdict>;
}

const PARTITION = partitionOf('support:audit');
const HEAD = 'audit:head';
const keyOf = (n: number) => `audit:${n}`;

/** An entry as it is stored, chained to the one before by a keyed digest of it. */
interface Link extends Entry {
  /** The digest of the entry before, and when that was: the oldest one that is kept proves that older ones were due to go. */
  readonly prev: string;
  readonly prevAt: number;
  readonly mac: string;
}

interface Head {
  readonly n: number;
  readonly at: number;
  readonly mac: string;
  /** A keyed digest of the rest: an older head cannot be made from an older entry. */
  readonly seal: string;
}

const headCodec = codec<Head>(
  'head of the audit',
  z.object({ n: z.number(), at: z.number(), mac: z.string(), seal: z.string() }),
);
/** What is in an entry is proven by its digest: one that was tampered with is found by `verify`, and not an error. */
const linkCodec = codec<Link>('entry of the audit', isObject);

const NOTHING: Head = { n: 0, at: 0, mac: '', seal: '' };

interface AuditDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly now: () => number;
}

/**
 * The console's audit: an append-only chain of documents. Each is bound to the one before by an HMAC under
 * `SECRETS_KEY`, so whoever can write the store, but does not have the key, cannot change, remove or reorder an entry
 * unseen. Whoever puts the whole store back to an older copy is only found out with a witness kept elsewhere.
 */
export function createAudit(
  store: Store,
  secrets: Pick<Secrets, 'digest' | 'digests'>,
  now: () => number,
): Audit {
  const deps: AuditDeps = { store, secrets, now };
  /** Appends of one process wait for each other; those of several are distinguished by the head's version. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(deed) {
      const appended = last.then(() => append(deps, deed));
      last = appended.catch(() => {});
      return appended;
    },
    page: (filter) => page(deps, filter),
    verify: (witness) => verify(deps, witness),
  };
}

function append({ store, secrets, now }: AuditDeps, { who, act, on, why }: Deed): Promise<void> {
  return update(store, PARTITION, [HEAD], (doc) => {
    const head = headCodec.read(doc) ?? NOTHING;
    // A clock that is set back must not make an entry older than the one before it.
    const at = Math.max(now(), head.at);
    const bare = {
      n: head.n + 1,
      at,
      who,
      act,
      ...(on && { on }),
      ...(why && { why: why.slice(0, WHY_MAX_CHARACTERS) }),
      prev: head.mac,
      prevAt: head.at,
    };
    const link: Link = { ...bare, mac: secrets.digest(macText(bare)) };
    const top = { n: link.n, at, mac: link.mac };
    const linkDoc = { key: keyOf(link.n), version: 0, value: '' };
    const writes = [
      headCodec.write(doc, { ...top, seal: secrets.digest(sealText(top)) }),
      linkCodec.write(linkDoc, link, { keepUntil: at + AUDIT_KEPT_MS }),
    ];
    return { writes, durable: true, result: undefined };
  });
}

async function page(
  deps: AuditDeps,
  { who, act, on, before, limit }: Parameters<Audit['page']>[0],
): Promise<AuditPage> {
  const entries: Entry[] = [];
  const head = await readHead(deps);
  const from = Math.min(head.n, before === undefined ? head.n : before - 1);
  for await (const [n, link] of backwards(deps, from)) {
    if (!link) return { entries };
    if (entries.length === limit || n === from - SCAN_MAX) return { entries, next: n + 1 };
    const isMeant = (!who || link.who === who) && (!act || link.act === act) && (!on || link.on === on);
    if (isMeant) entries.push(entryOf(link));
  }
  return { entries };
}

async function verify(deps: AuditDeps, witness: string | undefined): Promise<Verdict> {
  const head = await readHead(deps);
  const seen = readWitness(witness);
  let broken = await faultOfHead(deps, head, seen);
  let above: Pick<Link, 'prevAt'> & { prev?: string } = { prev: head.mac, prevAt: head.at };
  for await (const [n, link] of backwards(deps, head.n)) {
    // Forgotten when its time had come, and so is everything before it.
    if (!link && above.prevAt + AUDIT_KEPT_MS <= deps.now()) break;
    const isTrue =
      link !== undefined && link.n === n && deps.secrets.digests(macText(link)).includes(link.mac);
    const isBound = above.prev === undefined || above.prev === link?.mac;
    const isSeen = n !== seen?.n || link?.mac === seen.mac;
    if (!isTrue || !isBound || !isSeen) broken = { ok: false, n, why: link ? 'changed' : 'missing' };
    // What a changed entry says of the one before is worth nothing.
    above = isTrue ? link : { prevAt: above.prevAt };
  }
  return broken ?? { ok: true, count: head.n, head: `${head.n}:${head.mac}` };
}

async function faultOfHead(
  { store, secrets }: AuditDeps,
  head: Head,
  seen: Witness | undefined,
): Promise<Verdict | undefined> {
  const [beyond] = await store.read(PARTITION, [keyOf(head.n + 1)]);
  if (beyond) return { ok: false, n: head.n + 1, why: 'head' };
  if (seen && seen.n > head.n) return { ok: false, n: head.n + 1, why: 'missing' };
  return head.n > 0 && !secrets.digests(sealText(head)).includes(head.seal)
    ? { ok: false, n: head.n, why: 'head' }
    : undefined;
}

function macText({ n, at, who, act, on, why, prev, prevAt }: Omit<Link, 'mac'>): string {
  return JSON.stringify(['audit', n, at, who, act, on ?? null, why ?? null, prev, prevAt]);
}

function sealText({ n, at, mac }: Omit<Head, 'seal'>): string {
  return JSON.stringify(['audit-head', n, at, mac]);
}

async function readHead({ store }: AuditDeps): Promise<Head> {
  const [doc] = await readDocs(store, PARTITION, [HEAD]);
  return headCodec.read(doc) ?? NOTHING;
}

/** An entry with its digests, as it is stored (JSON). */
export interface StoredEntry extends Entry {
  readonly link: string;
}

/** Entries after one, in their order, for whoever keeps a copy of them. Those that were forgotten meanwhile are left out. */
export async function entriesAfter(
  store: Pick<Store, 'read'>,
  after: number,
  limit: number,
): Promise<StoredEntry[]> {
  const [headDoc] = await readDocs(store, PARTITION, [HEAD]);
  const count = Math.min(limit, (headCodec.read(headDoc)?.n ?? 0) - after);
  if (count <= 0) return [];
  const keys = Array.from({ length: count }, (_, i) => keyOf(after + 1 + i));
  const docs = await readDocs(store, PARTITION, keys);
  return docs.flatMap((doc) => {
    const link = linkCodec.read(doc);
    return link ? [{ ...entryOf(link), link: doc.value }] : [];
  });
}

/** The entries from `n` down to 1, with their numbers. */
async function* backwards(
  { store }: AuditDeps,
  n: number,
): AsyncGenerator<readonly [n: number, link: Link | undefined]> {
  for (let top = n; top > 0; top -= BATCH) {
    const numbers = Array.from({ length: Math.min(top, BATCH) }, (_, i) => top - i);
    const docs = await readDocs(store, PARTITION, numbers.map(keyOf));
    for (const [i, doc] of docs.entries()) yield [top - i, linkCodec.read(doc)] as const;
  }
}

function entryOf({ prev: _prev, prevAt: _prevAt, mac: _mac, ...entry }: Link): Entry {
  return entry;
}

interface Witness {
  readonly n: number;
  readonly mac: string;
}

function readWitness(text: string | undefined): Witness | undefined {
  const [, n, mac] = /^(\d+):([\w-]+)$/.exec(text ?? '') ?? [];
  return n && mac ? { n: Number(n), mac } : undefined;
}
