import { assign } from 'xstate';
import { ERRORS } from '../src/wallet/contract/errors.ts';
import { readAmount } from '../src/wallet/money.ts';
import { type Msisdn, readPhone } from '../src/wallet/phone.ts';
import { conversation, screen } from './kit/conversation.ts';
import { type Paying, payingTail } from './kit/paying.ts';

/** Refusals of the preview that another recipient can mend. */
const ABOUT_RECIPIENT = [
  ERRORS.phoneInvalid,
  ERRORS.customerNotFound,
  ERRORS.selfTransfer,
  ERRORS.recipientUnknown,
  ERRORS.recipientUnavailable,
].map(({ code }) => String(code));

interface Transferring extends Paying {
  to?: Msisdn;
}

/** The customer sends money to a mobile number. The preview, not a look-up, says who can be paid. */
export const transfer = conversation<Transferring>().createMachine({
  id: 'transfer',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn }),
  initial: 'askingRecipient',
  states: {
    askingRecipient: {
      meta: screen(() => ({ key: 'transfer.askRecipient', expects: 'phone' })),
      on: {
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
            target: 'askingAmount',
            actions: assign(({ event }) => ({ to: readPhone(event.text) as Msisdn })),
          },
        ],
        back: 'left',
      },
    },
    askingAmount: {
      tags: 'resumable',
      meta: screen(({ to }) => ({
        key: 'transfer.askAmount',
        values: { to: { phone: to as Msisdn } },
        expects: 'amount',
      })),
      on: {
        said: [
          {
            guard: ({ event }) => readAmount(event.text).ok,
            target: 'previewing',
            actions: assign(({ context, event }) => placeOrder(context, event.text)),
          },
          { actions: assign(({ event }) => explainAmount(event.text)) },
        ],
        back: 'askingRecipient',
      },
    },
    ...payingTail<Transferring>({
      amend: 'askingAmount',
      amends: { codes: ABOUT_RECIPIENT, state: 'askingRecipient' },
    }),
    left: { type: 'final' },
  },
});

function placeOrder({ wallet, to }: Transferring, text: string): Partial<Transferring> {
  const amount = readAmount(text);
  return amount.ok
    ? { order: { kind: 'transfer', from: wallet, to: to as Msisdn, amount: amount.centimes } }
    : {};
}

function explainAmount(text: string): Partial<Transferring> {
  const amount = readAmount(text);
  return amount.ok ? {} : { notice: { key: `amount.${amount.why}` } };
}
