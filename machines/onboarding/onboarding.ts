import { assign } from 'xstate';
import type { Msisdn } from '../../src/wallet/phone.ts';
import { PIN_PROMPT_MS, secretOf } from '../kit/authentication.ts';
import { known, last, machine, type Remembered, screen } from '../kit/conversation.ts';
import { readCin, readName } from '../kit/identity.ts';
import { parts } from '../kit/parts.ts';
import { type Failure, isRefusal, problem } from '../kit/problem.ts';
import type { Sealed } from '../kit/secret.ts';
import { isWords, orTell, type Reading } from '../kit/typed.ts';

interface Opening extends Remembered {
  wallet: Msisdn;
  /** The customer's status in the wallet: 0 unknown, 1 registered without code, 2 confirmed without PIN. */
  status: number;
  /** Partner API v2.3: `P` a person's, `C` a merchant's. Absent in one that began before it was asked: a person's. */
  walletType?: 'P' | 'C';
  /** A wallet can be opened for a business: its documents can be sent from here. */
  forBusiness?: true;
  /** Our own code came before that of the wallet. */
  hadCode?: true;
  firstName?: string;
  lastName?: string;
  cin?: string;
  /** No other code is sent for now. */
  noMoreCodes?: true;
  /** One answer is typed anew. */
  corrects?: true | undefined;
  /** The new PIN, sealed, while it is typed again. */
  first?: Sealed | undefined;
}

const { call, typed, given, decide, question, state } = parts<Opening>();
/** The first of two PINs is kept no longer than it is needed. */
const FORGOTTEN = { first: undefined };
/** The state's own screen says that the answer is not known. */
const INTERRUPTED = { target: 'interrupted', know: () => ({}) };

const firstName = typed(nameIn, {
  target: 'filling',
  know: (name) => ({ firstName: name, corrects: undefined }),
});
const TOO_MANY = { notice: { key: 'onboarding.tooMany' } } as const;

/** One answer is corrected: back from it leads to the list of them, and loses none. */
const CORRECTED = {
  guard: ({ context }: { readonly context: Opening }) => context.corrects === true,
  target: 'choosingChange',
} as const;
const CORRECTING = () => ({ corrects: true as const });

