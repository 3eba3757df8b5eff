import type { NumberedReference, ReferenceOrder } from '../../../machines/kit/effects.ts';
import type { KeyedDoc } from '../../store/codec.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { CashReference } from '../../wallet/services.ts';
import { newCaseId } from '../cases/changes.ts';
import { tellCases } from '../cases/tell.ts';
import { caseUpdate } from '../cases/update.ts';
import { abilitiesOf } from '../channel.ts';
import type { EffectEnv, EffectOf } from '../effects/effect.ts';
import { counter } from '../session/counter.ts';
import { refusalOf, withUsual } from '../session/safety.ts';
import type { Outgoing } from '../session/session.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { sealForWallet } from '../session/wallet-secret.ts';
import { balanceOf } from './reads.ts';
import {
  type Reference,
  referenceCodec,
  referenceKey,
  referenceWrite,
  withoutReference,
  withReference,
} from './reference.ts';

/** References that one wallet is given in a day: each may cost an SMS, and nobody can cancel one. */
const REFERENCES_PER_DAY_MAX = 20;
const DAY_MS = 24 * 3_600_000;
const REFERENCES = counter({ name: 'references', max: REFERENCES_PER_DAY_MAX, ms: DAY_MS });
/** The purpose of the money that the bill network is told. */
const DESCRIPTION = 'Depot';

/**
 * Asks the wallet for a reference, once, and writes it down: the request with the claim, the number with the answer. It
 * is looked up from then on (`follow.ts`). If the answer is lost, nobody knows the number. So nobody can use it, and
 * the customer asks for another one.
 */
export const requestReference: EffectOf<'requestReference'> = {
  kind: 'guarded',
  keys: ({ ref }) => [referenceKey(ref)],

  claim({ wallet, docs: [doc] }, order, { ref, address, at, served }) {
    const leaves = order.kind === 'cash-out';
    const refusal = leaves ? refusalOf(wallet, order.amount, { address, at, served }) : undefined;
    if (refusal) return { instead: refusal };
    const counted = REFERENCES.count(wallet, at);
    if ('instead' in counted) return counted;
    const reference: Reference = { ...order, id: ref, address, at, since: at, state: 'asked' };
    const after = leaves ? withUsual(counted.wallet, order.amount, at) : counted.wallet;
    return written(after, doc, reference);
  },

  /**
   * v2.3 does not show whether a request for cash-out holds the money (open question 66). If the answer is lost, the
   * only number that could draw the money is lost with it. Then a lower balance afterwards tells that the money is
   * held.
   */
  async run(order, env) {
    const before = order.kind === 'cash-out' ? await balanceOf(order.wallet, env) : undefined;
    const answer = await asked(order, env);
    if (answer.kind === 'ok') return { kind: 'ok', value: newReference(order, answer.value, env) };
    if (answer.kind !== 'unknown' || before === undefined) return answer;
    const after = await balanceOf(order.wallet, env);
    if (after === undefined || after > before - order.amount) return answer;
    await askPeople(env);
    return { ...answer, isHeld: true };
  },

  settle({ wallet, docs: [doc] }, answer, env) {
    const before = referenceCodec.read(doc);
    const since = env.now();
    if (answer.kind === 'ok') {
      const { wallet: owner = before?.wallet, address } = env;
      if (!owner) throw new Error(`reference ${env.ref} is nobody's`);
      // If the store has lost the claim, the reference is written again: this process alone knows its number.
      const open: Reference = { wallet: owner, address, ...before, ...answer.value, since };
      return { output: answer, ...written(wallet, doc, open), say: said(open, env) };
    }
    if (!doc || !before) return { output: answer };
    if (answer.kind === 'unknown')
      return { output: answer, ...written(wallet, doc, { ...before, state: 'lost', since }) };
    return {
      output: answer,
      wallet: withoutReference(wallet, env.ref),
      writes: [{ key: doc.key, version: doc.version, value: null }],
    };
  },

  lost: { kind: 'unknown', why: 'the process that has asked brings no answer' },
};

/** Nobody but people can find out where that money is. */
async function askPeople({ store, address, language, wallet, place, at }: EffectEnv): Promise<void> {
  const known = { ...(wallet && { wallet }), ...(place !== undefined && { about: place }) };
  const opening = { kind: 'asked', subject: address, address, language, ...known } as const;
  await tellCases(store, wallet ?? address, caseUpdate(at, { what: 'opened', case: newCaseId(), opening }));
}

function asked(
  { wallet: phone, kind, amount, way }: ReferenceOrder,
  { api, call, served: { cash } }: EffectEnv,
): Promise<Answer<CashReference>> {
  if (kind === 'cash-out') return api.requestCashOut({ phone, amount }, call);
  if (way !== 'bill-network') return api.requestCashIn({ phone, amount }, call);
  const more = { description: DESCRIPTION, feesPercent: cash.feesPercent };
  return api.requestBillNetworkCashIn({ phone, amount, ...more }, call);
}

/** The reference as the conversation gets it: the number of a withdrawal is sealed before it goes anywhere. */
function newReference(
  { wallet, ...order }: ReferenceOrder,
  { reference }: CashReference,
  { ref, at, secrets, now }: EffectEnv,
): NumberedReference {
  const isSecret = order.kind === 'cash-out';
  const number = isSecret
    ? { sealed: sealForWallet(secrets, reference, wallet, now()) }
    : { code: reference };
  return { ...order, id: ref, at, state: 'open', number };
}

/** The reference in its own document and in the wallet's list. */
function written(wallet: WalletDoc, doc: KeyedDoc | undefined, reference: Reference) {
  return { wallet: withReference(wallet, reference), writes: [referenceWrite(doc, reference)] };
}

/**
 * On a screen that vanishes, the reference is said once more: by SMS, where the operator wants that, and on the next
 * dial. A dial asks for no PIN. So it does not show a number that is worth money. It only says that there is one.
 */
function said(reference: Reference, { address, served: { cash }, now }: EffectEnv): Outgoing[] {
  const { id, kind, amount, number } = reference;
  if (abilitiesOf(address).keepsShown || !number) return [];
  const values = { amount: { money: amount } };
  const message = { id: `reference-${id}`, money: true, tries: 0, ...(cash.sms && { tryAt: now() }) };
  if (kind === 'cash-in') {
    const screen = {
      key: 'cash-in.reference',
      values: { ...values, reference: number },
      expects: 'nothing',
    } as const;
    return [{ ...message, screen }];
  }
  return cash.sms
    ? [
        {
          ...message,
          screen: { key: 'cash-out.reference', values: { ...values, reference: number }, expects: 'nothing' },
        },
      ]
    : [{ ...message, screen: { key: 'cash-out.waiting', values, expects: 'nothing' } }];
}
