import { assign } from 'xstate';
import { known, machine, type Remembered } from './kit/conversation.ts';
import type { CaseAnswer } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import type { Choice, Sentence } from './kit/screen.ts';

interface Rating extends Remembered {
  /** The case to rate. Absent until the customer's own case was closed. */
  readonly case?: string | undefined;
  /** The customer has said that it is settled: only how it was is asked. */
  readonly isClosed: boolean;
  readonly answer?: CaseAnswer | undefined;
  /** Messages with buttons are shown here: on a page the way back passes the question. */
  readonly isChat?: true;
}

const { call, choose, decide, state } = parts<Rating>();

const ANSWERS: Readonly<Record<string, CaseAnswer>> = { good: 1, fair: 2, poor: 3, 'not-yet': 'notYet' };
const CHOICES: readonly Choice[] = [
  { id: 'good', key: 'rating.good', digit: 1 },
  { id: 'fair', key: 'rating.fair', digit: 2 },
  { id: 'poor', key: 'rating.poor', digit: 3 },
];
const NOT_YET: Choice = { id: 'not-yet', key: 'rating.not-yet', digit: 4 };
const SKIP: Choice = { id: 'skip', key: 'rating.skip' };

/**
 * The customer rates the support agent's help: one optional question, asked once. It comes after an agent has helped
 * (the engine knows the case), or when the customer says that the request is settled, which closes the case first. The
 * interrupted conversation comes back unchanged.
 */
export const rating = machine<Rating>({
  id: 'rating',
  context: ({ input }) => ({
    case: input.case,
    isClosed: input.case === undefined,
    ...(input.isChat && { isChat: true as const }),
    notice: input.notice,
  }),
  initial: 'deciding',
  output: ({ context: { notice } }) => ({ resume: 'asItWas', notice }),
  states: {
    deciding: decide({ if: (context) => context.case !== undefined, target: 'asking' }, 'closing'),
    closing: call('closeCase', {
      says: 'rating.closing',
      input: () => ({}),
      ok: [
        { if: ({ rates }) => rates !== undefined, target: 'asking', know: ({ rates }) => ({ case: rates }) },
        { target: 'over', know: () => says('rating.closed') },
      ],
      none: { target: 'over', know: () => says('rating.none') },
      // The case may be closed already. A customer who says so again hears that.
      lost: { target: 'over', know: () => says('nav.down') },
    }),
    asking: state({
      shows: ({ isClosed, isChat }) => ({
        key: isClosed ? 'rating.askClosed' : 'rating.ask',
        choices: [...CHOICES, ...(isClosed ? [] : [NOT_YET]), ...(isChat ? [SKIP] : [])],
        expects: 'choice',
      }),
      chose: choose(
        { if: 'skip', target: 'over', know: () => ({ notice: undefined }) },
        { target: 'keeping', know: (choice) => ({ answer: ANSWERS[choice], notice: undefined }) },
      ),
      back: { target: 'over', actions: assign({ notice: undefined }) },
    }),
    keeping: call('rateCase', {
      says: 'rating.closing',
      input: ({ case: it, answer }) => ({ case: known(it), answer: known(answer) }),
      ok: [
        { if: (_, { answer }) => answer === 'notYet', target: 'over', know: () => says('rating.goesOn') },
        { target: 'over', know: () => says('rating.thanks') },
      ],
      lost: { target: 'over', know: () => says('nav.down') },
    }),
    over: { type: 'final' },
  },
});

function says(key: Sentence['key']): Remembered {
  return { notice: { key } };
}
