import { expect, test } from 'vitest';
import type { IntentState } from '../../../src/conversation/intents/intent.ts';
import { HORIZON_MS, nextCheck } from '../../../src/conversation/intents/schedule.ts';
import { intent, SENT_AT } from './sample.ts';

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;

test.each<[string, number, number]>([
  ['just sent', 0, 5 * S],
  ['a moment before the first check', 5 * S - 1, 5 * S],
  ['at the first check', 5 * S, 15 * S],
  ['at the second', 15 * S, 30 * S],
  ['at the third', 30 * S, 60 * S],
  ['at the fourth', 60 * S, 120 * S],
  ['at the fifth', 120 * S, 5 * MIN],
  ['between two checks', 7 * MIN, 10 * MIN],
  ['after ten minutes', 10 * MIN, 15 * MIN],
  ['at the end of the hour', 59 * MIN, H],
  ['after an hour', H, 2 * H],
  ['after a day', 24 * H + 1, 25 * H],
  ['at the last hour', 71 * H, 72 * H],
  ['a moment before the horizon', 72 * H - 1, 72 * H],
  ['a clock that was set back', -3 * S, 5 * S],
])('%s', (_when, ageMs, nextMs) => {
  expect(nextCheck(intent({ state: 'unknown' }), SENT_AT + ageMs)).toBe(SENT_AT + nextMs);
});

test('from the send to the horizon it is searched at these moments, and no others', () => {
  const every = (stepMs: number, fromMs: number, toMs: number) =>
    Array.from({ length: (toMs - fromMs) / stepMs + 1 }, (_, i) => fromMs + i * stepMs);
  const checks: number[] = [];
  for (let age = 0; age < HORIZON_MS; ) {
    age = (nextCheck(intent({ state: 'accepted' }), SENT_AT + age) ?? Number.NaN) - SENT_AT;
    checks.push(age);
  }
  expect(checks).toEqual([
    ...[5, 15, 30, 60, 120].map((seconds) => seconds * S),
    ...every(5 * MIN, 5 * MIN, H),
    ...every(H, 2 * H, 72 * H),
  ]);
});

test.each<[IntentState, boolean]>([
  ['sent', true],
  ['accepted', true],
  ['unknown', true],
  ['rejected', false],
  ['unsent', false],
  ['succeeded', false],
  ['failed', false],
  ['reversed', false],
  ['not-found', false],
])('an intent that is %s is searched: %s', (state, isLookedFor) => {
  expect(nextCheck(intent({ state }), SENT_AT + MIN) !== undefined).toBe(isLookedFor);
});

test('people are reminded a day later of a payment that needs a person', () => {
  expect(nextCheck(intent({ state: 'human' }), SENT_AT + 5 * H)).toBe(SENT_AT + 29 * H);
});
