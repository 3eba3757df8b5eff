import { assign } from 'xstate';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { PIN_PROMPT_MS, secretOf } from '../kit/authentication.ts';
import { conversation, ending, type Remembered, screen } from '../kit/conversation.ts';
import { isRefusal, problem } from '../kit/problem.ts';
import type { Screen } from '../kit/screen.ts';
import type { Sealed } from '../kit/secret.ts';
import { readCin, readName } from './identity.ts';

interface Opening extends Remembered {
  wallet: Msisdn;
  /** Where the wallet says this customer stands: 0 unknown, 1 registered without code, 2 confirmed without PIN. */
  status: number;
  firstName?: string;
  lastName?: string;
  cin?: string;
  /** The new PIN, sealed, while it is typed again. */
  first?: Sealed | undefined;
}

/** A new customer opens a wallet: name, national ID number, the code from the SMS, a PIN. */
export const onboarding = conversation<Opening>().createMachine({
  id: 'onboarding',
  version: '1',
  context: ({ input }) => ({
    wallet: input.wallet as Msisdn,
    status: input.status ?? 0,
    notice: input.notice,
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: ({ context }) => context.status === 1, target: 'askingCode' },
        { guard: ({ context }) => context.status === 2, target: 'askingNewPin' },
        { target: 'askingFirstName' },
      ],
    },

    askingFirstName: {
      meta: screen(() => ({ key: 'onboarding.askFirstName', expects: 'name' })),
      on: {
        said: [
          {
            guard: ({ event }) => readName(event.text) !== undefined,
            target: 'askingLastName',
            actions: assign(({ event }) => ({ firstName: readName(event.text) as string })),
          },
          { actions: assign({ notice: { key: 'onboarding.notAName' } }) },
        ],
      },
    },
    askingLastName: {
      tags: 'resumable',
      meta: screen(({ firstName }) => ({
        key: 'onboarding.askLastName',
        values: { firstName: { name: firstName as string } },
        expects: 'name',
      })),
      on: {
        said: [
          {
            guard: ({ event }) => readName(event.text) !== undefined,
            target: 'askingCin',
            actions: assign(({ event }) => ({ lastName: readName(event.text) as string })),
          },
          { actions: assign({ notice: { key: 'onboarding.notAName' } }) },
        ],
        back: 'askingFirstName',
      },
    },
    askingCin: {
      tags: 'resumable',
      meta: screen(() => ({ key: 'onboarding.askCin', expects: 'nationalId' })),
      on: {
        said: [
          {
            guard: ({ event }) => readCin(event.text) !== undefined,
            target: 'reviewing',
            actions: assign(({ event }) => ({ cin: readCin(event.text) as string })),
          },
          { actions: assign({ notice: { key: 'onboarding.notACin' } }) },
        ],
        back: 'askingLastName',
      },
    },
    reviewing: {
      tags: 'resumable',
      meta: screen((c) => ({
        key: 'onboarding.review',
        values: {
          name: { name: `${c.firstName} ${c.lastName}` },
          cin: { code: c.cin as string },
          phone: { phone: c.wallet },
        },
        choices: [
          { id: 'confirm', key: 'onboarding.confirm' },
          { id: 'change', key: 'onboarding.change' },
        ],
        expects: 'choice',
      })),
      on: {
        chose: [
          { guard: ({ event }) => event.choice === 'confirm', target: 'registering' },
          { target: 'askingFirstName' },
        ],
        back: 'askingCin',
      },
    },
    registering: {
      meta: screen(waiting),
      invoke: {
        src: 'register',
        input: ({ context: { wallet, firstName, lastName, cin } }) => ({
          phone: wallet,
          firstName: firstName as string,
          lastName: lastName as string,
          cin: cin as string,
        }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'ok', target: 'askingCode' },
          // A registration that waits for its code needs the code, not another registration.
          { guard: ({ event }) => isRefusal(event.output, 'registrationPending'), target: 'askingCode' },
          {
            guard: ({ event }) => isRefusal(event.output, 'registrationInvalid', 'missingParameters'),
            target: 'askingFirstName',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          {
            guard: ({ event }) => event.output.kind === 'refused',
            target: 'refused',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          { target: 'interrupted' },
        ],
        onError: 'interrupted',
      },
    },

    askingCode: {
      meta: screen(({ wallet }) => ({
        key: 'onboarding.askCode',
        values: { phone: { phone: wallet } },
        choices: [{ id: 'resend', key: 'onboarding.resend' }],
        expects: 'otp',
      })),
      on: {
        gave: [
          { guard: ({ event }) => event.wellFormed, target: 'confirming' },
          { actions: assign({ notice: { key: 'onboarding.codeFormat' } }) },
        ],
        chose: 'resending',
      },
    },
    resending: {
      meta: screen(waiting),
      invoke: {
        src: 'resendOtp',
        input: ({ context }) => ({ phone: context.wallet }),
        onDone: {
          target: 'askingCode',
          actions: assign({ notice: ({ event }) => problem(event.output) ?? { key: 'onboarding.codeSent' } }),
        },
        onError: { target: 'askingCode', actions: assign({ notice: { key: 'problem.unavailable' } }) },
      },
    },
    confirming: {
      meta: screen(waiting),
      invoke: {
        src: 'confirmRegistration',
        input: ({ context, event }) => ({ phone: context.wallet, code: secretOf(event) }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'ok', target: 'askingNewPin' },
          {
            guard: ({ event }) => isRefusal(event.output, 'noPendingRequest'),
            target: 'askingFirstName',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          {
            guard: ({ event }) => event.output.kind === 'refused',
            target: 'askingCode',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          { target: 'interrupted' },
        ],
        onError: 'interrupted',
      },
    },

    askingNewPin: {
      meta: screen(() => ({ key: 'onboarding.askNewPin', expects: 'newPin' })),
      on: {
        gave: [
          {
            guard: ({ event }) => event.wellFormed,
            target: 'repeatingPin',
            actions: assign(({ event }) => ({ first: event.secret })),
          },
          { actions: assign({ notice: { key: 'pin.format' } }) },
        ],
      },
    },
    repeatingPin: {
      meta: screen(() => ({ key: 'onboarding.repeatPin', expects: 'newPin' })),
      after: { [PIN_PROMPT_MS]: { target: 'askingNewPin', actions: assign({ first: undefined }) } },
      on: {
        gave: 'creatingPin',
        back: { target: 'askingNewPin', actions: assign({ first: undefined }) },
        resumed: { target: 'askingNewPin', actions: assign({ first: undefined }) },
      },
    },
    creatingPin: {
      meta: screen(waiting),
      invoke: {
        src: 'createPin',
        input: ({ context, event }) => ({
          phone: context.wallet,
          first: context.first as Sealed,
          second: secretOf(event),
        }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'ok', target: 'opened' },
          // A PIN that is set already is not a failure: an earlier answer was lost.
          { guard: ({ event }) => isRefusal(event.output, 'pinAlreadySet'), target: 'opened' },
          {
            guard: ({ event }) => event.output.kind === 'differ',
            target: 'askingNewPin',
            actions: assign({ notice: { key: 'onboarding.pinsDiffer' } }),
          },
          {
            guard: ({ event }) => event.output.kind === 'refused',
            target: 'askingNewPin',
            actions: assign({ notice: ({ event }) => problem(event.output) }),
          },
          { target: 'interrupted' },
        ],
        onError: 'interrupted',
      },
      exit: assign({ first: undefined }),
    },

    opened: {
      type: 'final',
      meta: screen(({ wallet }) => ({
        key: 'onboarding.opened',
        values: { phone: { phone: wallet } },
        expects: 'nothing',
      })),
      output: { linked: true },
    },
    refused: { type: 'final', meta: screen(() => ({ key: 'onboarding.refused', expects: 'nothing' })) },
    /** An answer was lost. The menu reads how far the wallet got, and goes on from there. */
    interrupted: { type: 'final', output: { next: 'menu', notice: { key: 'onboarding.interrupted' } } },
  },
  output: ending,
});

function waiting(): Screen {
  return { key: 'onboarding.waiting', expects: 'nothing' };
}
