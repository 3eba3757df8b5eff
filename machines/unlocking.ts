import type { Msisdn } from '../src/wallet/phone.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { conversation, ending } from './kit/conversation.ts';

/** A chat whose number is proven asks for the PIN once before it shows the wallet: a recycled SIM is not its owner. */
export const unlocking = conversation<Authenticating>().createMachine({
  id: 'unlocking',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn, notice: input.notice }),
  initial: 'askingPin',
  states: {
    ...authentication<Authenticating>(
      ({ wallet }) => ({ key: 'unlocking.askPin', values: { phone: { phone: wallet } }, expects: 'pin' }),
      { next: 'unlocked', back: 'askingPin', checkpoint: 'askingPin' },
    ),
    unlocked: {
      type: 'final',
      output: { linked: true, next: 'menu', notice: { key: 'unlocking.unlocked' } },
    },
  },
  output: ending,
});
