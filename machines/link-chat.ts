import type { Msisdn } from '../src/wallet/phone.ts';
import { calls } from './kit/call.ts';
import { known, last, machine, type Remembered } from './kit/conversation.ts';
import type { Sealed } from './kit/secret.ts';

interface LinkingChat extends Remembered {
  wallet: Msisdn;
  code?: Sealed;
}

/**
 * On USSD, where the SIM proves the number, the customer gets a code to type in a chat. It links the chat as a code by
 * SMS does. No PIN is asked here, because a person who holds the SIM could get that SMS too. The chat asks for the PIN.
 */
export const linkChat = machine<LinkingChat>({
  id: 'link-chat',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'making',
  states: {
    making: calls<LinkingChat>()('showLinkCode', {
      says: 'link-chat.making',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'shown', know: (code) => ({ code }) },
      tooMany: 'tooMany',
      lost: 'left',
    }),
    shown: last<LinkingChat>(
      ({ code }) => ({ key: 'link-chat.shown', values: { code: { sealed: known(code) } } }),
      { tags: 'private' },
    ),
    tooMany: last('link-chat.tooMany'),
    left: { type: 'final', output: { next: 'menu', notice: { key: 'nav.down' } } },
  },
});
