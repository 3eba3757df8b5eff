import { assign } from 'xstate';
import { type Authenticating, authentication, PIN_PROMPT_MS } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { isRefusal } from './kit/problem.ts';

/** Partner API v2.3, "Customers": the reasons that are the client's to give, by the id of their choice. */
const REASONS = { ending: 3, lostPhone: 4, other: 5 } as const;
const REASON_NAMES = ['ending', 'lostPhone', 'other'] as const;
type Reason = (typeof REASON_NAMES)[number];

interface Closing extends Authenticating {
  reason?: Reason | undefined;
}

const { call, choose, question, state } = parts<Closing>();

/** The customer closes the wallet for good: why, what it means, the PIN, and once more whether they are sure. */
export const closing = machine<Closing>({
  id: 'closing',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'askingReason',
  states: {
    askingReason: state({
      shows: () => ({
        key: 'closing.askReason',
        choices: [
          { id: 'ending', key: 'closing.ending' },
          { id: 'lostPhone', key: 'closing.lostPhone' },
          { id: 'other', key: 'closing.other' },
        ],
        expects: 'choice',
      }),
      chose: choose({ target: 'explaining', know: (choice) => ({ reason: reasonOf(choice) }) }),
      back: 'left',
    }),
    /** A wallet is not closed at once, and nobody who has found the lost phone may pay with it meanwhile. */
    explaining: state({
      shows: ({ reason }) => ({
        key: 'closing.explain',
        choices: [
          { id: 'continue', key: 'closing.continue' },
          { id: 'keep', key: 'closing.keep' },
          // Last, where no slip of a key freezes the wallet: a thaw costs much.
          ...(reason === 'lostPhone' ? [{ id: 'freeze', key: 'help.freeze' } as const] : []),
        ],
        expects: 'choice',
      }),
      chose: choose(
        { if: 'freeze', target: 'freezing' },
        { if: 'continue', target: 'askingPin' },
        { target: 'kept' },
      ),
      back: 'askingReason',
    }),
    freezing: { type: 'final', output: { next: 'menu', wanted: 'freeze' } },
    ...authentication<Closing>(() => ({ key: 'closing.askPin', expects: 'pin' }), {
      next: 'confirming',
      back: 'explaining',
    }),
    /** The safe answer comes first: what was pressed by mistake keeps the wallet. */
    confirming: {
      after: {
        [PIN_PROMPT_MS]: { target: 'explaining', actions: assign({ notice: { key: 'problem.expired' } }) },
      },
      ...question(
        ({ wallet }) => ({ key: 'closing.confirm', values: { phone: { phone: wallet } } }),
        [
          { id: 'keep', key: 'closing.keep', target: 'kept' },
          { id: 'close', key: 'closing.close', target: 'unregistering' },
        ],
        { back: 'explaining', resumed: 'explaining' },
      ),
    },
    unregistering: call('unregister', {
      says: 'closing.waiting',
      input: ({ wallet, reason }) => ({ wallet, reason: REASONS[known(reason)] }),
      ok: 'closed',
      // A wallet that is gone already is closed: an earlier answer was lost.
      refused: { if: (refusal) => isRefusal(refusal, 'customerNotFound'), target: 'closed' },
      unknown: 'checking',
      failed: 'kept',
      lost: 'checking',
    }),
    /** The answer was lost: the wallet itself says whether it still exists. */
    checking: call('readStatus', {
      says: 'closing.waiting',
      input: ({ wallet }) => ({ wallet }),
      ok: [
        { if: ({ status }) => status === 0, target: 'closed' },
        { target: 'kept', know: () => ({ notice: { key: 'closing.lost' } }) },
      ],
      failed: { target: 'notKnown', know: () => ({}) },
    }),
    closed: last('closing.closed', { tags: 'news', output: { closed: true } }),
    kept: last('closing.kept', { tags: 'news' }),
    notKnown: last('closing.notKnown', { tags: 'news' }),
    left: { type: 'final', output: { next: 'account' } },
  },
});

function reasonOf(choice: string): Reason | undefined {
  return REASON_NAMES.find((reason) => reason === choice);
}
