import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/sandbox/core/database.ts';
import { call, FATIMA, sandbox, transfer, YOUSSEF } from '../kit.ts';

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wasl-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
