import type { Msisdn } from '../src/wallet/phone.ts';
import type { RetailAgent } from '../src/wallet/services.ts';
import { known, last, machine, type Remembered } from './kit/conversation.ts';
import { parts } from './kit/parts.ts';
import { isRefusal } from './kit/problem.ts';
import { orTell, type Reading } from './kit/typed.ts';

interface BecomingAgent extends Remembered {
  wallet: Msisdn;
  code?: string | undefined;
  became?: RetailAgent;
}

/** Longer than any code that v2.3 shows. */
const CODE_CHARS_MAX = 20;

const { call, typed, decide, state } = parts<BecomingAgent>();
const askAgain = (key: 'agent.notYours' | 'problem.90140') => ({
  target: 'askingCode',
  know: () => ({ notice: { key } }),
});

/** A customer says to be a retail agent: the code is only a name, and counts where the wallet has it for this very number. */
export const agent = machine<BecomingAgent>({
  id: 'agent',
  context: ({ input: { wallet, filled } }) => ({ wallet: known(wallet), code: filled?.code }),
  initial: 'beginning',
  states: {
    beginning: decide({ if: (context) => context.code === undefined, target: 'askingCode' }, 'becoming'),
    askingCode: state({
      shows: () => ({ key: 'agent.askCode', expects: 'field' }),
      said: typed(codeIn, { target: 'becoming', know: (code) => ({ code }) }),
      back: 'left',
    }),
    becoming: call('becomeAgent', {
      says: 'agent.checking',
      input: ({ wallet, code }) => ({ wallet, code: known(code) }),
      ok: { target: 'welcomed', know: (became) => ({ became }) },
      notYours: askAgain('agent.notYours'),
      tooMany: 'tooMany',
      stopped: 'stopped',
      refused: [
        {
          if: (refusal) => isRefusal(refusal, 'retailAgentUnknown', 'agentUnknown'),
          ...askAgain('problem.90140'),
        },
      ],
      notEnabled: 'notEnabled',
      failed: 'askingCode',
    }),
    welcomed: last<BecomingAgent>(({ became }) => ({
      key: 'agent.welcome',
      values: { code: { code: known(became).code }, name: { name: known(became).name } },
    })),
    tooMany: last('agent.tooMany'),
    stopped: last('problem.noAgent'),
    notEnabled: last('agent.notEnabled', { output: { notEnabled: 'agent' } }),
    left: { type: 'final', output: { next: 'account' } },
  },
});

function codeIn(text: string): Reading<string> {
  const code = text.trim();
  const isCode = /^[\p{L}\p{Nd}][\p{L}\p{Nd}_-]*$/u.test(code) && code.length <= CODE_CHARS_MAX;
  return orTell(isCode ? code : undefined, { key: 'problem.90140' });
}
