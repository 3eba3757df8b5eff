import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/sandbox/core/database.ts';
import { carryOut, type Refusal, refusal, refuse } from '../../../src/sandbox/core/refusal.ts';

function database() {
  const db = new Database(':memory:');
  onTestFinished(() => db.close());
  const write = () => db.run('REPLACE INTO meta VALUES (?, ?)', 'written', 'yes');
  const isWritten = () => db.get('SELECT 1 FROM meta WHERE name = ?', 'written') !== undefined;
  return { db, write, isWritten };
}

test.each<[string, () => unknown, Refusal | string, boolean]>([
  ['an answer', () => 'done', 'done', true],
  ['a refusal that is thrown', () => refuse('outOfStock'), { refused: 'outOfStock' }, false],
  [
    'a refusal that is thrown with a detail',
    () => refuse('billChanged', { detail: 'x' }),
    { refused: 'billChanged', detail: 'x' },
    false,
  ],
  [
    'a refusal that is returned',
    () => refusal('pinIncorrect', { remainingAttempts: 2 }),
    { refused: 'pinIncorrect', remainingAttempts: 2 },
    true,
  ],
])('after %s the writes are kept or undone', (_, end, answer, kept) => {
  const { db, write, isWritten } = database();
  const given = carryOut(db, () => {
    write();
    return end();
  });
  expect(given).toEqual(answer);
  expect(isWritten()).toBe(kept);
});

test('a bug is thrown on, and undoes all writes', () => {
  const { db, write, isWritten } = database();
  const broken = () => {
    write();
    throw new Error('a bug');
  };
  expect(() => carryOut(db, broken)).toThrow('a bug');
  expect(isWritten()).toBe(false);
});

test('a refusal ends the whole handler, from any depth', () => {
  const { db, write, isWritten } = database();
  const deep = (n: number): number => (n === 0 ? refuse('insufficientFunds') : deep(n - 1));
  expect(carryOut(db, () => [write(), deep(5), write()])).toEqual({ refused: 'insufficientFunds' });
  expect(isWritten()).toBe(false);
});
