import { expect, test } from 'vitest';
import {
  enqueue,
  hasRoom,
  newSession,
  nextDue,
  type Outgoing,
  type Session,
} from '../../../src/conversation/session/session.ts';

const MESSAGE: Outgoing = {
  id: '',
  screen: { key: 'menu.choose', expects: 'nothing' },
  money: false,
  tries: 0,
};
const MONEY = { money: true };
const AGENT = { byAgent: true } as const;
const CODE = { money: true, sealed: {} };
const MAX = 20;

type Kinds = readonly (readonly [number, Partial<Outgoing>])[];

/** So many messages of each kind, in this order, one after the other. */
function waiting(kinds: Kinds): Session {
  const all = kinds.flatMap(([count, kind]) => Array.from({ length: count }, () => kind));
  return all.reduce<Session>(
    (session, kind, i) => enqueue(session, { ...MESSAGE, ...kind, id: String(i) }),
    newSession(0),
  );
}

test.each<[string, Kinds, string]>([
  ['the oldest', [[MAX + 1, {}]], '0'],
  [
    'an agent’s words before anything else',
    [
      [5, {}],
      [2, AGENT],
      [14, MONEY],
    ],
    '5',
  ],
  [
    'what is not about money before money',
    [
      [3, CODE],
      [8, MONEY],
      [1, {}],
      [9, MONEY],
    ],
    '11',
  ],
  [
    'the new one itself, where only it is not about money',
    [
      [MAX, MONEY],
      [1, AGENT],
    ],
    '20',
  ],
  [
    'an outcome before a voucher’s code',
    [
      [2, CODE],
      [19, MONEY],
    ],
    '2',
  ],
  ['the oldest code', [[MAX + 1, CODE]], '0'],
])('one gives way when more wait than there is room for: %s', (_name, kinds, gone) => {
  const { outbox = [] } = waiting(kinds);
  const ids = outbox.map(({ id }) => id);
  const all = Array.from({ length: MAX + 1 }, (_, i) => String(i));
  expect(ids).toEqual(all.filter((id) => id !== gone));
});

test('there is room until there is none', () => {
  expect([MAX - 1, MAX].map((count) => hasRoom(waiting([[count, {}]])))).toEqual([true, false]);
});

const OVERTAKEN = { screenId: 1 };
const CURRENT = { screenId: 2 };

test.each<[string, readonly Partial<Outgoing>[], number | undefined, number | undefined]>([
  ['nothing waits', [], undefined, undefined],
  ['the first message', [{ tryAt: 5 }, { tryAt: 9 }], undefined, 5],
  [
    'the first message, also where a later one could go before it',
    [{ tryAt: 9 }, { tryAt: 5 }],
    undefined,
    9,
  ],
  ['the first that is not held', [{}, { tryAt: 5 }], undefined, 5],
  ['never, where all are held', [{}, {}], undefined, undefined],
  ['a screen that is overtaken holds back nothing', [{ ...OVERTAKEN, tryAt: 9 }, { tryAt: 5 }], undefined, 5],
  ['a screen that is overtaken is not due itself', [{ ...OVERTAKEN, tryAt: 5 }], undefined, undefined],
  ['a screen that tells of money is never overtaken', [{ ...OVERTAKEN, ...MONEY, tryAt: 5 }], undefined, 5],
  ['the screen on show', [{ ...CURRENT, tryAt: 5 }], undefined, 5],
  ['the end of the pause that the channel has asked for', [{ tryAt: 5 }], 7, 7],
  ['the message, where that pause is over before it', [{ tryAt: 9 }], 7, 9],
  ['a pause alone is no reason to look', [], 7, undefined],
])('a session is due to deliver: %s', (_name, messages, retryAt, due) => {
  const outbox = messages.map((message, i) => ({ ...MESSAGE, ...message, id: String(i) }));
  expect(nextDue({ ...newSession(0), screen: 2, outbox, ...(retryAt && { retryAt }) })).toBe(due);
});
