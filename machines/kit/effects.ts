import { fromPromise, type InputFrom, type OutputFrom } from 'xstate';
import type { BillAnswer } from '../../src/payments/bill-payment.ts';
import type { Order } from '../../src/payments/payments.ts';
import type { LookedAgain, Quote } from '../../src/payments/quote.ts';
import type { Answer } from '../../src/wallet/answer.ts';
import type { SavedCard } from '../../src/wallet/bank-cards.ts';
import type { Operator } from '../../src/wallet/contract/telco.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type {
  BillField,
  BillPayment,
  Creditor,
  IssuedQr,
  Paged,
  Receivable,
  TopUp,
  TopUpProduct,
  Unpaid,
  VoucherArticle,
  VoucherBrand,
} from '../../src/wallet/services.ts';
import type { CustomerStatus, Facts, Operation, Profile } from '../../src/wallet/wallet.ts';
import type { Learnt } from './input.ts';
import type { Failure } from './problem.ts';
import type { Sealed } from './secret.ts';

/**
 * The calls a machine can ask for: the one place where the name, the input and the output of a call are declared. XState
 * takes these stubs, and nothing here runs. The engine's table (`src/conversation/effects`) has a row of these types for
 * each, which says whether it is *read*, *guarded* or *money* and runs it: a row that is missing, or that takes or gives
 * something else, does not compile. What is called `read…` is *read*.
 */
export const effects = {
  readStatus: effect<{ wallet: Msisdn }, Answer<{ status: CustomerStatus }>>(),
  readBalance: effect<{ wallet: Msisdn }, Answer<Centimes>>(),
  readProfile: effect<{ wallet: Msisdn }, Answer<Profile>>(),
  /** A page of the statement, newest first; pages count from 1. All types where none is named. */
  readOperations: effect<
    { wallet: Msisdn; types?: readonly number[]; page: number },
    Answer<{ operations: readonly Operation[]; isLast: boolean }>
  >(),
  /** `busy`: another payment of this wallet is under way. */
  preview: effect<{ order: Order }, Answer<Quote> | { kind: 'busy' }>(),

  readTopUpProducts: effect<
    { to: Msisdn; amount: Centimes; operator: Operator },
    Answer<readonly TopUpProduct[]>
  >(),
  /** The newest top-ups of a wallet. */
  readTopUps: effect<{ wallet: Msisdn }, Answer<readonly TopUp[]>>(),

  readCreditors: effect<Record<never, never>, Answer<readonly Creditor[]>>(),
  readReceivables: effect<{ creditor: string }, Answer<readonly Receivable[]>>(),
  readBillForm: effect<{ creditor: string; receivable: string }, Answer<readonly BillField[]>>(),
  /** Refused with `expired` when a sealed answer is too old to be opened. */
  readUnpaid: effect<
    { wallet: Msisdn; creditor: string; receivable: string; answers: readonly BillAnswer[] },
    Answer<Unpaid>
  >(),
  readBillPayments: effect<{ wallet: Msisdn; page: number }, Answer<Paged<BillPayment>>>(),

  readBrands: effect<{ wallet: Msisdn; page: number }, Answer<Paged<VoucherBrand>>>(),
  readArticles: effect<{ wallet: Msisdn; brand: number; page: number }, Answer<Paged<VoucherArticle>>>(),

  /** The payment cards that the wallet has saved of a customer. */
  readSavedCards: effect<{ wallet: Msisdn }, Answer<readonly SavedCard[]>>(),
  /** For good. One that was lost may be sent again. */
  deleteSavedCard: effect<{ wallet: Msisdn; card: number }, Answer<true>>(),

  /** The code on a merchant's counter. */
  readStaticQr: effect<{ wallet: Msisdn }, Answer<IssuedQr>>(),
  /** A new one, that asks for an amount. */
  createQr: effect<{ wallet: Msisdn; amount: Centimes }, Answer<IssuedQr>>(),

  /** Our own code to a number that says it is the customer's (web, Telegram). */
  sendLinkCode: effect<{ phone: Msisdn }, LinkCodeSent>(),
  checkLinkCode: effect<{ phone: Msisdn; code: Sealed }, LinkCodeChecked>(),

  /** `tooMany`: the wallet would send one code more than a customer may have in an hour. */
  register: effect<
    { phone: Msisdn; firstName: string; lastName: string; cin: string },
    Answer<true> | { kind: 'tooMany' }
  >(),
  confirmRegistration: effect<{ phone: Msisdn; code: Sealed }, Answer<true>>(),
  resendOtp: effect<{ phone: Msisdn }, Answer<true> | { kind: 'tooMany' }>(),
  /** The PIN as typed twice; nothing is sent when the two differ. */
  createPin: effect<{ phone: Msisdn; first: Sealed; second: Sealed }, Answer<true> | { kind: 'differ' }>(),
  /**
   * The wallet was not asked where our own count over all channels stopped it: `tooMany` wrong ones; `unchecked`: too many
   * that it has left without an answer.
   */
  login: effect<
    { wallet: Msisdn; pin: Sealed },
    Answer<true> | { kind: 'tooMany' } | { kind: 'unchecked' }
  >(),

  /** The old PIN counts as a guess, together with every `login`. */
  changePin: effect<
    { wallet: Msisdn; old: Sealed; first: Sealed; second: Sealed },
    Answer<true> | PinsTyped | { kind: 'same' } | { kind: 'tooMany' } | { kind: 'unchecked' }
  >(),
  sendResetCode: effect<{ wallet: Msisdn }, Answer<true> | { kind: 'tooMany' }>(),
  resetPin: effect<
    { wallet: Msisdn; code: Sealed; first: Sealed; second: Sealed },
    Answer<true> | PinsTyped | { kind: 'tooMany' }
  >(),
  unregister: effect<{ wallet: Msisdn; reason: 3 | 4 | 5 }, Answer<true>>(),

  /** Writes down that the customer wants to talk to a support agent. */
  askForPerson: effect<Record<never, never>, { kind: 'ok' }>(),

  /** After the PIN: the operations that are listed before this payment, and what is new since the confirmation. */
  lookAgain: effect<{ order: Order; quote: Quote }, Answer<LookedAgain>>(),
  pay: effect<{ order: Order; quote: Quote; before: readonly number[] }, Payment>(),
};

