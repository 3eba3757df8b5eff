import { z } from 'zod';
import { codec, jsonOf, type KeyedDoc } from '../../store/codec.ts';
import { partitionOf } from '../../store/partition.ts';
import { readDocs, update } from '../../store/update.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { Case } from '../cases/case.ts';
import type { Cases } from '../cases/cases.ts';
import { ownAddress } from '../channel.ts';
import type { Archive } from '../intents/archive.ts';
import type { TurnRecord } from '../record/record.ts';
import { addressesOf } from '../session/linking.ts';
import { withoutSecrets } from '../session/talk.ts';
import type { Acted, Agent, DeskPeople, Details, Found, Note, Person, TimelinePage } from './desk.ts';
import {
  keptTurns,
  namedRecord,
  paymentsNamed,
  paymentsOf,
  type ReadingDeps,
  sessionAt,
  turnsIn,
  whenAway,
} from './reading.ts';

/** The number of a customer's notes that the store keeps. Above it the oldest note is only in the records. */
const NOTES_MAX = 50;
/** How long notes are kept after the last one: as long as turns are by default. */
const NOTES_KEPT_MS = 400 * 24 * 3_600_000;
/** The number of a customer's notes that an agent sees. Their export has all. */
export const NOTES_SHOWN_MAX = 200;
/** An agent waits no longer for the wallet's data of a customer. */
const DETAILS_MAX_MS = 2_000;
/** Closed cases of a customer that are shown. */
const CLOSED_MAX = 20;
/** Turns that one of our ids of a call can be found in. */
const CALLS_FOUND_MAX = 1;

const NOTE = z.looseObject({ at: z.number(), by: z.string(), text: z.string() });
const notesCodec = codec<{ readonly notes: readonly Note[] }>('notes', z.object({ notes: z.array(NOTE) }));

/** The key of the notes about a customer, beside their sessions. The records have each of them under the same name. */
export function notesKey(wallet: Msisdn): string {
  return `notes:${wallet}`;
}

function notesIn(doc: KeyedDoc): readonly Note[] {
  return notesCodec.read(doc)?.notes ?? [];
}

/**
 * The notes about a customer in the store, and the earlier ones in the records, the newest first.
 * @param doc that of `notesKey`
 */
export async function notesAbout(
  archive: Pick<Archive, 'turnsNaming'>,
  doc: KeyedDoc,
  limit: number,
): Promise<Note[]> {
  const kept = (await archive.turnsNaming(doc.key, limit)).flatMap(({ record }) => noteIn(record) ?? []);
  const all = [...notesIn(doc), ...kept];
  const each = new Map(all.map((one) => [JSON.stringify([one.at, one.by, one.text]), one]));
  return [...each.values()].sort((a, b) => b.at - a.at).slice(0, limit);
}

/** A note for the stream that the records are made of. Readers of turns leave it out. */
function noteRecord(wallet: Msisdn, noted: Note): string {
  const { at } = noted;
  const refs = [notesKey(wallet)];
  const whose = { address: ownAddress(wallet), wallet };
  return JSON.stringify({ v: 1, at, ...whose, event: { kind: 'note' }, refs, note: noted });
}

const NOTE_RECORD = z.object({ event: z.object({ kind: z.literal('note') }), note: NOTE });

/** A note as the records have it. Undefined for any other record. */
export function noteIn(json: string): Note | undefined {
  return NOTE_RECORD.safeParse(jsonOf(json)).data?.note;
}

interface PeopleDeps extends ReadingDeps {
  readonly api: Pick<Wallet, 'profile'>;
  readonly cases: Pick<Cases, 'ofCustomer' | 'closedOf' | 'find'>;
}

/** Customers over all their channels, as agents see them, and the agents' notes for each other. */
export function createPeople(deps: PeopleDeps): DeskPeople {
  return {
    person: (wallet) => personOf(deps, wallet),
    timeline: (wallet, limit, before) => timeline(deps, wallet, limit, before),
    details: (wallet) => details(deps, wallet),
    note: (wallet, by, text) => note(deps, wallet, by, text),
    find: (reference) => find(deps, reference),
  };
}

