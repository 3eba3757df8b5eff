import { assign } from 'xstate';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import type { Centimes } from '../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../src/wallet/phone.ts';
import { amountOf, isAmount } from './kit/amount.ts';
import { conversation, ending, type Start, screen } from './kit/conversation.ts';
import { type Paying, payingTail } from './kit/paying.ts';

/** Refusals of the preview that another recipient can mend. */
const ABOUT_RECIPIENT: readonly RefusalName[] = [
  'phoneInvalid',
  'customerNotFound',
  'selfTransfer',
  'recipientUnknown',
  'recipientUnavailable',
];

interface Transferring extends Paying {
  to?: Msisdn | undefined;
  /** Said before it was asked for. */
  amount?: Centimes | undefined;
}

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
        expects: 'phone',
      })),
      on: {
        chose: 'toMerchant',
        said: [
          {
            guard: ({ event }) => !readPhone(event.text),
            actions: assign({ notice: { key: 'transfer.notANumber' } }),
          },
          {
            guard: ({ event, context }) => readPhone(event.text) === context.wallet,
            actions: assign({ notice: { key: 'transfer.toYourself' } }),
          },
          {
            target: 'beginning',
            actions: assign(({ event }) => ({ to: readPhone(event.text) as Msisdn })),
          },
        ],
        back: 'left',
      },
    },
    askingAmount: {
      tags: 'resumable',
      entry: assign({ amount: undefined }),
      meta: screen(({ to }) => ({
        key: 'transfer.askAmount',
        values: { to: { phone: to as Msisdn } },
        expects: 'amount',
      })),
      on: {
        said: [
          {
            guard: ({ event }) => isAmount(event.text),
            target: 'previewing',
            actions: assign(({ context, event }) => placeOrder({ ...context, ...amountOf(event.text) })),
          },
          { actions: assign(({ event }) => amountOf(event.text)) },
        ],
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
    left: { type: 'final' },
  },
});

/** What was filled in is taken over; what could not have been said in answer to the questions is asked. */
function started({ wallet, filled = {} }: Start): Transferring {
  const { to, amount } = filled;
  const toYourself = to !== undefined && to === wallet;
  return {
    wallet: wallet as Msisdn,
    ...(to && !toYourself && { to }),
    ...(amount && { amount }),
    ...(toYourself && { notice: { key: 'transfer.toYourself' } }),
  };
}

function placeOrder({ wallet, to, amount }: Transferring): Partial<Transferring> {
  return { order: { kind: 'transfer', from: wallet, to: to as Msisdn, amount: amount as Centimes } };
}