export type EffectName = keyof typeof effects;
export type InputOf<Name extends EffectName> = InputFrom<(typeof effects)[Name]>;
export type OutputOf<Name extends EffectName> = OutputFrom<(typeof effects)[Name]>;

/** `tooMany`: try again in an hour; `isForToday`: in a day. */
export type LinkCodeSent =
  | { kind: 'sent' }
  | { kind: 'tooMany'; isForToday?: true }
  | { kind: 'noSms' }
  | { kind: 'later' };
/**
 * What a new PIN comes to before the wallet is asked: it was typed in two ways, or something sealed for it can be opened
 * no more. (`same`: it is the old one.)
 */
export type PinsTyped = { kind: 'differ' } | { kind: 'expired' };
export type LinkCodeChecked = { kind: 'right' } | { kind: 'wrong' } | { kind: 'expired' };

/**
 * The result of sending money. `accepted` and `unknown` are followed until their outcome is known; `rejected`, `unsent`
 * and `busy` are proven not to have moved anything. `busy`: another payment of this wallet, or one just like it, is
 * under way. `settled`: the outcome is known already: by the answer itself (`isFinal`), or by a webhook that was faster.
 */
export type Payment =
  | {
      kind: 'accepted';
      operationId?: number;
      isFinal?: true;
      facts?: Facts;
      voucherCode?: Sealed;
      /** Where the customer goes on: their bank's page. */
      redirect?: string;
    }
  | { kind: 'unknown' }
  | ({ kind: 'settled' } & Learnt)
  | { kind: 'rejected'; failure: Failure }
  | { kind: 'unsent' }
  | { kind: 'busy' };

function effect<Input, Output>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('a machine runs nothing')));
}
