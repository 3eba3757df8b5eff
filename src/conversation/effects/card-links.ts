import { update } from '../../store/update.ts';
import type { Answer } from '../../wallet/answer.ts';
import { SAFETY_CODES } from '../../wallet/contract/errors.ts';
import { nationalNumber } from '../../wallet/phone.ts';
import { abilitiesOf } from '../channel.ts';
import { type CardLink, cardLinkKey, cardLinkWrite, refusedCardsOf } from '../intents/card-link.ts';
import { counter } from '../session/counter.ts';
import { refusalOf } from '../session/safety.ts';
import { besides, type EffectEnv, type EffectOf, read } from './effect.ts';

/** Links that one merchant makes in a day: each may cost an SMS. */
const LINKS_PER_DAY_MAX = 100;
const LINKS = counter({ name: 'card-links', max: LINKS_PER_DAY_MAX, ms: 24 * 3_600_000 });
/** Browsers cannot reach us: as if the wallet did not have the service. */
const MANY_REFUSED: Answer<never> = {
  kind: 'refused',
  code: SAFETY_CODES.manyRefusedCards,
  description: '',
};
const NO_PAGES: Answer<never> = { kind: 'refused', code: 'http404', description: 'no public address' };

export const readCardPayments: EffectOf<'readCardPayments'> = read(
  async (_, { walletDoc: { cardPayments = [] } }) => ({ kind: 'ok', value: cardPayments.toReversed() }),
);

/**
 * Makes the page on which a payer pays a merchant by card. The wallet is asked for the fees. Its answer also tells
 * whether it takes cards for this merchant at all, and the merchant's name. The question leaves nothing at the wallet.
 */
export const createCardLink: EffectOf<'createCardLink'> = {
  kind: 'guarded',
  // Its id is that of the call, which is in the turn record. So an erasure of the merchant's data finds it.
  keys: ({ ref }) => [cardLinkKey(ref)],
  claim({ wallet }, _order, { address, at, served }) {
    // Money that comes in is held back by a freeze alone.
    const refusal = refusalOf(wallet, undefined, { address, at, served });
    return refusal ? { instead: refusal } : LINKS.count(wallet, at);
  },

  async run({ wallet, amount, isReserved }, env) {
    const {
      api,
      budgets,
      call,
      served: { formAt },
      ref: id,
      address,
      now,
    } = env;
    if (formAt === undefined) return NO_PAGES;
    if (!(await budgets.hasRoom(refusedCardsOf(wallet)))) return MANY_REFUSED;
    const [quote, profile] = await Promise.all([
      api.previewCardPayment({ merchant: wallet, amount }, call),
      api.profile(wallet, besides(call)),
    ]);
    if (quote.kind !== 'ok') return quote;
    const name = profile.kind === 'ok' ? profile.value.fullName.trim() : '';
    const { fees } = quote.value;
    const merchant = name || nationalNumber(wallet);
    await keep(
      { id, wallet, address, merchant, amount, fees, at: now(), ...(isReserved && { isReserved }) },
      env,
    );
    return { kind: 'ok', value: { link: `${formAt}/pay/${id}`, amount, fees } };
  },

  /** The link is also said by SMS, for a screen that vanishes. */
  settle(_known, output, { address, ref, now }) {
    if (output.kind !== 'ok' || abilitiesOf(address).shows === 'messages') return { output };
    const { link, fees, amount } = output.value;
    const values = { amount: { money: amount }, fees: { money: fees }, link: { code: link } };
    const screen = { key: 'card-payment.link', values, expects: 'nothing' } as const;
    return { output, say: [{ id: `card-link-${ref}`, screen, money: true, tries: 0, tryAt: now() }] };
  },
};

function keep(link: CardLink, { store, partition }: EffectEnv): Promise<void> {
  return update(store, partition, [cardLinkKey(link.id)], (doc) => ({
    writes: [cardLinkWrite(doc, link)],
    durable: true,
    result: undefined,
  }));
}
