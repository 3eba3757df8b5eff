import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, machine, type Wish, wishOf } from './kit/conversation.ts';

interface Unlocking extends Authenticating, Wish {}

/** A chat whose number is proven asks for the PIN once before it shows the wallet: a recycled SIM is not its owner. */
export const unlocking = machine<Unlocking>({
  id: 'unlocking',
  context: ({ input }) => ({ wallet: known(input.wallet), notice: input.notice, ...wishOf(input) }),
  initial: 'askingPin',
  states: {
    ...authentication<Unlocking>(
      ({ wallet }) => ({ key: 'unlocking.askPin', values: { phone: { phone: wallet } }, expects: 'pin' }),
      { next: 'unlocked', back: 'askingPin', checkpoint: 'askingPin' },
    ),
    unlocked: {
      type: 'final',
      output: ({ context }) => ({
        linked: true,
        next: 'menu',
        notice: { key: 'unlocking.unlocked' },
        ...wishOf(context),
      }),
    },
  },
});
