import { assign } from 'xstate';
import { hasTriesLeft, secretOf, whyRefused, wrongPin } from './kit/authentication.ts';
import { known, machine, screen } from './kit/conversation.ts';
import { FORGOTTEN, newPin, type Renewing } from './kit/new-pin.ts';
import { parts } from './kit/parts.ts';
import { type Failure, isRefusal, problem } from './kit/problem.ts';

const { call, given, state } = parts<Renewing>();
const UNCHANGED = {
  target: 'unchanged',
  know: (answer: { kind: string }) => ({ notice: whyRefused(answer) }),
};

/** The old PIN is asked for again: with the tries that are left, or because its answer was lost and may have cost one. */
const WRONG = {
  if: (refusal: Failure) => isRefusal(refusal, 'pinIncorrect') && hasTriesLeft(refusal),
  target: 'askingOldPin',
  know: (refusal: Failure) => ({ notice: wrongPin(refusal), wasLost: false }),
};
const NOT_CHECKED = {
  target: 'askingOldPin',
  know: () => ({ notice: { key: 'pin.lost' } as const, wasLost: true }),
};

/** The customer changes the PIN: the old one, which is checked at once, the new one, the new one again. */
export const pinChange = machine<Renewing>({
  id: 'pin-change',
  context: ({ input }) => ({ wallet: known(input.wallet) }),
  initial: 'askingOldPin',
  states: {
    askingOldPin: state({
      entry: assign(FORGOTTEN),
      shows: () => ({ key: 'pin-change.askOldPin', expects: 'pin' }),
      gave: given({ target: 'authenticating', know: (proof) => ({ proof }) }, 'pin.format'),
      back: 'left',
      resumed: 'askingOldPin',
    }),
    /** Nobody types a new PIN twice to hear that the old one was wrong. */
    authenticating: call('login', {
      says: 'pin.checking',
      input: ({ wallet, proof }) => ({ wallet, pin: known(proof) }),
      ok: 'askingNewPin',
      refused: [WRONG],
      unknown: [
        {
          if: (_, { wasLost }) => wasLost === true,
          target: 'unchanged',
          know: () => ({ notice: { key: 'pin.unchecked' } }),
        },
        NOT_CHECKED,
      ],
      tooMany: UNCHANGED,
      unchecked: UNCHANGED,
      failed: UNCHANGED,
      lost: NOT_CHECKED,
    }),
    ...newPin<Renewing>({ next: 'changing', start: 'askingOldPin' }),
    changing: {
      ...call('changePin', {
        says: 'pin.checking',
        input: ({ wallet, proof, first }, event) => ({
          wallet,
          old: known(proof),
          first: known(first),
          second: secretOf(event),
        }),
        ok: { target: 'changed', know: (waits) => ({ waits }) },
        differ: { target: 'askingNewPin', know: () => ({ notice: { key: 'pin.differ' } }) },
        same: { target: 'askingNewPin', know: () => ({ notice: { key: 'pin-change.same' } }) },
        expired: { target: 'askingOldPin', know: () => ({ notice: { key: 'problem.expired' } }) },
        refused: [
          WRONG,
          {
            if: (refusal) => isRefusal(refusal, 'pinFormat'),
            target: 'askingOldPin',
            know: (refusal) => ({ notice: problem(refusal) }),
          },
        ],
        unknown: 'notKnown',
        tooMany: UNCHANGED,
        unchecked: UNCHANGED,
        failed: UNCHANGED,
        lost: 'notKnown',
      }),
      exit: assign({ first: undefined }),
    },
    changed: {
      type: 'final',
      tags: 'news',
      entry: assign(FORGOTTEN),
      meta: screen(({ waits }) => ({
        ...(waits
          ? {
              key: 'pin-change.changedUntil',
              values: { until: { date: waits.until }, amount: { money: waits.above } },
            }
          : { key: 'pin-change.changed' }),
        expects: 'nothing',
      })),
    },
    unchanged: {
      type: 'final',
      tags: 'news',
      entry: assign(FORGOTTEN),
      meta: screen(() => ({ key: 'pin-change.unchanged', expects: 'nothing' })),
    },
    /** The answer was lost. The call is never made again: the next use of the PIN shows which of the two it is. */
    notKnown: {
      type: 'final',
      tags: 'news',
      entry: assign(FORGOTTEN),
      meta: screen(() => ({ key: 'pin-change.notKnown', expects: 'nothing' })),
    },
    left: { type: 'final', output: { next: 'account' } },
  },
});
