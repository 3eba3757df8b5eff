import { assign } from 'xstate';
import { type Authenticating, authentication, PIN_PROMPT_MS } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import { conversation, ending, known, screen } from './kit/conversation.ts';
import { isRefusal } from './kit/problem.ts';

/** Partner API v2.3, "Customers": the reasons that are the client's to give, by the id of their choice. */
const REASONS = { ending: 3, lostPhone: 4, other: 5 } as const;
const REASON_NAMES = ['ending', 'lostPhone', 'other'] as const;
type Reason = (typeof REASON_NAMES)[number];

interface Closing extends Authenticating {
  reason?: Reason | undefined;
}

const call = calls<Closing>();

/** The customer closes the wallet for good: why, what it means, the PIN, and once more whether they are sure. */
export const closing = conversation<Closing>().createMachine({
  id: 'closing',
  version: '1',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
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
        chose: { target: 'explaining', actions: assign({ reason: ({ event }) => reasonOf(event.choice) }) },
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
    unregistering: call('unregister', {
      says: 'closing.waiting',
      input: ({ wallet, reason }) => ({ wallet, reason: REASONS[known(reason)] }),
      on: {
        ok: 'closed',
        // A wallet that is gone already is closed: an earlier answer was lost.
        refused: { if: (refusal) => isRefusal(refusal, 'customerNotFound'), target: 'closed' },
        unknown: 'checking',
        failed: 'kept',
        lost: 'checking',
      },
    }),
    /** The answer was lost: the wallet itself says whether it still exists. */
    checking: call('readStatus', {
      says: 'closing.waiting',
      input: ({ wallet }) => ({ wallet }),
      on: {
        ok: [
          { if: ({ status }) => status === 0, target: 'closed' },
          { target: 'kept', know: () => ({ notice: { key: 'closing.lost' } }) },
        ],
        failed: { target: 'notKnown', know: () => ({}) },
      },
    }),
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

function reasonOf(choice: string): Reason | undefined {
  return REASON_NAMES.find((reason) => reason === choice);
}
