import { expect, test } from 'vitest';
import {
  digestOf,
  type FileReading,
  readPayouts,
  type Wrong,
} from '../../../src/conversation/payouts/file.ts';
import { ribWith } from '../../../src/sandbox/transfers/rib.ts';

const RIB = ribWith('007780', 1);
const SALMA = '0655000001;Salma Idrissi;1 250,50;Salaire';
const LINES = Array.from({ length: 1_001 }, (_, i) => `0655000001;Salma;10;n${i}`);
const read = (text: string): FileReading => readPayouts(new TextEncoder().encode(text));

test.each([
  ['between semicolons', `${SALMA}\n`],
  [
    'with headings, a mark of its bytes and lines that were emptied',
    `\ufeffNuméro;Nom;Montant;Motif\r\n${SALMA}\r\n;;;\r\n\r\n`,
  ],
  ['between commas, quoted', '"+212 6 55 00 00 01","Salma Idrissi","1 250,50","Salaire"'],
  ['between tabs', SALMA.replaceAll(';', '\t')],
  ['with the line ends of Windows, or of old', `Numéro;Nom;Montant;Motif\r\n${SALMA}\r\n`],
  ['with the line ends of before', `Numéro;Nom;Montant;Motif\r${SALMA}\r`],
  ['between tabs, with a mark of its bytes', `\ufeff${SALMA.replaceAll(';', '\t')}\r\n`],
  [
    'between commas, with headings',
    `Numéro,Nom,Montant,Motif\r\n0655000001,Salma Idrissi,1250.50,Salaire\r\n`,
  ],
  ['with spaces around', ' 0655000001 ; Salma  Idrissi ;1250.50 ; Salaire '],
  [
    'with the marks that telephones and keyboards leave',
    '\u202a+212 655-000001\u202c;\u200fSalma\u200e Idrissi\u200b;\u20661 250,50\u2069;\u061cSalaire\ufeff',
  ],
  ['as its first line says that columns are parted', `sep=;\r\n${SALMA}\r\n`],
  ['so, as Excel saves that line again', `\ufeff"sep=;";;;\r\nNuméro;Nom;Montant;Motif\r\n${SALMA}\r\n`],
  ['so, between tabs', `sep=\t\n${SALMA.replaceAll(';', '\t')}`],
  ['in Arabic-Indic digits', '٠٦٥٥٠٠٠٠٠١;Salma Idrissi;1250,50;Salaire'],
])('a file is read %s, and is the same one', (_case, text) => {
  const reading = read(text);
  expect(reading).toEqual({
    ok: true,
    lines: [{ to: { phone: '+212655000001' }, name: 'Salma Idrissi', amount: 125_050, reason: 'Salaire' }],
  });
  const plain = read(SALMA);
  if (reading.ok && plain.ok) expect(digestOf('PA-1', reading.lines)).toBe(digestOf('PA-1', plain.lines));
});

test('an account of a bank is read in groups or as its IBAN, and without a reason', () => {
  const reading = read(`${RIB};Karim;10;Prime\nMA64${RIB};Karim;20;\n`);
  expect(reading).toMatchObject({
    ok: true,
    lines: [{ to: { rib: RIB } }, { to: { rib: RIB }, reason: '' }],
  });
});

test('quoted text does not split columns, and names are in any letters', () => {
  const quoted = read(
    '"0655000001","Idrissi; Salma","10","a, b\t c"\r\n0655000002,سلمى الإدريسي,20,راتب\r\n',
  );
  expect(quoted).toMatchObject({
    ok: true,
    lines: [
      { name: 'Idrissi; Salma', reason: 'a, b c' },
      { name: 'سلمى الإدريسي', reason: 'راتب' },
    ],
  });
});

test('dots, dashes and apostrophes in names and reasons are kept', () => {
  const plain = read(
    `0655000001;M. B.-A. d'Anfa;10;Fact. 12/2026 n° 3.5\n0655000002;Épicerie S.A.;10;\n${RIB};M.Alami;10;Fact.Mai`,
  );
  expect(plain).toMatchObject({
    ok: true,
    lines: [{ name: "M. B.-A. d'Anfa" }, { name: 'Épicerie S.A.' }, { name: 'M.Alami', reason: 'Fact.Mai' }],
  });
});

