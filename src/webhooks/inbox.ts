import { z } from 'zod';
import { newCaseId } from '../conversation/cases/changes.ts';
import { carried, caseUpdate } from '../conversation/cases/update.ts';
import {
  createInbox as createPieces,
  KEPT_MS,
  type Inbox as Pieces,
  type InboxDeps as PiecesDeps,
  type Queue,
  type Source,
  type Worked,
} from '../conversation/inbox.ts';
import type { Secrets } from '../conversation/secrets.ts';
import { parseJson } from '../http/json.ts';
import { codec, type KeyedDoc, textOf } from '../store/codec.ts';
import { partitionOf } from '../store/partition.ts';
import { PARTITIONS } from '../store/store.ts';
import { readDocs } from '../store/update.ts';
import { contentOf, type WebhookContent } from './content.ts';

/** Waits between tries to apply one. The last one is repeated. */
const LATER_MS = [15_000, 60_000, 300_000, 3_600_000] as const;
/** A webhook that could not be applied for so long is kept for a person: as long as the wallet itself would send it again. */
const GIVEN_UP_MS = 72 * 3_600_000;
/** How long an applied one is known, if it comes again. Later it is applied again, which changes nothing. */
const APPLIED_KEPT_MS = 3_600_000;

const PREFIX = 'webhook:';
/** Of one partition: more than that is an incident, not a queue. */
const STUCK_MAX = 200;

/** The result of an attempt to apply a webhook. */
export type ApplyResult = Worked;

