import { z } from 'zod';
import type { Background } from '../conversation/background.ts';
import { newCaseId } from '../conversation/cases/changes.ts';
import { carried, caseUpdate } from '../conversation/cases/update.ts';
import type { Concurrency } from '../conversation/concurrency.ts';
import type { Secrets } from '../conversation/secrets.ts';
import { parseJson } from '../http/json.ts';
import { codec, type KeyedDoc, textOf } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import { type Commit, PARTITIONS, type Store } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';
import { contentOf, type WebhookContent } from './content.ts';

/** How long a webhook is remembered, to know a redelivered one: longer than the wallet retries (72 h). */
const WEBHOOK_KEPT_MS = 7 * 24 * 3_600_000;
/** The time in which the process that saved a webhook must apply it. Another process takes over after that. */
const LEASE_MS = 15_000;
/** Waits between tries to apply one. The last wait repeats until the webhook is kept for a person. */
const BACKOFF_MS = [15_000, 60_000, 300_000, 3_600_000] as const;
/** Tries until a webhook is kept for a person: with the waits above, a little over 72 h. */
const APPLY_TRIES_MAX = 76;
/** How often people are reminded of a webhook that only they can deal with. */
const REMIND_MS = 24 * 3_600_000;

/**
 * A webhook that is applied within this time is answered by its effect. The wallet waits 5 s for the answer (Partner
 * API v2.3, "Delivery contract" 1).
 */
const APPLIED_WITHIN_MS = 2_000;

const PREFIX = 'webhook:';
/** Of one partition: more than that is an incident, not a queue. */
const STUCK_MAX = 200;

/** The result of an attempt to apply a webhook: `later` is tried again, `kept` stays for a person. */
export type Applied = 'done' | 'later' | 'kept';

/** A webhook that has not been applied at once, or that is kept for a person. */
export interface StuckWebhook {
  readonly id: string;
  readonly state: 'waiting' | 'kept';
  readonly tries: number;
  /** When it arrived, in ms since 1970. */
  readonly since: number;
  /** The subject of the webhook, where it can be read: `transfer.received`, the wallet's operation, the request's id. */
  readonly event?: string;
  readonly operationId?: number;
  readonly requestId?: string;
}

/**
 * Webhooks, acknowledged once they are applied or written down: one that is applied at once leaves what it has changed, and no
 * document. One that comes again is applied again, which changes nothing.
 */
export interface Inbox {
  /**
   * Applies a webhook, or writes it down where that cannot be done now, or not soon: it is gone on with behind the answer then.
   * Rejects with `StoreDown` when neither could be done.
   */
  save(raw: string): Promise<void>;
  /** Applies a saved webhook, if that is still to be done. Called by the worker where nobody did it. */
  process(key: string): Promise<void>;
  /** Those that a person should look at: kept ones, and ones that could not be applied yet. The oldest first. */
  stuck(): Promise<StuckWebhook[]>;
  /** One of those. Undefined where no webhook has that id. */
  find(id: string): Promise<StuckWebhook | undefined>;
  /** The body of one of those, unchanged, for readers who are allowed to see it. */
  content(id: string): Promise<WebhookContent | undefined>;
  /** Tries one again, now. False when there is none to be tried. */
  retry(id: string): Promise<boolean>;
  /** A person has dealt with it: it is not looked at any more, and its body is erased. False when there is none. */
  close(id: string): Promise<boolean>;
}

type Sealed = ReturnType<Secrets['seal']>;

interface Saved {
  /** When it arrived, in ms since 1970. */
  readonly at: number;
  /** The raw body, sealed: it names people and money. Absent once it has been applied. */
  readonly sealed?: Sealed;
  readonly tries: number;
  readonly state: 'waiting' | 'done' | 'kept';
}
const savedCodec = codec<Omit<Saved, 'at'> & Partial<Pick<Saved, 'at'>>>(
  'webhook',
  z.object({
    at: z.number().exactOptional(),
    sealed: textOf<Sealed>().exactOptional(),
    tries: z.number(),
    state: textOf<Saved['state']>(),
  }),
);

interface InboxDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly apply: (raw: string) => Promise<Applied>;
  readonly background: Background;
  readonly now: () => number;
  /** The number of webhooks applied at once by the process that saved them. Workers apply the others. Absent: all. */
  readonly concurrency?: Pick<Concurrency, 'hasRoom' | 'begin'>;
  /** Called when a webhook needs a person, and again every day. */
  readonly alert?: (id: string) => void;
}

export function createInbox(deps: InboxDeps): Inbox {
  return {
    save: (raw) => save(deps, raw),
    process: (key) => applyOnce(deps, key),
    stuck: () => stuck(deps),
    find: (id) => find(deps, id),
    content: (id) => content(deps, id),
    retry: (id) => retry(deps, id),
    close: (id) => change(deps, id, ({ at, tries }) => ({ at, tries, state: 'done' })),
  };
}

