import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { conversation, known, last, machine, type Remembered, screen } from './kit/conversation.ts';
import type { CardLink } from './kit/effects.ts';
import { type Held, heldBack, WHERE_HELD } from './kit/held-back.ts';
import { parts } from './kit/parts.ts';
import { amountIn } from './kit/typed.ts';

interface Linking extends Remembered, Held {
  wallet: Msisdn;
  amount?: Centimes | undefined;
  isReserved: boolean;
  given?: CardLink;
  /** Messages are shown here: a link can be forwarded from one. */
  isChat: boolean;
}

const { call, typed, decide, state } = parts<Linking>();

/**
 * A merchant creates a page on which a payer pays by card once: at once, or as a reservation. A person who has the link
 * can only pay. No PIN is asked, as no wallet is debited.
 */
export const cardPayment = machine<Linking>({
  id: 'card-payment',
  context: ({ input: { wallet, filled, isChat = false } }) => ({
    wallet: known(wallet),
    amount: filled?.amount,
    isReserved: false,
    isChat,
  }),
  initial: 'beginning',
  states: {
    beginning: decide(
      { if: (context) => context.amount !== undefined, target: 'choosingWay' },
      'askingAmount',
    ),
    askingAmount: state({
      shows: () => ({ key: 'card-payment.askAmount', expects: 'amount' }),
      said: typed(amountIn, { target: 'choosingWay', know: (amount) => ({ amount }) }),
      back: 'left',
    }),
    choosingWay: state({
      tags: 'resumable',
      shows: ({ amount }) => ({
        key: 'card-payment.chooseWay',
        values: { amount: { money: known(amount) } },
        choices: [
          { id: 'collect', key: 'card-payment.collect' },
          { id: 'reserve', key: 'card-payment.reserve' },
        ],
        expects: 'choice',
      }),
      chose: {
        target: 'creating',
        actions: conversation<Linking>().assign({
          isReserved: ({ event }) => event.type === 'chose' && event.choice === 'reserve',
        }),
      },
      back: 'askingAmount',
    }),
    creating: call('createCardLink', {
      says: 'card-payment.creating',
      input: ({ wallet, amount, isReserved }) => ({ wallet, amount: known(amount), isReserved }),
      ok: { target: 'shown', know: (given) => ({ given }) },
      notEnabled: 'notEnabled',
      tooMany: { target: 'askingAmount', know: () => ({ notice: { key: 'card-payment.tooMany' } }) },
      refused: [WHERE_HELD],
      failed: 'askingAmount',
      // A link that nobody has seen is paid by nobody: the merchant may ask for another.
      lost: { target: 'askingAmount', know: () => ({ notice: { key: 'problem.unavailable' } }) },
    }),
    ...heldBack<Linking>({ back: 'askingAmount', cancel: 'left' }),
    shown: {
      type: 'final',
      tags: 'news',
      meta: screen(({ amount, given, isChat }) => {
        const { link, fees } = known(given);
        const money = { amount: { money: known(amount) } } as const;
        return isChat
          ? {
              key: 'card-payment.link',
              values: { ...money, fees: { money: fees }, link: { code: link } },
              expects: 'nothing',
            }
          : { key: 'card-payment.linkSent', values: money, expects: 'nothing' };
      }),
    },
    notEnabled: last('card-payment.notEnabled', { output: { notEnabled: 'card-payments' } }),
    left: { type: 'final' },
  },
});
