import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import { LABELS } from './help.ts';
import { secretOf } from './kit/authentication.ts';
import { known, machine, type Remembered, type Wish, wishOf } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import type { Sentence } from './kit/screen.ts';
import type { SentenceKey } from './kit/sentence-key.ts';
import { phoneIn } from './kit/typed.ts';

interface Linking extends Remembered, Wish {
  phone?: Msisdn;
  /** The channel knows that the number is theirs. */
  isOwned?: true;
  /** Another code was asked for. */
  resends?: true | undefined;
  /** The code is one that is shown on USSD: no SMS is waited for. */
  shown?: true | undefined;
  /** No other SMS is sent for now. */
  noMoreSms?: true | undefined;
  /** There is no USSD. */
  isChatOnly?: true;
}

const { call, typed, given, choose, state } = parts<Linking>();

/**
 * A customer in a chat names their number and proves it with a code that we send there, or show there on USSD. A
 * channel that knows the number needs no code. The wallet is not asked before the code is right, so a stranger who
 * knows a number learns nothing (docs/safety-hazards.md).
 */
export const linking = machine<Linking>({
  id: 'linking',
  context: ({ input }) => ({
    notice: input.notice ?? waiting(input),
    ...(input.without?.includes('link-chat') && { isChatOnly: true as const }),
    ...wishOf(input),
  }),
  initial: 'askingPhone',
  states: {
    askingPhone: state({
      shows: () => ({ key: 'linking.askPhone', expects: 'phone', asksOwn: true }),
      owned: {
        target: 'proven',
        actions: assign({ phone: ({ event }) => event.phone, isOwned: true as const }),
      },
      said: typed(phoneIn, {
        target: 'sendingCode',
        know: (phone) => ({ phone, shown: undefined, resends: undefined, noMoreSms: undefined }),
      }),
    }),
    sendingCode: call('sendLinkCode', {
      says: 'linking.waiting',
      input: ({ phone, resends }) => ({ phone: known(phone), ...(resends && { isAnew: true as const }) }),
      sent: [
        {
          if: ({ isEarlier }) => isEarlier === true,
          target: 'askingCode',
          know: () => ({ notice: { key: 'linking.codeStill' } }),
        },
        {
          if: (_, { resends }) => resends === true,
          target: 'askingCode',
          know: () => ({ notice: { key: 'onboarding.codeSent' } }),
        },
        { target: 'askingCode' },
      ],
      tooMany: unsent(({ isForToday, byOthers }: { isForToday?: true; byOthers?: true }) =>
        byOthers ? 'linking.tooManyByOthers' : isForToday ? 'linking.tooManyToday' : 'linking.tooMany',
      ),
      noSms: unsent(() => 'linking.noSms'),
      later: unsent(() => 'linking.later'),
      lost: askAgain('linking.later'),
    }),
    askingCode: state({
      shows: ({ phone, shown, noMoreSms, isChatOnly }) => ({
        key: shown ? 'linking.askShown' : 'linking.askCode',
        values: { phone: { phone: known(phone) } },
        choices: [
          ...(noMoreSms ? [] : [{ id: 'resend', key: shown ? 'linking.bySms' : 'linking.resend' } as const]),
          ...(shown || isChatOnly ? [] : [{ id: 'byUssd', key: 'linking.byUssd' } as const]),
        ],
        expects: 'otp',
        asksOwn: true,
      }),
      owned: {
        target: 'proven',
        actions: assign({ phone: ({ event }) => event.phone, isOwned: true as const }),
      },
      gave: given({ target: 'checkingCode' }, 'linking.codeFormat'),
      chose: choose(
        { if: 'byUssd', know: () => ({ shown: true }) },
        {
          target: 'sendingCode',
          know: (_, context) => ({ resends: !context.shown || undefined, shown: undefined }),
        },
      ),
      back: 'askingPhone',
    }),
    checkingCode: call('checkLinkCode', {
      says: 'linking.waiting',
      input: ({ phone }, event) => ({ phone: known(phone), code: secretOf(event) }),
      right: 'proven',
      wrong: { target: 'askingCode', know: () => ({ notice: { key: 'linking.wrongCode' } }) },
      expired: askAgain('linking.codeExpired'),
      lost: askAgain('linking.codeExpired'),
    }),
    proven: {
      type: 'final',
      output: ({ context }) => ({
        proven: context.phone,
        provenBy: context.isOwned ? 'contact' : 'code',
        next: 'menu',
        ...wishOf(context),
      }),
    },
  },
});

/** A request from before the number was known is kept, and the first page says so. */
function waiting({ wanted, filled }: Wish): Sentence | undefined {
  if (wanted === undefined || wanted === 'menu') return undefined;
  const label = LABELS[wanted as keyof typeof LABELS] as SentenceKey | undefined;
  if (label === undefined) return { key: 'unlocking.kept' };
  const deed = { say: label };
  return filled?.amount === undefined
    ? { key: 'linking.waits', values: { deed } }
    : { key: 'linking.waitsAmount', values: { deed, amount: { money: filled.amount } } };
}

/**
 * No SMS was sent, and why: where there is USSD, the number is proven by a code that is shown there. None is offered where too many were.
 */
function unsent<Answer>(why: (answer: Answer) => SentenceKey) {
  const noticed = (answer: Answer) => {
    const key = why(answer);
    return { notice: { key }, ...(key.startsWith('linking.tooMany') && { noMoreSms: true as const }) };
  };
  return [
    {
      if: (_: Answer, { isChatOnly }: Linking) => !isChatOnly,
      target: 'askingCode',
      know: (answer: Answer) => ({ ...noticed(answer), shown: true as const }),
    },
    { target: 'askingPhone', know: noticed },
  ];
}

function askAgain(key: SentenceKey) {
  return { target: 'askingPhone', know: () => ({ notice: { key } }) };
}
