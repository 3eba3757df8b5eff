import { assign } from 'xstate';
import { type Msisdn, readPhone } from '../src/wallet/phone.ts';
import { secretOf } from './kit/authentication.ts';
import { conversation, ending, type Remembered, screen, type Wish, wishOf } from './kit/conversation.ts';

interface Linking extends Remembered, Wish {
  phone?: Msisdn;
}

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
        said: [
          {
            guard: ({ event }) => readPhone(event.text) !== undefined,
            target: 'sendingCode',
            actions: assign(({ event }) => ({ phone: readPhone(event.text) as Msisdn })),
          },
          { actions: assign({ notice: { key: 'linking.notANumber' } }) },
        ],
      },
    },
    sendingCode: {
      meta: screen(() => ({ key: 'linking.waiting', expects: 'nothing' })),
      invoke: {
        src: 'sendLinkCode',
        input: ({ context }) => ({ phone: context.phone as Msisdn }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'sent', target: 'askingCode' },
          {
            target: 'askingPhone',
            actions: assign(({ event }) => ({ notice: { key: `linking.${event.output.kind}` } })),
          },
        ],
        onError: { target: 'askingPhone', actions: assign({ notice: { key: 'linking.later' } }) },
      },
    },
    askingCode: {
      meta: screen(({ phone }) => ({
        key: 'linking.askCode',
        values: { phone: { phone: phone as Msisdn } },
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
        chose: 'sendingCode',
        back: 'askingPhone',
      },
    },
    checkingCode: {
      meta: screen(() => ({ key: 'linking.waiting', expects: 'nothing' })),
      invoke: {
        src: 'checkLinkCode',
        input: ({ context, event }) => ({ phone: context.phone as Msisdn, code: secretOf(event) }),
        onDone: [
          { guard: ({ event }) => event.output.kind === 'right', target: 'proven' },
          {
            guard: ({ event }) => event.output.kind === 'wrong',
            target: 'askingCode',
            actions: assign({ notice: { key: 'linking.wrongCode' } }),
          },
          { target: 'askingPhone', actions: assign({ notice: { key: 'linking.codeExpired' } }) },
        ],
        onError: { target: 'askingPhone', actions: assign({ notice: { key: 'linking.codeExpired' } }) },
      },
    },
    proven: {
      type: 'final',
      output: ({ context }) => ({ proven: context.phone, next: 'menu', ...wishOf(context) }),
    },
  },
  output: ending,
});
