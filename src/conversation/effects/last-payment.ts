import type { Filled } from '../../../machines/kit/conversation.ts';
import type { InputOf, ReferenceEntry } from '../../../machines/kit/effects.ts';
import { accountsOf } from '../../../machines/kit/payees.ts';
import type { Sentence } from '../../../machines/kit/screen.ts';
import { methodOf, type Order, orderValues, type PaymentKind } from '../../payments/payments.ts';
import { readDocs } from '../../store/update.ts';
import { normalised } from '../../wallet/letters.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { midnight } from '../../wallet/times.ts';
import type { Call, Wallet } from '../../wallet/wallet.ts';
import { type Intent, intentCodec, intentKey } from '../intents/intent.ts';
import { endedReceipt, openSentence, referenceOf } from '../intents/notification.ts';
import { briefCall } from '../intents/side-reads.ts';
import { openReferences } from '../references/reference.ts';
import { PAYING } from '../shortcuts/plain-text.ts';
import { wordsIn } from '../shortcuts/spelling.ts';
import { RELATIVES } from '../shortcuts/vocabulary.ts';
import { type EffectOf, read } from './effect.ts';

/** A customer who names none speaks of one that was not made longer ago. */
const LATELY_MS = 24 * 3_600_000;

/** So many payments are looked at where one of a certain kind is meant. */
const LOOKED_AT_MAX = 10;
/** As many saved recipients as the first question of a payment reads. */
const SAVED_MAX = 50;
/** So many where more is said of it. */
const NAMED_LOOKED_AT_MAX = 50;

/**
 * Only a payment that was made at the same address is named: what it was has been read there. A deposit that was asked for after it, and is
 * still open, may be the money that is missed.
 */
export const readLastPayment: EffectOf<'readLastPayment'> = read(
  async (named, { store, partition, isLinked, walletDoc, address, at, wallet, api, call }) => {
    if (!isLinked) return { kind: 'ok' };
    const { of, to, payee, amount, daysAgo } = named;
    // A kind of payment is no name of one: many are of it.
    const isCertain = (to ?? payee ?? amount ?? daysAgo) !== undefined;
    const looked = walletDoc.entries.slice(-(isCertain ? NAMED_LOOKED_AT_MAX : LOOKED_AT_MAX));
    const last = isCertain ? looked : looked.filter((entry) => entry.at >= at - LATELY_MS);
    const [docs, whom] = await Promise.all([
      readDocs(
        store,
        partition,
        last.map(({ id }) => intentKey(id)),
      ),
      payee !== undefined && wallet ? accountsOfThose(payee, wallet, api, briefCall(call)) : undefined,
    ]);
    const intents = docs.map((doc) => intentCodec.read(doc));
    const here = last.map(({ state }, i) => {
      const intent = intents[i];
      return intent?.address === address ? { intent, isVoid: state === 'void' } : undefined;
    });
    const isNamed = Object.keys(named).length > 0;
    // Somebody near who is saved under no such name is the recipient of any transfer.
    const meaning: Named = whom === 'anybody' ? { of: 'transfer', ...named } : named;
    const meant = here.filter(
      (it) =>
        it !== undefined &&
        isMeant(it.intent, meaning, at) &&
        (!whom || whom === 'anybody' || isTo(it.intent, whom)),
    );
    const latest = (isNamed ? meant : here).at(-1)?.intent;
    const made = meant.findLast((it) => !it?.isVoid)?.intent;
    const open = latest && openSentence(latest);
    const stands = open ?? (latest && endedReceipt(latest));
    const mayBeDeposit = of === 'incoming' || !(of ?? to ?? payee);
    const deposit = openReferences(walletDoc, at).find(
      (it) => it.kind === 'cash-in' && mayBeDeposit && it.amount === (amount ?? it.amount),
    );
    return {
      kind: 'ok',
      ...(stands && { stands: { key: stands.key, ...(stands.values && { values: stands.values }) } }),
      ...(open && { isOpen: true as const }),
      ...(meant.length === 0 && here.some(Boolean) && { isOther: true as const }),
      ...(made && {
        payment: { called: calledIn(made), reference: referenceOf(made) },
        again: repeating(made.order),
      }),
      ...(deposit && deposit.at >= (last.at(-1)?.at ?? 0) && { deposit: depositIn(deposit) }),
    };
  },
);

type Named = InputOf<'readLastPayment'>;

/** A customer who names a payment reads of no other one: whoever reads that it was not made would pay again. */
function isMeant({ order, quote, sentAt }: Intent, { of, to, amount, daysAgo }: Named, now: number): boolean {
  return (
    (of === undefined || of === 'paid' || methodOf(order).said.calledAs?.includes(of) === true) &&
    (to === undefined || ('to' in order && order.to === to)) &&
    (amount === undefined || order.amount === amount || quote.total === amount) &&
    (daysAgo === undefined || midnight(sentAt) === midnight(now, daysAgo))
  );
}

/** How somebody was called: by the numbers and accounts that are saved so, and by the name itself. */
interface Whom {
  readonly isCalled: (name: string) => boolean;
  readonly accounts: readonly string[];
}

/**
 * Nobody is saved so where the wallet does not say it in time: then no payment is named. `anybody`: only a relative or a friend was named,
 * and nobody is saved so.
 */
async function accountsOfThose(
  payee: string,
  wallet: Msisdn,
  api: Pick<Wallet, 'beneficiaries'>,
  call: Call,
): Promise<Whom | 'anybody'> {
  const said = normalised(payee).split(' ');
  const isCalled = (name: string) => wordsIn(normalised(name)).some((word) => said.includes(word));
  const answer = await api.beneficiaries(wallet, { page: 1, pageSize: SAVED_MAX }, call);
  const saved = answer.kind === 'ok' ? answer.value.entries.filter(({ name }) => isCalled(name)) : [];
  const isNear = said.every((word) => RELATIVES.has(word));
  if (isNear && answer.kind === 'ok' && saved.length === 0) return 'anybody';
  return {
    isCalled,
    accounts: saved.map(accountsOf).flatMap(({ to, rib }) => [to, rib].filter((it) => it !== undefined)),
  };
}

function isTo({ order, quote }: Intent, { isCalled, accounts }: Whom): boolean {
  const values = Object.values(orderValues(order, quote));
  return (
    accounts.includes(methodOf(order).listed.receiver(order) ?? '') ||
    values.some((value) => 'name' in value && isCalled(value.name))
  );
}

function depositIn({ amount, at }: ReferenceEntry): Sentence {
  const [what, state] = [{ say: 'references.deposit' }, { say: 'references.open' }] as const;
  return { key: 'references.ended', values: { what, amount: { money: amount }, at: { date: at }, state } };
}

function calledIn({ order, quote }: Intent): Sentence {
  return { key: methodOf(order).said.called, values: orderValues(order, quote) };
}

/** The request for a payment like this one. What is not known of it is asked for: a bill need not be of the contract that is kept. */
function repeating(order: Order): { readonly wanted: PaymentKind; readonly filled: Filled } {
  const to = 'to' in order ? readPhone(order.to ?? '') : undefined;
  const rib = 'rib' in order ? order.rib : undefined;
  const isKnown = PAYING.has(order.kind) && (to ?? rib) !== undefined;
  return {
    wanted: order.kind,
    filled: isKnown ? { amount: order.amount, ...(to && { to }), ...(rib && { rib }) } : { toLast: true },
  };
}