async function save(deps: InboxDeps, raw: string): Promise<void> {
  const { background, concurrency, now } = deps;
  const first: Saved = { at: now(), tries: 0, state: 'waiting' };
  if (concurrency && !concurrency.hasRoom()) {
    await writeDown(deps, raw, first, now());
    return;
  }
  const applying = begun(deps, raw);
  background.add(applying, 'A webhook could not be applied');
  const result = await inTime(applying);
  if (result === 'done') return;
  const [saved, dueAt] = result ? tried(first, result, now()) : [first, now() + LEASE_MS];
  const doc = await writeDown(deps, raw, saved, dueAt);
  if (doc && saved.state === 'kept') deps.alert?.(doc.key.slice(PREFIX.length));
  if (!doc || result) return;
  const settle = (late: Applied) => settled(deps, doc, savedIn(doc, now()) ?? first, late);
  // Its failure is logged already.
  background.add(
    applying.then(settle, () => {}),
    'A webhook could not be applied',
  );
}

/** Begins to apply a webhook that has just come. */
async function begun({ apply, concurrency }: InboxDeps, raw: string): Promise<Applied> {
  const ends = concurrency?.begin('webhook') ?? (() => {});
  let isWell = false;
  try {
    const result = await apply(raw);
    isWell = true;
    return result;
  } finally {
    ends(isWell);
  }
}

