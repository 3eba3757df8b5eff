import { assign } from 'xstate';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { conversation, screen } from './kit/conversation.ts';
import { problem } from './kit/problem.ts';

interface ReadingBalance extends Authenticating {
  balance?: Centimes;
}

/** The customer reads the balance, after the PIN: whoever holds the phone must not see it. */
export const balance = conversation<ReadingBalance>().createMachine({
  id: 'balance',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn }),
  initial: 'askingPin',
  states: {
    ...authentication<ReadingBalance>(() => ({ key: 'balance.askPin', expects: 'pin' }), {
      next: 'reading',
      back: 'left',
      checkpoint: 'askingPin',
    }),
    reading: {
      meta: screen(() => ({ key: 'balance.reading', expects: 'nothing' })),
      invoke: {
        src: 'readBalance',
        input: ({ context }) => ({ wallet: context.wallet }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'shown',
            actions: assign(({ event }) =>
              event.output.kind === 'ok' ? { balance: event.output.value } : {},
            ),
          },
          { target: 'unavailable', actions: assign({ notice: ({ event }) => problem(event.output) }) },
        ],
      },
    },
    shown: {
      type: 'final',
      meta: screen(({ balance }) => ({
        key: 'balance.shown',
        values: { balance: { money: balance as Centimes } },
        expects: 'nothing',
      })),
    },
    unavailable: { type: 'final', meta: screen(() => ({ key: 'balance.unavailable', expects: 'nothing' })) },
    left: { type: 'final' },
  },
});
