import type { Centimes } from '../src/wallet/money.ts';
import type { CashReference, PrincipalAccount } from '../src/wallet/services.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { amountIn } from './kit/typed.ts';

interface LookingAtFloat extends Authenticating {
  account?: PrincipalAccount;
  amount?: Centimes;
  given?: CashReference;
}

const { call, typed, question, state } = parts<LookingAtFloat>();

/** The float of the principal agent, after the PIN, and a reference with which more is paid in at a counter. */
export const principalFloat = machine<LookingAtFloat>({
  id: 'principal-float',
  context: ({ input: { wallet } }) => ({ wallet: known(wallet) }),
  initial: 'askingPin',
  states: {
    ...authentication<LookingAtFloat>(() => ({ key: 'principal-float.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readFloat', {
      says: 'principal-float.moment',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'shown', know: (account) => ({ account }) },
      failed: 'unavailable',
    }),
    shown: question(
      ({ account }) => ({
        key: 'principal-float.shown',
        values: { code: { code: known(account).code }, amount: { money: known(account).balance } },
      }),
      [{ id: 'load', key: 'principal-float.load', target: 'askingAmount' }],
      { tags: 'private', back: 'left', resumed: 'askingPin' },
    ),
    askingAmount: state({
      shows: () => ({ key: 'principal-float.askAmount', expects: 'amount' }),
      said: typed(amountIn, { target: 'requesting', know: (amount) => ({ amount }) }),
      back: 'reading',
    }),
    requesting: call('requestFloat', {
      says: 'principal-float.moment',
      input: ({ wallet, amount }) => ({ wallet, amount: known(amount) }),
      ok: { target: 'given', know: (given) => ({ given }) },
      tooMany: { target: 'unavailable', know: () => ({ notice: { key: 'principal-float.tooMany' } }) },
      unknown: { target: 'askingAmount', know: () => ({ notice: { key: 'principal-float.notMade' } }) },
      failed: 'askingAmount',
    }),
    given: last<LookingAtFloat>(({ given }) => ({
      key: 'principal-float.given',
      values: { reference: { code: known(given).reference }, amount: { money: known(given).amount } },
    })),
    unavailable: last('principal-float.unavailable'),
    left: { type: 'final', output: { next: 'principal' } },
  },
});
