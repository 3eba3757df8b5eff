import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/conversation/incoming.ts';
import type { Intent, IntentState } from '../../src/conversation/intents/intent.ts';
import { type OperationStatus, STATUSES } from '../../src/wallet/contract/fields.ts';
import { centimes } from '../../src/wallet/money.ts';
import { falseOnConsole } from './town/console.ts';
import { execution, payment } from './truth-table.ts';

const { OPEN, COMPLETED, FAILED, CANCELED } = STATUSES;
const QUOTE = { at: 0, openLoop: false, fees: centimes(0), total: centimes(200_00), alike: [] };

function readBy(state: IntentState, status?: OperationStatus): string[] {
  const intent = { ...payment(state), state, evidence: [], before: [], quote: QUOTE };
  const executions = status === undefined ? [] : [execution(status)];
  return LANGUAGES.flatMap((language) => falseOnConsole([intent as Intent], executions, language));
}

test.each<[IntentState, OperationStatus | undefined]>([
  ['sent', undefined],
  ['sent', COMPLETED],
  ['unknown', OPEN],
  ['accepted', COMPLETED],
  ['succeeded', COMPLETED],
  ['succeeded', CANCELED],
  ['reversed', CANCELED],
  ['rejected', undefined],
  ['unsent', undefined],
  ['failed', FAILED],
  ['not-found', undefined],
  ['human', COMPLETED],
])('T10, the console: accepts %s, when the ledger has status %s', (state, status) => {
  expect(readBy(state, status)).toEqual([]);
});

test.each<[IntentState, OperationStatus | undefined, string]>([
  ['succeeded', undefined, 'no such operation is completed'],
  ['succeeded', OPEN, 'no such operation is completed'],
  ['succeeded', FAILED, 'no such operation is completed'],
  ['rejected', COMPLETED, 'the wallet has made it'],
  ['unsent', OPEN, 'the wallet has made it'],
  ['failed', COMPLETED, 'the wallet has made it'],
  ['reversed', COMPLETED, 'no such operation was reversed'],
  ['reversed', undefined, 'no such operation was reversed'],
])('T10, the console: rejects %s, when the ledger has status %s', (state, status, why) => {
  const lies = readBy(state, status);
  expect(lies, 'the row and the page, in each language').toHaveLength(2 * LANGUAGES.length);
  for (const lie of lies) expect(lie).toContain(why);
});
