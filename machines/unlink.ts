import type { Msisdn } from '../src/wallet/phone.ts';
import { questions } from './kit/choosing.ts';
import { known, machine, type Remembered } from './kit/conversation.ts';

interface Unlinking extends Remembered {
  wallet: Msisdn;
}

const question = questions<Unlinking>();

/**
 * The customer takes the wallet out of this chat, on a phone that is lent, sold or shared. The wallet itself does not
 * change, so no PIN is asked: a person who holds the phone can only take the chat's access away.
 */
export const unlink = machine<Unlinking>({
  id: 'unlink',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'confirming',
  states: {
    confirming: question(
      ({ wallet }) => ({ key: 'unlink.confirm', values: { phone: { phone: wallet } } }),
      [
        { id: 'unlink', key: 'unlink.unlink', target: 'unlinked' },
        { id: 'keep', key: 'unlink.keep', target: 'kept' },
      ],
      { back: 'kept' },
    ),
    unlinked: {
      type: 'final',
      output: { unlinked: true, next: 'menu', notice: { key: 'unlink.unlinked' } },
    },
    kept: { type: 'final', output: { next: 'account' } },
  },
});
