import { assign } from 'xstate';
import { whoseOf } from '../src/payments/agent-cash.ts';
import { type Authenticating, authentication } from './kit/authentication.ts';
import { known, last, machine } from './kit/conversation.ts';
import type { AgentDay, AgentOperation } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { OTHER_PAGES } from './kit/received-payment.ts';
import type { Choice, Screen, Sentence } from './kit/screen.ts';

interface LookingAtDay extends Authenticating {
  page: number;
  day?: AgentDay;
}

const { call, choose, state } = parts<LookingAtDay>();

/** The cash that an agent has executed today, after the PIN. The API does not tell the rest of the float. */
export const agentDay = machine<LookingAtDay>({
  id: 'agent-day',
  context: ({ input: { wallet } }) => ({
    wallet: known(wallet),
    page: 1,
  }),
  initial: 'askingPin',
  output: {},
  states: {
    ...authentication<LookingAtDay>(() => ({ key: 'agent-day.askPin', expects: 'pin' }), {
      next: 'adding',
      back: 'left',
    }),
    adding: call('readAgentDay', {
      says: 'agent-day.adding',
      input: ({ wallet, page }) => ({ wallet, page }),
      ok: [
        { if: (_, { page }) => page > 1, target: 'listing', know: (day) => ({ day }) },
        { target: 'shown', know: (day) => ({ day }) },
      ],
      failed: 'unavailable',
    }),
    shown: state({
      tags: 'private',
      shows: ({ day }) => dayScreen(known(day)),
      chose: 'listing',
      back: 'left',
    }),
    listing: state({
      tags: 'private',
      shows: (c) => list(known(c.day), c.page),
      chose: choose({
        target: 'adding',
        know: (choice, context) => ({ page: Math.max(1, context.page + (OTHER_PAGES[choice] ?? 0)) }),
      }),
      back: { target: 'adding', actions: assign({ page: 1 }) },
    }),
    unavailable: last('agent-day.unavailable'),
    left: { type: 'final' },
  },
});

function dayScreen({ since, by, deposits, withdrawals, page }: AgentDay): Screen {
  const values = {
    since: { date: since },
    deposits: { count: deposits.count },
    deposited: { money: deposits.total },
    withdrawals: { count: withdrawals.count },
    withdrawn: { money: withdrawals.total },
  };
  const choices: Choice[] = page.length > 0 ? [{ id: 'list', key: 'agent-day.list' }] : [];
  return {
    key: by === 'wallet' ? 'agent-day.shown' : 'agent-day.shownOwn',
    values,
    choices,
    expects: choices.length > 0 ? 'choice' : 'nothing',
  };
}

function list({ page: operations, isLast }: AgentDay, page: number): Screen {
  return {
    // The day may be over by now.
    key: operations.length > 0 ? 'agent-day.listed' : 'agent-day.none',
    values: { operations: { lines: operations.map(lineOf) } },
    choices: [
      ...(isLast ? [] : [{ id: 'older', key: 'agent-day.older' } as const]),
      ...(page > 1 ? [{ id: 'newer', key: 'agent-day.newer' } as const] : []),
    ],
    expects: 'choice',
  };
}

function lineOf({ kind, amount, at, state, customer }: AgentOperation): Sentence {
  const key = kind === 'cash-in' ? 'agent-day.deposit' : 'agent-day.withdrawal';
  return {
    key: state === 'done' ? key : state === 'open' ? `${key}Open` : `${key}NotDone`,
    values: { at: { date: at }, amount: { money: amount }, to: whoseOf(customer) },
  };
}
