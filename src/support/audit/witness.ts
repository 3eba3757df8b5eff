import { z } from 'zod';
import type { Secrets } from '../../conversation/secrets.ts';
import { type Log, thrown } from '../../log/thrown.ts';
import type { AuditRecords } from '../../records/records.ts';
import { codec } from '../../store/codec.ts';
import type { Store } from '../../store/store.ts';
import { readDocs, update } from '../../store/update.ts';
import { type LinkId, lastIn, NOTHING } from './chain.ts';
import { PARTITION } from './outbox.ts';

/** How often the end of the chain is witnessed. Entries written since the last time can be cut off unseen. */
const EVERY_MS = 5 * 60_000;
/** A receiver that did not take it is asked again after this, for as long as it takes. */
const AGAIN_MS = 30_000;
const SEND_MAX_MS = 10_000;

/** The end of the chain as it was at some time. */
export type Witness = LinkId;

/** `412:<digest of that entry>:<our signature>`: shows at any later check whether the chain still goes through there. */
export function witnessOf(secrets: Pick<Secrets, 'digest'>, { n, mac }: Witness): string {
  return `${n}:${mac}:${secrets.digest(signedText({ n, mac }))}`;
}

/** A witness that was kept elsewhere. Undefined where it is none of ours. Those of earlier releases are not signed. */
export function readWitness(secrets: Pick<Secrets, 'digests'>, text: string): Witness | undefined {
  const [, n, mac, signature] = /^(\d{1,9}):([\w-]{0,64})(?::([\w-]{1,64}))?$/.exec(text.trim()) ?? [];
  if (n === undefined || mac === undefined) return undefined;
  const witness = { n: Number(n), mac };
  const isOurs = signature === undefined || secrets.digests(signedText(witness)).includes(signature);
  return isOurs ? witness : undefined;
}

function signedText({ n, mac }: Witness): string {
  return JSON.stringify(['audit-witness', n, mac]);
}

interface WitnessingDeps {
  readonly store: Store;
  readonly records: Pick<AuditRecords, 'lastNumber' | 'range'>;
  readonly secrets: Pick<Secrets, 'digest' | 'digests'>;
  /** The address to which the end of the chain is sent as well (`AUDIT_WITNESS_URL`). */
  readonly url?: string | undefined;
  readonly log: Pick<Log, 'say'>;
  readonly now: () => number;
}

/** The witnesses that were told last: to the log, and to the receiver. */
const lastWitnessCodec = codec('witness of the audit', z.object({ logged: z.string(), sent: z.string() }));
const KEY = 'audit-witness:head';

/** Tells places outside of store and records where the chain ends. */
export function createWitnessing(deps: WitnessingDeps) {
  return {
    /** Writes the document that falls due for it, where it is not there yet. Rejects with `StoreDown`. */
    begin: () => begin(deps),
    /** Tells it, where there is something new. Called by the worker for `audit-witness:head`. Rejects with `StoreDown`. */
    run: () => run(deps),
  };
}

function begin({ store, now }: WitnessingDeps): Promise<void> {
  return update(store, PARTITION, [KEY], (doc) => {
    const first = lastWitnessCodec.write(doc, { logged: '', sent: '' }, { dueAt: now() });
    return { writes: doc.version > 0 ? [] : [first], result: undefined };
  });
}

async function run(deps: WitnessingDeps): Promise<void> {
  const { store, secrets, url, log, now } = deps;
  const [doc] = await readDocs(store, PARTITION, [KEY]);
  const before = lastWitnessCodec.read(doc);
  if (!before) return;
  const last = (await lastIn(deps)) ?? NOTHING;
  const witness = witnessOf(secrets, last);
  const entries = last.n;
  // There is nothing to lose yet.
  const isEmpty = entries === 0 && before.logged === '';
  if (witness !== before.logged && !isEmpty) log.say('The audit ends here', { witness, entries });
  if (entries < Number.parseInt(before.logged, 10))
    log.say('The audit has become shorter', { witness, entries });
  const mustSend = url !== undefined && witness !== before.sent && !isEmpty;
  const isSent = mustSend && (await send(deps, url, entries, witness));
  const latest = { logged: isEmpty ? '' : witness, sent: isSent ? witness : before.sent };
  const dueAt = now() + (mustSend && !isSent ? AGAIN_MS : EVERY_MS);
  await store.commit(PARTITION, { writes: [lastWitnessCodec.write(doc, latest, { dueAt })] });
}

async function send(
  { log, now }: WitnessingDeps,
  url: string,
  entries: number,
  witness: string,
): Promise<boolean> {
  const body = JSON.stringify({ witness, entries, at: new Date(now()).toISOString() });
  const headers = { 'content-type': 'application/json' };
  try {
    const signal = AbortSignal.timeout(SEND_MAX_MS);
    const { ok, status } = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    if (!ok) log.say('The witness of the audit was not taken', { status });
    return ok;
  } catch (error) {
    log.say('The witness of the audit was not taken', thrown(error));
    return false;
  }
}
