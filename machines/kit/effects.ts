import { fromPromise } from 'xstate';
import type { Answer } from '../../src/wallet/answer.ts';
import type { Centimes } from '../../src/wallet/money.ts';
import type { Msisdn } from '../../src/wallet/phone.ts';
import type { CustomerStatus } from '../../src/wallet/wallet.ts';
import type { LookedAgain, Order, Outcome, Quote } from './order.ts';
import type { Failure } from './problem.ts';
import type { Sealed } from './secret.ts';

/**
 * The calls a machine can ask for. Machines only name them: the engine's table (`src/conversation/effects`) says which
 * are *read*, *guarded* or *money* and runs them. These stubs carry the types.
 */
export const effects = {
  readStatus: effect<{ wallet: Msisdn }, Answer<{ status: CustomerStatus }>>(),
  readBalance: effect<{ wallet: Msisdn }, Answer<Centimes>>(),
  preview: effect<{ order: Order }, Answer<Quote>>(),

  /** Our own code to a number that says it is the customer's (web, Telegram). */
  sendLinkCode: effect<{ phone: Msisdn }, LinkCodeSent>(),
  checkLinkCode: effect<{ phone: Msisdn; code: Sealed }, LinkCodeChecked>(),

  register: effect<{ phone: Msisdn; firstName: string; lastName: string; cin: string }, Answer<true>>(),
  confirmRegistration: effect<{ phone: Msisdn; code: Sealed }, Answer<true>>(),
  resendOtp: effect<{ phone: Msisdn }, Answer<true>>(),
  /** The PIN as typed twice; nothing is sent when the two differ. */
  createPin: effect<{ phone: Msisdn; first: Sealed; second: Sealed }, Answer<true> | { kind: 'differ' }>(),
  /** `tooMany`: our own count over all channels stopped it, the wallet was not asked. */
  login: effect<{ wallet: Msisdn; pin: Sealed }, Answer<true> | { kind: 'tooMany' }>(),

  /** After the PIN: the operations that are listed before this payment, and what is new since the confirmation. */
  lookAgain: effect<{ order: Order; quote: Quote }, Answer<LookedAgain>>(),
  pay: effect<{ order: Order; quote: Quote; before: readonly number[] }, Payment>(),
};

export type LinkCodeSent = { kind: 'sent' } | { kind: 'tooMany' } | { kind: 'noSms' } | { kind: 'later' };
export type LinkCodeChecked = { kind: 'right' } | { kind: 'wrong' } | { kind: 'expired' };

/**
 * What came of sending money. `accepted` and `unknown` are followed until their outcome is known; `rejected`, `unsent`
 * and `busy` are proven not to have moved anything. `busy`: another payment of this wallet, or one just like it, is
 * under way. `settled`: a webhook was faster than the answer.
 */
export type Payment =
  | { kind: 'accepted'; operationId?: number }
  | { kind: 'unknown' }
  | { kind: 'settled'; outcome: Outcome; reference: string }
  | { kind: 'rejected'; failure: Failure }
  | { kind: 'unsent' }
  | { kind: 'busy' };

function effect<Input, Output>() {
  return fromPromise<Output, Input>(() => Promise.reject(new Error('a machine runs nothing')));
}
