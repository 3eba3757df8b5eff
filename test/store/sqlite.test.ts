import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { StoreDown, StoreInUse } from '../../src/store/store.ts';
import { newDirectory } from '../kit/new-directory.ts';
import { describeStore } from './store-contract.ts';
import { testAgainstModel } from './store-model.ts';
import { describeRecording } from './store-recording.ts';

const open = (options = {}) => openSqliteStore({ directory: newDirectory(), ...options });

describeStore('SQLite', open);
testAgainstModel('SQLite', open);
describeRecording('SQLite', open);

/** A process of its own that opens the store, runs `then` with it and says what it gave. */
function otherProcess(directory: string, then: string, shell = 'exec "$@"') {
  const module = JSON.stringify(new URL('../../src/store/sqlite.ts', import.meta.url).href);
  const program = `
    const { openSqliteStore } = await import(${module});
    const store = await openSqliteStore({ directory: ${JSON.stringify(directory)} });
    const write = (key, value, more) => store.commit(1, { writes: [{ key, version: 0, value }], ...more });
    ${then}`;
  const args = ['-c', shell, 'sh', process.execPath, '--input-type=module', '--eval', program];
  const child = spawn('sh', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { said: once(child.stdout, 'data').then(String), end: once(child, 'exit'), child };
}

describe('the files of the SQLite store', () => {
  test('documents, due moments and turns are there after closing and opening', async () => {
    const directory = newDirectory();
    const before = await openSqliteStore({ directory });
    await before.commit(1, { writes: [{ key: 'a', version: 0, value: 'x', dueAt: 5 }], turn: 'turn' });
    await before.close();
    const after = await openSqliteStore({ directory });
    expect(await after.read(1, ['a'])).toEqual([{ value: 'x', version: 1 }]);
    expect(await after.due(5, 10, 1)).toEqual([{ partition: 1, key: 'a' }]);
    expect((await after.turns(1, 10)).map(({ record }) => record)).toEqual(['turn']);
    await after.close();
  });

  test('only the owner can read them, also files that were open to others', async () => {
    const directory = join(newDirectory(), 'made', 'on the way');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'wasl.db'), '', { mode: 0o644 });
    const store = await openSqliteStore({ directory });
    await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] });
    const modes = readdirSync(directory).map((file) => [file, statSync(join(directory, file)).mode & 0o777]);
    expect(modes).toEqual([
      ['wasl.db', 0o600],
      ['wasl.db-wal', 0o600],
    ]);
    await store.close();
  });

  test('a second opening in the same process is refused, the first goes on', async () => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory });
    const second = openSqliteStore({ directory });
    await expect(second).rejects.toThrow(
      new StoreInUse(`Another process is using the store in ${directory}.`),
    );
    expect(await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] })).toBe(true);
    await store.close();
    await (await openSqliteStore({ directory })).close();
  });

  test('another process holds the file until it ends, even by -9, and loses no commit', async () => {
    const directory = newDirectory();
    const other = otherProcess(
      directory,
      `await write('plain', 'x'); await write('money', 'y', { durable: true });
       console.log('written'); setInterval(() => {}, 1000);`,
    );
    expect(await other.said).toBe('written\n');
    await expect(openSqliteStore({ directory })).rejects.toThrow(
      new StoreInUse(`Another process is using the store in ${directory}.`),
    );
    other.child.kill('SIGKILL');
    expect(await other.end).toEqual([null, 'SIGKILL']);
    const store = await openSqliteStore({ directory });
    expect(await store.read(1, ['plain', 'money'])).toEqual([
      { value: 'x', version: 1 },
      { value: 'y', version: 1 },
    ]);
    await store.close();
  });

  test('a full disk is StoreDown, nothing is half-done, and old data can be read', async () => {
    const directory = newDirectory();
    // A file may grow to 256 KiB here. Node ignores the signal, and the write fails.
    const other = otherProcess(
      directory,
      `await write('first', 'x');
       const big = 'x'.repeat(400_000);
       const writes = [{ key: 'small', version: 0, value: 'y' }, { key: 'big', version: 0, value: big }];
       const error = await store.commit(1, { writes, turn: 'never' }).catch((error) => error);
       const after = await store.read(1, ['first', 'small', 'big']);
       const again = await write('again', 'z');
       console.log(JSON.stringify([error.name, after, await store.turns(1, 9), again]));
       await store.close();`,
      'ulimit -f 512; exec "$@"',
    );
    const said = JSON.parse(await other.said);
    expect(said).toEqual(['StoreDown', [{ value: 'x', version: 1 }, null, null], [], true]);
    await other.end;
  });
});

