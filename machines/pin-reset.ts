import { assign } from 'xstate';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { secretOf } from './kit/authentication.ts';
import { conversation, ending, screen } from './kit/conversation.ts';
import { FORGOTTEN, newPin, type Renewing } from './kit/new-pin.ts';
import { isRefusal, problem } from './kit/problem.ts';
import type { Sentence } from './kit/screen.ts';
import type { Sealed } from './kit/secret.ts';

/** The wallet takes no more codes for now, or none at all: another try leads nowhere. */
const FOR_GOOD: readonly RefusalName[] = ['customerNotFound', 'registrationLocked', 'locked', 'notConfirmed'];

/**
 * The customer has forgotten the PIN, or it is locked for now: the code of an SMS to the wallet's number proves who asks
 * (open question 4). Whoever is done goes to the menu, which sees what became of the wallet.
 */
export const pinReset = conversation<Renewing>().createMachine({
  id: 'pin-reset',
  version: '1',
  context: ({ input }) => ({ wallet: input.wallet as Msisdn }),
  initial: 'explaining',
  states: {
    explaining: {
      meta: screen(({ wallet }) => ({
        key: 'pin-reset.explain',
        values: { phone: { phone: wallet } },
        choices: [{ id: 'send', key: 'pin-reset.send' }],
        expects: 'choice',
      })),
      on: { chose: 'sending', back: 'left' },
    },
    sending: {
      meta: screen(() => ({ key: 'pin-reset.waiting', expects: 'nothing' })),
      invoke: {
        src: 'sendResetCode',
        input: ({ context }) => ({ wallet: context.wallet }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'ok',
            target: 'askingCode',
            actions: assign({ notice: { key: 'pin-reset.sent' } }),
          },
          // A code that was sent before may still be good.
          {
            guard: ({ event }) => event.output.kind === 'tooMany',
            target: 'askingCode',
            actions: assign({ notice: { key: 'pin-reset.tooMany' } }),
          },
          {
            guard: ({ event }) => event.output.kind === 'refused',
            target: 'refused',
            actions: assign({ notice: ({ event }) => why(event.output) }),
          },
          {
            guard: ({ event }) => event.output.kind === 'unsent',
            target: 'explaining',
            actions: assign({ notice: ({ event }) => why(event.output) }),
          },
          { target: 'askingCode', actions: assign({ notice: { key: 'pin-reset.maybeSent' } }) },
        ],
        onError: { target: 'askingCode', actions: assign({ notice: { key: 'pin-reset.maybeSent' } }) },
      },
    },
    askingCode: {
      tags: 'resumable',
      entry: assign(FORGOTTEN),
      meta: screen(({ wallet }) => ({
        key: 'pin-reset.askCode',
        values: { phone: { phone: wallet } },
        choices: [{ id: 'resend', key: 'pin-reset.resend' }],
        expects: 'otp',
      })),
      on: {
        gave: [
          {
            guard: ({ event }) => event.wellFormed,
            target: 'askingNewPin',
            actions: assign({ proof: ({ event }) => event.secret }),
          },
          { actions: assign({ notice: { key: 'pin-reset.codeFormat' } }) },
        ],
        chose: 'sending',
        back: 'explaining',
        resumed: 'askingCode',
      },
    },
    ...newPin<Renewing>({ next: 'resetting', start: 'askingCode' }),
    resetting: {
      meta: screen(() => ({ key: 'pin-reset.waiting', expects: 'nothing' })),
      invoke: {
        src: 'resetPin',
        input: ({ context: { wallet, proof, first }, event }) => ({
          wallet,
          code: proof as Sealed,
          first: first as Sealed,
          second: secretOf(event),
        }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'ok', target: 'reset' },
          {
            guard: ({ event }) => event.output.kind === 'differ',
            target: 'askingNewPin',
            actions: assign({ notice: { key: 'pin.differ' } }),
          },
          {
            guard: ({ event }) => event.output.kind === 'expired',
            target: 'askingCode',
            actions: assign({ notice: { key: 'problem.expired' } }),
          },
          { guard: ({ event }) => event.output.kind === 'unknown', target: 'notKnown' },
          {
            guard: ({ event }) => event.output.kind === 'tooMany' || isRefusal(event.output, ...FOR_GOOD),
            target: 'refused',
            actions: assign({ notice: ({ event }) => why(event.output) }),
          },
          // A wrong code, one that has expired, a PIN the wallet does not like: both are typed again.
          { target: 'askingCode', actions: assign({ notice: ({ event }) => why(event.output) }) },
        ],
        onError: 'notKnown',
      },
      exit: assign({ first: undefined }),
    },
    reset: {
      type: 'final',
      entry: assign(FORGOTTEN),
      output: { next: 'menu', notice: { key: 'pin-reset.reset' } },
    },
    /** The answer was lost. The call is never made again: the menu sees whether the wallet is still locked. */
    notKnown: {
      type: 'final',
      entry: assign(FORGOTTEN),
      output: { next: 'menu', notice: { key: 'pin-reset.notKnown' } },
    },
    refused: {
      type: 'final',
      tags: 'news',
      entry: assign(FORGOTTEN),
      meta: screen(() => ({ key: 'pin-reset.refused', expects: 'nothing' })),
    },
    left: { type: 'final' },
  },
  output: ending,
});

function why(answer: { kind: string }): Sentence | undefined {
  const isTooMany = answer.kind === 'tooMany' || isRefusal(answer, 'registrationLocked');
  return isTooMany ? { key: 'pin-reset.tooMany' } : problem(answer);
}
