import type { Msisdn } from '../src/wallet/phone.ts';
import type { RetailAgent } from '../src/wallet/services.ts';
import { calls } from './kit/call.ts';
import { known, last, machine, type Remembered, screen } from './kit/conversation.ts';
import type { Screen } from './kit/screen.ts';

interface ReadingRecord extends Remembered {
  wallet: Msisdn;
  record?: RetailAgent;
}

const call = calls<ReadingRecord>();

export const agentRecord = machine<ReadingRecord>({
  id: 'agent-record',
  context: ({ input: { wallet } }) => ({ wallet: known(wallet) }),
  initial: 'reading',
  output: {},
  states: {
    reading: call('readAgent', {
      says: 'agent-record.reading',
      input: ({ wallet }) => ({ wallet }),
      ok: { target: 'shown', know: (record) => ({ record }) },
      failed: 'unavailable',
    }),
    shown: { type: 'final', meta: screen(({ record }) => recordScreen(known(record))) },
    unavailable: last('agent-record.unavailable'),
  },
});

function recordScreen({ code, name, person, address }: RetailAgent): Screen {
  return {
    key: 'agent-record.shown',
    values: {
      code: { code },
      name: { name },
      more: {
        lines: [person, address].flatMap((text) =>
          text === undefined ? [] : [{ key: 'agent-record.line', values: { text: { text } } } as const],
        ),
      },
    },
    expects: 'nothing',
  };
}
