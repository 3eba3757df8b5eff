import { assign } from 'xstate';
import type { Msisdn } from '../src/wallet/phone.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { type Filled, known, last, machine, screen } from './kit/conversation.ts';
import type { CashInWay } from './kit/effects.ts';
import { type LeavingRoom, overLevel, roomLeft, within } from './kit/over-level.ts';
import { parts } from './kit/parts.ts';
import { isRefusal, problem } from './kit/problem.ts';
import { type AsksReference, alikeIn, lastScreen, named } from './kit/reference.ts';
import type { Sentence } from './kit/screen.ts';
import { amountIn } from './kit/typed.ts';

interface CashIn extends Authenticating, AsksReference, LeavingRoom {
  wallet: Msisdn;
  way?: CashInWay | undefined;
}

const ASKS_AMOUNT = ['cash-in.askAmount', 'cash-in.askAmountWithin', 'cash-in.askAmountLeft'] as const;
const { call, typed, choose, decide, question, state } = parts<CashIn>();

/** A customer who names another number is asked. They may mean a deposit into that wallet, which they cannot make. */
function amountOf(
  wallet: Msisdn | undefined,
  { to, amount }: Filled = {},
): Pick<CashIn, 'amount' | 'notice'> {
  return to === undefined || to === wallet ? { amount } : { notice: { key: 'cash-in.ownOnly' } };
}

/**
 * The customer gets a reference and pays cash in with it at an agent or a counter. The reference moves no money, so no
 * PIN is asked. Wasl tells the customer when it is executed (`src/conversation/references`).
 */
export const cashIn = machine<CashIn>({
  id: 'cash-in',
  context: ({ input: { wallet, filled } }) => ({ wallet: known(wallet), ...amountOf(wallet, filled) }),
  initial: 'preparing',
  states: {
    preparing: call('readCashDesk', {
      says: 'cash-in.preparing',
      input: ({ wallet }) => ({ wallet, kind: 'cash-in' }),
      ok: { target: 'beginning', know: (desk) => ({ desk, hints: desk.hints, left: undefined }) },
    }),
    beginning: decide(
      { if: (context) => context.amount === undefined, target: 'askingAmount' },
      { if: (context) => alike(context) !== undefined, target: 'offering' },
      { if: (context) => wayOf(context) === undefined, target: 'choosingWay' },
      'requesting',
    ),
    /** The limit of the level is said before it is hit. */
    askingAmount: state({
      tags: 'private',
      entry: assign({ amount: undefined, way: undefined, another: undefined }),
      shows: ({ desk, left }) => ({ ...within(ASKS_AMOUNT, { left, ...desk }), expects: 'amount' }),
      said: typed(amountIn, { target: 'beginning', know: (amount) => ({ amount }) }),
      back: 'left',
      // One that was made meanwhile, in another chat, is offered.
      resumed: 'preparing',
    }),
    /** An open one of the same amount is shown again: nobody can cancel the one that is not needed. */
    offering: question(
      (c) => ({ key: 'cash-in.alike', values: named(c) }),
      [
        { id: 'again', key: 'cash-in.showAgain', target: 'reading' },
        { id: 'another', key: 'cash-in.another', target: 'beginning', know: () => ({ another: true }) },
      ],
      { back: 'askingAmount' },
    ),
    reading: call('readReference', {
      says: 'cash-in.preparing',
      input: (c) => ({ wallet: c.wallet, id: known(alike(c)).id }),
      ok: [
        { if: ({ state }) => state !== 'open', target: 'beginning', know: () => ({ another: true }) },
        { target: 'shown', know: ({ hints, ...given }) => ({ given, hints }) },
      ],
      failed: 'askingAmount',
    }),
    choosingWay: state({
      shows: (c) => ({
        key: 'cash-in.chooseWay',
        values: named(c),
        choices: [
          { id: 'agents', key: 'cash-in.agents' },
          { id: 'bill-network', key: 'cash-in.billNetwork' },
        ],
        expects: 'choice',
      }),
      chose: choose({
        target: 'requesting',
        know: (choice) => ({ way: choice === 'agents' ? ('agents' as const) : ('bill-network' as const) }),
      }),
      back: 'askingAmount',
    }),
    requesting: call('requestReference', {
      says: (c) => ({ key: 'cash-in.requesting', values: named(c) }),
      input: (c) => ({ wallet: c.wallet, kind: 'cash-in', amount: known(c.amount), way: known(wayOf(c)) }),
      ok: { target: 'shown', know: (given) => ({ given }) },
      tooMany: { target: 'askingAmount', know: () => ({ notice: { key: 'cash-in.tooMany' } }) },
      notEnabled: 'notEnabled',
      refused: [
        { if: (refusal) => isRefusal(refusal, 'recipientLimit'), target: 'overLevel' },
        { target: 'askingAmount', know: (refusal) => ({ notice: whyRefused(refusal) }) },
      ],
      unknown: 'lost',
      failed: 'askingAmount',
    }),
    ...overLevel<CashIn>(overTheirLevel, 'askingAmount', {
      state: 'askingPin',
      isKnown: ({ desk }) => desk?.limit !== undefined,
    }),
    ...authentication<CashIn>(() => ({ key: 'cash-in.askPin', expects: 'pin' }), {
      next: 'readingRoom',
      back: 'askingAmount',
    }),
    ...roomLeft<CashIn>(({ desk }) => desk?.limit, 'askingAmount'),
    shown: { type: 'final', meta: screen(lastScreen) },
    /** Nobody knows the number of a reference whose answer was lost, so nobody can use it. */
    lost: question(
      (c) => ({ key: 'cash-in.lost', values: named(c) }),
      [{ id: 'another', key: 'cash-in.another', target: 'requesting' }],
      { back: 'askingAmount' },
    ),
    notEnabled: last('cash-in.notEnabled', { output: { notEnabled: 'cash-in' } }),
    left: { type: 'final' },
  },
});

function alike(context: CashIn) {
  return alikeIn(context, 'cash-in');
}

/** The way that was chosen, or the only one there is. */
function wayOf({ way, desk }: CashIn): CashInWay | undefined {
  const [only, ...others] = desk?.ways ?? [];
  return way ?? (others.length === 0 ? only : undefined);
}

/** The wallet's refusals speak of a recipient, who is the customer here. */
function whyRefused(refusal: { readonly kind: string; readonly code?: string }): Sentence | undefined {
  return isRefusal(refusal, 'recipientUnavailable') ? { key: 'cash-in.cannotReceive' } : problem(refusal);
}

function overTheirLevel({ desk }: CashIn): Sentence {
  return desk?.limit === undefined
    ? { key: 'cash-in.overLevel' }
    : { key: 'cash-in.overLimit', values: { limit: { money: desk.limit } } };
}
