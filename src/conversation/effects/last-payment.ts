import type { PaidAs } from '../../../machines/kit/conversation.ts';
import type { ReferenceEntry } from '../../../machines/kit/effects.ts';
import type { Sentence } from '../../../machines/kit/screen.ts';
import { methodOf, orderValues } from '../../payments/payments.ts';
import { readDocs } from '../../store/update.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Intent, intentCodec, intentKey } from '../intents/intent.ts';
import { endedReceipt, openSentence, referenceOf } from '../intents/notification.ts';
import { openReferences } from '../references/reference.ts';
import { type EffectOf, read } from './effect.ts';

/** A customer who wants a payment back speaks of one that was not made longer ago. */
const LATELY_MS = 24 * 3_600_000;

/** So many payments are looked at where one of a certain kind is meant. */
const LOOKED_AT_MAX = 10;

/**
 * Only a payment that was made at the same address is named: what it was has been read there. A deposit that was asked for after it, and is
 * still open, may be the money that is missed.
 */
export const readLastPayment: EffectOf<'readLastPayment'> = read(
  async (named, { store, partition, isLinked, walletDoc, address, at }) => {
    if (!isLinked) return { kind: 'ok' };
    const last = walletDoc.entries.slice(-LOOKED_AT_MAX).filter((entry) => entry.at >= at - LATELY_MS);
    const docs = await readDocs(
      store,
      partition,
      last.map(({ id }) => intentKey(id)),
    );
    const intents = docs.map((doc) => intentCodec.read(doc));
    const here = last.map(({ state }, i) => {
      const intent = intents[i];
      return intent?.address === address ? { intent, isVoid: state === 'void' } : undefined;
    });
    const isNamed = Object.keys(named).length > 0;
    const meant = here.filter((it) => it !== undefined && isMeant(it.intent, named));
    const latest = (isNamed ? meant : here).at(-1)?.intent;
    const made = meant.findLast((it) => !it?.isVoid)?.intent;
    const stands = latest && (openSentence(latest) ?? endedReceipt(latest));
    const { of, to, amount } = named;
    const deposit = openReferences(walletDoc, at).find(
      (it) => it.kind === 'cash-in' && !(of ?? to) && it.amount === (amount ?? it.amount),
    );
    return {
      kind: 'ok',
      ...(stands && { stands: { key: stands.key, ...(stands.values && { values: stands.values }) } }),
      ...(meant.length === 0 && here.some(Boolean) && { isOther: true as const }),
      ...(made && { payment: { called: calledIn(made), reference: referenceOf(made) } }),
      ...(deposit && deposit.at >= (last.at(-1)?.at ?? 0) && { deposit: depositIn(deposit) }),
    };
  },
);

interface Named {
  readonly of?: PaidAs;
  readonly to?: Msisdn;
  readonly amount?: Centimes;
}

/** A customer who names a payment reads of no other one: whoever reads that it was not made would pay again. */
function isMeant({ order, quote }: Intent, { of, to, amount }: Named): boolean {
  return (
    (of === undefined || methodOf(order).said.calledAs?.includes(of) === true) &&
    (to === undefined || ('to' in order && order.to === to)) &&
    (amount === undefined || order.amount === amount || quote.total === amount)
  );
}

function depositIn({ amount, at }: ReferenceEntry): Sentence {
  const [what, state] = [{ say: 'references.deposit' }, { say: 'references.open' }] as const;
  return { key: 'references.ended', values: { what, amount: { money: amount }, at: { date: at }, state } };
}

function calledIn({ order, quote }: Intent): Sentence {
  return { key: methodOf(order).said.called, values: orderValues(order, quote) };
}
