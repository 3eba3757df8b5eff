import { describe, expect, test } from 'vitest';
import { askFor, questionsOf, readAnswer } from '../../machines/bill-payment/form.ts';
import { isPayable, select, selection, toggled } from '../../machines/bill-payment/items.ts';
import { matching } from '../../machines/kit/search.ts';
import { screenOf, tell } from '../../src/conversation/chart/machines.ts';
import { totalOf } from '../../src/payments/bill-payment.ts';
import { centimes } from '../../src/wallet/money.ts';
import type { BillField, BillItem, Unpaid } from '../../src/wallet/services.ts';

const TEXT: BillField = { kind: 'text', name: 'a', label: 'A', options: [], required: true };
const field = (more: Partial<BillField>): BillField => ({ ...TEXT, ...more });
const digits = field({ format: 'N', lengthMin: 2, lengthMax: 6 });
const letters = field({ format: 'A', lengthMin: 2, lengthMax: 12 });
const both = field({ format: 'AN', lengthMin: 4, lengthMax: 6 });
const date = field({ format: 'D', lengthMin: 10, lengthMax: 10 });
const free = field({ lengthMax: 8 });

describe('an answer is sent as', () => {
  test.each([
    [digits, '12', '12'],
    [digits, ' 123 456 ', '123456'],
    [digits, '١٢٣٤', '1234'],
    [digits, '۱۲۳۴', '1234'],
    [digits, '12\u200e34', '1234'],
    [digits, '0', undefined],
    [field({ format: 'N', lengthMin: 1 }), '0', '0'],
    [field({ format: ' n ' }), '007', '007'],
    [letters, 'Zoé', 'Zoé'],
    [letters, "N'Diaye-Lô", "N'Diaye-Lô"],
    [letters, 'فاطمة', 'فاطمة'],
    [letters, '  El   Fassi ', 'El Fassi'],
    [both, 'AB12', 'AB12'],
    [both, 'a١٢ب', undefined],
    [both, 'AB١٢', 'AB12'],
    [date, '31/01/2026', '31/01/2026'],
    [date, '1.2.2026', '01/02/2026'],
    [date, '1-2-2026', '01/02/2026'],
    [date, '1*2*2026', '01/02/2026'],
    [date, '01022026', '01/02/2026'],
    [date, '٠١/٠٢/٢٠٢٦', '01/02/2026'],
    [date, '29/02/2028', '29/02/2028'],
    [free, 'N° 12/a', 'N° 12/a'],
    [field({ format: 'ZZ9' }), 'whatever', 'whatever'],
  ])('%o: %j → %j', (of, text, value) => {
    const reading = readAnswer(of, text);
    expect(reading.ok ? reading.value : undefined).toBe(value);
  });
});

describe('an invalid answer gets the reason', () => {
  test.each([
    [digits, '12a', 'digitsOnly'],
    [digits, '12-34', 'digitsOnly'],
    [digits, '1²', 'digitsOnly'],
    [digits, '1٢', 'digitsOnly'],
    [digits, '1', 'digitsAtLeast'],
    [{ ...digits, lengthMin: 10, lengthMax: 10 }, '123', 'digitsExactly'],
    [{ ...digits, lengthMin: 10, lengthMax: 10 }, '12345678901', 'digitsExactly'],
    [digits, '1234567', 'digitsAtMost'],
    [digits, '', 'emptyAnswer'],
    [digits, '   ', 'emptyAnswer'],
    [letters, 'R2D2', 'lettersOnly'],
    [letters, '-a', 'lettersOnly'],
    [letters, '😀😀', 'lettersOnly'],
    [letters, 'a', 'tooShort'],
    [both, 'AB 12', 'lettersAndDigitsOnly'],
    [both, 'éé12', 'lettersAndDigitsOnly'],
    [both, 'AB1', 'tooShort'],
    [both, 'AB12345', 'tooLong'],
    [date, '31/02/2026', 'dateOnly'],
    [date, '29/02/2026', 'dateOnly'],
    [date, '2026-01-31', 'dateOnly'],
    [date, '31/01/26', 'dateOnly'],
    [date, '00/01/2026', 'dateOnly'],
    [date, '01/13/2026', 'dateOnly'],
    [date, 'hier', 'dateOnly'],
    [free, '123456789', 'tooLong'],
    [free, '', 'emptyAnswer'],
  ])('%o: %j → %s', (of, text, why) => {
    const reading = readAnswer(of, text);
    expect(reading.ok ? reading.value : reading.why.key).toBe(`bill-payment.${why}`);
  });
});

test('a label stands above the question after it, or above the last one, and is no question', () => {
  const label = (text: string) => field({ kind: 'label', name: '', label: text });
  const form = [label('one'), label('two'), field({ name: 'a' }), field({ name: 'b' }), label('three')];
  expect(questionsOf(form).map(({ field: { name }, above }) => [name, above])).toEqual([
    ['a', 'one two'],
    ['b', 'three'],
  ]);
  expect(questionsOf([label('alone')])).toEqual([]);
});

