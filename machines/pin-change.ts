import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import { hasTriesLeft, secretOf, whyRefused, wrongPin } from './kit/authentication.ts';
import { conversation, ending, screen } from './kit/conversation.ts';
import { FORGOTTEN, newPin, type Renewing } from './kit/new-pin.ts';
import { isRefusal, problem } from './kit/problem.ts';
import type { Sealed } from './kit/secret.ts';

/** The customer changes the PIN: the old one, the new one, the new one again. */
export const pinChange = conversation<Renewing>().createMachine({
  id: 'pin-change',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn }),
  initial: 'askingOldPin',
  states: {
    askingOldPin: {
      tags: 'resumable',
      entry: assign(FORGOTTEN),
      meta: screen(() => ({ key: 'pin-change.askOldPin', expects: 'pin' })),
      on: {
        gave: [
          {
            guard: ({ event }) => event.wellFormed,
            target: 'askingNewPin',
            actions: assign({ proof: ({ event }) => event.secret }),
          },
          { actions: assign({ notice: { key: 'pin.format' } }) },
        ],
        back: 'left',
        resumed: 'askingOldPin',
      },
    },
    ...newPin<Renewing>({ next: 'changing', start: 'askingOldPin' }),
    changing: {
      meta: screen(() => ({ key: 'pin.checking', expects: 'nothing' })),
      invoke: {
        src: 'changePin',
        input: ({ context: { wallet, proof, first }, event }) => ({
          wallet,
          old: proof as Sealed,
          first: first as Sealed,
          second: secretOf(event),
        }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'ok', target: 'changed' },
          {
            guard: ({ event }) => event.output.kind === 'differ',
            target: 'askingNewPin',
            actions: assign({ notice: { key: 'pin.differ' } }),
          },
          {
            guard: ({ event }) => event.output.kind === 'same',
            target: 'askingNewPin',
            actions: assign({ notice: { key: 'pin-change.same' } }),
          },
          {
            guard: ({ event }) => event.output.kind === 'expired',
            target: 'askingOldPin',
            actions: assign({ notice: { key: 'problem.expired' } }),
          },
          {
            guard: ({ event }) => isRefusal(event.output, 'pinIncorrect') && hasTriesLeft(event.output),
            target: 'askingOldPin',
            actions: assign({ notice: ({ event }) => wrongPin(event.output) }),
          },
          {
            guard: ({ event }) => isRefusal(event.output, 'pinFormat'),
            target: 'askingOldPin',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          { guard: ({ event }) => event.output.kind === 'unknown', target: 'notKnown' },
          { target: 'unchanged', actions: assign({ notice: ({ event }) => whyRefused(event.output) }) },
        ],
        onError: 'notKnown',
      },
      exit: assign({ first: undefined }),
    },
    changed: {
      type: 'final',
      tags: 'news',
      entry: assign(FORGOTTEN),
      meta: screen(() => ({ key: 'pin-change.changed', expects: 'nothing' })),
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
  output: ending,
});
