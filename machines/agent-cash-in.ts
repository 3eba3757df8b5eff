import { assign } from 'xstate';
import type { Centimes } from '../src/wallet/money.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { type AtCounter, isOpen, noSuch, notOpen, orderOf } from './kit/agent-cash.ts';
import { secretOf } from './kit/authentication.ts';
import { known, machine } from './kit/conversation.ts';
import type { FoundCash } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import { ABOUT_RECIPIENT, notEnabled, payingTail } from './kit/paying.ts';
import { isRefusal, problem } from './kit/problem.ts';
import { amountIn } from './kit/typed.ts';

interface Depositing extends AtCounter {
  customer?: Msisdn | undefined;
  amount?: Centimes | undefined;
  /** The number typed is also the number of a reference. */
  found?: FoundCash | undefined;
}

const { call, typed, given, choose, decide, state } = parts<Depositing>();

/**
 * An agent takes cash and pays it into a customer's wallet: by the customer's reference, or by their number, for which a reference
 * is made first. Nothing is credited before the agent's PIN.
 */
export const agentCashIn = machine<Depositing>({
  id: 'agent-cash-in',
  context: ({ input: { wallet, agent, filled } }) => ({
    wallet: known(wallet),
    code: agent ?? '',
    customer: filled?.to,
    amount: filled?.amount,
  }),
  initial: 'beginning',
  states: {
    beginning: decide(
      { if: (context) => context.customer === undefined, target: 'asking' },
      { if: (context) => context.amount === undefined, target: 'askingAmount' },
      'requesting',
    ),
    asking: state({
      entry: assign({ customer: undefined, amount: undefined, order: undefined, quote: undefined }),
      shows: () => ({ key: 'agent-cash-in.ask', expects: 'reference', takesLongNumber: true }),
      gave: given({ target: 'looking' }, 'agent-cash-in.notThat'),
      back: 'left',
    }),
    looking: call('readCash', {
      says: 'agent-cash-in.looking',
      input: ({ wallet }, event) => ({ wallet, given: secretOf(event), takesNumber: true }),
      ok: [
        { if: isOpen, target: 'previewing', know: (found, c) => orderOf('agent-cash-in', c, found) },
        { target: 'asking', know: (found) => notOpen(found) },
      ],
      number: { target: 'askingAmount', know: ({ phone }) => ({ customer: phone }) },
      either: { target: 'choosing', know: ({ phone, found }) => ({ customer: phone, found }) },
      billNetwork: { target: 'asking', know: () => ({ notice: { key: 'agent-cash-in.billNetwork' } }) },
      notEnabled: 'notEnabled',
      refused: noSuch('agent-cash-in.noSuch'),
      failed: 'asking',
    }),
    /** Ten digits can be both. */
    choosing: state({
      shows: () => ({
        key: 'agent-cash-in.choose',
        choices: [
          { id: 'reference', key: 'agent-cash-in.isReference' },
          { id: 'number', key: 'agent-cash-in.isNumber' },
        ],
        expects: 'choice',
      }),
      chose: choose(
        { if: 'number', target: 'askingAmount' },
        {
          if: (_, context) => isOpen(known(context.found)),
          target: 'previewing',
          know: (_, context) => orderOf('agent-cash-in', context, known(context.found)),
        },
        { target: 'asking', know: (_, context) => notOpen(known(context.found)) },
      ),
      back: 'asking',
    }),
    /** The agent has typed the number, and reads whether it is right: a deposit to another one cannot be called back. */
    askingAmount: state({
      tags: 'resumable',
      entry: assign({ amount: undefined, order: undefined, quote: undefined }),
      shows: ({ customer }) => ({
        key: 'agent-cash-in.askAmount',
        values: { to: { phone: known(customer) } },
        expects: 'amount',
      }),
      said: typed(amountIn, { target: 'requesting', know: (amount) => ({ amount }) }),
      back: 'asking',
    }),
    requesting: call('requestDeposit', {
      says: 'agent-cash-in.looking',
      input: ({ wallet, customer, amount }) => ({
        wallet,
        customer: known(customer),
        amount: known(amount),
      }),
      ok: { target: 'previewing', know: (found, c) => orderOf('agent-cash-in', c, found, c.customer) },
      tooMany: { target: 'asking', know: () => ({ notice: { key: 'agent-cash-in.tooMany' } }) },
      notEnabled: 'notEnabled',
      refused: [
        {
          if: (refusal) => isRefusal(refusal, ...ABOUT_RECIPIENT),
          target: 'asking',
          know: (refusal) => ({ notice: problem(refusal) }),
        },
      ],
      // There may be a reference whose number nobody knows: nobody can pay it either.
      unknown: { target: 'askingAmount', know: () => ({ notice: { key: 'agent-cash-in.notMade' } }) },
      failed: 'askingAmount',
    }),
    ...payingTail<Depositing>({
      amend: 'asking',
      amends: { refusals: ['noAgent'], state: 'asking' },
      notEnabled: 'notEnabled',
    }),
    notEnabled: notEnabled<Depositing>('agent-cash-in'),
    left: { type: 'final' },
  },
});
