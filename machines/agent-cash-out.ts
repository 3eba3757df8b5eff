import { assign } from 'xstate';
import { type AtCounter, isOpen, noSuch, notOpen, orderOf } from './kit/agent-cash.ts';
import { secretOf } from './kit/authentication.ts';
import { known, machine } from './kit/conversation.ts';
import type { FoundCash } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { notEnabled, payingTail } from './kit/paying.ts';

const { call, given, state } = parts<AtCounter>();
const pays = (found: FoundCash, context: AtCounter) => orderOf('agent-cash-out', context, found);
/** A used reference pays out nothing. */
const notUsable = (found: FoundCash) => notOpen(found, 'agent-cash-out.used');
const byReference = () => ({ notice: { key: 'agent-cash-out.byReferenceOnly' } }) as const;

/**
 * An agent pays cash out of a customer's wallet: by the reference that the customer brings, never by their number. The cash is handed
 * out once it is done, and not before.
 */
export const agentCashOut = machine<AtCounter>({
  id: 'agent-cash-out',
  context: ({ input: { wallet, agent, filled } }) => ({
    wallet: known(wallet),
    code: agent ?? '',
    ...(filled?.to && byReference()),
  }),
  initial: 'asking',
  states: {
    asking: state({
      entry: assign({ order: undefined, quote: undefined }),
      shows: () => ({ key: 'agent-cash-out.ask', expects: 'reference', takesLongNumber: true }),
      gave: given({ target: 'looking' }, 'agent-cash-out.notThat'),
      back: 'left',
    }),
    looking: call('findCash', {
      says: 'agent-cash-out.looking',
      input: ({ wallet }, event) => ({ wallet, given: secretOf(event), kind: 'cash-out', takesNumber: true }),
      ok: [
        { if: isOpen, target: 'previewing', know: pays },
        { target: 'asking', know: notUsable },
      ],
      either: [
        { if: ({ found }) => isOpen(found), target: 'previewing', know: ({ found }, c) => pays(found, c) },
        { target: 'asking', know: ({ found }) => notUsable(found) },
      ],
      number: { target: 'asking', know: byReference },
      billNetwork: { target: 'asking', know: byReference },
      notEnabled: 'notEnabled',
      refused: noSuch('agent-cash-out.noSuch'),
      failed: 'asking',
    }),
    ...payingTail<AtCounter>({
      amend: 'asking',
      amends: { refusals: ['noAgent'], state: 'asking' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<AtCounter>('agent-cash-out'),
    left: { type: 'final' },
  },
});
