import { describe, expect, test } from 'vitest';
import { getInitialSnapshot, transition } from 'xstate';
import { calls } from '../../machines/kit/call.ts';
import { decisions } from '../../machines/kit/choosing.ts';
import { known, machine, type Remembered } from '../../machines/kit/conversation.ts';

interface Looking extends Remembered {
  name?: string;
}
const wallet = '+212600000001' as never;
const call = calls<Looking>();

/** The next state of a machine after an answer, and its facts then. */
function answered(output: unknown) {
  const chart = machine<Looking>({
    id: 'looking',
    context: {},
    initial: 'reading',
    states: {
      reading: call('readProfile', {
        says: 'profile.reading',
        input: () => ({ wallet }),
        ok: [
          { if: ({ level }) => level > 1, target: 'high', know: ({ fullName }) => ({ name: fullName }) },
          'low',
        ],
        notEnabled: 'notEnabled',
        unknown: 'notKnown',
        failed: 'failed',
      }),
      high: {},
      low: {},
      notEnabled: {},
      notKnown: {},
      failed: {},
    },
  });
  const snapshot = chart.resolveState({ value: 'reading', context: {} });
  const event = { type: 'xstate.done.actor.0.looking.reading', output, actorId: '0.looking.reading' };
  const [after] = transition(chart, snapshot, event as never);
  return [after.value, after.context];
}

const ok = (level: number) => ({ kind: 'ok', value: { level, fullName: 'Salma' } });

describe('the answer of a call', () => {
  test.each([
    ['a success that fits a case', ok(2), 'high', { name: 'Salma' }],
    ['a success that fits none', ok(1), 'low', {}],
    ['a refusal', refused('26001'), 'failed', { notice: { key: 'problem.26001' } }],
    ['a service that is not there', refused('90017'), 'notEnabled', {}],
    [
      'a call that never left',
      { kind: 'unsent', why: '' },
      'failed',
      { notice: { key: 'problem.unavailable' } },
    ],
    ['a failure with a case of its own', { kind: 'unknown', why: '' }, 'notKnown', {}],
  ])('%s', (_, output, state, context) => {
    expect(answered(output)).toEqual([state, context]);
  });

  test.each([
    ['a success', { ok: { if: () => false, target: 'shown' }, failed: 'failed' }],
    ['a failure', { ok: 'shown', failed: [{ if: () => false, target: 'failed' }] }],
  ])('a missing target is a mistake of the machine: %s', (_, on) => {
    expect(() => call('readProfile', { says: 'profile.reading', input: () => ({ wallet }), ...on })).toThrow(
      'must always hold',
    );
  });
});

test('a required fact is never undefined', () => {
  expect(known(0)).toBe(0);
  expect(() => known(undefined)).toThrow('without what it needs');
});

function refused(code: string) {
  return { kind: 'refused', code, description: '' };
}

describe('a state that shows nothing', () => {
  const decide = decisions<Looking>();

  test.each([
    ['Fatima', 'known'],
    [undefined, 'asking'],
  ])('leads %s to the first decision that holds: %s', (name, state) => {
    const chart = machine<Looking>({
      id: 'looking',
      context: name === undefined ? {} : { name },
      initial: 'beginning',
      states: {
        beginning: decide({ if: ({ name }) => name !== undefined, target: 'known' }, 'asking'),
        known: {},
        asking: {},
      },
    });
    expect(getInitialSnapshot(chart, {} as never).value).toBe(state);
  });

  test('must have a decision that always holds, or its conversation would wait for ever', () => {
    expect(() => decide({ if: ({ name }) => name === 'Fatima', target: 'known' })).toThrow('always hold');
  });
});
