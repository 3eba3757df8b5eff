import { methodOf, type Order } from '../../payments/payments.ts';
import type { Ask } from '../../payments/quote.ts';
import type { Answer } from '../../wallet/answer.ts';
import { SAFETY_CODES } from '../../wallet/contract/errors.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Rib } from '../../wallet/rib.ts';
import type { Address } from '../channel.ts';
import { agentOf, principalOf } from './agent.ts';
import { counter } from './counter.ts';
import type { WalletDoc } from './wallet-doc.ts';

/*
 * What keeps a customer's money safe from who holds their phone, or talks them into paying. All of it is Wasl's own, not shown in
 * v2.3 (open question 94), and binds Wasl's channels alone: the wallet itself, issued cards and agents know nothing of it.
 */

/** What the operator sets. */
export interface SafetySettings {
  /** From this amount on the first payment to somebody is asked about. */
  readonly newRecipientFrom: Centimes;
  /** What is more than the largest payment of three months times this, and at least so much, is asked about. */
  readonly unusualFactor: number;
  readonly unusualFrom: Centimes;
  /** For so long after a new link, a new PIN or a thaw, payments above this amount wait. */
  readonly coolDownMs: number;
  readonly coolDownAbove: Centimes;
}

const HOUR_MS = 3_600_000;

export const SAFETY_DEFAULTS: SafetySettings = {
  newRecipientFrom: centimes(0),
  unusualFactor: 3,
  unusualFrom: centimes(1_000_00),
  coolDownMs: 24 * HOUR_MS,
  coolDownAbove: centimes(1_000_00),
};

/** Every payment through Wasl is stopped. */
export interface Freeze {
  /** ms since 1970. */
  readonly at: number;
  /** The support agent who has frozen it: then its customer cannot thaw it. Absent: the customer. */
  readonly by?: string;
  /** What one support agent has proposed, for another one to agree with: to thaw it, and why. */
  readonly proposal?: { readonly by: string; readonly at: number; readonly reason: string };
}

/** What is kept of it in the wallet's document. Moments are in ms since 1970. */
export interface Safety {
  readonly frozen?: Freeze;
  readonly newPinAt?: number;
  readonly thawedAt?: number;
  /** When each of the chats was linked. */
  readonly links?: readonly { readonly address: Address; readonly at: number }[];
  /** The largest payment that was confirmed in each stretch of 30 days. */
  readonly largest?: readonly Largest[];
  /** Numbers and RIBs that were saved through Wasl a moment ago: each is as new as before. */
  readonly saved?: readonly { readonly account: string; readonly at: number }[];
}

interface Largest {
  /** The number of the stretch since 1970. */
  readonly stretch: number;
  readonly amount: Centimes;
}

type Refused = Extract<Answer<never>, { kind: 'refused' }>;

/** Where and when something is asked for, and by which rules. */
export interface Asking {
  readonly address: Address;
  /** ms since 1970. */
  readonly at: number;
  readonly served: { readonly safety: SafetySettings };
}

export const FROZEN: Refused = { kind: 'refused', code: SAFETY_CODES.frozen, description: '' };
export const PIN_FIRST: Refused = { kind: 'refused', code: SAFETY_CODES.pinFirst, description: '' };

/**
 * Why no money may be moved here and now; undefined where it may. It is asked for at the preview, and decided again by the claim, in
 * whose compare-and-set the wallet's document is: a freeze on another channel stops what is not claimed yet.
 * @param amount what leaves the wallet; absent: nothing does, and only a freeze holds it back
 */
export function refusalOf(
  { safety = {} }: WalletDoc,
  amount: Centimes | undefined,
  { address, at, served: { safety: settings } }: Asking,
): Refused | undefined {
  if (safety.frozen) return FROZEN;
  const { coolDownMs, coolDownAbove } = settings;
  if (amount === undefined || amount <= coolDownAbove) return undefined;
  // What lasts longest is said: a customer who waits for less would be refused once more.
  const [latest] = [
    { code: SAFETY_CODES.newPin, since: safety.newPinAt },
    { code: SAFETY_CODES.newThaw, since: safety.thawedAt },
    { code: SAFETY_CODES.newLink, since: safety.links?.find((link) => link.address === address)?.at },
  ]
    .flatMap(({ code, since }) => (since === undefined ? [] : [{ code, until: since + coolDownMs }]))
    .filter(({ until }) => until > at)
    .sort((a, b) => b.until - a.until);
  return latest && { kind: 'refused', ...latest, description: '', above: coolDownAbove };
}

const NO_AGENT: Refused = { kind: 'refused', code: SAFETY_CODES.noAgent, description: '' };
const MANY_CARDS: Refused = { kind: 'refused', code: SAFETY_CODES.manyCards, description: '' };
const NO_PRINCIPAL: Refused = { kind: 'refused', code: SAFETY_CODES.noPrincipal, description: '' };

/**
 * The same of an order; what an agent pays is refused where the wallet is that agent's no more, or was stopped, or its number acts for
 * the principal agent no more. A line of a file waits for nothing, however large: it is none that its customer has asked for in a new
 * chat, for two people have looked at it.
 */
export function refusalOfOrder(wallet: WalletDoc, order: Order, asking: Asking): Refused | undefined {
  const { ofAgent, inBulk } = methodOf(order);
  const code = 'code' in order ? order.code : undefined;
  if (ofAgent === 'retail' && (code === undefined || agentOf(wallet)?.code !== code)) return NO_AGENT;
  if (ofAgent === 'principal' && (code === undefined || principalOf(wallet, code) !== code))
    return NO_PRINCIPAL;
  if ('instead' in (countOf(wallet, order, asking.at) ?? {})) return MANY_CARDS;
  const refusal = refusalOf(wallet, inBulk ? undefined : leaving(order), asking);
  // A dial knows nothing of the principal agent's float: who is told to dial would find their own wallet.
  return refusal?.code === SAFETY_CODES.newLink && ofAgent === 'principal'
    ? { ...refusal, code: SAFETY_CODES.newLinkOfPrincipal }
    : refusal;
}

