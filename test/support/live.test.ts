import { expect, test } from 'vitest';
import type { Desk } from '../../src/conversation/desk/desk.ts';
import type { TurnRecord } from '../../src/conversation/record/record.ts';
import { Live } from '../../src/support/live.ts';
import { called, FATIMA, NOW, turn, turns } from './records.ts';

const DAY_MS = 24 * 3_600_000;
const HERE = `ussd:${FATIMA}` as const;

/** A desk whose past and present the test decides. */
function createDesk(past: readonly TurnRecord[]) {
  const all = [...past];
  let listener: Parameters<Desk['watch']>[0] | undefined;
  const desk = {
    watched: 0,
    all,
    tell: (record: TurnRecord) => listener?.turn(record),
    miss: () => listener?.missed(),
    leftOutBefore: undefined as number | undefined,
    /** Called while the backlog is read. */
    meanwhile: () => {},
    async watch(each: Parameters<Desk['watch']>[0]) {
      desk.watched++;
      listener = each;
      return async () => {
        listener = undefined;
      };
    },
    async *backlog() {
      yield { records: [...all], leftOutBefore: desk.leftOutBefore };
      desk.meanwhile();
    },
  };
  const errors: unknown[] = [];
  return {
    ...desk,
    desk,
    errors,
    live: new Live(
      desk,
      (address) => address,
      (error) => errors.push(error),
    ),
  };
}

test('the store is read when the first agent comes, and one subscription serves all', async () => {
  const { desk, live } = createDesk(turns({ to: 'balance.shown' }));
  expect([desk.watched, live.board.size]).toEqual([0, 0]);
  await Promise.all([live.ready(), live.ready()]);
  expect([desk.watched, live.board.size]).toEqual([1, 1]);
});

test('a session gets its turns while the past is still being read', async () => {
  const [first, second] = turns({ to: 'transfer.askingPin' }, { to: 'transfer.settled' });
  const { desk, live } = createDesk([first as TurnRecord]);
  const heard: unknown[] = [];
  desk.meanwhile = () => {
    desk.tell(second as TurnRecord);
    expect(heard, 'at once').toEqual([second]);
  };
  live.follow((first as TurnRecord).address, (record) => heard.push(record));
  await live.watching();
  expect(live.board.size, 'nothing is waited for').toBe(0);
  await live.ready();
  expect(live.board.size).toBe(1);
  expect(heard).toEqual([second]);
});

test('turns that come while the past is read are counted once', async () => {
  const ran = [called('preview', { kind: 'refused', code: '20005' })];
  const screen = { key: 'transfer.done', expects: 'nothing' } as const;
  const [first, second] = turns({ to: 'transfer.askingPin', ran }, { to: 'transfer.settled', screen });
  const { desk, live } = createDesk([first as TurnRecord]);
  desk.meanwhile = () => {
    desk.tell(first as TurnRecord);
    desk.tell(second as TurnRecord);
  };
  await live.ready();
  expect(live.board.row(HERE)?.place).toBe('transfer.settled');
  expect(live.board.row(HERE)?.misses, 'the first one has failed a call').toBe(0);
});

test('each listener hears of its own address, until it stops', async () => {
  const { desk, live } = createDesk([]);
  await live.ready();
  const heard: (string | undefined)[] = [];
  const stop = live.follow(HERE, (record) => heard.push(record?.to));
  desk.tell(turn({ to: 'menu.choosing' }));
  desk.tell(turn({ address: 'web:1' }));
  stop();
  desk.tell(turn({ to: 'balance.shown' }));
  expect(heard).toEqual(['menu.choosing']);
});

test('after a lost connection every listener reads again', async () => {
  const { desk, live } = createDesk([]);
  await live.ready();
  let wasTold = false;
  live.follow(HERE, (record) => {
    wasTold = record === undefined;
  });
  desk.all.push(turn({ at: NOW, to: 'balance.shown' }));
  desk.miss();
  await live.ready();
  expect([wasTold, live.board.row(HERE)?.place]).toEqual([true, 'balance.shown']);
});

test('the page says while the past is read, and when sessions are left out', async () => {
  const { desk, live } = createDesk([turn({ at: NOW, to: 'balance.shown' })]);
  desk.leftOutBefore = NOW;
  let wasFilling = false;
  desk.meanwhile = () => {
    wasFilling = live.isFilling;
  };
  await live.ready();
  expect([wasFilling, live.isFilling]).toEqual([true, false]);
  expect(live.board.isPartial(NOW)).toBe(true);
  expect(live.board.isPartial(NOW + DAY_MS), 'the sessions that were left out have ended by now').toBe(false);
});

test('after a failed read the board stays, and the next listener reads again', async () => {
  const { desk, live, errors } = createDesk([]);
  desk.meanwhile = () => {
    throw new Error('down');
  };
  await live.ready();
  desk.tell(turn({ to: 'balance.shown' }));
  expect([errors.length, live.board.size]).toEqual([1, 1]);
});
