import { assign } from 'xstate';
import type { RefusalName } from '../src/wallet/contract/errors.ts';
import { PIN_PROMPT_MS, secretOf } from './kit/authentication.ts';
import { known, machine, screen } from './kit/conversation.ts';
import { FORGOTTEN, newPin, type Renewing } from './kit/new-pin.ts';
import { parts } from './kit/parts.ts';
import { isRefusal, problem } from './kit/problem.ts';

/** The wallet takes no more codes for now, or none at all: another try leads nowhere. */
const FOR_GOOD: readonly RefusalName[] = ['customerNotFound', 'registrationLocked', 'locked', 'notConfirmed'];
/** The code was wrong or too old: nothing was said of the new PIN. */
const OF_CODE: readonly RefusalName[] = ['otpIncorrect', 'otpExpired'];

const { call, given, question, state } = parts<Renewing>();
const MAYBE_SENT = {
  target: 'askingCode',
  know: () => ({ notice: { key: 'pin-reset.maybeSent' } as const }),
};

/**
 * The customer has forgotten the PIN, or it is locked for now. A code by SMS to the wallet's number proves who asks
 * (open question 4). At the end the menu shows the wallet's new state.
 */
export const pinReset = machine<Renewing>({
  id: 'pin-reset',
  context: ({ input }) => ({ wallet: known(input.wallet), notice: input.notice }),
  initial: 'explaining',
  states: {
    explaining: {
      entry: assign(FORGOTTEN),
      ...question(
        ({ wallet }) => ({ key: 'pin-reset.explain', values: { phone: { phone: wallet } } }),
        [{ id: 'send', key: 'pin-reset.send', target: 'sending' }],
        { back: 'left' },
      ),
    },
    sending: call('sendResetCode', {
      says: 'pin-reset.waiting',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'askingCode', know: () => ({ notice: { key: 'pin-reset.sent' } }) },
      // A code that was sent before may still be good.
      tooMany: { target: 'askingCode', know: why },
      refused: { target: 'refused', know: why },
      unsent: { target: 'explaining', know: why },
      failed: MAYBE_SENT,
      lost: MAYBE_SENT,
    }),
    askingCode: askingCode({
      entry: assign(FORGOTTEN),
      // v2.3 shows no call that checks the code alone.
      gave: given(
        {
          target: 'askingNewPin',
          know: (proof) => ({ proof, notice: { key: 'pin-reset.checkedLast' } }),
        },
        'pin-reset.codeFormat',
      ),
    }),
    /** The new PIN was typed twice, and is kept for as long as a sealed value can be opened. */
    askingCodeAgain: askingCode({
      after: { [PIN_PROMPT_MS]: 'askingCode' },
      gave: given({ target: 'resetting', know: (proof) => ({ proof }) }, 'pin-reset.codeFormat'),
    }),
    ...newPin<Renewing>({ next: 'resetting', start: 'askingCode' }),
    resetting: call('resetPin', {
      says: 'pin-reset.waiting',
      input: ({ wallet, proof, first, isRepeated }, event) => ({
        wallet,
        code: known(proof),
        first: known(first),
        second: isRepeated ? known(first) : secretOf(event),
      }),
      ok: { target: 'reset', know: (waits) => ({ waits }) },
      differ: {
        target: 'askingNewPin',
        know: () => ({ first: undefined, notice: { key: 'pin.differ' } }),
      },
      expired: { target: 'askingCode', know: () => ({ notice: { key: 'problem.expired' } }) },
      unknown: 'notKnown',
      tooMany: { target: 'refused', know: why },
      refused: [
        { if: (refusal) => isRefusal(refusal, ...FOR_GOOD), target: 'refused', know: why },
        {
          if: (refusal) => isRefusal(refusal, ...OF_CODE),
          target: 'askingCodeAgain',
          know: (refusal) => ({ ...why(refusal), proof: undefined, isRepeated: true }),
        },
      ],
      // A PIN the wallet does not like: both are typed again.
      failed: { target: 'askingCode', know: why },
      lost: 'notKnown',
    }),
    reset: {
      type: 'final',
      entry: assign(FORGOTTEN),
      output: ({ context: { waits } }) => ({
        next: 'menu',
        notice: waits
          ? {
              key: 'pin-reset.resetUntil',
              values: { until: { date: waits.until }, amount: { money: waits.above } },
            }
          : { key: 'pin-reset.reset' },
      }),
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
});

/** Asks for the code of the SMS. @param on what differs where the new PIN is known already */
function askingCode(on: Pick<Parameters<typeof state>[0], 'entry' | 'after' | 'gave'>) {
  return state({
    tags: 'resumable',
    shows: ({ wallet, notice }) => ({
      key: 'pin-reset.askCode',
      values: { phone: { phone: wallet } },
      // None is offered below the word that too many were sent.
      choices: notice?.key === 'pin-reset.tooMany' ? [] : [{ id: 'resend', key: 'pin-reset.resend' }],
      expects: 'otp',
    }),
    ...on,
    chose: 'sending',
    back: 'explaining',
    resumed: 'askingCode',
  });
}

function why(answer: { kind: string }): Partial<Renewing> {
  const isTooMany = answer.kind === 'tooMany' || isRefusal(answer, 'registrationLocked');
  return { notice: isTooMany ? { key: 'pin-reset.tooMany' } : problem(answer) };
}
