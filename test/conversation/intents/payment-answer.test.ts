import { expect, test } from 'vitest';
import type { Payment } from '../../../machines/kit/effects.ts';
import { learn } from '../../../src/conversation/intents/intent.ts';
import { paymentAnswer } from '../../../src/conversation/intents/notification.ts';
import { intent, SENT_AT } from './sample.ts';

const REFUSAL = { kind: 'rejected', failure: { kind: 'refused', code: '90013' } } as unknown as Payment;

/** Another process takes the answer as lost, after the process that holds it has written down what it is. */
test.each<[string, 'unsent' | 'rejected', Payment, object]>([
  ['unsent', 'unsent', { kind: 'unknown' }, { kind: 'settled', outcome: 'unsent' }],
  ['refused', 'rejected', { kind: 'unknown' }, { kind: 'settled', outcome: 'refused' }],
  ['unsent', 'unsent', { kind: 'unsent' }, { kind: 'unsent' }],
  ['refused, with its reason', 'rejected', REFUSAL, REFUSAL],
])(
  'the answer for a payment known to be %s is exactly that, when the wallet’s answer is %s: %o',
  (_, said, answer, expected) => {
    const known = learn(intent(), { kind: 'answer', said }, SENT_AT + 1);
    expect(paymentAnswer(known, answer)).toMatchObject(expected);
  },
);

test('the answer for a payment without evidence is the wallet’s answer', () => {
  expect(paymentAnswer(intent(), { kind: 'unknown' })).toEqual({ kind: 'unknown' });
});