/** A new customer opens a wallet, for themselves or for their business: name, national ID number, the code from the SMS, a PIN. */
export const onboarding = machine<Opening>({
  id: 'onboarding',
  context: ({ input }) => ({
    wallet: known(input.wallet),
    status: input.status ?? 0,
    notice: input.notice ?? (input.status === 1 ? { key: 'onboarding.begun' } : undefined),
    ...(input.hadCode && { hadCode: true as const }),
    ...(!input.without?.includes('documents') && { forBusiness: true as const }),
  }),
  initial: 'arriving',
  states: {
    arriving: decide(
      { if: (context) => context.status === 1, target: 'askingCode' },
      { if: (context) => context.status === 2, target: 'askingNewPin' },
      { if: (context) => context.forBusiness === true, target: 'choosingWhose' },
      'askingFirstName',
    ),

    /** Most wallets are a person's: a business is a choice beside the first question, and no question of its own. */
    choosingWhose: state({
      shows: () => ({
        key: 'onboarding.askFirstName',
        choices: [{ id: 'business', key: 'onboarding.forBusiness', digit: 2 }],
        expects: 'name',
        numbersChoices: true,
      }),
      chose: { target: 'askingFirstName', actions: assign({ walletType: 'C' }) },
      said: firstName,
    }),
    askingFirstName: state({
      tags: 'resumable',
      shows: ({ walletType }) =>
        walletType === 'C'
          ? {
              key: 'onboarding.askFirstNameBusiness',
              choices: [{ id: 'me', key: 'onboarding.forMe', digit: 1 }],
              expects: 'name',
              numbersChoices: true,
            }
          : { key: 'onboarding.askFirstName', expects: 'name' },
      chose: { target: 'choosingWhose', actions: assign({ walletType: 'P' }) },
      said: firstName,
      back: [
        CORRECTED,
        {
          guard: ({ context }) => context.walletType === 'C',
          target: 'choosingWhose',
          actions: assign({ walletType: 'P' }),
        },
      ],
    }),
    askingLastName: state({
      tags: 'resumable',
      shows: ({ firstName }) => ({
        key: 'onboarding.askLastName',
        values: { firstName: { name: known(firstName) } },
        expects: 'name',
      }),
      said: typed(nameIn, {
        target: 'filling',
        know: (lastName, { firstName }) => ({
          ...(firstName && { firstName: withoutLastName(firstName, lastName) }),
          lastName,
          corrects: undefined,
        }),
      }),
      back: [CORRECTED, { target: 'askingFirstName' }],
    }),
    askingCin: state({
      tags: 'resumable',
      shows: () => ({ key: 'onboarding.askCin', expects: 'nationalId' }),
      said: typed(cinIn, { target: 'filling', know: (cin) => ({ cin, corrects: undefined }) }),
      back: [CORRECTED, { target: 'askingLastName' }],
    }),
    /** The next question without an answer. One that was answered before is not asked again. */
    filling: decide(
      { if: (context) => context.lastName === undefined, target: 'askingLastName' },
      { if: (context) => context.cin === undefined, target: 'askingCin' },
      'reviewing',
    ),
    reviewing: question(
      (c) => ({
        key: 'onboarding.review',
        values: {
          name: { name: `${c.firstName} ${c.lastName}` },
          cin: { code: known(c.cin) },
          phone: { phone: c.wallet },
        },
      }),
      [
        { id: 'confirm', key: 'onboarding.confirm', target: 'registering' },
        { id: 'change', key: 'onboarding.change', target: 'choosingChange' },
      ],
      { tags: 'resumable', back: 'askingCin' },
    ),
    choosingChange: question(
      'onboarding.askChange',
      [
        { id: 'firstName', key: 'onboarding.changeFirstName', target: 'askingFirstName', know: CORRECTING },
        { id: 'lastName', key: 'onboarding.changeLastName', target: 'askingLastName', know: CORRECTING },
        { id: 'cin', key: 'onboarding.changeCin', target: 'askingCin', know: CORRECTING },
      ],
      { tags: 'resumable', back: 'reviewing' },
    ),
    registering: call('register', {
      says: 'onboarding.waiting',
      input: ({ wallet, walletType = 'P', firstName, lastName, cin }) => ({
        phone: wallet,
        walletType,
        firstName: known(firstName),
        lastName: known(lastName),
        cin: known(cin),
      }),
      ok: [
        {
          if: (_, { hadCode }) => hadCode === true,
          target: 'askingCode',
          know: () => ({ notice: { key: 'onboarding.secondCode' } }),
        },
        'askingCode',
      ],
      tooMany: { target: 'reviewing', know: () => TOO_MANY },
      refused: [
        // A registration that waits for its code needs the code, not another registration.
        { if: (refusal) => isRefusal(refusal, 'registrationPending'), target: 'askingCode' },
        {
          if: (refusal) => isRefusal(refusal, 'registrationInvalid', 'missingParameters'),
          target: 'choosingChange',
          know: why,
        },
        { target: 'refused', know: why },
      ],
      failed: INTERRUPTED,
      lost: 'interrupted',
    }),

    askingCode: state({
      shows: ({ wallet, noMoreCodes }) => ({
        key: 'onboarding.askCode',
        values: { phone: { phone: wallet } },
        ...(!noMoreCodes && { choices: [{ id: 'resend', key: 'onboarding.resend' }] }),
        expects: 'otp',
      }),
      gave: given({ target: 'confirming' }, 'onboarding.codeFormat'),
      chose: 'resending',
      back: 'left',
    }),
    resending: call('resendOtp', {
      says: 'onboarding.waiting',
      input: ({ wallet }) => ({ phone: wallet }),
      ok: { target: 'askingCode', know: () => ({ notice: { key: 'onboarding.codeSent' } }) },
      // The last code may still be good.
      tooMany: {
        target: 'askingCode',
        know: () => ({ noMoreCodes: true, notice: { key: 'onboarding.noNewCode' } }),
      },
      failed: 'askingCode',
      lost: { target: 'askingCode', know: () => ({ notice: { key: 'problem.unavailable' } }) },
    }),
    confirming: call('confirmRegistration', {
      says: 'onboarding.waiting',
      input: ({ wallet }, event) => ({ phone: wallet, code: secretOf(event) }),
      ok: 'askingNewPin',
      refused: [
        { if: (refusal) => isRefusal(refusal, 'noPendingRequest'), target: 'askingFirstName', know: why },
        { target: 'askingCode', know: why },
      ],
      failed: INTERRUPTED,
      lost: 'interrupted',
    }),

    askingNewPin: state({
      entry: assign(FORGOTTEN),
      shows: () => ({ key: 'onboarding.askNewPin', expects: 'newPin' }),
      gave: [
        {
          guard: ({ event }) => event.isWeak === true,
          actions: assign({ notice: { key: 'pin.weak' } }),
        },
        {
          guard: ({ event }) => event.wellFormed,
          target: 'repeatingPin',
          actions: assign(({ event }) => ({ first: event.secret })),
        },
        { actions: assign({ notice: { key: 'pin.format' } }) },
      ],
      back: 'left',
    }),
    repeatingPin: state({
      shows: () => ({ key: 'onboarding.repeatPin', expects: 'newPin' }),
      after: { [PIN_PROMPT_MS]: 'askingNewPin' },
      gave: 'creatingPin',
      back: 'askingNewPin',
      resumed: 'askingNewPin',
    }),
    creatingPin: call('createPin', {
      says: 'onboarding.waiting',
      input: ({ wallet, first }, event) => ({
        phone: wallet,
        first: known(first),
        second: secretOf(event),
      }),
      ok: 'opened',
      differ: { target: 'askingNewPin', know: () => ({ notice: { key: 'onboarding.pinsDiffer' } }) },
      refused: [
        { if: (refusal) => isRefusal(refusal, 'pinAlreadySet'), target: 'authenticating' },
        { target: 'askingNewPin', know: why },
      ],
      failed: INTERRUPTED,
      lost: 'interrupted',
    }),
    /** A PIN is set already: this one, if an earlier answer was lost, or another person's. The wallet alone can tell. */
    authenticating: call('login', {
      says: 'onboarding.waiting',
      input: ({ wallet, first }) => ({ wallet, pin: known(first) }),
      ok: 'opened',
      refused: 'refusedLogin',
      tooMany: 'interrupted',
      unchecked: 'interrupted',
      failed: INTERRUPTED,
      lost: 'interrupted',
    }),

    opened: {
      type: 'final',
      entry: assign(FORGOTTEN),
      meta: screen(({ wallet }) => ({
        key: 'onboarding.opened',
        values: { phone: { phone: wallet } },
        choices: [{ id: 'cash-in', key: 'balance.load' }],
        expects: 'nothing',
      })),
      output: { linked: true, offer: { choice: 'cash-in', next: 'cash-in', filled: {} } },
    },
    refused: last('onboarding.refused'),
    /** The wallet keeps the registration: whoever comes back goes on with it. */
    left: last('onboarding.left'),
    /** An answer was lost. The menu reads how far the wallet got, and goes on from there. */
    interrupted: {
      type: 'final',
      entry: assign(FORGOTTEN),
      output: { next: 'menu', notice: { key: 'onboarding.interrupted' } },
    },
    refusedLogin: {
      type: 'final',
      entry: assign(FORGOTTEN),
      output: { next: 'pin-reset', notice: { key: 'onboarding.otherPin' } },
    },
  },
});

function nameIn(text: string): Reading<string> {
  return orTell(readName(text), { key: 'onboarding.notAName' });
}

/** The last name of a customer who has typed their whole name as the first one stands there once. */
function withoutLastName(firstName: string, lastName: string): string {
  const end = ` ${lastName.toLowerCase()}`;
  return firstName.toLowerCase().endsWith(end) ? firstName.slice(0, -end.length) : firstName;
}

function cinIn(text: string): Reading<string> {
  return orTell(readCin(text), { key: isWords(text) ? 'onboarding.noCin' : 'onboarding.notACin' });
}

function why(failure: Failure): Partial<Opening> {
  return { notice: problem(failure) };
}
