import type { RefusalName } from '../src/wallet/contract/errors.ts';
import { type BuyingAirtime, choosingAirtime } from './kit/airtime.ts';
import { known, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { notEnabled, payingTail, renumbering } from './kit/paying.ts';
import { phoneIn } from './kit/typed.ts';

/** Refusals that another number can mend, and what nothing can: it begins anew then, as who acts for nobody. */
const BEGINS_ANEW: readonly RefusalName[] = ['phoneInvalid', 'topUpRefused', 'noPrincipal'];

interface ToppingUp extends BuyingAirtime {
  /** The principal agent's code. */
  code: string;
}

const { typed, state } = parts<ToppingUp>();

/** Tops a phone up from the float of a principal agent. The API gives no fee before. */
export const b2bTopUp = machine<ToppingUp>({
  id: 'b2b-top-up',
  context: ({ input: { wallet, principal } }) => ({ wallet: known(wallet), code: principal ?? '' }),
  initial: 'askingNumber',
  on: renumbering<ToppingUp>('askingNumber', { isFilled: true }),
  states: {
    askingNumber: state({
      shows: () => ({ key: 'b2b-top-up.askNumber', expects: 'phone' }),
      said: typed(phoneIn, { target: 'choosingOperator', know: (to) => ({ to }) }),
      back: 'left',
    }),
    ...choosingAirtime<ToppingUp>(({ wallet: from, code }, airtime) => ({
      kind: 'b2b-top-up',
      from,
      code,
      ...airtime,
    })),
    ...payingTail<ToppingUp>({
      amend: 'askingAmount',
      amends: { refusals: BEGINS_ANEW, state: 'askingNumber' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<ToppingUp>('b2b-top-up'),
    left: { type: 'final', output: { next: 'principal' } },
  },
});
