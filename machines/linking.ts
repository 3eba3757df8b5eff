import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import { secretOf } from './kit/authentication.ts';
import { calls } from './kit/call.ts';
import {
  conversation,
  ending,
  known,
  type Remembered,
  screen,
  type Wish,
  wishOf,
} from './kit/conversation.ts';
import type { SentenceKey } from './kit/sentence-key.ts';
import { phoneIn, typedAnswers } from './kit/typed.ts';

interface Linking extends Remembered, Wish {
  phone?: Msisdn;
  /** Another code was asked for. */
  resends?: true;
}

const call = calls<Linking>();
const typed = typedAnswers<Linking>();

/**
 * A customer in a chat says which number is theirs and proves it with a code that we send there; a channel that knows the
 * number needs no code. The wallet is asked nothing before the code is right, so a stranger who knows a number learns nothing (docs/safety.md, hazards).
 */
export const linking = conversation<Linking>().createMachine({
  id: 'linking',
  version: '1',
  context: ({ input }) => ({ notice: input.notice, ...wishOf(input) }),
  initial: 'askingPhone',
  states: {
    askingPhone: {
      meta: screen(() => ({ key: 'linking.askPhone', expects: 'phone', asksOwn: true })),
      on: {
        owned: { target: 'proven', actions: assign({ phone: ({ event }) => event.phone }) },
        said: typed(phoneIn, {
          target: 'sendingCode',
          know: (phone) => ({ phone }),
        }),
      },
    },
    sendingCode: call('sendLinkCode', {
      says: 'linking.waiting',
      input: ({ phone }) => ({ phone: known(phone) }),
      on: {
        sent: [
          {
            if: (_, { resends }) => resends === true,
            target: 'askingCode',
            know: () => ({ notice: { key: 'onboarding.codeSent' } }),
          },
          { target: 'askingCode' },
        ],
        tooMany: {
          target: 'askingPhone',
          know: ({ isForToday, byOthers }) => ({
            notice: {
              key: byOthers
                ? 'linking.tooManyByOthers'
                : isForToday
                  ? 'linking.tooManyToday'
                  : 'linking.tooMany',
            },
          }),
        },
        noSms: askAgain('linking.noSms'),
        later: askAgain('linking.later'),
        lost: askAgain('linking.later'),
      },
    }),
    askingCode: {
      meta: screen(({ phone }) => ({
        key: 'linking.askCode',
        values: { phone: { phone: known(phone) } },
        choices: [{ id: 'resend', key: 'linking.resend' }],
        expects: 'otp',
        asksOwn: true,
      })),
      on: {
        owned: { target: 'proven', actions: assign({ phone: ({ event }) => event.phone }) },
        gave: [
          { guard: ({ event }) => event.wellFormed, target: 'checkingCode' },
          { actions: assign({ notice: { key: 'linking.codeFormat' } }) },
        ],
        chose: { target: 'sendingCode', actions: assign({ resends: true }) },
        back: 'askingPhone',
      },
    },
    checkingCode: call('checkLinkCode', {
      says: 'linking.waiting',
      input: ({ phone }, event) => ({ phone: known(phone), code: secretOf(event) }),
      on: {
        right: 'proven',
        wrong: { target: 'askingCode', know: () => ({ notice: { key: 'linking.wrongCode' } }) },
        expired: askAgain('linking.codeExpired'),
        lost: askAgain('linking.codeExpired'),
      },
    }),
    proven: {
      type: 'final',
      output: ({ context }) => ({ proven: context.phone, next: 'menu', ...wishOf(context) }),
    },
  },
  output: ending,
});

/** The number is asked for again, and why. */
function askAgain(key: SentenceKey) {
  return { target: 'askingPhone', know: () => ({ notice: { key } }) };
}
