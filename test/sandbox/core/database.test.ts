import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Database } from '../../../src/sandbox/core/database.ts';
import { newDirectory } from '../../kit/new-directory.ts';
import { call, FATIMA, sandbox, transfer, YOUSSEF } from '../kit.ts';

function file(): string {
  const folder = newDirectory();
  return join(folder, 'sandbox.db');
}

test('a file of another version begins again', async () => {
  const path = file();
  const old = new DatabaseSync(path);
  old.exec('CREATE TABLE operations (id INTEGER PRIMARY KEY); INSERT INTO operations VALUES (7)');
  old.close();
  const wallet = sandbox({ file: path });
  expect(wallet.executions()).toEqual([]);
  expect((await call(wallet, 'executeTransfer', transfer(FATIMA, YOUSSEF, 10))).status).toBe(200);
});

test('a lasting row is read once, until it is forgotten, undone or emptied', () => {
  const db = new Database(':memory:');
  onTestFinished(() => db.close());
  const set = (value: string) => db.run('REPLACE INTO meta VALUES (?, ?)', 'a', value);
  const read = () => db.lasting<{ value: string }>('SELECT value FROM meta WHERE name = ?', 'a')?.value;
  expect(read()).toBeUndefined();
  set('1');
  expect(read()).toBe('1');
  set('2');
  expect(read()).toBe('1');
  db.forget();
  expect(read()).toBe('2');
  const undone = () => {
    set('3');
    db.forget();
    expect(read()).toBe('3');
    throw new Error('undone');
  };
  expect(() => db.transaction(undone)).toThrow('undone');
  expect(read()).toBe('2');
  db.empty();
  expect(read()).toBeUndefined();
});

describe('the writes of one turn of the event loop', () => {
  function opened(path = ':memory:') {
    const db = new Database(path);
    let isOpen = true;
    const close = () => {
      if (isOpen) db.close();
      isOpen = false;
    };
    onTestFinished(close);
    const set = (name: string, value = 'x') => db.run('REPLACE INTO meta VALUES (?, ?)', name, value);
    const names = () =>
      db.all<{ name: string }>('SELECT name FROM meta ORDER BY name').map(({ name }) => name);
    return { db, set, names, close };
  }
  /** No more pages than the file has, and few bytes left in them. */
  const fill = (db: Database) => db.get('PRAGMA max_page_count = 1');
  const TOO_LONG = 'x'.repeat(1_000_000);

  test('are seen at once, and reach the file together', async () => {
    const path = file();
    const { db, set, names, close } = opened(path);
    db.transaction(() => set('a'));
    db.transaction(() => set('b'));
    expect(names()).toEqual(['a', 'b']);
    const before = statSync(`${path}-wal`).size;
    await db.committed();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(before);
    close();
    expect(opened(path).names()).toEqual(['a', 'b']);
  });

  test('are undone one work at a time', async () => {
    const { db, set, names } = opened();
    const undone = () => {
      set('b');
      throw new Error('undone');
    };
    db.transaction(() => set('a'));
    expect(() => db.transaction(undone)).toThrow('undone');
    expect(() => db.transaction(undone)).toThrow('undone');
    db.transaction(() => set('c'));
    expect(names()).toEqual(['a', 'c']);
    await db.committed();
    expect(names()).toEqual(['a', 'c']);
  });

  test('reach the file with `commit` or `close` at the latest', async () => {
    const path = file();
    const { db, set, close } = opened(path);
    set('a');
    const committed = db.committed();
    db.commit();
    await committed;
    set('b');
    close();
    expect(opened(path).names()).toEqual(['a', 'b']);
  });

  test('are lost together when the disk is full, and everybody hears of it', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { db, set, names } = opened();
    set('kept');
    await db.committed();
    fill(db);
    db.transaction(() => set('a'));
    const waiting = db.committed();
    expect(() => db.transaction(() => set('b', TOO_LONG))).toThrow('full');
    await expect(waiting).rejects.toThrow('rolled back');
    expect(names()).toEqual(['kept']);
    db.transaction(() => set('c'));
    await db.committed();
    expect(names()).toEqual(['c', 'kept']);
  });

  test('cannot be one transaction within another', () => {
    const { db } = opened();
    expect(() => db.transaction(() => db.transaction(() => 1))).toThrow('within');
  });
});
