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
 * Protects a customer's money from a person who holds their phone, or who talks them into paying. All of it is Wasl's
 * own, not shown in v2.3 (open question 94), and binds Wasl's channels alone. The wallet itself, issued cards and
 * agents know nothing of it.
 */

export interface SafetySettings {
  /** From this amount on the first payment to somebody is asked about. */
  readonly newRecipientFrom: Centimes;
  /** Wasl asks about an amount above the largest payment of three months times this, if it is at least `unusualFrom`. */
  readonly unusualFactor: number;
  readonly unusualFrom: Centimes;
  /** For this time after a new link, a new PIN or a thaw, payments above this amount wait. */
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
  /** A support agent's proposal to thaw it, with the reason. Another agent must agree. */
  readonly proposal?: { readonly by: string; readonly at: number; readonly reason: string };
}

/** The part of it that the wallet's document keeps. Moments are in ms since 1970. */
export interface Safety {
  readonly frozen?: Freeze;
  readonly newPinAt?: number;
  readonly thawedAt?: number;
  readonly links?: readonly { readonly address: Address; readonly at: number }[];
  /** The largest payment that was confirmed in each stretch of 30 days. */
  readonly largest?: readonly Largest[];
  /** Numbers and RIBs that were saved through Wasl a moment ago: each is as new as before. */
  readonly saved?: readonly { readonly account: string; readonly at: number }[];
}

interface Largest {
  readonly stretch: number;
  readonly amount: Centimes;
}

type Refused = Extract<Answer<never>, { kind: 'refused' }>;

interface SafetyContext {
  readonly address: Address;
  /** ms since 1970. */
  readonly at: number;
  readonly served: { readonly safety: SafetySettings };
}

export const FROZEN: Refused = { kind: 'refused', code: SAFETY_CODES.frozen, description: '' };
export const PIN_FIRST: Refused = { kind: 'refused', code: SAFETY_CODES.pinFirst, description: '' };

/**
 * The reason why no money may be moved here and now. Undefined where it may. The preview asks for it, and the claim
 * decides it again. The claim's compare-and-set includes the wallet's document, so a freeze on another channel stops
 * payments that are not claimed yet.
 * @param amount what leaves the wallet; absent: nothing does, and only a freeze holds it back
 */
export function refusalOf(
  { safety = {} }: WalletDoc,
  amount: Centimes | undefined,
  { address, at, served: { safety: settings } }: SafetyContext,
): Refused | undefined {
  if (safety.frozen) return FROZEN;
  const { coolDownMs, coolDownAbove } = settings;
  if (amount === undefined || amount <= coolDownAbove) return undefined;
  // The reason that lasts longest is said: a customer who waits for a shorter one would be refused once more.
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
export const NO_PRINCIPAL: Refused = { kind: 'refused', code: SAFETY_CODES.noPrincipal, description: '' };

/**
 * The same for an order. An agent's payment is refused where the wallet is no longer that agent's, where the agent was
 * stopped, or where its number no longer acts for the principal agent. A line of a file never waits, however large it
 * is. No customer has asked for it in a new chat, and two people have looked at it.
 */
export function refusalOfOrder(wallet: WalletDoc, order: Order, context: SafetyContext): Refused | undefined {
  const { ofAgent, inBulk } = methodOf(order);
  const code = 'code' in order ? order.code : undefined;
  if (ofAgent === 'retail' && (code === undefined || agentOf(wallet)?.code !== code)) return NO_AGENT;
  if (ofAgent === 'principal' && (code === undefined || principalOf(wallet, code) !== code))
    return NO_PRINCIPAL;
  if ('instead' in (countOf(wallet, order, context.at) ?? {})) return MANY_CARDS;
  const refusal = refusalOf(wallet, inBulk ? undefined : leaving(order), context);
  // A dial knows nothing of the principal agent's float. A customer who is told to dial would find their own wallet.
  return refusal?.code === SAFETY_CODES.newLink && ofAgent === 'principal'
    ? { ...refusal, code: SAFETY_CODES.newLinkOfPrincipal }
    : refusal;
}

/** The document with one more payment, for a kind with a limit per day. */
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

/** The amount of an order that leaves the wallet, or the float of its agent. Undefined where the order brings money. */
export function leaving(order: Order): Centimes | undefined {
  return methodOf(order).listed.side === 'credit' ? undefined : order.amount;
}

/**
 * The surprises of a payment, compared with the payments made through Wasl: a new recipient, and an amount far above
 * the usual. A customer who has paid nothing yet has no usual amount.
 */
export function asksOf(wallet: WalletDoc, order: Order, context: SafetyContext): Ask[] {
  const { listed, ofAgent } = methodOf(order);
  // An agent has no usual payments: its customers choose the recipients and amounts.
  if (listed.side === 'credit' || ofAgent) return [];
  const { newRecipientFrom } = context.served.safety;
  const asks = order.amount >= newRecipientFrom && isNew(wallet, order, context.at);
  return [...(asks ? (['newRecipient'] as const) : []), ...asksOfAmount(wallet, order.amount, context)];
}

/** The same of an amount that is paid to nobody: it is drawn in cash. */
export function asksOfAmount({ safety = {} }: WalletDoc, amount: Centimes, context: SafetyContext): Ask[] {
  const { unusualFrom, unusualFactor } = context.served.safety;
  const usual = Math.max(0, ...recent(safety.largest, context.at).map((each) => each.amount));
  return usual > 0 && amount >= unusualFrom && amount > usual * unusualFactor ? ['unusual'] : [];
}

/** True for a recipient not paid through Wasl. One saved a moment ago is new, too: saving asks for no PIN. */
function isNew({ paid = [], safety = {} }: WalletDoc, order: Order, at: number): boolean {
  const { listed, payee } = methodOf(order);
  const account = listed.receiver(order);
  if (payee?.asked?.(order) === undefined || account === undefined || paid.includes(account)) return false;
  const isSaved = 'beneficiaryId' in order && order.beneficiaryId !== undefined;
  return !isSaved || justSaved(safety, at).some((each) => each.account === account);
}

/** For this time a saved recipient is new. The wallet does not say when a recipient was saved. */
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