/** The result within the time. Undefined where it takes longer, or fails. */
async function inTime(applying: Promise<Applied>): Promise<Applied | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), APPLIED_WITHIN_MS);
  try {
    return await Promise.race([applying.catch(() => undefined), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Saves a webhook and gives its document. Undefined where it was saved before. */
async function writeDown(
  { store, secrets, now }: InboxDeps,
  raw: string,
  saved: Saved,
  dueAt: number | null,
): Promise<KeyedDoc | undefined> {
  // An authentic body without an id is kept for a person, once however often it is sent.
  const key = `${PREFIX}${idOf(raw) ?? `unreadable-${secrets.digest(raw)}`}`;
  const sealed = secrets.seal(raw, key, now());
  const write = savedWrite({ key, version: 0, value: '' }, { ...saved, sealed }, dueAt);
  const isNew = await store.commit(partitionOf(key), {
    writes: [write],
    ...casesOf(key, saved, now()),
    durable: true,
  });
  return isNew ? { key, version: write.next, value: write.value ?? '' } : undefined;
}

/** One try to apply a saved webhook. */
async function applyOnce(deps: InboxDeps, key: string): Promise<void> {
  const { store, now } = deps;
  const [doc] = await readDocs(store, partitionOf(key), [key]);
  const saved = savedIn(doc, now());
  if (saved?.sealed && saved.state !== 'done') await applySaved(deps, doc, saved);
}

async function applySaved(deps: InboxDeps, doc: KeyedDoc, saved: Saved): Promise<void> {
  const { store, apply, alert, now } = deps;
  const { key } = doc;
  if (saved.state === 'kept') {
    alert?.(key.slice(PREFIX.length));
    const write = savedWrite(doc, saved, now() + REMIND_MS);
    await store.commit(partitionOf(key), { writes: [write], ...casesOf(key, saved, now()) });
    return;
  }
  const raw = opened(deps, saved, key);
  await settled(deps, doc, saved, raw === undefined ? 'kept' : await apply(raw));
}

/** Writes down what has become of a saved webhook. When somebody else was faster, what they wrote is as good: applying twice changes nothing. */
async function settled({ store, alert, now }: InboxDeps, doc: KeyedDoc, saved: Saved, result: Applied) {
  const [after, dueAt] = tried(saved, result, now());
  const write = savedWrite(doc, after, dueAt);
  const isWritten = await store.commit(partitionOf(doc.key), {
    writes: [write],
    ...casesOf(doc.key, after, now()),
  });
  if (isWritten && after.state === 'kept') alert?.(doc.key.slice(PREFIX.length));
}

/** The case of a webhook that needs a person, in the commit that says so. It is told again every day, and is opened once. */
function casesOf(key: string, { state }: Saved, at: number): Pick<Commit, 'turn' | 'carries'> {
  if (state !== 'kept') return {};
  const opening = { kind: 'webhook', subject: key.slice(PREFIX.length) } as const;
  return carried([caseUpdate(at, { what: 'opened', case: newCaseId(), opening })]);
}

/** A webhook after one more try to apply it, and when it is due again. */
function tried(saved: Saved, result: Applied, now: number): readonly [saved: Saved, dueAt: number | null] {
  const { at, tries } = saved;
  const applied = result === 'later' && tries >= APPLY_TRIES_MAX ? 'kept' : result;
  const dueAt = nextTry(applied, tries, now);
  if (applied === 'done') return [{ at, tries, state: 'done' }, dueAt];
  return [{ ...saved, tries: tries + 1, state: applied === 'kept' ? 'kept' : 'waiting' }, dueAt];
}

/** The time at which a webhook is due again, in ms since 1970. Null once it is applied. */
function nextTry(applied: Applied, tries: number, now: number): number | null {
  if (applied === 'done') return null;
  if (applied === 'kept') return now + REMIND_MS;
  return now + (BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)] ?? 0);
}

async function stuck(deps: InboxDeps): Promise<StuckWebhook[]> {
  const { store } = deps;
  const found = await Promise.all(
    Array.from({ length: PARTITIONS }, async (_, partition) => {
      const scheduled = await store.scheduled(partition, PREFIX, STUCK_MAX);
      const docs = await readDocs(
        store,
        partition,
        scheduled.map(({ key }) => key),
      );
      return docs.flatMap((doc) => stuckIn(deps, doc) ?? []);
    }),
  );
  return found.flat().sort((a, b) => a.since - b.since);
}

async function find(deps: InboxDeps, id: string): Promise<StuckWebhook | undefined> {
  const key = PREFIX + id;
  const [doc] = await readDocs(deps.store, partitionOf(key), [key]);
  return stuckIn(deps, doc);
}

async function content(deps: InboxDeps, id: string): Promise<WebhookContent | undefined> {
  const key = PREFIX + id;
  const [doc] = await readDocs(deps.store, partitionOf(key), [key]);
  const saved = savedIn(doc, deps.now());
  const raw = saved && saved.state !== 'done' ? opened(deps, saved, key) : undefined;
  return raw === undefined ? undefined : contentOf(raw);
}

async function retry(deps: InboxDeps, id: string): Promise<boolean> {
  const isThere = await change(deps, id, (saved) => ({ ...saved, state: 'waiting' }));
  if (isThere) await applyOnce(deps, PREFIX + id);
  return isThere;
}

function stuckIn(deps: InboxDeps, doc: KeyedDoc): StuckWebhook | undefined {
  const saved = savedIn(doc, deps.now());
  if (!saved || saved.state === 'done' || saved.tries === 0) return undefined;
  const { state, tries, at: since } = saved;
  const raw = opened(deps, saved, doc.key);
  return { id: doc.key.slice(PREFIX.length), state, tries, since, ...(raw !== undefined && aboutOf(raw)) };
}

function opened({ secrets, now }: InboxDeps, { sealed }: Saved, key: string): string | undefined {
  return sealed && secrets.open(sealed, key, now(), WEBHOOK_KEPT_MS);
}

function change({ store, now }: InboxDeps, id: string, to: (saved: Saved) => Saved): Promise<boolean> {
  const key = PREFIX + id;
  return update(store, partitionOf(key), [key], (doc) => {
    const saved = savedIn(doc, now());
    if (!saved?.sealed || saved.state === 'done') return { result: false };
    const after = to(saved);
    const dueAt = after.state === 'done' ? null : now() + LEASE_MS;
    return { writes: [savedWrite(doc, after, dueAt)], durable: true, result: true };
  });
}

/** One that an older version of Wasl has saved does not say when: it is kept from now on. */
function savedIn(doc: KeyedDoc, now: number): Saved | undefined {
  const saved = savedCodec.read(doc);
  return saved && { ...saved, at: saved.at ?? now };
}

function savedWrite(doc: KeyedDoc, saved: Saved, dueAt: number | null) {
  return savedCodec.write(doc, saved, { dueAt, keepUntil: saved.at + WEBHOOK_KEPT_MS });
}

/** The content of a body, if it can be read at all. No field is known to be of its type. */
function dataOf(raw: string): Readonly<Record<string, unknown>> {
  return (parseJson(raw) as { data?: Record<string, unknown> | null } | null | undefined)?.data ?? {};
}

/** The body's own id, if it has one: a delivery that is repeated has the same (open question 31). */
function idOf(raw: string): string | undefined {
  const id = dataOf(raw).WebhookId;
  return typeof id === 'string' && id.length > 0 && id.length <= 200 ? id : undefined;
}

/** The data that a person needs to decide about a webhook. Only well-formed fields: the others name people and money. */
function aboutOf(raw: string): Pick<StuckWebhook, 'event' | 'operationId' | 'requestId'> {
  const { EventId: event, OperationId: operationId, CRequestId: requestId } = dataOf(raw);
  return {
    ...(typeof event === 'string' && /^[a-z][a-z._-]{0,59}$/i.test(event) && { event }),
    ...(typeof operationId === 'number' && /^[1-9]\d{0,11}$/.test(String(operationId)) && { operationId }),
    ...(typeof requestId === 'string' &&
      /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(requestId) && { requestId }),
  };
}
