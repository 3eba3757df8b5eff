import type { Case } from '../conversation/cases/case.ts';
import { ownAddress } from '../conversation/channel.ts';
import { unlist } from '../conversation/desk/binding.ts';
import type { Note } from '../conversation/desk/desk.ts';
import { notesAbout, notesKey } from '../conversation/desk/people.ts';
import { takeHelpBack } from '../conversation/effects/ask-for-person.ts';
import { linkCodeKey } from '../conversation/effects/link-code.ts';
import type { Address } from '../conversation/incoming.ts';
import { cardLinkKey } from '../conversation/intents/card-link.ts';
import { type Intent, intentCodec, intentKey } from '../conversation/intents/intent.ts';
import { mayBeTakenBack, nextCheck } from '../conversation/intents/schedule.ts';
import { pendingKey } from '../conversation/pending/pending.ts';
import { readRecord } from '../conversation/record/record.ts';
import { referenceKey } from '../conversation/references/reference.ts';
import { addressesOf } from '../conversation/session/linking.ts';
import { type SentFile, sentFileKeys, sentFilesOf } from '../conversation/session/sent-file.ts';
import { homeKey, sessionKey } from '../conversation/session/sessions.ts';
import { voucherCodeKey } from '../conversation/session/voucher-codes.ts';
import { type WalletDoc, walletCodec, walletKey, walletStateOf } from '../conversation/session/wallet-doc.ts';
import { subscriptionKey } from '../push/web-push.ts';
import { partitionOf } from '../store/partition.ts';
import type { Partition, Store } from '../store/store.ts';
import { readDocs, update } from '../store/update.ts';
import type { Msisdn } from '../wallet/phone.ts';
import { moveCases } from './move-cases.ts';
import { intentIn, LEAVES_AFTER_MS, lastStepOf } from './payment-row.ts';
import type { Erased, FoundAudit, KeptEvent, Records } from './records.ts';

const PAGE = 1_000;
/** More than are ever open at once, or of one customer. */
const CASES_MAX = 100_000;
/** More than anybody writes about one customer. */
const NOTES_MAX = 100_000;
/** Payments of one customer, over all the years. */
const PAYMENTS_MAX = 100_000;
/** Requests of one customer that the wallet decides in its own time. */
const PENDING_MAX = 1_000;
/** An emptied document says for so long that its wallet was here: whoever holds an older version of it must fail. */
const EMPTIED_KEPT_MS = 24 * 3_600_000;

export interface CustomerDeps {
  readonly store: Store;
  readonly records: Records;
  /** Records what is still in the live store. */
  readonly drain: () => Promise<void>;
  /** The operator's principal agent, whose list of numbers may have the customer's. Absent: there is none. */
  readonly principal?: string | undefined;
  readonly now: () => number;
}

/** Everything that is kept of a customer. */
export interface Export {
  readonly wallet: string;
  readonly addresses: readonly string[];
  /** The state of each conversation, by address. Sealed parts stay sealed. */
  readonly sessions: Readonly<Record<string, unknown>>;
  readonly payments: readonly Intent[];
  /** Everything said and done, the earliest first. */
  readonly turns: readonly unknown[];
  /** The notes of agents about them, the newest first. */
  readonly notes: readonly Note[];
  /** The files that they sent to agents, for as long as those are kept. Their contents stay sealed. */
  readonly files: readonly (SentFile & { readonly address: Address })[];
  /** The parts of the wallet's document: references, recipients, vouchers, documents, counts. */
  readonly own: Readonly<Partial<WalletDoc>>;
  /** The cases about them, closed ones too. */
  readonly cases: readonly Case[];
  /**
   * The number of words of their name, and when the wallet told it (ms since 1970). The words are digests, which say
   * nothing.
   */
  readonly name?: { readonly words: number; readonly at: number };
  /** When somebody of the company looked at it or did something about it. */
  readonly looks: readonly { readonly at: number; readonly act: string }[];
}

