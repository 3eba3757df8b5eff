import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonColumn } from '../../../src/sandbox/core/json-column.ts';
import { struckColumn } from '../../../src/sandbox/faults/faults.ts';

const column = jsonColumn('bills.paid', z.array(z.string()));

describe('a column that holds JSON', () => {
  test.each([
    ['nothing in it', '[]', []],
    ['one item', '["A1"]', ['A1']],
    ['several', '["A1","A2"]', ['A1', 'A2']],
  ])('is read with %s', (_, text, value) => {
    expect(column.read(text)).toEqual(value);
  });

  test.each([
    ['no text', ''],
    ['no JSON', '["secret"'],
    ['another shape', '{"secret":1}'],
    ['items of another type', '["secret",1]'],
    ['null', 'null'],
  ])('throws for %s, and names the column without its content', (_, text) => {
    expect(() => column.read(text)).toThrow(/^bills\.paid holds what it may not$/);
  });
});

describe('the stored faults of an operation', () => {
  test.each([
    ['none', '{}', {}],
    ['one without a delay', '{"webhookTwice":0}', { webhookTwice: 0 }],
    ['two', '{"reversal":5000,"webhookNever":0}', { reversal: 5_000, webhookNever: 0 }],
  ])('are read: %s', (_, text, struck) => {
    expect(struckColumn.read(text)).toEqual(struck);
  });

  test.each([
    ['a fault that is not in the list', '{"earthquake":0}'],
    ['a delay that is no number', '{"reversal":"5000"}'],
    ['a list', '["reversal"]'],
  ])('throw: %s', (_, text) => {
    expect(() => struckColumn.read(text)).toThrow('faults holds what it may not');
  });
});