/** The document with one more payment of a kind of which only so many are sent in a day. */
export function withSent(wallet: WalletDoc, order: Order, at: number): WalletDoc {
  const counted = countOf(wallet, order, at);
  return counted && 'wallet' in counted ? counted.wallet : wallet;
}

function countOf(wallet: WalletDoc, order: Order, at: number) {
  const max = methodOf(order).perDayMax;
  return max === undefined
    ? undefined
    : counter({ name: order.kind, max, ms: 24 * HOUR_MS }).count(wallet, at);
}

/** What of an order leaves the wallet, or the float of its agent; undefined where it brings money. */
export function leaving(order: Order): Centimes | undefined {
  return methodOf(order).listed.side === 'credit' ? undefined : order.amount;
}

/**
 * What a customer may not expect of a payment, by what was paid through Wasl: whom they have not paid before, and an amount far above
 * the usual. Who has paid nothing yet has nothing usual.
 */
export function asksOf(wallet: WalletDoc, order: Order, asking: Asking): Ask[] {
  const { listed, ofAgent } = methodOf(order);
  // An agent has nothing usual: whom it serves, and with how much, is its customers' choice.
  if (listed.side === 'credit' || ofAgent) return [];
  const { newRecipientFrom } = asking.served.safety;
  const asks = order.amount >= newRecipientFrom && isNew(wallet, order, asking.at);
  return [...(asks ? (['newRecipient'] as const) : []), ...asksOfAmount(wallet, order.amount, asking)];
}

/** The same of an amount that is paid to nobody: it is drawn in cash. */
export function asksOfAmount({ safety = {} }: WalletDoc, amount: Centimes, asking: Asking): Ask[] {
  const { unusualFrom, unusualFactor } = asking.served.safety;
  const usual = Math.max(0, ...recent(safety.largest, asking.at).map((each) => each.amount));
  return usual > 0 && amount >= unusualFrom && amount > usual * unusualFactor ? ['unusual'] : [];
}

/** Who was not paid through Wasl. Whoever is saved is known, unless that was done a moment ago: it asks for no PIN. */
function isNew({ paid = [], safety = {} }: WalletDoc, order: Order, at: number): boolean {
  const { listed, payee } = methodOf(order);
  const account = listed.receiver(order);
  if (payee?.asked?.(order) === undefined || account === undefined || paid.includes(account)) return false;
  const isSaved = 'beneficiaryId' in order && order.beneficiaryId !== undefined;
  return !isSaved || justSaved(safety, at).some((each) => each.account === account);
}

/** For so long somebody who was saved is new. The wallet does not say since when it has whom. */
const NEWLY_SAVED_MS = 24 * HOUR_MS;
/** Numbers and RIBs of which it is remembered. */
const NEWLY_SAVED_MAX = 50;

function justSaved({ saved = [] }: Safety, at: number) {
  return saved.filter((each) => each.at + NEWLY_SAVED_MS > at);
}

/** The document once somebody is saved: by number, RIB or both. */
export function withSaved(wallet: WalletDoc, accounts: readonly (Msisdn | Rib)[], at: number): WalletDoc {
  const others = justSaved(wallet.safety ?? {}, at).filter(
    ({ account }) => !accounts.some((it) => it === account),
  );
  const saved = [...others, ...accounts.map((account) => ({ account, at }))];
  return withSafety(wallet, { saved: saved.slice(-NEWLY_SAVED_MAX) });
}

const STRETCH_MS = 30 * 24 * HOUR_MS;
const STRETCHES_KEPT = 3;

/** The document after one more payment was confirmed. */
export function withConfirmed(wallet: WalletDoc, order: Order, at: number): WalletDoc {
  const amount = leaving(order);
  return amount === undefined || methodOf(order).ofAgent ? wallet : withUsual(wallet, amount, at);
}

/** The same after a withdrawal was confirmed. */
export function withUsual(wallet: WalletDoc, amount: Centimes, at: number): WalletDoc {
  const largest = recent(wallet.safety?.largest, at);
  const stretch = Math.floor(at / STRETCH_MS);
  const before = largest.find((each) => each.stretch === stretch);
  if (before && before.amount >= amount) return wallet;
  return withSafety(wallet, { largest: [...largest.filter((each) => each !== before), { stretch, amount }] });
}

function recent(largest: readonly Largest[] = [], at: number): readonly Largest[] {
  const oldest = Math.floor(at / STRETCH_MS) - STRETCHES_KEPT;
  return largest.filter(({ stretch }) => stretch >= oldest);
}

/** The document with other moments, or another freeze. */
export function withSafety(wallet: WalletDoc, changes: Partial<Safety>): WalletDoc {
  return { ...wallet, safety: { ...wallet.safety, ...changes } };
}

/** The document once nothing is frozen any more: large payments wait from now on. */
export function thawed(wallet: WalletDoc, at: number): WalletDoc {
  const { frozen: _over, ...safety } = wallet.safety ?? {};
  return { ...wallet, safety: { ...safety, thawedAt: at } };
}

/** The document with the moment at which a chat was linked, of the chats that are. */
export function withLink(wallet: WalletDoc, address: Address, at: number): WalletDoc {
  const { linked = [], safety } = wallet;
  const others = (safety?.links ?? []).filter(
    (link) => link.address !== address && linked.includes(link.address),
  );
  return withSafety(wallet, { links: [...others, { address, at }] });
}
