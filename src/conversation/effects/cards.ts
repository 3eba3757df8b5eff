import type { CardChange } from '../../../machines/kit/effects.ts';
import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { cardLookMs, pendingKey, pendingWrite, settledWrites } from '../pending/pending.ts';
import { FROZEN } from '../session/safety.ts';
import { besides, type EffectEnv, type EffectOf } from './effect.ts';

/** The reason that the wallet is given for a lost or stolen card, for the people who look at it there. */
const LOST_REASON = 'Lost or stolen';

/** Changes a card. None can begin to pay while payments are frozen. After a lost answer the card tells. */
export const changeCard: EffectOf<'changeCard'> = {
  kind: 'guarded',
  claim({ wallet }, { change }) {
    const pays =
      'action' in change ? change.action === 'activate' || change.action === 'reactivate' : change.isOn;
    // Written back as it is, so that a freeze that comes in between is seen.
    return pays && wallet.safety?.frozen ? { instead: FROZEN } : { wallet: { ...wallet } };
  },
  run({ wallet: phone, card: id, change }, env) {
    if ('service' in change) return setService(phone, id, change, env);
    const reason = change.isLost ? { reason: LOST_REASON } : {};
    return env.api.changeCard({ phone, id, action: change.action, ...reason }, env.call);
  },
};

/** All four services go in one call: those that the customer has not chosen are sent as the wallet has them now. */
async function setService(
  phone: Msisdn,
  id: number,
  { service, isOn }: Extract<CardChange, { service: unknown }>,
  { api, call }: EffectEnv,
): Promise<Answer<true>> {
  const card = await api.issuedCard(phone, id, besides(call));
  if (card.kind !== 'ok') return card;
  const { services } = card.value;
  if (!services) return { kind: 'unsent', why: 'the services of the card are not known' };
  return api.setCardServices({ phone, id, services: { ...services, [service]: isOn } }, call);
}

/** Applies for a card, once. It is followed from its claim on, even where the answer is lost. */
export const applyForCard: EffectOf<'applyForCard'> = {
  kind: 'guarded',
  keys: ({ wallet, ref }) => (wallet ? [pendingKey(wallet, ref)] : []),
  claim({ wallet: doc, docs }, { wallet, program, before }, { at }) {
    if (doc.safety?.frozen) return { instead: FROZEN };
    const application = { kind: 'card-application', wallet, program, before, at } as const;
    return {
      wallet: { ...doc },
      writes: docs.map((each) => pendingWrite(each, application, at, cardLookMs(0))),
    };
  },
  run: ({ wallet, program }, { api, call }) =>
    api.applyForCard({ phone: wallet, programId: program.id }, call),
  settle: ({ docs }, output) => ({ output, writes: settledWrites(docs, output) }),
};
