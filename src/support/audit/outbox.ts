import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import { codec, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { type Store, StoreDown, type Write } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import { versionAfter } from '../../store/version.ts';
import { DEED, deedIn, type LinkId, MOMENT, OF_OUTBOX, type Written } from './chain.ts';

/** Entries that may wait for the records at once: some hours of a busy day of a hundred agents. */
export const WAITING_MAX = 20_000;
/** An entry stays here for so long after it was written, also when it is in the records: records that are put back to yesterday get it again. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;
const WHY_MAX_CHARACTERS = 600;
/** Entries that are read at once. */
const BATCH = 200;

export const PARTITION = partitionOf('support:audit');
const HEAD = 'audit-outbox:head';
const TAKEN = 'audit-outbox:taken';
const keyOf = (s: number) => `audit-outbox:${s}`;

interface OutboxDeps {
  readonly store: Store;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  readonly now: () => number;
}

/** Far more than there will ever be, and far from where numbers lose their last digit. */
const NUMBER = z.int().min(0).max(1e12);
/** The next number, sealed: nobody cuts off the last entries by writing an earlier number. */
const OUTBOX_HEAD = z.object({ next: NUMBER.min(1), seal: z.string() });
const headCodec = codec('head of the audit outbox', OUTBOX_HEAD);
/** Up to where the records have the outbox, and which entry of the chain was the last one then. */
const TAKEN_MARK = z.object({
  s: NUMBER,
  n: NUMBER,
  mac: z.string(),
  seal: z.string(),
  /** The head of an earlier release's chain in the store, up to which the records have that (`older-chain.ts`). */
  older: z.string().exactOptional(),
});
type Taken = Readonly<z.infer<typeof TAKEN_MARK>>;
const takenCodec = codec('mark of the audit outbox', TAKEN_MARK);
/** An entry before it has a place in the chain. */
const WAITING = DEED.extend({
  /** 1, 2, 3, …: its number in the outbox. A store that was put back gives numbers again. */
  s: NUMBER,
  at: MOMENT,
  /** The keyed digest of all of it. It is the name of the entry, whatever happens to the store. */
  mac: z.string().regex(/^e:[\w-]{0,100}$/),
  /** The digest of the entry whose end this one is. */
  closes: z.string().exactOptional(),
  /** The seal of a head that no key of ours had made when the entry was written. */
  unproven: z.string().exactOptional(),
});
export type Waiting = Readonly<z.infer<typeof WAITING>>;
const waitingCodec = codec('entry of the audit outbox', WAITING);

/** The records have been away for so long that no further entry finds room: what would need one must not be done. */
export class AuditFull extends StoreDown {
  override name = 'AuditFull';

  constructor() {
    super(`the records have not taken ${WAITING_MAX} entries of the audit`);
  }
}

const EMPTY = { next: 1, seal: '' };
const NONE: Taken = { s: 0, n: 0, mac: '', seal: '' };

/**
 * Writes an entry, on the disk and on the replicas that are awaited before it resolves. Gives its digest. Rejects with
 * `StoreDown`, and with `AuditFull` where too many wait.
 * @param closes the digest of the entry whose end this one is: it always finds room
 */
export function addWaiting(deps: OutboxDeps, written: Written, closes?: string): Promise<string> {
  const { store, secrets, now } = deps;
  return update(store, PARTITION, [HEAD, TAKEN], async (headDoc, takenDoc) => {
    const head = headCodec.readable(headDoc) ?? EMPTY;
    const isProven = isSealedHead(deps, headDoc, takenDoc);
    const mark = sealedTaken(deps, takenDoc);
    const { s: taken } = mark ?? NONE;
    // A made-up head may say a number far off.
    const isNear = isProven || head.next <= taken + WAITING_MAX;
    // A number that the records have passed would never be moved.
    const s = await firstFree(store, Math.max(isNear ? head.next : 1, taken + 1));
    if (closes === undefined && mark && s - 1 - taken >= WAITING_MAX) throw new AuditFull();
    const at = now();
    const bare = {
      s,
      at,
      ...withinLimits(written),
      ...(closes && { closes }),
      ...(!isProven && { unproven: head.seal }),
    };
    const entry = { ...bare, mac: OF_OUTBOX + secrets.digest(entryText(bare)) };
    const next = s + 1;
    const writes: Write[] = [
      headCodec.write(headDoc, { next, seal: secrets.digest(outboxText(next)) }),
      waitingCodec.write({ key: keyOf(entry.s), version: 0, value: '' }, entry, { keepUntil: at + KEPT_MS }),
    ];
    return { writes, durable: true, replicated: true, result: entry.mac };
  });
}

/** An entry that waits keeps its place, also where the head was put back or taken away. */
async function firstFree(store: Pick<Store, 'read'>, from: number): Promise<number> {
  for (let [s, count] = [from, 1]; ; s += count, count = Math.min(2 * count, BATCH)) {
    const keys = Array.from({ length: count }, (_, i) => keyOf(s + i));
    const free = (await readDocs(store, PARTITION, keys)).findIndex(({ version }) => version === 0);
    if (free >= 0) return s + free;
  }
}

/** True for a head that one of our keys has sealed, and for none where the records never got anything. */
function isSealedHead(deps: Pick<OutboxDeps, 'secrets'>, headDoc: KeyedDoc, takenDoc: KeyedDoc): boolean {
  if (headDoc.version === 0) return takenDoc.version === 0;
  const head = headCodec.readable(headDoc);
  return head !== undefined && isTrueOutbox(deps, head.next, head.seal);
}

function withinLimits({ why, ...rest }: Written): Written {
  return { ...rest, ...(why && { why: why.slice(0, WHY_MAX_CHARACTERS) }) };
}

export interface Outbox {
  readonly last: number;
  /** Nothing where another than us has written it. */
  readonly taken: Taken;
  readonly takenDoc: KeyedDoc;
  readonly headDoc: KeyedDoc;
  /** False where another than us has written how far it goes, or up to where the records have it. */
  readonly isSealed: boolean;
}

export async function readOutbox(deps: Pick<OutboxDeps, 'store' | 'secrets'>): Promise<Outbox> {
  const [headDoc, takenDoc] = await readDocs(deps.store, PARTITION, [HEAD, TAKEN]);
  const { next } = headCodec.readable(headDoc) ?? EMPTY;
  const taken = sealedTaken(deps, takenDoc);
  const isSealed = taken !== undefined && isSealedHead(deps, headDoc, takenDoc);
  return { last: next - 1, taken: taken ?? NONE, takenDoc, headDoc, isSealed };
}

/** Entries of the outbox, in their order, and the number up to which they were looked for. */
interface Batch {
  readonly waiting: readonly Waiting[];
  readonly to: number;
}

/**
 * The next entries that are there behind a number, `BATCH` at most. They leave in their order too, so that a few reads find
 * the first one.
 */
export async function waitingAfter(store: Pick<Store, 'read'>, after: number, last: number): Promise<Batch> {
  const next = await waitingFrom(store, after + 1, last);
  if (next.isAny || last - after <= BATCH) return next;
  let [low, high] = [after + 1, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [doc] = await readDocs(store, PARTITION, [keyOf(middle)]);
    if (doc.version > 0) high = middle;
    else low = middle + 1;
  }
  return waitingFrom(store, low, last);
}

async function waitingFrom(
  store: Pick<Store, 'read'>,
  first: number,
  last: number,
): Promise<Batch & { readonly isAny: boolean }> {
  const count = Math.max(0, Math.min(BATCH, last - first + 1));
  const keys = Array.from({ length: count }, (_, i) => keyOf(first + i));
  const docs = await readDocs(store, PARTITION, keys);
  // An entry that stands in another one's place is not as it was written, and `isTrueWaiting` tells.
  const waiting = docs.flatMap((doc, i) => {
    const entry = waitingCodec.readable(doc);
    return entry ? [{ ...entry, s: first + i }] : [];
  });
  return { waiting, to: first + count - 1, isAny: docs.some(({ version }) => version > 0) };
}

/** True for an entry that was written under one of our keys, in its place and as it is. */
export function isTrueWaiting({ secrets }: Pick<OutboxDeps, 'secrets'>, entry: Waiting): boolean {
  return secrets.digests(entryText(entry)).some((digest) => entry.mac === OF_OUTBOX + digest);
}

/** True where one of our keys has sealed that this was the next number. */
export function isTrueOutbox({ secrets }: Pick<OutboxDeps, 'secrets'>, next: number, seal: string): boolean {
  return secrets.digests(outboxText(next)).includes(seal);
}

/** The mark of how far the records have it. It only goes forward, and only while the head is the one that was read. */
export function takenWrite(
  { secrets }: Pick<OutboxDeps, 'secrets'>,
  { taken, takenDoc, headDoc }: Pick<Outbox, 'taken' | 'takenDoc' | 'headDoc'>,
  now: Pick<Taken, 's' | 'n' | 'mac' | 'older'>,
): Write[] {
  const { n, mac } = now.n >= taken.n ? now : taken;
  const s = Math.max(now.s, taken.s);
  const older = now.older ?? taken.older;
  if (s === taken.s && mac === taken.mac && older === taken.older) return [];
  const seal = secrets.digest(takenText({ s, n, mac }));
  const { key, version, value } = headDoc;
  // A store that was put back since gives numbers again, and must not be marked as taken up to there.
  const sameHead = version > 0 ? [{ key, version, next: versionAfter(version), value }] : [];
  return [takenCodec.write(takenDoc, { s, n, mac, seal, ...(older && { older }) }), ...sameHead];
}

/** The mark, where there is none or one of our keys has made it. Undefined for another one. */
function sealedTaken({ secrets }: Pick<OutboxDeps, 'secrets'>, doc: KeyedDoc): Taken | undefined {
  if (doc.version === 0) return NONE;
  const taken = takenCodec.readable(doc);
  return taken && secrets.digests(takenText(taken)).includes(taken.seal) ? taken : undefined;
}

function entryText(entry: Omit<Waiting, 'mac'>): string {
  const { s, at, closes, unproven } = entry;
  const { who, act, on, about, why, what, from, session, end, endWhy } = deedIn(entry);
  const said = [on, about, why, what, from, session, end, endWhy, closes, unproven];
  return JSON.stringify(['audit-entry', s, at, who, act, ...said.map((each) => each ?? null)]);
}

function outboxText(next: number): string {
  return JSON.stringify(['audit-outbox', next]);
}

function takenText({ s, n, mac }: LinkId & Pick<Taken, 's'>): string {
  return JSON.stringify(['audit-taken', s, n, mac]);
}
