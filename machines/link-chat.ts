import type { Msisdn } from '../src/wallet/phone.ts';
import { calls } from './kit/call.ts';
import { conversation, ending, known, type Remembered, screen } from './kit/conversation.ts';
import type { Sealed } from './kit/secret.ts';

interface LinkingChat extends Remembered {
  wallet: Msisdn;
  code?: Sealed;
}

/**
 * On USSD, where the SIM proves the number: a code to type in a chat, which links it as one by SMS does. No PIN is asked, as whoever holds
 * the SIM could be sent that SMS; the chat asks for it.
 */
export const linkChat = conversation<LinkingChat>().createMachine({
  id: 'link-chat',
  version: '1',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'making',
  output: ending,
  states: {
    making: calls<LinkingChat>()('showLinkCode', {
      says: 'link-chat.making',
      input: ({ wallet }) => ({ wallet }),
      on: {
        ok: { target: 'shown', know: (code) => ({ code }) },
        tooMany: 'tooMany',
        lost: 'left',
      },
    }),
    shown: {
      type: 'final',
      tags: 'private',
      meta: screen(({ code }) => ({
        key: 'link-chat.shown',
        values: { code: { sealed: known(code) } },
        expects: 'nothing',
      })),
    },
    tooMany: { type: 'final', meta: screen(() => ({ key: 'link-chat.tooMany', expects: 'nothing' })) },
    left: { type: 'final', output: { next: 'menu', notice: { key: 'nav.down' } } },
  },
});
