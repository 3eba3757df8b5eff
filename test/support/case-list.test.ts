import { expect, test } from 'vitest';
import { type Case, type CaseStep, waitsSince } from '../../src/conversation/cases/case.ts';
import { isUnreadBy, listWithWork } from '../../src/support/case-list.ts';
import { NADIA } from '../kit/world-options.ts';
import { CASE } from './pages/fixtures.ts';

const case_ = (more: Partial<Case>, ...steps: readonly CaseStep[]): Case => ({
  ...CASE,
  openedAt: 1,
  steps: [{ at: 1, what: 'opened' }, ...steps],
  ...more,
});
const answered: CaseStep = { at: 5, what: 'answered', by: 'nadia' };
const wrote: CaseStep = { at: 7, what: 'customerWrote' };

test.each<[string, Case, number | undefined]>([
  ['since they asked', case_({}), 1],
  ['since they asked, however often they write', case_({}, { at: 3, what: 'askedAgain' }), 1],
  ['since they wrote after an answer', case_({}, answered, wrote, { ...wrote, at: 9 }), 7],
  ['since an answer, where it stays the turn of agents', case_({}, answered), 5],
  ['not while it is their own turn', case_({ state: 'waiting' }, answered), undefined],
  ['not after the end', case_({ state: 'closed' }), undefined],
])('a customer waits %s', (_, it, since) => expect(waitsSince(it)).toBe(since));

test.each<[string, Case, boolean]>([
  ['a new case', case_({}), true],
  ['one that she has looked at', case_({ seen: { nadia: 1 } }), false],
  ['one that somebody else has looked at', case_({ seen: { omar: 1 } }), true],
  ['one in which she was the last to act', case_({}, answered), false],
  ['one in which the customer has written since', case_({ seen: { nadia: 5 } }, answered, wrote), true],
  [
    'her own, which another agent has changed',
    case_({ owner: NADIA }, answered, { at: 9, what: 'urgent', by: 'omar' }),
    true,
  ],
  [
    'one of nobody, which another agent has changed',
    case_({ seen: { nadia: 1 } }, { at: 9, what: 'urgent', by: 'omar' }),
    false,
  ],
  ['one that names her', case_({ state: 'closed', mentions: { nadia: true } }), true],
  ['a closed one', case_({ state: 'closed' }), false],
])('%s is new to an agent, or not', (_, it, isNew) => expect(isUnreadBy(it, 'nadia')).toBe(isNew));

test('a list opens where there is work', () => {
  expect(listWithWork({})).toBe('mine');
  expect(listWithWork({ unassigned: 1, all: 1 })).toBe('unassigned');
  expect(listWithWork({ mine: 1, unassigned: 1 })).toBe('mine');
  expect(listWithWork({ waiting: 1, all: 2 }), 'of others').toBe('mine');
});