/** Payments that stand in the way: not over, or not for long. `from`: when to try again (ms since 1970), as far as it is known. */
export interface TooEarly {
  readonly kind: 'tooEarly';
  readonly from: number | undefined;
  readonly payments: readonly Intent[];
}

/** The end of a request to be forgotten. */
type Forgotten = ({ readonly kind: 'erased' } & Erased) | TooEarly;

/**
 * The data that would be erased: where the customer was, and how much was recorded. `payments` are kept under a pseudonym.
 */
export interface Erasable {
  readonly kind: 'erasable';
  readonly addresses: readonly Address[];
  readonly turns: number;
  readonly payments: number;
  /** Pages on which somebody could pay them by card. */
  readonly links: readonly string[];
  /** Nothing at all is kept of them: nobody has this number here. An erasure leaves a mark for a day, which counts. */
  readonly isEmpty: boolean;
}

/** Exports everything that is kept of a customer, as law 09-08 lets them ask for it. Rejects with `StoreDown`. */
export async function exportCustomer(deps: CustomerDeps, wallet: Msisdn): Promise<Export> {
  const { store, records } = deps;
  await recordAll(deps);
  const turns = await turnsOf(records, wallet, await addressesOf(store, wallet));
  const addresses = await allAddresses(store, wallet, turns);
  const sessions = await Promise.all(
    addresses.map(async (address) => [address, await sessionAt(deps, wallet, address)]),
  );
  const [notesDoc] = await readDocs(store, partitionOf(wallet), [notesKey(wallet)]);
  const [walletDoc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  const { entries: _payments, ...own } = walletStateOf(walletDoc).value;
  const name = await records.nameOf(wallet);
  return {
    wallet,
    addresses,
    sessions: Object.fromEntries(sessions.filter(([, session]) => session !== undefined)),
    payments: await paymentsOf(deps, wallet),
    turns: turns.map(({ record }): unknown => JSON.parse(record)),
    notes: await notesAbout(records, notesDoc, NOTES_MAX),
    files: (await Promise.all(addresses.map((address) => filesAt(deps, address)))).flat(),
    own,
    cases: await casesAbout(deps, wallet),
    ...(name && { name }),
    looks: await looksAt(records, [wallet, ...addresses]),
  };
}

async function filesAt({ store, now }: CustomerDeps, address: Address): Promise<Export['files']> {
  return (await sentFilesOf(store, address, now())).map((file) => ({ address, ...file }));
}

/** All looks at a customer, by any of their names, the newest first. */
async function looksAt(records: Records, about: readonly string[]): Promise<Export['looks']> {
  const looks: FoundAudit[] = [];
  let page: readonly FoundAudit[];
  do {
    const last = looks.at(-1);
    page = await records.audit.page({ about, ...(last && { before: last.n }) }, PAGE);
    looks.push(...page);
  } while (page.length === PAGE);
  return looks.map(({ at, act }) => ({ at, act }));
}

/**
 * Lists the data that `eraseCustomer` would erase, or the reasons against it. Changes nothing. Rejects with `StoreDown`.
 */
export async function findErasable(deps: CustomerDeps, wallet: Msisdn): Promise<Erasable | TooEarly> {
  const { store, records, now } = deps;
  const payments = await paymentsOf(deps, wallet);
  // A success that may still be taken back is only young, as any other is.
  const isOpen = (payment: Intent) => !mayBeTakenBack(payment) && nextCheck(payment, now()) !== undefined;
  const open = payments.filter(isOpen);
  if (open.length > 0) return { kind: 'tooEarly', from: undefined, payments: open };
  const restsAt = (payment: Intent) => lastStepOf(payment) + LEAVES_AFTER_MS;
  const young = payments.filter((payment) => restsAt(payment) > now());
  if (young.length > 0) return { kind: 'tooEarly', from: Math.max(...young.map(restsAt)), payments: young };
  await recordAll(deps);
  const turns = await turnsOf(records, wallet, await addressesOf(store, wallet));
  const addresses = await allAddresses(store, wallet, turns);
  return {
    kind: 'erasable',
    addresses,
    turns: turns.length,
    payments: payments.length,
    links: linksIn(turns),
    isEmpty: turns.length + payments.length === 0 && !(await hasDocuments(deps, wallet, addresses)),
  };
}

/** Whether anything is kept of a customer beside turns and payments. */
async function hasDocuments(
  deps: CustomerDeps,
  wallet: Msisdn,
  addresses: readonly Address[],
): Promise<boolean> {
  const { store, records } = deps;
  const own = await readDocs(store, partitionOf(wallet), [walletKey(wallet), notesKey(wallet)]);
  const sessions = await Promise.all(addresses.map((address) => sessionAt(deps, wallet, address)));
  return (
    own.some(({ version }) => version > 0) ||
    sessions.some((session) => session !== undefined) ||
    (await records.nameOf(wallet)) !== undefined ||
    (await casesAbout(deps, wallet)).length > 0
  );
}

/** No list has them: a link's id is that of the call which has made it. Records know a turn for longer than a link is kept. */
function linksIn(turns: readonly KeptEvent[]): string[] {
  const calls = turns.flatMap(({ record }) => readRecord(record)?.ran ?? []);
  return calls.flatMap(({ effect, ref }) => (effect === 'createCardLink' ? [ref] : []));
}

/**
 * Erases a customer from the live store and the records. Parts of payments that the law asks to keep stay under a pseudonym.
 * Nothing is done while news of a payment may still come. A second run finishes what the first one began. Rejects with
 * `StoreDown`.
 * @param pseudonym stands for the wallet from now on
 */
export async function eraseCustomer(
  deps: CustomerDeps,
  wallet: Msisdn,
  pseudonym: string,
): Promise<Forgotten> {
  const { store, records } = deps;
  const found = await findErasable(deps, wallet);
  if (found.kind === 'tooEarly') return found;
  const { addresses, links } = found;
  // Before the turns that name them.
  for (const link of links) await erase(store, partitionOf(wallet), cardLinkKey(link));
  const erased = await records.erase(wallet, addresses, pseudonym);
  for (const partition of new Set([wallet, ...addresses].map(partitionOf)))
    await eraseStream(store, partition, [wallet, ...addresses]);
  await eraseDocuments(deps, wallet, addresses);
  return { kind: 'erased', ...erased };
}

/** The payments of the live store, and those that have left it, the newest first. */
async function paymentsOf({ store, records }: CustomerDeps, wallet: Msisdn): Promise<Intent[]> {
  const kept = (await records.paymentsOf(wallet, PAYMENTS_MAX)).map(intentIn);
  const [walletDoc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  const ids = new Set([...walletStateOf(walletDoc).value.entries, ...kept].map(({ id }) => id));
  const docs = await readDocs(store, partitionOf(wallet), [...ids].map(intentKey));
  const live = docs.flatMap((doc) => intentCodec.read(doc) ?? []);
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...kept.filter(({ id }) => !known.has(id))].sort((a, b) => b.sentAt - a.sentAt);
}

/** All recorded turns of a customer, the earliest first. They include those of a chat before it was linked. */
async function turnsOf(records: Records, wallet: string, addresses: readonly string[]): Promise<KeptEvent[]> {
  const found = new Map<string, KeptEvent>();
  for (const whose of [{ wallet }, ...addresses.map((address) => ({ address }))]) {
    let before: number | undefined;
    for (;;) {
      const page = await records.turnsOf(whose, PAGE, before);
      const count = found.size;
      for (const turn of page)
        if (isTheirs(turn, wallet)) found.set(`${turn.partition} ${turn.id} ${turn.at}`, turn);
      const oldest = page.at(-1);
      // The next page begins with those of the same moment once more.
      if (page.length < PAGE || !oldest || (found.size === count && before === oldest.at + 1)) break;
      before = oldest.at + 1;
    }
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** A chat may have been somebody else's at another time. */
function isTheirs({ record }: KeptEvent, wallet: string): boolean {
  return (readRecord(record)?.wallet ?? wallet) === wallet;
}

async function allAddresses(store: Store, wallet: Msisdn, turns: readonly KeptEvent[]): Promise<Address[]> {
  const used = turns.flatMap(({ record }) => readRecord(record)?.address ?? []);
  return [...new Set([...(await addressesOf(store, wallet)), ownAddress(wallet), ...used])];
}

async function sessionAt({ store }: CustomerDeps, wallet: Msisdn, address: Address): Promise<unknown> {
  const [doc] = await readDocs(store, partitionOf(wallet), [sessionKey(address)]);
  return doc.version > 0 ? JSON.parse(doc.value) : undefined;
}

/** The last turns of a partition that name a customer, which the live store keeps for who looks at what goes on. */
async function eraseStream(store: Store, partition: Partition, names: readonly string[]): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const { entries } = await store.turnsAfter(partition, after, PAGE);
    const theirs = entries.filter(({ record }) => names.some((name) => record.includes(`"${name}"`)));
    await store.eraseTurns(
      partition,
      theirs.map(({ id }) => id),
    );
    after = entries.at(-1)?.id;
    if (entries.length < PAGE) return;
  }
}

/** Has everything recorded that there is now, and the cases of the release before moved: else one could come back later. */
async function recordAll(deps: CustomerDeps): Promise<void> {
  await deps.drain();
  if (await moveCases(deps)) await recordAll(deps);
}

async function casesAbout({ records }: CustomerDeps, wallet: Msisdn): Promise<Case[]> {
  const open = await records.cases.read((tx) => tx.openOf({ wallet }));
  const closed = await records.cases.read((tx) => tx.closedOf(wallet, CASES_MAX));
  return [...closed, ...open].sort((a, b) => a.openedAt - b.openedAt);
}

async function eraseDocuments(
  { store, principal, now }: CustomerDeps,
  wallet: Msisdn,
  addresses: readonly Address[],
): Promise<void> {
  for (const address of addresses) {
    await erase(store, partitionOf(address), subscriptionKey(address));
    await erase(store, partitionOf(address), linkCodeKey(address));
    await takeHelpBack(store, address);
    for (const key of await sentFileKeys(store, address, now()))
      await erase(store, partitionOf(address), key);
    await erase(store, partitionOf(wallet), sessionKey(address));
    await erase(store, partitionOf(address), sessionKey(address));
    await erase(store, partitionOf(address), homeKey(address));
  }
  await erase(store, partitionOf(wallet), notesKey(wallet));
  const [walletDoc] = await readDocs(store, partitionOf(wallet), [walletKey(wallet)]);
  const { vouchers = [], references = [] } = walletStateOf(walletDoc).value;
  for (const { id } of vouchers) await erase(store, partitionOf(wallet), voucherCodeKey(id));
  for (const { id } of references) await erase(store, partitionOf(wallet), referenceKey(id));
  for (const { key } of await store.scheduled(partitionOf(wallet), pendingKey(wallet, ''), PENDING_MAX))
    await erase(store, partitionOf(wallet), key);
  if (principal !== undefined) await unlist(store, principal, wallet);
  await update(store, partitionOf(wallet), [walletKey(wallet)], (doc) => {
    const keepUntil = now() + EMPTIED_KEPT_MS;
    const held = heldBack(walletStateOf(doc).value);
    const write = walletCodec.write(
      { ...doc, value: '' },
      { entries: [], ...held },
      held ? {} : { keepUntil },
    );
    return { writes: doc.version > 0 ? [write] : [], result: undefined };
  });
}

/** A stop by support stays: nobody gets around it by a request to be forgotten. */
function heldBack({ safety, agent }: WalletDoc): Pick<WalletDoc, 'safety' | 'agent'> | undefined {
  const frozen = safety?.frozen?.by === undefined ? undefined : safety.frozen;
  const stopped = agent?.stopped && agent;
  if (!frozen && !stopped) return undefined;
  return { ...(frozen && { safety: { frozen } }), ...(stopped && { agent: stopped }) };
}

function erase(store: Store, partition: Partition, key: string): Promise<void> {
  return update(store, partition, [key], ({ version }) => ({
    writes: version > 0 ? [{ key, version, value: null }] : [],
    result: undefined,
  }));
}
