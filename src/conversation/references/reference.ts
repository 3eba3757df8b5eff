import type { NumberedReference, ReferenceEntry, ReferenceState } from '../../../machines/kit/effects.ts';
import { codec, isObject, type KeyedDoc } from '../../store/codec.ts';
import type { Write } from '../../store/store.ts';
import { STATUSES } from '../../wallet/contract/fields.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { CashReference } from '../../wallet/services.ts';
import type { Address } from '../channel.ts';
import type { Secrets } from '../secrets.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { openForWallet, WALLET_SECRET_MS } from '../session/wallet-secret.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The times at which an open reference is looked up, counted from the request for it. Then it is looked up hourly. */
const FIRST_LOOKS_MS: readonly number[] = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** After that it is only looked up when its customer comes, and when the wallet says that it was executed. */
const FOLLOWED_MS = 72 * HOUR_MS;
/** A look that the wallet has not answered is made again after this. */
const ASKED_AGAIN_MS = MINUTE_MS;
/** After this the answer to the call is not awaited any longer: the process that made it is dead. */
const ANSWER_AWAITED_MS = 2 * MINUTE_MS;
/** How long a reference is kept: longer than a customer may ask about it. */
const REFERENCE_KEPT_MS = 400 * 24 * HOUR_MS;
/** The length of a wallet's list. Above it the oldest closed reference is dropped. */
const LISTED_MAX = 20;

/**
 * A reference for cash that Wasl has asked the wallet for, and with which another person moves money later. It takes no
 * slot of its wallet and is no payment. It is followed until it was executed or can no longer be used (docs/safety.md,
 * "References").
 */
export interface Reference extends NumberedReference {
  /** Also the call's `C-Request-Id`. */
  readonly id: string;
  readonly wallet: Msisdn;
  readonly address: Address;
  /** When it came to its state, ms since 1970. */
  readonly since: number;
  /** When it was last looked up, ms since 1970. */
  readonly lookedAt?: number;
  /** The wallet did not answer that look. */
  readonly unanswered?: true;
}

/** Each turn of a list reads them, so they are checked by hand. */
export const referenceCodec = codec<Reference>('reference', (value) => {
  if (!isObject(value)) return false;
  const { id, wallet, address, kind, state, amount, at, since } = value;
  return (
    [id, wallet, address, kind, state].every((each) => typeof each === 'string') &&
    [amount, at, since].every((each) => typeof each === 'number')
  );
});

export function referenceKey(id: string): string {
  return `cash-reference:${id}`;
}

/** How a reference is written: with the moment of its next look. */
export function referenceWrite(doc: KeyedDoc | undefined, reference: Reference): Write {
  return referenceCodec.write(doc, reference, {
    dueAt: nextLook(reference) ?? null,
    keepUntil: reference.at + REFERENCE_KEPT_MS,
  });
}

/**
 * The time of the next look-up of a reference, in ms since 1970. Undefined: not before its customer or an event comes.
 * An executed reference is looked up a few times more, as the execution can be undone, and no event says so.
 */
function nextLook({ state, at, since, lookedAt = since, unanswered }: Reference): number | undefined {
  if (state === 'asked') return at + ANSWER_AWAITED_MS;
  if (state !== 'open' && state !== 'executed') return undefined;
  const from = state === 'open' ? at : since;
  const until = from + (state === 'open' ? FOLLOWED_MS : HOUR_MS);
  if (lookedAt >= until) return undefined;
  if (unanswered) return lookedAt + ASKED_AGAIN_MS;
  const age = lookedAt - from;
  const next = FIRST_LOOKS_MS.find((after) => after > age) ?? (Math.floor(age / HOUR_MS) + 1) * HOUR_MS;
  return Math.min(from + next, until);
}

/** The reference after a look that the wallet has answered, or not. */
export function looked(
  reference: Reference,
  found: CashReference | undefined | 'unanswered',
  now: number,
): Reference {
  const { unanswered: _before, ...rest } = reference;
  if (found === 'unanswered') return { ...rest, lookedAt: now, unanswered: true };
  const state = found && stateIn(reference.state, found);
  return worth({ ...rest, lookedAt: now, ...(state && state !== reference.state && { state, since: now }) });
}

/**
 * The state of a reference after a look-up. v2.3 does not show how an expired reference reads, nor one whose execution
 * was undone (open question 28). We take both 3 and 4 for the end. If the reference was executed before, its execution
 * has been undone.
 */
function stateIn(before: ReferenceState, { status, executedAt }: CashReference): ReferenceState | undefined {
  if (status === STATUSES.COMPLETED) return 'executed';
  if (status === STATUSES.OPEN) return before === 'asked' ? 'open' : undefined;
  return before === 'executed' || before === 'reversed' || executedAt !== undefined ? 'reversed' : 'expired';
}

/** The reference as it is kept: the number of a withdrawal is erased once nothing more is to be learnt by it. */
function worth(reference: Reference): Reference {
  const { number, ...rest } = reference;
  const isKept =
    !number || 'code' in number || isPending(reference.state) || nextLook(reference) !== undefined;
  return isKept ? reference : rest;
}

/** The number that a reference is looked up by. Undefined where it is not known, or not kept any more. */
export function numberOf({ number, wallet }: Reference, secrets: Secrets, now: number): string | undefined {
  if (!number) return undefined;
  return 'code' in number ? number.code : openForWallet(secrets, number.sealed, wallet, now);
}

/** A reference as its wallet's list has it. */
function entryOf({ id, kind, way, amount, at, state }: Reference): ReferenceEntry {
  return { id, kind, ...(way && { way }), amount, at, state };
}

/** The wallet with a reference as it is now. A new reference is the last of its list. */
export function withReference(wallet: WalletDoc, reference: Reference): WalletDoc {
  const { references = [] } = wallet;
  const entry = entryOf(reference);
  if (references.some(({ id }) => id === entry.id))
    return { ...wallet, references: references.map((each) => (each.id === entry.id ? entry : each)) };
  const all = [...references, entry];
  const leaves = all.length > LISTED_MAX ? (all.find(({ state }) => !isPending(state)) ?? all[0]) : undefined;
  return { ...wallet, references: all.filter((each) => each !== leaves) };
}

/** The wallet without a reference that the wallet has refused: there is none. */
export function withoutReference(wallet: WalletDoc, id: string): WalletDoc {
  return { ...wallet, references: (wallet.references ?? []).filter((each) => each.id !== id) };
}

/** References that somebody may still move money with, the newest first. */
export function openReferences({ references = [] }: WalletDoc, now: number): ReferenceEntry[] {
  return references.filter(({ state, at }) => state === 'open' && at > now - WALLET_SECRET_MS).reverse();
}

function isPending(state: ReferenceState): boolean {
  return state === 'asked' || state === 'open';
}
