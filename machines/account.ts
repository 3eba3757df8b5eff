import { assign } from 'xstate';
import { conversation, type Remembered, screen } from './kit/conversation.ts';

const ENTRIES = [
  'profile',
  'pin-change',
  'pin-reset',
  'receive-payment',
  'language',
  'unlink',
  'closing',
] as const;

interface AtAccount extends Remembered {
  canUnlink?: boolean | undefined;
  without?: readonly string[] | undefined;
  next?: string;
}

/** What a customer can do about the wallet itself. */
export const account = conversation<AtAccount>().createMachine({
  id: 'account',
  version: '1',
  context: ({ input }) => ({ canUnlink: input.canUnlink, without: input.without }),
  initial: 'choosing',
  output: ({ context }) => ({ next: context.next ?? 'menu' }),
  states: {
    choosing: {
      meta: screen(({ canUnlink, without = [] }) => ({
        key: 'account.choose',
        choices: ENTRIES.filter((id) => (id !== 'unlink' || canUnlink) && !without.includes(id)).map(
          (id) => ({
            id,
            key: `account.${id}`,
          }),
        ),
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
