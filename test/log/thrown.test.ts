import { expect, test } from 'vitest';
import { thrown } from '../../src/log/thrown.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { StoreDown } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';

const coded = (code: unknown, message = 'x') => Object.assign(new Error(message), { code });
const down = (cause: unknown) => new StoreDown('Redis at localhost: x', { cause });

test.each([
  ['a refused connection', down(coded('ECONNREFUSED')), 'ECONNREFUSED'],
  [
    'a server that is full',
    down(new Error("OOM command not allowed when used memory > 'maxmemory'.")),
    'OOM',
  ],
  ['a server that cannot write', down(new Error('MISCONF Redis is configured to save RDB')), 'MISCONF'],
  ['a full disk', down(Object.assign(coded('ERR_SQLITE_ERROR'), { errcode: 13 })), 'SQLITE_FULL'],
  [
    'a disk that fails to write',
    down(Object.assign(coded('ERR_SQLITE_ERROR'), { errcode: 778 })),
    'SQLITE_IOERR',
  ],
  ['a cause within a cause', new Error('x', { cause: down(coded('EPIPE')) }), 'EPIPE'],
  ['a store that knows no reason', down(undefined), undefined],
  ['a code that quotes somebody', down(coded('PIN 1234 is wrong')), undefined],
  ['a code that is a number', down(coded(1234)), undefined],
  [
    'a code of SQLite that nobody knows',
    down(Object.assign(coded('ERR_SQLITE_ERROR'), { errcode: 99 })),
    undefined,
  ],
  ['a message that quotes somebody', down(new Error('1234 is no PIN')), undefined],
  ['a message that begins like a code', down(new Error('OOM1234')), undefined],
])('%s: the log says why', (_, error, why) => {
  const said = thrown(error);
  expect(said.why).toBe(why);
  expect(JSON.stringify(said)).not.toContain('1234');
});

test('a store that is closed: the log says why', async () => {
  const directory = newDirectory('test');
  const store = await openSqliteStore({ directory });
  await store.close();
  const error = await store.read(0, ['a']).catch((thrown) => thrown);
  expect(thrown(error)).toMatchObject({ error: 'StoreDown', why: 'ERR_INVALID_STATE' });
});

test.each([
  ['a text', 'PIN 1234', 'string'],
  ['nothing', undefined, 'undefined'],
])('%s that was thrown: only its kind is logged', (_, error, kind) => {
  expect(thrown(error)).toEqual({ error: kind, at: [] });
});
