import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import { type Authenticating, authentication, PIN_PROMPT_MS } from './kit/authentication.ts';
import { conversation, ending, screen } from './kit/conversation.ts';
import { isRefusal, problem } from './kit/problem.ts';

/** Partner API v2.3, "Customers": the reasons that are the client's to give, by the id of their choice. */
const REASONS = { ending: 3, lostPhone: 4, other: 5 } as const;
type Reason = keyof typeof REASONS;

interface Closing extends Authenticating {
  reason?: Reason;
}

/** The customer closes the wallet for good: why, what it means, the PIN, and once more whether they are sure. */
export const closing = conversation<Closing>().createMachine({
  id: 'closing',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn }),
  initial: 'askingReason',
  states: {
    askingReason: {
      meta: screen(() => ({
        key: 'closing.askReason',
        choices: [
          { id: 'ending', key: 'closing.ending' },
          { id: 'lostPhone', key: 'closing.lostPhone' },
          { id: 'other', key: 'closing.other' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: { target: 'explaining', actions: assign({ reason: ({ event }) => event.choice as Reason }) },
        back: 'left',
      },
    },
    explaining: {
      tags: 'resumable',
      meta: screen(() => ({
        key: 'closing.explain',
        choices: [
          { id: 'continue', key: 'closing.continue' },
          { id: 'keep', key: 'closing.keep' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [{ guard: ({ event }) => event.choice === 'keep', target: 'kept' }, { target: 'askingPin' }],
        back: 'askingReason',
        resumed: 'explaining',
      },
    },
    ...authentication<Closing>(() => ({ key: 'closing.askPin', expects: 'pin' }), {
      next: 'confirming',
      back: 'explaining',
      checkpoint: 'explaining',
    }),
    /** The safe answer comes first: what was pressed by mistake keeps the wallet. */
    confirming: {
      tags: 'resumable',
      meta: screen(({ wallet }) => ({
        key: 'closing.confirm',
        values: { phone: { phone: wallet } },
        choices: [
          { id: 'keep', key: 'closing.keep' },
          { id: 'close', key: 'closing.close' },
        ],
        expects: 'choice',
      })),
      after: {
        [PIN_PROMPT_MS]: { target: 'explaining', actions: assign({ notice: { key: 'problem.expired' } }) },
      },
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'close', target: 'unregistering' },
          { target: 'kept' },
        ],
        back: 'explaining',
        resumed: 'explaining',
      },
    },
    unregistering: {
      meta: screen(() => ({ key: 'closing.waiting', expects: 'nothing' })),
      invoke: {
        src: 'unregister',
        input: ({ context: { wallet, reason } }) => ({ wallet, reason: REASONS[reason as Reason] }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'ok', target: 'closed' },
          // A wallet that is gone already is closed: an earlier answer was lost.
          { guard: ({ event }) => isRefusal(event.output, 'customerNotFound'), target: 'closed' },
          { guard: ({ event }) => event.output.kind === 'unknown', target: 'checking' },
          { target: 'kept', actions: assign({ notice: ({ event }) => problem(event.output) }) },
        ],
        onError: 'checking',
      },
    },
    /** The answer was lost: the wallet itself says whether it still exists. */
    checking: {
      meta: screen(() => ({ key: 'closing.waiting', expects: 'nothing' })),
      invoke: {
        src: 'readStatus',
        input: ({ context }) => ({ wallet: context.wallet }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok' && event.output.value.status === 0,
            target: 'closed',
          },
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'kept',
            actions: assign({ notice: { key: 'closing.lost' } }),
          },
          { target: 'notKnown' },
        ],
      },
    },
    closed: {
      type: 'final',
      tags: 'news',
      meta: screen(() => ({ key: 'closing.closed', expects: 'nothing' })),
      output: { closed: true },
    },
    kept: {
      type: 'final',
      tags: 'news',
      meta: screen(() => ({ key: 'closing.kept', expects: 'nothing' })),
    },
    notKnown: {
      type: 'final',
      tags: 'news',
      meta: screen(() => ({ key: 'closing.notKnown', expects: 'nothing' })),
    },
    left: { type: 'final', output: { next: 'account' } },
  },
  output: ending,
});