test.each([
  ['a number of one digit', { format: 'N', lengthMin: 1 }, true],
  ['a number of two digits', { format: 'N', lengthMin: 2, lengthMax: 2 }, true],
  ['anything', {}, true],
  ['letters and digits of one', { format: 'AN', lengthMin: 1 }, true],
  ['a long number', { format: 'N', lengthMin: 3 }, false],
  ['letters', { format: 'A' }, false],
  ['a date', { format: 'D' }, false],
])('0, 00 and 98 may answer %s: %o %s', (_, more, may) => {
  const screen = askFor({ field: field(more), above: '' }, {});
  expect(screen.takesAnyNumber ?? false).toBe(may);
});

test.each([
  ['0', { lengthMax: 2 }, 'back', 'bill-payment.askWhetherBack'],
  ['00', { lengthMax: 2 }, 'menu', 'bill-payment.askWhetherMenu'],
  ['00', { format: 'N', lengthMin: 2 }, 'menu', 'bill-payment.askWhetherMenu'],
  ['0', { format: 'N', lengthMin: 2 }, 'back', undefined],
  ['00', { lengthMax: 1 }, 'menu', undefined],
  ['00', { format: 'A' }, 'menu', undefined],
] as const)(
  '%s in a field of %o, which leads %s elsewhere, is asked about: %s',
  (text, more, leads, asked) => {
    const context = { creditor: { id: '1', name: 'Syndic' }, form: [field(more)], at: 0 };
    const asking = { machine: 'bill-payment', version: '1', state: 'asking', context };
    const { conversation, isHandled } = tell(asking, { type: 'typedMove', text, leads, at: 0 }, 0);
    expect(isHandled).toBe(asked !== undefined);
    if (asked) expect(screenOf(conversation)?.key).toBe(asked);
  },
);

test.each([
  ['anything', {}, true],
  ['anything of 13 characters', { lengthMax: 13 }, true],
  ['anything shorter', { lengthMax: 12 }, false],
  ['a number of any length', { format: 'N' }, true],
  ['a short number', { format: 'N', lengthMax: 9 }, false],
  ['a number of 20 digits', { format: 'N', lengthMin: 20 }, false],
  ['letters and digits', { format: 'AN', lengthMin: 16, lengthMax: 16 }, true],
  ['letters', { format: 'A' }, false],
  ['a date', { format: 'D' }, false],
])('a number as long as a card’s may answer %s: %o %s', (_, more, may) => {
  const screen = askFor({ field: field(more), above: '' }, {});
  expect(screen.takesLongNumber ?? false).toBe(may);
});

test('a select without options that can be read is typed', () => {
  expect(askFor({ field: field({ kind: 'select' }), above: '' }, {}).expects).toBe('field');
  expect(askFor({ field: field({ kind: 'select', options: ['A'] }), above: '' }, {}).expects).toBe('choice');
});

const CREDITORS = [
  { id: '1', name: 'Redal (test)', description: 'Eau et électricité de Rabat' },
  { id: '2', name: 'École 42' },
  { id: '3', name: 'الوكالة ٤٢', description: 'الماء والكهرباء' },
];

test.each([
  [undefined, ['1', '2', '3']],
  ['', ['1', '2', '3']],
  ['redal', ['1']],
  ['ELECTRICITE rabat', ['1']],
  ['ecole', ['2']],
  ['42', ['2', '3']],
  ['٤٢', ['2', '3']],
  ['الماء', ['3']],
  ['rabat ecole', []],
  ['zzz', []],
  ['.*', []],
])('%j finds %j', (search, ids) => {
  expect(matching(CREDITORS, search).map(({ id }) => id)).toEqual(ids);
});

const item = (id: string, type: number, dirhams: number): BillItem => ({
  id,
  type,
  description: id,
  date: '05/10/2026',
  amount: centimes(dirhams * 100),
});
const ITEMS = [
  item('a', 0, 100),
  item('b', 0, 200),
  item('fee', 1, 10),
  item('must', 2, 20),
  item('stamp', 3, 2),
];
const UNPAID: Unpaid = { reference: '1', items: ITEMS, shown: [], params: [] };
const MANDATORY_ONLY: Unpaid = { ...UNPAID, items: ITEMS.slice(2) };

test('fees, mandatory items, stamp fees and unknown types are always paid', () => {
  const odd = { ...UNPAID, items: [...ITEMS, item('odd', 9, 1)] };
  expect(selection(odd, [1]).map(({ id }) => id)).toEqual(['b', 'fee', 'must', 'stamp', 'odd']);
  expect(totalOf(selection(odd, [1]))).toBe(233_00);
});

test('at least one bill is chosen, if there is one to choose', () => {
  expect(isPayable(UNPAID, [])).toBe(false);
  expect(isPayable(UNPAID, [0])).toBe(true);
  expect(isPayable(MANDATORY_ONLY, [])).toBe(true);
  expect(toggled(toggled([0], 1), 0)).toEqual([1]);
});

test('only bills can be chosen, and the total counts all paid items', () => {
  const choices = (chosen: number[]) => select(UNPAID, chosen, {}).choices?.map(({ id, key }) => [id, key]);
  expect(choices([1])).toEqual([
    ['0', 'bill-payment.notChosen'],
    ['1', 'bill-payment.chosen'],
    ['pay', 'bill-payment.paySelected'],
  ]);
  expect(select(UNPAID, [], {}).key, 'no total').toMatch(/selectNone/);
  expect(choices([]), 'nothing to pay yet').not.toContainEqual(['pay', 'bill-payment.paySelected']);
  expect(select(UNPAID, [1], {}).values?.total).toEqual({ money: 232_00 });
});
