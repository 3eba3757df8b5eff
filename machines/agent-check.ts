import { whoseOf } from '../src/payments/agent-cash.ts';
import { STATUSES } from '../src/wallet/contract/fields.ts';
import type { Msisdn } from '../src/wallet/phone.ts';
import { secretOf } from './kit/authentication.ts';
import { known, machine, type Remembered, screen } from './kit/conversation.ts';
import type { FoundCash } from './kit/effects.ts';
import { parts } from './kit/parts.ts';
import type { Screen } from './kit/screen.ts';

interface Checking extends Remembered {
  wallet: Msisdn;
  found?: FoundCash;
}

const { call, given, state } = parts<Checking>();

/** An agent looks what a reference is for, and whether it can still be executed. */
export const agentCheck = machine<Checking>({
  id: 'agent-check',
  context: ({ input: { wallet } }) => ({ wallet: known(wallet) }),
  initial: 'asking',
  output: {},
  states: {
    asking: state({
      shows: () => ({ key: 'agent-check.ask', expects: 'reference', takesLongNumber: true }),
      gave: given({ target: 'looking' }, 'agent-cash-out.notThat'),
      back: 'left',
    }),
    looking: call('findCash', {
      says: 'agent-check.looking',
      input: ({ wallet }, event) => ({ wallet, given: secretOf(event) }),
      ok: { target: 'shown', know: (found) => ({ found }) },
      number: 'asking',
      either: { target: 'shown', know: ({ found }) => ({ found }) },
      billNetwork: { target: 'asking', know: () => ({ notice: { key: 'agent-cash-in.billNetwork' } }) },
      failed: 'asking',
    }),
    shown: { type: 'final', meta: screen((c) => cashScreen(known(c.found))) },
    left: { type: 'final' },
  },
});

function cashScreen({ kind, amount, customer, status, madeAt }: FoundCash): Screen {
  const state =
    status === STATUSES.OPEN ? 'stateOpen' : status === STATUSES.COMPLETED ? 'stateDone' : 'stateEnded';
  return {
    key: kind === 'cash-in' ? 'agent-check.deposit' : 'agent-check.withdrawal',
    values: {
      amount: { money: amount },
      to: whoseOf(customer),
      state: { say: `agent-check.${state}` },
      madeAt: { date: madeAt },
    },
    expects: 'nothing',
  };
}