async function personOf(deps: PeopleDeps, wallet: Msisdn): Promise<Person | undefined> {
  const { store } = deps;
  const addresses = await addressesOf(store, wallet);
  const [doc] = await readDocs(store, partitionOf(wallet), [notesKey(wallet)]);
  const [cases = [], notes = notesIn(doc), found] = await Promise.all([
    casesAbout(deps, wallet).catch(whenAway),
    notesAbout(deps.archive, doc, NOTES_SHOWN_MAX).catch(whenAway),
    Promise.all(addresses.map((address) => sessionAt(deps, address))),
  ]);
  const sessions = found.filter((session) => session !== undefined);
  const known = { wallet, sessions, notes, cases };
  if (sessions.length > 0 || notes.length > 0 || cases.length > 0) return known;
  // The customer has not come for long, and their earlier turns are kept all the same.
  const isKnown =
    (await paymentsOf(deps, wallet, 1)).length > 0 || (await timeline(deps, wallet, 1)).records.length > 0;
  return isKnown ? known : undefined;
}

/** Those that are open, and those that were closed last. */
async function casesAbout({ cases }: PeopleDeps, wallet: Msisdn): Promise<Case[]> {
  return (await Promise.all([cases.ofCustomer({ wallet }), cases.closedOf(wallet, CLOSED_MAX)])).flat();
}

async function timeline(
  { store, archive }: PeopleDeps,
  wallet: Msisdn,
  limit: number,
  before = Number.POSITIVE_INFINITY,
): Promise<TimelinePage> {
  const addresses = await addressesOf(store, wallet);
  // A turn of a chat before it was linked belongs to this customer as well. A turn that it made for another wallet does
  // not.
  const isTheirs = (record: TurnRecord) =>
    record.wallet === undefined ? addresses.includes(record.address) : record.wallet === wallet;
  const isAsked = (record: TurnRecord) => isTheirs(record) && record.at < before;
  // One more than the page holds: whether there is another page.
  const live = [wallet, ...addresses].map((name) =>
    turnsIn(store, partitionOf(name), name, isAsked, limit + 1),
  );
  const found = new Map((await Promise.all(live)).flat());
  const from = Number.isFinite(before) ? before : undefined;
  const kept = [{ wallet }, ...addresses.map((address) => ({ address }))].map((whose) =>
    keptTurns(archive, whose, isAsked, limit + 1, from),
  );
  const archived = await Promise.all(kept).catch(whenAway);
  for (const [name, record] of (archived ?? []).flat()) found.set(name, record);
  const records = [...found.values()].sort((a, b) => b.at - a.at);
  return { ...firstPage(records, limit), isWhole: archived !== undefined };
}

/** All turns of one moment are on one page, as the next page is asked for by time. */
function firstPage(records: readonly TurnRecord[], limit: number): Pick<TimelinePage, 'records' | 'next'> {
  const first = records[limit];
  if (!first) return { records };
  const later = records.filter(({ at }) => at > first.at);
  const page = later.length > 0 ? later : records.slice(0, limit);
  return { records: page, next: page.at(-1)?.at ?? first.at };
}

async function details({ api }: PeopleDeps, wallet: Msisdn): Promise<Details | undefined> {
  const answer = await api.profile(wallet, { timeoutMs: DETAILS_MAX_MS });
  if (answer.kind !== 'ok') return undefined;
  const { fullName, level, status } = answer.value;
  return { fullName, level, status };
}

async function note({ store, now }: PeopleDeps, wallet: Msisdn, by: Agent, text: string): Promise<Acted> {
  const written = withoutSecrets(text.trim());
  if (!written) return 'notNow';
  return update(store, partitionOf(wallet), [notesKey(wallet)], (doc) => {
    const noted = { at: now(), by: by.name, text: written };
    const notes = [noted, ...notesIn(doc)].slice(0, NOTES_MAX);
    const write = notesCodec.write(doc, { notes }, { keepUntil: now() + NOTES_KEPT_MS });
    return { writes: [write], turn: noteRecord(wallet, noted), durable: true, result: 'done' as const };
  });
}

async function find(deps: PeopleDeps, reference: string): Promise<Found[]> {
  const name = reference.toLowerCase();
  const it = await deps.cases.find(name).catch(whenAway);
  if (it) return [{ kind: 'case', it }];
  const intents = await paymentsNamed(deps, reference);
  if (intents.length > 0) return intents.map((intent) => ({ kind: 'payment', intent }));
  const turns = (await deps.archive.turnsNaming(name, CALLS_FOUND_MAX).catch(whenAway)) ?? [];
  const [record] = turns.flatMap(namedRecord).map(([, each]) => each);
  // A webhook's turn is about a payment, so the payment is found.
  const [intent] = record?.event.kind === 'payment' ? await paymentsNamed(deps, record.event.intent) : [];
  if (intent) return [{ kind: 'payment', intent }];
  return record ? [{ kind: 'call', record }] : [];
}