describe('rows that leave the file of the SQLite store', () => {
  test('documents past their retention leave the file, a bounded number at a time', async () => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory });
    for (let i = 0; i < 450; i++) {
      await store.commit(i % 256, { writes: [{ key: `k${i}`, version: 0, value: 'x', keepUntil: 1 }] });
    }
    await store.commit(1, { writes: [{ key: 'kept', version: 0, value: 'x' }] });
    const left = async (polls: number) => {
      const store = await openSqliteStore({ directory });
      for (let i = 0; i < polls; i++) await store.due(0, 1, 1);
      await store.close();
      return countRows(directory, 'doc');
    };
    await store.close();
    expect(await left(1)).toBe(251);
    expect(await left(2)).toBe(1);
    expect(await left(2)).toBe(1);
  });

  test('turn records over the cap leave the file', async () => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory, turnsMax: 5 });
    for (let i = 0; i < 200; i++) await store.commit(1, { writes: [], turn: `${i}` });
    await store.close();
    expect(countRows(directory, 'turn')).toBeLessThan(70);
  });

  test.each([
    ['goes with what is erased for good', true, []],
    ['waits for a sweep where nothing is', false, ['a payment long over']],
  ])('an expired document %s', async (_, erases, left) => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory });
    const over = { key: 'intent:1', version: 0, value: 'a payment long over', keepUntil: 1 };
    await store.commit(1, { writes: [over, { key: 'kept', version: 0, value: 'what stays' }] });
    if (erases) await store.eraseTurns(1, []);
    await store.close();
    const bytes = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'latin1'));
    expect(['a payment long over', 'what stays'].filter((each) => bytes.join().includes(each))).toEqual([
      ...left,
      'what stays',
    ]);
  });
});

describe('files of other releases of the SQLite store', () => {
  test.each([0, 1])(
    'a file of a release before 0.3 is refused, and stays as it is: format %i',
    async (format) => {
      const directory = newDirectory();
      const old = new DatabaseSync(join(directory, 'wasl.db'));
      old.exec(`CREATE TABLE doc (other TEXT); PRAGMA user_version = ${format};`);
      old.close();
      const opening = openSqliteStore({ directory });
      await expect(opening).rejects.toThrow(StoreDown);
      await expect(opening).rejects.toThrow(
        'it was written by a release before 0.3: start Wasl 0.3 on it once',
      );
      expect(countRows(directory, 'doc')).toBe(0);
    },
  );

  test('a file of a newer release is refused, and stays as it is', async () => {
    const directory = newDirectory();
    const newer = new DatabaseSync(join(directory, 'wasl.db'));
    newer.exec('CREATE TABLE doc (other TEXT); PRAGMA user_version = 99;');
    newer.close();
    await expect(openSqliteStore({ directory })).rejects.toThrow(
      'it was written by a newer release (format 99)',
    );
  });
});

