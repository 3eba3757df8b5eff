import type { Centimes } from '../src/wallet/money.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import { conversation, known, screen } from './kit/conversation.ts';

interface ReadingBalance extends Authenticating {
  balance?: Centimes;
}

const call = calls<ReadingBalance>();

/** The customer reads the balance, after the PIN: whoever holds the phone must not see it. */
export const balance = conversation<ReadingBalance>().createMachine({
  id: 'balance',
  version: '1',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'askingPin',
  states: {
    ...authentication<ReadingBalance>(() => ({ key: 'balance.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
    }),
    reading: call('readBalance', {
      says: 'balance.reading',
      input: ({ wallet }) => ({ wallet }),
      on: { ok: { target: 'shown', know: (balance) => ({ balance }) }, failed: 'unavailable' },
    }),
    shown: {
      type: 'final',
      meta: screen(({ balance }) => ({
        key: 'balance.shown',
        values: { balance: { money: known(balance) } },
        expects: 'nothing',
      })),
    },
    unavailable: { type: 'final', meta: screen(() => ({ key: 'balance.unavailable', expects: 'nothing' })) },
    left: { type: 'final' },
  },
});
