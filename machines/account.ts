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
  isMerchant?: boolean | undefined;
  without?: readonly string[] | undefined;
  next?: string;
}

/** What a customer can do about the wallet itself. */
export const account = conversation<AtAccount>().createMachine({
  id: 'account',
  version: '1',
  context: ({ input: { canUnlink, isMerchant, without } }) => ({ canUnlink, isMerchant, without }),
  initial: 'choosing',
  output: ({ context }) => ({ next: context.next ?? 'menu' }),
  states: {
    choosing: {
      meta: screen((context) => ({
        key: 'account.choose',
        choices: ENTRIES.filter((id) => isOffered(id, context)).map((id) => ({ id, key: `account.${id}` })),
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

function isOffered(
  id: (typeof ENTRIES)[number],
  { canUnlink, isMerchant, without = [] }: AtAccount,
): boolean {
  if (id === 'unlink') return canUnlink === true;
  return (id !== 'receive-payment' || isMerchant === true) && !without.includes(id);
}