test('a file as French Excel saves it is read as the same file in UTF-8', () => {
  const text = [
    'Numéro;Nom;Montant;Motif',
    '0655000001;Thérèse d’Été;1 250,50;Reçu n° 3',
    '0655000002;HÔTEL Œuvre Île;10;Dû à Noël',
    '0655000003;François « Ça » Lhoussaïn;20;',
  ].join('\r\n');
  const signs: Readonly<Record<string, number>> = { '’': 0x92, Œ: 0x8c, '\u202f': 0xa0 };
  const bytes = Uint8Array.from(
    text.replace('1 250', '1\u00a0250'),
    (sign) => signs[sign] ?? sign.charCodeAt(0),
  );
  const [saved, same] = [readPayouts(bytes), read(text)];
  expect(saved).toEqual(same);
  expect(saved).toMatchObject({ ok: true, lines: [{ name: 'Thérèse d’Été', amount: 125_050 }, {}, {}] });
});

test('two lines with another account, amount, reason or name are no doubles', () => {
  const others = [
    '0655000002;Salma Idrissi;1 250,50;Salaire',
    '0655000001;Salma Idrissi;1 250,51;Salaire',
    '0655000001;Salma Idrissi;1 250,50;Fact 12',
    '0655000001;Salma Idrissi;1 250,50;Fact 1/2',
    '0655000001;Salma Idrissi Alaoui;1 250,50;Salaire',
  ];
  expect(read([SALMA, ...others].join('\n'))).toMatchObject({ ok: true });
});

test('a name is of one alphabet in each word, and may have several', () => {
  for (const name of ['Salma سلمى', 'ⵙⴰⵍⵎⴰ', 'سَلْمَى', 'Jean-François d’Anfa', 'Société 2000', 'Müller Šimić'])
    expect(read(`0655000001;${name};10;x`), name).toMatchObject({ ok: true, lines: [{ name }] });
});

test('the maximum number of lines is read, each by itself', () => {
  const reading = read(`\ufeffNuméro;Nom;Montant;Motif\r\n${LINES.slice(1).join('\r\n')}\r\n`);
  expect(reading.ok && reading.lines.length).toBe(1_000);
});

