import { assign } from 'xstate';
import { conversation, type Remembered, screen } from './kit/conversation.ts';

const ENTRIES = [
  'profile',
  'pin-change',
  'pin-reset',
  'receive-payment',
  'takings',
  'merchant-refund',
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

/** What only merchants do. */
const OF_MERCHANTS: readonly string[] = ['receive-payment', 'takings', 'merchant-refund'];

function isOffered(id: string, { canUnlink, isMerchant, without = [] }: AtAccount): boolean {
  if (id === 'unlink') return canUnlink === true;
  return (isMerchant === true || !OF_MERCHANTS.includes(id)) && !without.includes(id);
}
