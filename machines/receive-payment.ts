import { assign } from 'xstate';
import type { Answer } from '../src/wallet/answer.ts';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { IssuedQr } from '../src/wallet/services.ts';
import { amountOf, isAmount } from './kit/amount.ts';
import { conversation, ending, type Remembered, screen } from './kit/conversation.ts';
import { isRefusal, problem, saysNotEnabled } from './kit/problem.ts';
import type { Screen } from './kit/screen.ts';

interface Receiving extends Remembered {
  wallet: Msisdn;
  /** Absent: the customer who pays says how much. */
  amount?: Centimes | undefined;
  /** What the QR code says. */
  code?: string | undefined;
}

/**
 * A merchant shows their own QR code: always the same one without an amount, a new one with. When it is paid, the merchant
 * hears it by the wallet's `payment.received`, whatever is on show then. Whether a wallet is a merchant's is the wallet's to say.
 */
export const receivePayment = conversation<Receiving>().createMachine({
  id: 'receive-payment',
  version: '1',
  context: ({ input: { wallet, filled } }) => ({ wallet: wallet as Msisdn, amount: filled?.amount }),
  initial: 'beginning',
  output: ending,
  states: {
    beginning: {
      always: [
        { guard: ({ context }) => context.amount !== undefined, target: 'creating' },
        { target: 'choosing' },
      ],
    },
    /** A question of its own: on USSD a typed `2` must not be both an amount and a choice. */
    choosing: {
      entry: assign({ amount: undefined }),
      meta: screen(() => ({
        key: 'receive-payment.choose',
        choices: [
          { id: 'withAmount', key: 'receive-payment.withAmount' },
          { id: 'withoutAmount', key: 'receive-payment.withoutAmount' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'withAmount', target: 'askingAmount' },
          { target: 'reading' },
        ],
        back: 'left',
      },
    },
    askingAmount: {
      entry: assign({ amount: undefined }),
      meta: screen(() => ({ key: 'receive-payment.askAmount', expects: 'amount' })),
      on: {
        said: [
          {
            guard: ({ event }) => isAmount(event.text),
            target: 'creating',
            actions: assign(({ event }) => amountOf(event.text)),
          },
          { actions: assign(({ event }) => amountOf(event.text)) },
        ],
        back: 'choosing',
      },
    },
    reading: {
      meta: screen(() => ({ key: 'receive-payment.preparing', expects: 'nothing' })),
      invoke: {
        src: 'readStaticQr',
        input: ({ context: { wallet } }) => ({ wallet }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'shown',
            actions: assign(({ event }) => codeIn(event.output)),
          },
          { guard: ({ event }) => saysNotMerchant(event.output), target: 'notMerchant' },
          { guard: ({ event }) => saysNotEnabled(event.output), target: 'notEnabled' },
          { target: 'choosing', actions: assign(({ event }) => ({ notice: problem(event.output) })) },
        ],
      },
    },
    creating: {
      meta: screen(() => ({ key: 'receive-payment.preparing', expects: 'nothing' })),
      invoke: {
        src: 'createQr',
        input: ({ context: { wallet, amount } }) => ({ wallet, amount: amount as Centimes }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'shown',
            actions: assign(({ event }) => codeIn(event.output)),
          },
          { guard: ({ event }) => saysNotMerchant(event.output), target: 'notMerchant' },
          { guard: ({ event }) => saysNotEnabled(event.output), target: 'notEnabled' },
          { target: 'askingAmount', actions: assign(({ event }) => ({ notice: problem(event.output) })) },
        ],
        // A code that nobody has seen is paid by nobody: the customer may ask for another.
        onError: { target: 'askingAmount', actions: assign({ notice: { key: 'problem.unavailable' } }) },
      },
    },
    shown: { type: 'final', meta: screen(shown) },
    notMerchant: {
      type: 'final',
      meta: screen(() => ({ key: 'receive-payment.notMerchant', expects: 'nothing' })),
      output: { notEnabled: 'receive-payment' },
    },
    notEnabled: {
      type: 'final',
      meta: screen(() => ({ key: 'receive-payment.notEnabled', expects: 'nothing' })),
      output: { notEnabled: 'receive-payment' },
    },
    left: { type: 'final', output: { next: 'account' } },
  },
});

/** Not shown in v2.3: which code says that a wallet is no merchant's. The one for a number that is none means just that. */
function saysNotMerchant(answer: Answer<IssuedQr>): boolean {
  return isRefusal(answer, 'merchantUnknown');
}

function codeIn(answer: Answer<IssuedQr>): Partial<Receiving> {
  return answer.kind === 'ok' ? { code: answer.value.content } : {};
}

/** With the number to be paid by: not every channel shows pictures, and not every customer can take one. */
function shown({ wallet, amount, code }: Receiving): Screen {
  const phone = { phone: wallet };
  return {
    ...(amount === undefined
      ? { key: 'receive-payment.shown', values: { phone } }
      : { key: 'receive-payment.shownFor', values: { amount: { money: amount }, phone } }),
    ...(code !== undefined && { picture: { qr: code } }),
    expects: 'nothing',
  };
}
