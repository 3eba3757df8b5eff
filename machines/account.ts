import { assign } from 'xstate';
import { conversation, type Remembered, screen } from './kit/conversation.ts';

const ENTRIES = ['profile', 'pin-change', 'pin-reset', 'language', 'unlink', 'closing'] as const;

interface AtAccount extends Remembered {
  canUnlink?: boolean | undefined;
  next?: string;
}

/** What a customer can do about the wallet itself. */
export const account = conversation<AtAccount>().createMachine({
  id: 'account',
  version: '1',
  context: ({ input }) => ({ canUnlink: input.canUnlink }),
  initial: 'choosing',
  output: ({ context }) => ({ next: context.next ?? 'menu' }),
  states: {
    choosing: {
      meta: screen(({ canUnlink }) => ({
        key: 'account.choose',
        choices: ENTRIES.filter((id) => id !== 'unlink' || canUnlink).map((id) => ({
          id,
          key: `account.${id}`,
        })),
        expects: 'choice',
      })),
      on: {
        chose: { target: 'leaving', actions: assign({ next: ({ event }) => event.choice }) },
        back: 'leaving',
      },
    },
    leaving: { type: 'final' },
  },
});