describe('commits of the SQLite store', () => {
  test('each of several commits at once succeeds or fails by itself', async () => {
    const store = await openSqliteStore({ directory: newDirectory() });
    await store.commit(1, { writes: [{ key: 'a', version: 0, value: '1' }] });
    const unwritable = { key: 'b', version: 0, value: Symbol('not text') as unknown as string };
    const ends = await Promise.allSettled([
      store.commit(1, { writes: [{ key: 'a', version: 1, value: '2' }], turn: 'one' }),
      store.commit(1, { writes: [{ key: 'a', version: 1, value: 'late' }], turn: 'stale' }),
      store.commit(1, { writes: [{ key: 'x', version: 0, value: '1' }, unwritable], turn: 'bug' }),
      store.commit(2, { writes: [{ key: 'c', version: 0, value: '3' }], turn: 'two', durable: true }),
    ]);
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'thrown'))).toEqual([
      true,
      false,
      'thrown',
      true,
    ]);
    expect((await store.read(1, ['a', 'x'])).map((doc) => doc?.value)).toEqual(['2', undefined]);
    expect((await store.turns(1, 9)).map(({ record }) => record)).toEqual(['one']);
    expect((await store.read(2, ['c'])).map((doc) => doc?.value)).toEqual(['3']);
    await store.close();
  });

  test('waiting commits are written before the store closes', async () => {
    const directory = newDirectory();
    const store = await openSqliteStore({ directory });
    const written = store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] });
    await store.close();
    expect(await written).toBe(true);
    expect(countRows(directory, 'doc')).toBe(1);
  });

  test('a bug in the middle of a commit is thrown as it is, nothing is half-done, and the store goes on', async () => {
    const store = await open();
    const bug = { key: 'b', version: 0, value: {} as string };
    const commit = store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }, bug] });
    await expect(commit).rejects.toThrow(TypeError);
    expect(await store.read(1, ['a', 'b'])).toEqual([undefined, undefined]);
    expect(await store.commit(1, { writes: [{ key: 'a', version: 0, value: 'x' }] })).toBe(true);
    await store.close();
  });
});

describe('a damaged file of the SQLite store', () => {
  const DAMAGES: readonly [label: string, offset: (size: number) => number, bytes: number][] = [
    ['one page in the middle', (size) => Math.floor(size / 2 / 4096) * 4096, 4096],
    ['a stretch in the middle', (size) => Math.floor(size / 3), 50_000],
    ['the beginning', () => 0, 4096],
    ['the end, which is cut off', (size) => size - 40_960, 0],
  ];

  test.each(DAMAGES)('a damaged file is refused at the start, with advice: %s', async (...it) => {
    const [, offset, bytes] = it;
    const directory = newDirectory();
    const store = await openSqliteStore({ directory });
    for (let i = 0; i < 500; i++) {
      const writes = [{ key: `session:${i}`, version: 0, value: 'x'.repeat(300), dueAt: i }];
      await store.commit(i % 256, { writes, turn: 'turn' });
    }
    await store.close();
    const file = join(directory, 'wasl.db');
    const { size } = statSync(file);
    const damaged = openSync(file, 'r+');
    if (bytes === 0) ftruncateSync(damaged, offset(size));
    else writeSync(damaged, Buffer.alloc(bytes, 0x5a), 0, bytes, offset(size));
    closeSync(damaged);
    const opening = openSqliteStore({ directory });
    await expect(opening).rejects.toThrow(StoreDown);
    await expect(opening).rejects.toThrow(
      /^The store in \S+ cannot be opened: wasl\.db is damaged \(.+\)\. Move it .+ restore the last backup/,
    );
    // It is not held: what was restored can be opened by the same process.
    rmSync(file);
    await (await openSqliteStore({ directory })).close();
  });

  const UNUSABLE: readonly [label: string, obstruct: (file: string) => void][] = [
    ['a file that is no database', (file) => writeFileSync(file, 'x'.repeat(5_000))],
    ['a file that is a directory', (file) => mkdirSync(file)],
    ['a dangling link', (file) => symlinkSync('/nowhere/at/all', file)],
  ];

  test.each(UNUSABLE)('%s is refused with a sentence', async (_label, obstruct) => {
    const directory = newDirectory();
    obstruct(join(directory, 'wasl.db'));
    const opening = openSqliteStore({ directory });
    await expect(opening).rejects.toThrow(StoreDown);
    await expect(opening).rejects.toThrow(`The store in ${directory} cannot be opened: `);
  });
});

function countRows(directory: string, table: string): unknown {
  const db = new DatabaseSync(join(directory, 'wasl.db'));
  const count = db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  db.close();
  return count;
}
