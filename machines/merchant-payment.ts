import { assign } from 'xstate';
import { merchantOf, type ScannedQr } from '../src/payments/merchant-payment.ts';
import type { ConfirmedOrder } from '../src/payments/payments.ts';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import { type Centimes, centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { readMerchantQr } from '../src/wallet/qr/merchant-qr.ts';
import { known, machine, type Start } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import {
  chosen,
  chosenAgain,
  listedPayees,
  matchingPayee,
  type Offering,
  paidChoices,
  recalling,
  savedName,
  savedNumbers,
  toSaved,
  wayToSaved,
} from './kit/payees.ts';
import { ABOUT_RECIPIENT, notEnabled, type Paying, payingTail, renumbering } from './kit/paying.ts';
import { isRefusal, problem } from './kit/problem.ts';
import { amountIn, isName, payeeIn } from './kit/typed.ts';

/** Refusals of the preview that another merchant, or another code, can mend. */
const ABOUT_MERCHANT: readonly RefusalName[] = [...ABOUT_RECIPIENT, 'merchantUnknown', 'qrUnknown', 'qrPaid'];

interface PayingMerchant extends Paying, Offering {
  to?: Msisdn | undefined;
  /** A QR code instead of a number. Its texts are shown as the merchant's own words. */
  qr?: ScannedQr | undefined;
  /** Said before it was asked for. */
  amount?: Centimes | undefined;
}

/** The least that is paid anywhere. */
const ANY_AMOUNT = centimes(1_00);

const { call, typed, decide, state } = parts<PayingMerchant>();

/** The customer pays a merchant, by number or by QR code. The wallet's preview says who can be paid, and what. */
export const merchantPayment = machine<PayingMerchant>({
  id: 'merchant-payment',
  context: ({ input }) => started(input),
  initial: 'beginning',
  on: renumbering<PayingMerchant>('recalling'),
  states: {
    beginning: decide(
      { if: (context) => merchant(context) === undefined, target: 'recalling' },
      { if: (context) => amountTo(context) !== undefined, target: 'previewing', know: placeOrder },
      { if: (context) => context.qr !== undefined, target: 'askingAmount' },
      'lookingUp',
    ),
    recalling: recalling<PayingMerchant>('recallingPayees'),
    /** Another merchant: what the last one was to be paid, and their code, is forgotten. */
    askingMerchant: state({
      entry: assign({ to: undefined, qr: undefined }),
      shows: (c) => ({
        key: 'merchant-payment.askMerchant',
        choices: c.found ? listedPayees(c) : [...paidChoices(c, ['merchant-payment']), ...toSaved(c)],
        expects: 'phone',
      }),
      chose: [
        chosen<PayingMerchant>({ taken: 'takingPayee' }),
        chosenAgain<PayingMerchant>('beginning'),
        ...wayToSaved<PayingMerchant>(),
      ],
      said: [
        {
          guard: ({ event }) => isName(event.text),
          target: 'matching',
          actions: assign(({ event }) => ({ payee: event.text, found: undefined })),
        },
        ...typed((text, { wallet }) => payeeIn(text, wallet, 'merchant-payment.toYourself'), {
          target: 'beginning',
          know: (to) => ({ to }),
        }),
      ],
      back: 'left',
    }),
    ...savedNumbers<PayingMerchant>({ ask: 'askingMerchant', taken: 'beginning' }, 'matching'),
    matching: matchingPayee<PayingMerchant>(
      { ask: 'askingMerchant', taken: 'takingPayee' },
      ({ to }) => to !== undefined,
      ({ amount }) => amount,
    ),
    /** No amount is asked for a number that is no merchant's. Anything else is said once the payment itself is previewed. */
    lookingUp: call('readMerchant', {
      says: 'pay.previewing',
      input: (context) => ({ order: orderFor(context, ANY_AMOUNT) }),
      ok: 'askingAmount',
      notEnabled: 'notEnabled',
      refused: [
        {
          if: (refusal) => isRefusal(refusal, ...ABOUT_MERCHANT),
          target: 'askingMerchant',
          know: (refusal) => ({ notice: problem(refusal) }),
        },
      ],
      failed: { target: 'askingAmount', know: () => ({}) },
    }),
    askingAmount: state({
      tags: 'resumable',
      entry: assign({ amount: undefined }),
      shows: (c) => ({
        key: 'merchant-payment.askAmount',
        values: { merchant: merchantOf(c) },
        expects: 'amount',
      }),
      said: typed(amountIn, {
        target: 'previewing',
        know: (amount, context) => placeOrder({ ...context, amount }),
      }),
      back: 'askingMerchant',
    }),
    /** Values that a code fixes cannot be changed. The customer can only choose another merchant. */
    amending: decide(
      { if: (context) => context.qr?.amount !== undefined, target: 'askingMerchant' },
      'askingAmount',
    ),
    ...payingTail<PayingMerchant>({
      amend: 'amending',
      fromBalance: 'typed',
      newPayee: 'pay.newMerchant',
      calls: savedName,
      saves: 'beneficiaries.saveMerchant',
      amends: { refusals: ABOUT_MERCHANT, state: 'askingMerchant' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<PayingMerchant>('merchant-payment'),
    left: { type: 'final' },
  },
});

/** Takes the values of the one line. A value that the questions would not accept is asked for. */
function started({ wallet, isChat, filled = {} }: Start): PayingMerchant {
  const { to, payee, amount, qr } = filled;
  const scanned = qr === undefined ? {} : scan(qr);
  const toYourself = wallet !== undefined && [to, scanned.qr?.merchant].includes(wallet);
  return {
    wallet: known(wallet),
    ...(isChat && { isChat }),
    ...(toYourself ? { notice: { key: 'merchant-payment.toYourself' } } : { ...(to && { to }), ...scanned }),
    ...(payee !== undefined && { payee }),
    ...(amount && { amount }),
  };
}

/** A code that we cannot read goes to the wallet. A code in another currency than dirhams is not paid. */
function scan(content: string): Pick<PayingMerchant, 'qr' | 'notice'> {
  const reading = readMerchantQr(content);
  if (reading.ok) return { qr: reading.qr };
  return reading.why === 'currency'
    ? { notice: { key: 'merchant-payment.otherMoney' } }
    : { qr: { content } };
}

function merchant({
  to,
  qr,
}: PayingMerchant): { readonly to: Msisdn } | { readonly qr: ScannedQr } | undefined {
  if (qr) return { qr };
  return to && { to };
}

/** Values of a code win over typed ones. */
function amountTo({ qr, amount }: PayingMerchant): Centimes | undefined {
  return qr?.amount ?? amount;
}

function placeOrder(context: PayingMerchant): Partial<PayingMerchant> {
  const amount = amountTo(context);
  if (amount === undefined) throw new Error('a payment without an amount');
  return { order: orderFor(context, amount) };
}

function orderFor(context: PayingMerchant, amount: Centimes): ConfirmedOrder {
  return { kind: 'merchant-payment', from: context.wallet, amount, ...known(merchant(context)) };
}