const wrongKey = `${RIB.slice(0, -1)}${(Number(RIB.at(-1)) + 1) % 10}`;
test.each<[string, string | Uint8Array, Wrong[]]>([
  ['nothing', '', [{ why: 'empty' }]],
  ['headings alone', 'Numéro;Nom;Montant;Motif\n', [{ why: 'empty' }]],
  ['more lines than a file may have', LINES.join('\n'), [{ why: 'tooMany' }]],
  ['more bytes', 'x'.repeat(500_001), [{ why: 'tooLarge' }]],
  ['no text', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00]), [{ why: 'notText' }]],
  ...(
    [
      ['Arabic Excel', '0655000001;\xd3\xe1\xe3\xec;10;x'],
      ['Arabic Excel, in bytes that are capitals in French', '0655000001;\xc8\xc7\xca;10;x'],
      ['Arabic Excel, in one such byte', '0655000001;Salma \xc9;10;x'],
      ['DOS', '0655000001;Th\x82r\x8ase;10;x'],
      ['DOS, with î', '0655000001;Beno\x8ct;10;x'],
      ['DOS, in capitals', '0655000001;H\xe2TEL;10;x'],
      ['DOS, with á', '0655000001;Hern\xa0ndez;10;x'],
      ['an old Macintosh', '0655000001;Th\x8er\x8fse;10;x'],
      ['Windows for Poland', '0655000001;Pawe\xb3;10;x'],
      ['nobody', '0655000001;Salma;10;\x9d'],
    ] as const
  ).map(([whose, text]): [string, Uint8Array, Wrong[]] => [
    `the bytes of ${whose}`,
    Buffer.from(text, 'latin1'),
    [{ why: 'notText' }],
  ]),
  ['another separator than it says', `sep=,\n${SALMA}`, [{ line: 2, why: 'columns' }]],
  [
    'wrong lines below the one that says the separator',
    `sep=;\n${SALMA}\n06;Salma;1;x`,
    [{ line: 3, why: 'account' }],
  ],
  ...['Sаlma Idrissi', 'Салма', 'Σalma', 'Salmaⵔ', 'سلمىa', 'Ѕalma', 'Salm\u0332a'].map(
    (name): [string, string, Wrong[]] => [
      `a letter in a name that looks like another: ${name}`,
      `0655000001;${name};10;x`,
      [{ line: 1, why: 'name' }],
    ],
  ),
  ...['SALMA IDRISSI', 'salma idrissi', 'Salma Idrîssi', 'Salma-Idrissi', 'Salma  Idrissi.'].map(
    (name): [string, string, Wrong[]] => [
      `a likely double: ${name}`,
      `${SALMA}\n${SALMA.replace('Salma Idrissi', name)}`,
      [{ line: 2, why: 'twice' }],
    ],
  ),
  ...[
    ['مصطفى', 'مصطفي'],
    ['علی', 'علي'],
    ['كـريم', 'كريم'],
    ['Łukasz', 'Lukasz'],
  ].map(([name = '', other = '']): [string, string, Wrong[]] => [
    `a likely double: ${name} and ${other}`,
    `0655000001;${name};10;x\n0655000001;${other};10;x`,
    [{ line: 2, why: 'twice' }],
  ]),
  [
    'a likely double: a reason in capitals',
    `${SALMA}\n${SALMA.replace('Salaire', 'SALAIRE')}`,
    [{ line: 2, why: 'twice' }],
  ],
  [
    'bytes of 16 bits, as a spreadsheet may save them',
    new Uint8Array(Buffer.from(`\ufeff${SALMA}`, 'utf16le')),
    [{ why: 'notText' }],
  ],
  ['columns between bars', SALMA.replaceAll(';', '|'), [{ line: 1, why: 'columns' }]],
  [
    'columns between two kinds of marks',
    `${SALMA}\n${SALMA.replaceAll(';', '\t')}`,
    [{ line: 2, why: 'columns' }],
  ],
  ['a formula for a name', '0655000001;=1+2;10;x', [{ line: 1, why: 'name' }]],
  ['a formula for an amount', '0655000001;Salma;=10*10;x', [{ line: 1, why: 'amount' }]],
  ['a quote that is not closed', '0655000001;"Salma;10;x', [{ why: 'quotes' }]],
  [
    'everything wrong at once',
    `06;1;abc;${'x'.repeat(36)}`,
    (['account', 'name', 'amount', 'reason'] as const).map((why) => ({ line: 1, why })),
  ],
  ['a column too few', '0655000001;Salma;10', [{ line: 1, why: 'columns' }]],
  ['a column too many', `${SALMA};x`, [{ line: 1, why: 'columns' }]],
  ['a number abroad', '+33612345678;Salma;10;x', [{ line: 1, why: 'account' }]],
  ['a number without its end', '06550000;Salma;10;x', [{ line: 1, why: 'account' }]],
  ['a RIB with a wrong digit', `${wrongKey};Karim;10;x`, [{ line: 1, why: 'ribKey' }]],
  ['a RIB as a spreadsheet rounds it', '7.78E+22;Karim;10;x', [{ line: 1, why: 'account' }]],
  ['nobody’s name', '0655000001;7;10;x', [{ line: 1, why: 'name' }]],
  ...[
    'Salma \u202eIdrissi',
    'Salma\x07',
    'Salma\ue000',
    'Salma evil.exa\u200bmple/x',
    'Sal\x1b[31mma',
    'Salma www.evil.ma',
    'evil。example',
  ].flatMap((text): [string, string, Wrong[]][] => [
    [`a name such as ${JSON.stringify(text)}`, `0655000001;${text};10;x`, [{ line: 1, why: 'name' }]],
    [`such a holder: ${JSON.stringify(text)}`, `${RIB};${text};10;x`, [{ line: 1, why: 'name' }]],
    [`such a reason: ${JSON.stringify(text)}`, `0655000001;Salma;10;${text}`, [{ line: 1, why: 'reason' }]],
  ]),
  ['a link for the reason at a bank', `${RIB};Karim;10;https://evil.ma`, [{ line: 1, why: 'reason' }]],
  ['an amount that could be two', '0655000001;Salma;1.500;x', [{ line: 1, why: 'amount' }]],
  ['no amount', '0655000001;Salma;0;x', [{ line: 1, why: 'amount' }]],
  ['an amount below zero', '0655000001;Salma;-10;x', [{ line: 1, why: 'amount' }]],
  ['a reason that no bank takes', `${RIB};Karim;10;راتب`, [{ line: 1, why: 'reason' }]],
  ['the same twice', `${SALMA}\n${SALMA}`, [{ line: 2, why: 'twice' }]],
  [
    'several, of which each is told by its line',
    `Numéro;Nom;Montant;Motif\n${SALMA}\n12;Salma;10;x\n0655000001;Salma;;x`,
    [
      { line: 3, why: 'account' },
      { line: 4, why: 'amount' },
    ],
  ],
])('a file with %s is refused whole', (_case, given, wrong) => {
  expect(typeof given === 'string' ? read(given) : readPayouts(given)).toEqual({ ok: false, wrong });
});

test('a file with one other line, or of another agent, is another file', () => {
  const [one, other] = [read(SALMA), read(SALMA.replace('50;', '51;'))];
  if (!one.ok || !other.ok) throw new Error('not read');
  const digests = [digestOf('PA-1', one.lines), digestOf('PA-1', other.lines), digestOf('PA-2', one.lines)];
  expect(new Set(digests).size).toBe(3);
});
