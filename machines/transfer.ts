import { assign } from 'xstate';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { Rib } from '../src/wallet/rib.ts';
import { conversation, ending, known, type Start, screen } from './kit/conversation.ts';
import { ABOUT_RECIPIENT, type Paying, payingTail } from './kit/paying.ts';
import { amountIn, payeeOrRibIn, typedAnswers } from './kit/typed.ts';

interface Transferring extends Paying {
  to?: Msisdn | undefined;
  /** Money for a bank is another conversation's. */
  rib?: Rib | undefined;
  /** Said before it was asked for. */
  amount?: Centimes | undefined;
}

const typed = typedAnswers<Transferring>();

/** The customer sends money to a mobile number. The preview, not a look-up, says who can be paid. */
export const transfer = conversation<Transferring>().createMachine({
  id: 'transfer',
  version: '1',
  context: ({ input }) => started(input),
  output: ending,
  initial: 'beginning',
  states: {
    beginning: {
      always: [
        { guard: ({ context: { rib } }) => rib !== undefined, target: 'toBank' },
        {
          guard: ({ context: { to, amount } }) => to !== undefined && amount !== undefined,
          target: 'previewing',
          actions: assign(({ context }) => placeOrder(context)),
        },
        { guard: ({ context: { to } }) => to !== undefined, target: 'askingAmount' },
        { target: 'askingRecipient' },
      ],
    },
    askingRecipient: {
      meta: screen(() => ({
        key: 'transfer.askRecipient',
        choices: [{ id: 'merchant', key: 'transfer.merchant' }],
        expects: 'account',
      })),
      on: {
        chose: 'toMerchant',
        said: typed((text, { wallet }) => payeeOrRibIn(text, wallet, 'transfer.toYourself'), {
          target: 'beginning',
          know: (payee) => payee,
        }),
        back: 'left',
      },
    },
    askingAmount: {
      tags: 'resumable',
      entry: assign({ amount: undefined }),
      meta: screen(({ to }) => ({
        key: 'transfer.askAmount',
        values: { to: { phone: known(to) } },
        expects: 'amount',
      })),
      on: {
        said: typed(amountIn, {
          target: 'previewing',
          know: (amount, context) => placeOrder({ ...context, amount }),
        }),
        back: 'askingRecipient',
      },
    },
    ...payingTail<Transferring>({
      amend: 'askingAmount',
      amends: { refusals: ABOUT_RECIPIENT, state: 'askingRecipient' },
    }),
    toMerchant: {
      type: 'final',
      output: ({ context: { amount } }) => ({
        next: 'merchant-payment',
        ...(amount && { filled: { amount } }),
      }),
    },
    toBank: {
      type: 'final',
      output: ({ context: { rib, amount } }) => ({
        next: 'bank-transfer',
        filled: { ...(rib && { rib }), ...(amount && { amount }) },
      }),
    },
    left: { type: 'final' },
  },
});

/** What was filled in is taken over; what could not have been said in answer to the questions is asked. */
function started({ wallet, filled = {} }: Start): Transferring {
  const { to, rib, amount } = filled;
  const toYourself = to !== undefined && to === wallet;
  return {
    wallet: known(wallet),
    ...(to && !toYourself && { to }),
    ...(rib && { rib }),
    ...(amount && { amount }),
    ...(toYourself && { notice: { key: 'transfer.toYourself' } }),
  };
}

function placeOrder({ wallet, to, amount }: Transferring): Partial<Transferring> {
  return { order: { kind: 'transfer', from: wallet, to: known(to), amount: known(amount) } };
}
