import type { Sentence } from '../../../machines/kit/screen.ts';
import { isObject } from '../../store/codec.ts';

/** For this time an open payment holds back every other one. Later it holds back its look-alikes only. */
export const SLOT_MS = 120_000;
/** How far back a payment is a look-alike, where its way to pay says nothing else. */
export const LOOK_ALIKE_MS = 15 * 60_000;
/** How long a claimed operation is remembered: longer than most intents are reconciled. */
const KEPT_MS = 4 * 24 * 3_600_000;
/** While a payment is open, payments so near to it are remembered too: the list could take one for the other. */
const NEAR_MS = 3_600_000;
/** More than anybody pays in that time. Above it the oldest settled payments are dropped. */
export const ENTRIES_MAX = 500;

/** One payment in its wallet's book. `void`: it is proven not to have moved anything. */
export interface Entry {
  /** The intent. */
  readonly id: string;
  readonly alike: string;
  /** The part of `alike` that the wallet's list can show. Absent where both are the same. */
  readonly listed?: string;
  readonly at: number;
  readonly state: 'open' | 'done' | 'void';
  /** The wallet's operation that belongs to this payment, and to no other (claim). */
  readonly operationId?: number;
  /** Further operations that the wallet made for the same request. */
  readonly others?: readonly number[];
  /** Only the list said so, which does not show everything: a payment that the store has lost may own it as well. */
  readonly isByList?: boolean;
  /** Read first where a contact begins or ends. Absent once the customer knows the outcome. */
  readonly says?: Sentence;
  /** It waits for its customer: nothing is held back by it. */
  readonly waits?: true;
  /** Rebuilt from a webhook. The wallet may not tell the whole order. */
  readonly isRebuilt?: true;
}

/** The payments of one wallet over all channels: the one that is being sent, those still open, look-alikes, and the operations they claim. */
export interface Book {
  readonly entries: readonly Entry[];
}

export const EMPTY_BOOK: Book = { entries: [] };

/** True for a stored entry. Checked by hand: each turn reads them. */
export function isEntry(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.at === 'number' &&
    typeof value.state === 'string'
  );
}

/** A payment whose outcome its customer does not know yet. */
export interface OpenPayment {
  /** The intent. */
  readonly id: string;
  /** When it was sent, ms since 1970. */
  readonly at: number;
  readonly says: Sentence;
}

/** The payments that every contact with their customer begins and ends with, the newest first. */
export function openIn(book: Book): OpenPayment[] {
  return book.entries.flatMap(({ id, at, says }) => (says ? [{ id, at, says }] : [])).reverse();
}

/** True while another payment of this wallet is under way. */
export function isBusy(book: Book, now: number): boolean {
  return book.entries.some((entry) => entry.state === 'open' && !entry.waits && holdsSlot(entry, now));
}

/** True while an open payment keeps every other one of its wallet back. */
function holdsSlot({ at }: Pick<Entry, 'at'>, now: number): boolean {
  return at > now - SLOT_MS;
}

/**
 * Payments that look like this one: recent ones, and every one whose outcome is still open. Of a rebuilt
 * payment we know only the part of the order that the wallet's list shows. It does not show a scanned code, for
 * example.
 */
export function lookAlikes(
  book: Book,
  { alike, listed }: Pick<Entry, 'alike' | 'listed'>,
  now: number,
  alikeMs = LOOK_ALIKE_MS,
): Entry[] {
  return book.entries.filter(
    (entry) =>
      (entry.alike === alike || (entry.isRebuilt && listedIn(entry) === listed)) &&
      (entry.state === 'open' || (entry.state === 'done' && entry.at > now - alikeMs)),
  );
}

/** The part of a payment that the wallet's list can show. */
export function listedIn({ alike, listed = alike }: Pick<Entry, 'alike' | 'listed'>): string {
  return listed;
}

/** The book with one more payment. */
export function entered(book: Book, entry: Entry, now: number): Book {
  const open = book.entries.filter(({ state }) => state === 'open');
  const isNearOpen = (at: number) => open.some((each) => Math.abs(each.at - at) < NEAR_MS);
  const kept = book.entries.filter(
    ({ state, at }) => state === 'open' || at > now - KEPT_MS || isNearOpen(at),
  );
  const tooMany = Math.max(0, kept.length + 1 - ENTRIES_MAX);
  const givenUp = new Set(kept.filter(({ state }) => state !== 'open').slice(0, tooMany));
  return { ...book, entries: [...kept.filter((each) => !givenUp.has(each)), entry] };
}

/** New facts about a payment. `says` is the sentence as it is now, and absent once there is nothing to say. */
export type BookFacts = Partial<
  Pick<Entry, 'state' | 'operationId' | 'others' | 'isByList' | 'says' | 'waits'>
>;

/** The book with new facts about a payment. */
export function noted(book: Book, id: string, facts: BookFacts): Book {
  return {
    ...book,
    entries: book.entries.map((entry) => {
      if (entry.id !== id) return entry;
      const { says: _before, waits: _waited, ...known } = entry;
      return { ...known, ...facts };
    }),
  };
}

/** The payment that an operation belongs to. */
export function ownerOf(book: Book, operationId: number): string | undefined {
  return book.entries.find(
    (entry) => entry.operationId === operationId || entry.others?.includes(operationId),
  )?.id;
}
