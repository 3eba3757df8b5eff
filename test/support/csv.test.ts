import { expect, test } from 'vitest';
import { csvLine, csvOf, download } from '../../src/support/csv.ts';
import { inboxLines } from '../../src/support/pages/inbox.ts';

test.each([
  ['=1+2', "'=1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd', "'+cmd"],
  ['-2+3', "'-2+3"],
  [' =1', "' =1"],
  ['\t=1', `"\t'=1"`],
  ['＝1+2', "'＝1+2"],
  ['x;=1+2', `"x;'=1+2"`],
  ['x; @SUM(A1)', `"x;' @SUM(A1)"`],
  ['x,=1+2', `"x,'=1+2"`],
  ['x\t-1+2', `"x\t'-1+2"`],
  ['x\r\n=1', `"x\r\n'=1"`],
  ['\0=HYPERLINK("https://evil.ma")', `"'=HYPERLINK(""https://evil.ma"")"`],
  ['\x1f\x7f+cmd', "'+cmd"],
  ['x;\x85@SUM(A1)', `"x;'@SUM(A1)"`],
  ['x\n\x0b=1', `"x\n'=1"`],
  ['\u200b=1', "'\u200b=1"],
  ['\ufeff\u202e=1', "'\ufeff\u202e=1"],
  ['a\x07b', 'ab'],
  ['سلمى\u200c', 'سلمى\u200c'],
  ['"=1+2"', `"""=1+2"""`],
  ['Salma; Idrissi', '"Salma; Idrissi"'],
  ['a "b"', '"a ""b"""'],
  ['+212 6•• •• •• 78', '+212 6•• •• •• 78'],
  ['-20', '-20'],
  ['1 + 1 = 2', '1 + 1 = 2'],
  [12.5, '12.5'],
  [undefined, ''],
])('%j is text in every spreadsheet', (value, written) => {
  expect(csvLine([value, 'x'])).toBe(`${written},x\r\n`);
});

// A guard that tries one sign in two ways takes ever longer: the test ends by its own limit then.
test.each(['\ufeff', '\ufeff ', ' \u200b', ',', ', ', '+1 ', '\n\ufeff'])(
  'a cell of only %j is written in linear time',
  (sign) => {
    const cell = `a,${sign.repeat(50_000)}x`;
    expect(csvLine([cell])).toContain(sign);
  },
);

test('a CSV that is saved begins with the mark by which Excel reads é, masks and Arabic', async () => {
  const saved = download('x.csv', 'text/csv', csvOf([['é', '••••', 'سلمى']]));
  const bytes = new Uint8Array(await saved.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toBe('é,••••,سلمى\r\n');
});

test.each([
  ['fr', ['Dossier', 'Motif', 'Client']],
  ['en', ['Case', 'Reason', 'Customer']],
  ['ar', ['ملف', 'السبب', 'الزبون']],
] as const)('the heads of a saved list are in the language of its reader: %s', (language, heads) => {
  const [first] = inboxLines([], { teams: [], labels: [] }, { language } as never);
  expect(first?.slice(0, 3)).toEqual(heads);
});