/** A webhook that has not been applied at once, or that is kept for a person. */
interface StuckWebhook {
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
 * The wallet's webhooks, in the inbox of all providers. The wallet keeps no order, so each event is a queue of its own, and
 * one that has to wait holds back no other.
 */
export interface Inbox {
  /** Writes a webhook down, and begins to apply it. Rejects with `StoreDown` where it cannot be written. */
  save(raw: string): Promise<void>;
  /** Applies a saved webhook, if that is still to be done. Called by the worker where nobody did it. */
  process(id: string): Promise<void>;
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

/** A webhook as it is stored. Releases before the one inbox have stored it so as well. */
const savedCodec = codec(
  'webhook',
  z.object({
    /** When it arrived, in ms since 1970. Older versions of Wasl did not say it. */
    at: z.number().exactOptional(),
    /** The raw body, sealed: it names people and money. Absent once it has been applied. */
    sealed: textOf<Sealed>().exactOptional(),
    /** The digest of the body. The releases before 0.4 did not keep it. */
    body: z.string().exactOptional(),
    tries: z.number(),
    state: textOf<StuckWebhook['state'] | 'done'>(),
  }),
);

/** Enough of a digest to tell the few events of one id apart. */
const DIGEST_CHARS = 8;
/** A webhook is the only piece of its queue, so it needs no place there. */
const ORDER = 0;

interface InboxDeps extends PiecesDeps {
  readonly apply: (raw: string) => Promise<ApplyResult>;
  /** The number of webhooks applied at once by the process that saved them. Workers apply the others. Absent: all. */
  readonly concurrency?: Source['concurrency'];
  /** Called when a webhook needs a person, and again every day. */
  readonly alert?: (id: string) => void;
}

export function createInbox(deps: InboxDeps): Inbox {
  const pieces = createPieces(deps, sourceOf(deps));
  return {
    // An authentic body without an id is kept for a person, once however often it is sent.
    async save(raw) {
      const digest = deps.secrets.digest(raw);
      await pieces.save(idOf(raw) ?? `unreadable-${digest}`, [{ id: digest, order: ORDER, body: raw }]);
    },
    process: pieces.process,
    stuck: () => stuck(deps),
    find: async (id) => stuckIn(deps, await docOf(deps, id)),
    content: (id) => content(deps, id),
    retry: (id) => retry(pieces, id),
    close: (id) =>
      pieces.change(id, (queue) => ({ ...queue, waiting: [], done: idsOf(queue), orders: [ORDER] })),
  };
}

/** The digests of all bodies of a queue: of one. */
function idsOf({ waiting, done }: Queue): readonly string[] {
  return [...done, ...waiting.map(({ id }) => id)];
}

function sourceOf({ apply, concurrency, alert = () => {}, now }: InboxDeps): Source {
  return {
    prefix: 'webhook',
    anotherQueue: (name, { id }) => `${name}.${id.slice(0, DIGEST_CHARS)}`,
    form: formOf(now),
    work: async (_, raw) => (raw === undefined ? 'kept' : apply(raw)),
    laterMs: LATER_MS,
    gaveUp: ({ at = now() }) => (now() - at >= GIVEN_UP_MS ? 'kept' : undefined),
    // One that was closed by a person has tries, and one that was applied has none.
    keepUntil: ({ at = now(), waiting, tries = 0 }) =>
      waiting.length > 0 || tries > 0 ? at + KEPT_MS : now() + APPLIED_KEPT_MS,
    concurrency,
    keeps: (subject, at) => {
      const opening = { kind: 'webhook', subject } as const;
      // It is told again every day, and is opened once.
      return carried([caseUpdate(at, { what: 'opened', case: newCaseId(), opening })]);
    },
    alert,
    failed: 'A webhook could not be applied',
  };
}

/** A webhook as a queue with one piece. */
function formOf(now: () => number): Source['form'] {
  return {
    read(doc) {
      const saved = savedCodec.read(doc);
      if (!saved) return undefined;
      const { at = now(), sealed, body = '', state, tries } = saved;
      const waits = state !== 'done' && sealed !== undefined;
      return {
        waiting: waits ? [{ id: body, order: ORDER, sealed }] : [],
        done: waits ? [] : [body],
        orders: waits ? [] : [ORDER],
        ...{ at, tries, isKept: state === 'kept' },
      };
    },
    write(doc, queue, when) {
      const { waiting, at = now(), tries = 0, isKept = false } = queue;
      const [first] = waiting;
      const [body = ''] = idsOf(queue);
      const state = first ? (isKept ? 'kept' : 'waiting') : 'done';
      const sealed = first && { sealed: first.sealed };
      return savedCodec.write(doc, { at, tries, state, ...(body !== '' && { body }), ...sealed }, when);
    },
  };
}

async function stuck(deps: InboxDeps): Promise<StuckWebhook[]> {
  const { store } = deps;
  const found = await Promise.all(
    Array.from({ length: PARTITIONS }, async (_, partition) => {
      const scheduled = await store.scheduled(partition, PREFIX, STUCK_MAX);
      const keys = scheduled.map(({ key }) => key);
      const docs = await readDocs(store, partition, keys);
      return docs.flatMap((doc) => stuckIn(deps, doc) ?? []);
    }),
  );
  return found.flat().sort((a, b) => a.since - b.since);
}

async function docOf({ store }: InboxDeps, id: string): Promise<KeyedDoc> {
  const key = PREFIX + id;
  const [doc] = await readDocs(store, partitionOf(key), [key]);
  return doc;
}

async function content(deps: InboxDeps, id: string): Promise<WebhookContent | undefined> {
  const doc = await docOf(deps, id);
  const raw = opened(deps, doc, formOf(deps.now).read(doc));
  return raw === undefined ? undefined : contentOf(raw);
}

async function retry(pieces: Pieces, id: string): Promise<boolean> {
  const isThere = await pieces.change(id, (queue) => ({ ...queue, isKept: false }));
  if (isThere) await pieces.process(id);
  return isThere;
}

function stuckIn(deps: InboxDeps, doc: KeyedDoc): StuckWebhook | undefined {
  const queue = formOf(deps.now).read(doc);
  if (!queue || queue.waiting.length === 0 || !queue.tries) return undefined;
  const { tries, isKept, at: since = deps.now() } = queue;
  const raw = opened(deps, doc, queue);
  const state = isKept ? 'kept' : 'waiting';
  return { id: doc.key.slice(PREFIX.length), state, tries, since, ...(raw !== undefined && aboutOf(raw)) };
}

function opened(
  { secrets, now }: InboxDeps,
  { key }: KeyedDoc,
  queue: Queue | undefined,
): string | undefined {
  const first = queue?.waiting[0];
  return first && secrets.open(first.sealed, key, now(), KEPT_MS);
}

/** The content of a body, if it can be read at all. No field is known to be of its type. */
function dataOf(raw: string): Readonly<Record<string, unknown>> {
  return (parseJson(raw) as { data?: Record<string, unknown> | null } | null | undefined)?.data ?? {};
}

/**
 * The body's own id, if it has one. A delivery that is repeated has the same, and the same body. Another body is another event,
 * also under a known id: nobody has confirmed that each event has an id of its own (open question 31).
 */
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
