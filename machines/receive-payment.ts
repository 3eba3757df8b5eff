import { assign } from 'xstate';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import type { IssuedQr } from '../src/wallet/services.ts';
import { known, last, machine, type Remembered, screen } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { type Failure, isRefusal } from './kit/problem.ts';
import type { Screen } from './kit/screen.ts';
import { amountIn } from './kit/typed.ts';

interface Receiving extends Remembered {
  wallet: Msisdn;
  /** Absent: the customer who pays says how much. */
  amount?: Centimes | undefined;
  /** The content of the QR code. */
  code?: string | undefined;
}

const { call, typed, decide, state } = parts<Receiving>();

/** The next state after an answer with a code. */
const ISSUED = {
  ok: { target: 'shown', know: ({ content }: IssuedQr) => ({ code: content }) },
  /** Not shown in v2.3: which code says that a wallet is no merchant's. The one for a number that is none means just that. */
  refused: {
    if: (refusal: Failure) => isRefusal(refusal, 'merchantUnknown'),
    target: 'notMerchant',
  },
  notEnabled: 'notEnabled',
};

/**
 * A merchant shows a QR code: a fixed one without an amount, or a new one with an amount. The wallet's
 * `payment.received` event tells the merchant of the payment, whatever screen is visible then. The wallet decides
 * whether it is a merchant's.
 */
export const receivePayment = machine<Receiving>({
  id: 'receive-payment',
  context: ({ input: { wallet, filled } }) => ({ wallet: known(wallet), amount: filled?.amount }),
  initial: 'beginning',
  states: {
    beginning: decide({ if: (context) => context.amount !== undefined, target: 'creating' }, 'askingAmount'),
    /** A code without an amount is a button: only where there are some is a code of any use. */
    askingAmount: state({
      entry: assign({ amount: undefined }),
      shows: () => ({
        key: 'receive-payment.askAmount',
        choices: [{ id: 'withoutAmount', key: 'receive-payment.withoutAmount' }],
        expects: 'amount',
      }),
      said: typed(amountIn, { target: 'creating', know: (amount) => ({ amount }) }),
      chose: 'reading',
      back: 'left',
    }),
    reading: call('readStaticQr', {
      says: 'receive-payment.preparing',
      input: ({ wallet }) => ({ wallet }),
      ...ISSUED,
      failed: 'askingAmount',
    }),
    creating: call('createQr', {
      says: 'receive-payment.preparing',
      input: ({ wallet, amount }) => ({ wallet, amount: known(amount) }),
      ...ISSUED,
      failed: 'askingAmount',
      // A code that nobody has seen is paid by nobody: the customer may ask for another.
      lost: { target: 'askingAmount', know: () => ({ notice: { key: 'problem.unavailable' } }) },
    }),
    shown: { type: 'final', meta: screen(qrScreen) },
    notMerchant: last('receive-payment.notMerchant', { output: { notEnabled: 'receive-payment' } }),
    notEnabled: last('receive-payment.notEnabled', { output: { notEnabled: 'receive-payment' } }),
    left: { type: 'final' },
  },
});

/** With the number to be paid by: not every channel shows pictures, and not every customer can take one. */
function qrScreen({ wallet, amount, code }: Receiving): Screen {
  const phone = { phone: wallet };
  return {
    ...(amount === undefined
      ? { key: 'receive-payment.shown', values: { phone } }
      : { key: 'receive-payment.shownFor', values: { amount: { money: amount }, phone } }),
    ...(code !== undefined && { picture: { qr: code } }),
    expects: 'nothing',
  };
}
