import { assign } from 'xstate';
import type { RefusalName } from '../../src/wallet/contract/errors.ts';
import { readPhone } from '../../src/wallet/phone.ts';
import type { TopUp } from '../../src/wallet/services.ts';
import { ANOTHER_OPERATOR, type BuyingAirtime, choosingAirtime } from '../kit/airtime.ts';
import { known, machine } from '../kit/conversation.ts';
import { parts } from '../kit/parts.ts';
import {
  chosen,
  listedPayees,
  matchingPayee,
  type Offering,
  savedNumbers,
  toSaved,
  wayToSaved,
} from '../kit/payees.ts';
import { notEnabled, payingTail, renumbering } from '../kit/paying.ts';
import { isName, phoneOrOwnIn } from '../kit/typed.ts';
import { chosenNumber, historyLine, numberChoices, recentOf } from './choices.ts';

/** Refusals of the preview that another number can mend. */
const ABOUT_NUMBER: readonly RefusalName[] = ['phoneInvalid', 'topUpRefused'];
const HISTORY_MAX = 10;

interface ToppingUp extends BuyingAirtime, Offering {
  history?: readonly TopUp[];
  /** Nothing was topped up yet. */
  isFirst?: boolean;
  /** The customer wants to see those, and to top up nothing. */
  looksBack?: true;
}

const { call, typed, choose, decide, state } = parts<ToppingUp>();

/**
 * The customer tops up a phone. A new number's operator is asked. A known one's is that of its last top-up: the PIN page
 * names it, because a number can move to another operator.
 */
export const topUp = machine<ToppingUp>({
  id: 'top-up',
  context: ({ input: { wallet, isChat, isFollowed, filled = {} } }) => ({
    wallet: known(wallet),
    ...(isChat && { isChat }),
    ...(isFollowed && { isFollowed }),
    ...(filled.looksBack && { looksBack: true }),
    ...(filled.to && { to: filled.to }),
    ...(filled.isOwn && { to: known(wallet) }),
    ...(filled.payee !== undefined && { payee: filled.payee }),
    ...(filled.operator && { named: filled.operator }),
    ...(filled.amount && { amount: filled.amount, isFilled: true }),
  }),
  initial: 'remembering',
  on: renumbering<ToppingUp>('recallingPayees', { isFilled: true }),
  states: {
    /** Without what was topped up before, the customer types the number. */
    remembering: call('readTopUps', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      notEnabled: 'notEnabled',
      ok: {
        target: 'beginning',
        know: (history) => ({ recent: recentOf(history), isFirst: history.length === 0 }),
      },
      failed: { target: 'beginning', know: () => ({ recent: [] }) },
    }),
    beginning: decide(
      { if: (context) => context.to !== undefined, target: 'takingLast' },
      { if: (context) => context.looksBack === true, target: 'readingHistory' },
      'recallingPayees',
    ),
    askingNumber: state({
      shows: (c) => ({
        key: 'top-up.askNumber',
        choices: c.found ? listedPayees(c) : [...numberChoices(c), ...toSaved(c)],
        expects: 'phone',
      }),
      chose: [
        chosen<ToppingUp>({ taken: 'takingPayee' }),
        { guard: ({ event }) => event.choice === 'history', target: 'readingHistory' },
        ...wayToSaved<ToppingUp>(),
        {
          target: 'takingLast',
          actions: assign(({ event, context }) => ({
            to: chosenNumber(event.choice, context.wallet),
          })),
        },
      ],
      said: [
        {
          guard: ({ event: { text }, context }) => isName(text) && !phoneOrOwnIn(text, context).ok,
          target: 'matching',
          actions: assign(({ event }) => ({ payee: event.text, found: undefined })),
        },
        ...typed(phoneOrOwnIn, { target: 'takingLast', know: (to) => ({ to }) }),
      ],
      back: 'left',
    }),
    ...savedNumbers<ToppingUp>({ ask: 'askingNumber', taken: 'takingLast' }, 'matching'),
    matching: matchingPayee<ToppingUp>(
      { ask: 'askingNumber', taken: 'takingPayee' },
      ({ to }) => to !== undefined,
      ({ amount, isFilled }) => (isFilled ? amount : undefined),
    ),
    ...choosingAirtime<ToppingUp>(({ wallet: from }, airtime) => ({ kind: 'top-up', from, ...airtime })),
    ...payingTail<ToppingUp>({
      amend: 'askingAmount',
      fromBalance: 'typed',
      amends: { refusals: ABOUT_NUMBER, state: 'askingNumber' },
      changes: [ANOTHER_OPERATOR],
      notEnabled: 'notEnabled',
    }),
    readingHistory: call('readTopUps', {
      says: 'pay.previewing',
      input: ({ wallet }) => ({ wallet }),
      notEnabled: 'notEnabled',
      ok: [
        {
          if: (history) => history.length > 0,
          target: 'showingHistory',
          know: (history) => ({ history: history.slice(0, HISTORY_MAX) }),
        },
        { target: 'askingNumber', know: () => ({ notice: { key: 'top-up.noHistory' } }) },
      ],
      failed: 'askingNumber',
    }),
    /** Each line can be chosen: the same number is topped up again. */
    showingHistory: state({
      shows: ({ history = [] }) => ({
        key: 'top-up.history',
        choices: history.map((each, i) => ({ id: String(i), ...historyLine(each), listed: true as const })),
        expects: 'choice',
      }),
      chose: choose({
        target: 'beginning',
        know: (choice, context) => ({ to: readPhone(context.history?.[Number(choice)]?.to ?? '') }),
      }),
      back: 'askingNumber',
    }),

    notEnabled: notEnabled<ToppingUp>('top-up'),
    left: { type: 'final' },
  },
});
