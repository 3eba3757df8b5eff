import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isActivePdf } from '../../src/pdf/active.ts';
import { createLookAtPdf, lookAtAdvisersPdf, lookAtCustomersPdf } from '../../src/pdf/in-thread.ts';
import { pdf } from '../../src/pdf/write.ts';

const bytesOf = (...parts: readonly (string | Uint8Array)[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))),
  );
/** A page, and what else its catalog says. */
const file = (catalog: string, ...more: readonly (string | Uint8Array)[]) =>
  bytesOf(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n`, ...more, '\n%%EOF\n');
const SCRIPT = '<< /S /JavaScript /JS (app.alert(1)) >>';
/** A stream of objects, of which the one numbered 7 is this. */
const packed = (
  object: string,
  {
    dictionary = '/Filter /FlateDecode',
    bytes = deflateSync(`7 0 8 ${object.length + 1} ${object}\n<< >>`),
  } = {},
) => [`5 0 obj\n<< /Type /ObjStm /N 2 /First 7 ${dictionary} >>\nstream\r\n`, bytes, '\nendstream\nendobj\n'];
const broken = (text: string) => {
  const bytes = deflateSync(text);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes;
};

/** A link, as LaTeX and Word write it, and the action that opens the document at a page. */
const LINK = '4 0 obj\n<< /Subtype /Link /A << /S /URI /URI (https://a.ma) >> >>\nendobj\n';
const GOES = '9 0 obj\n<< /S /GoTo /D [3 0 R /Fit] >>\nendobj\n';
const SITE = '<< /S /URI /URI (https://evil.ma) >>';

/** The same, as it is. */
const plain = (dictionary: string, object: string) => [
  `5 0 obj\n<< /Type /ObjStm /N 2 /First 7 ${dictionary} >>\nstream\r\n7 0 8 9 ${object}\nendstream\nendobj\n`,
];

test('a receipt of the wallet is only pages', () =>
  expect(isActivePdf(pdf('Reçu', [['Montant', '20 DH']]))).toBe(false));

test.each<[string, ...Parameters<typeof file>]>([
  ['links, and the page to begin with', '/OpenAction [3 0 R /Fit] /A << /S /URI /URI (https://a.ma) >>'],
  ['an action that goes to a page', '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>'],
  ['the same as an object', '/OpenAction 9 0 R', '9 0 obj\n<< /D [3 0 R] /S /GoTo >>\nendobj\n'],
  ['the same in a stream of objects', '/OpenAction 7 0 R', ...packed('<< /S /GoTo /D [3 0 R /Fit] >>')],
  ['links, and an object that goes to a page', '/OpenAction 9 0 R', LINK, GOES],
  ['links, and an action of its own', '/OpenAction<</S/GoTo/D[3 0 R/Fit]>>', LINK],
  ['links, and a page as an object', '/OpenAction 9 0 R', LINK, '9 0 obj\n[3 0 R /Fit]\nendobj\n'],
  ['links, and a name of a page', '/OpenAction (first)', LINK],
  [
    'both in a stream of objects',
    '/OpenAction 7 0 R',
    ...packed('<< /S /GoTo /D (first) >>'),
    ...packed('<< /Subtype /Link /A << /S /URI >> >>'),
  ],
  ['the same after a comment', '/OpenAction %page\n9 0 R', LINK, GOES],
  [
    'links, a page to begin with, and an outline and structure',
    '/OpenAction 9 0 R',
    LINK,
    GOES,
    '10 0 obj\n<< /Title (1) /Next 11 0 R /A << /S /GoTo /D (1) >> >>\nendobj\n',
    '12 0 obj\n<< /Type /StructElem /S /P >>\nendobj\n13 0 obj\n<< /S 36 /Length 0 >>\nendobj\n',
  ],
  ['objects that are not packed', '', ...plain('/X (<< \\) >>)', '<< >>')],
  ['the word stream in what it says', '', '4 0 obj\n<< >>\nstream\n(The stream\nof life)\nendstream\n'],
  ['parts that refer to others', '', '4 0 obj\n<< /Type /StructElem /S /TOCI /Ref [9 0 R] >>\nendobj\n'],
  ['a picture', '', '4 0 obj\n<< /Filter /DCTDecode /R << /F 9 0 R >> >>\nstream\n/AA /EF\nendstream\n'],
  ['a form that nobody sends', '/AcroForm << /Fields [] >>'],
  ['words that only look so', '/Title (JavaScript, Launch) /Javascripts 1 /AAPL 2'],
  [
    'a stream of objects after one that is packed with a table',
    '',
    '4 0 obj\n<< /DecodeParms << /Predictor 12 >> /W [1 2 1] >>\nstream\nxx\nendstream\n',
    ...packed('<< >>'),
  ],
])('a PDF with %s is only pages', (_case, ...parts) => expect(isActivePdf(file(...parts))).toBe(false));

test.each<[string, ...Parameters<typeof file>]>([
  ['a script', '/Names << /JavaScript 4 0 R >>'],
  ['its name by numbers', '/Names << /#4AavaS#63ript 4 0 R >>'],
  ['a script on opening', `/OpenAction ${SCRIPT}`],
  ['a program', '/OpenAction << /S /Launch /F (cmd.exe) >>'],
  ['a site on opening', `/OpenAction ${SITE}`],
  ['the same as an object', '/OpenAction 9 0 R', '9 0 obj\n<< /S /URI /URI (https://evil.ma) >>\nendobj\n'],
  ['the same in a stream of objects', '/OpenAction 7 0 R', ...packed('<< /S /URI /URI (https://evil.ma) >>')],
  ['a page first, and a site next', '/OpenAction<</S/GoTo/D[3 0 R]/Next<</S/URI/URI(https://evil.ma)>>>>'],
  ['a string like a page', '/OpenAction<</X(/S /GoTo)/S/URI/URI(https://evil.ma)>>'],
  ['a printer on opening', '/OpenAction << /S /Named /N /Print >>'],
  ['a comment before its site', '/OpenAction%[\n<</S/URI/URI(https://evil.ma)>>'],
  [
    'an object of two kinds',
    '/OpenAction 9 0 R',
    '9 0 obj\n<< /S /GoTo /D [3 0 R] >>\nendobj\n9 0 obj\n<< /S /URI >>\nendobj\n',
  ],
  ['two actions', '/OpenAction [3 0 R /Fit] /OpenAction << /S /URI /URI (https://evil.ma) >>'],
  ['a site on opening, as an object behind a link', '/OpenAction 9 0 R', LINK, `9 0 obj\n${SITE}\nendobj\n`],
  ['the same by numbers', '/Open#41ction 9 0 R', LINK, '9 0 obj<</#53/#55RI>>endobj'],
  ['a site on opening with its kind elsewhere', '/OpenAction 9 0 R', LINK, '9 0 obj<</S 8 0 R>> 8 0 obj/URI'],
  ['the same at once', '/OpenAction<</S 8 0 R/URI(https://evil.ma)>>', LINK, '8 0 obj/URI'],
  ['a page first, and an object next', '/OpenAction 9 0 R', LINK, '9 0 obj<</S/GoTo/D[3 0 R]/Next 4 0 R>>'],
  ['two kinds in one', '/OpenAction 9 0 R', LINK, `9 0 obj<</S/GoTo/S/URI>>`],
  ['another number for its object', '/OpenAction +9 0 R', `9.0 0 obj${SITE}`],
  ['a site in an object that is another one’s string', '/OpenAction 9 0 R', LINK, `4 0 obj(9 0 obj${SITE})`],
  ['a page elsewhere on opening', '/OpenAction 9 0 R', LINK, '9 0 obj<</S/GoToR/F(x.pdf)>>'],
  ['a script on opening, as an object', '/OpenAction 9 0 R', LINK, `9 0 obj${SCRIPT}endobj`],
  ['a program on opening, as an object', '/OpenAction 9 0 R', LINK, '9 0 obj<</S/Launch/F(cmd)>>endobj'],
  ['a form on opening, as an object', '/OpenAction 9 0 R', LINK, '9 0 obj<</S/SubmitForm/F(x)>>endobj'],
  ['data on opening, as an object', '/OpenAction 9 0 R', LINK, '9 0 obj<</S/ImportData/F(x)>>endobj'],
  ['a printer on opening, as an object', '/OpenAction 9 0 R', '9 0 obj<</S/Named/N/Print>>endobj'],
  ['a site in a stream of objects that is not packed', '/OpenAction 7 0 R', ...plain('', SITE)],
  [
    'a site in a stream that says another place',
    '/OpenAction 7 0 R',
    LINK,
    ...packed('', { bytes: deflateSync(`7 40 8 99 ${SITE} << >>`) }),
  ],
  [
    'a link that a stream says to be an object',
    '/OpenAction 7 0 R',
    ...packed('', { bytes: deflateSync(`7 5 8 0 <</A ${SITE}>>`) }),
  ],
  [
    'a stream of objects that nobody can count',
    '/OpenAction 7 0 R',
    LINK,
    ...packed('<< >>', { dictionary: '/N 8 0 R /Filter /FlateDecode' }),
  ],
  ['what is done with a page', '/AA << /O << /S /URI /URI (https://evil.ma) >> >>'],
  ['the same behind a NUL', '/AA\0<</O 9 0 R>>'],
  ['the same behind a comment', '/AA%c\n<</O 9 0 R>>'],
  ['the same elsewhere', '/AA\x009 0 R'],
  ['a file elsewhere', '/A << /F << /FS /URL /F (https://evil.ma) >> >>'],
  ['a page elsewhere', '', '4 0 obj\n<< /Ref << /F (\\\\\\\\evil\\\\x) /Page 0 >> >>\nstream\n\nendstream\n'],
  ['bytes elsewhere', '', '4 0 obj\n<< /F (\\\\\\\\evil\\\\x) >>\nstream\n\nendstream\n'],
  ['a file inside that has no type', '/AF [<< /EF << /F 9 0 R >> >>]'],
  ['a film', '/A << /S /Movie >>'],
  ['a model', '', '4 0 obj\n<< /Subtype /3D /3DD 9 0 R >>\nendobj\n'],
  ['a form that is sent', '/A << /S /SubmitForm /F (https://evil.ma) >>'],
  ['another file inside', '/Names << /EmbeddedFiles 4 0 R >>'],
  ['a cipher', '', 'trailer\n<< /Root 1 0 R /Encrypt 8 0 R >>\n'],
  ['a script in a stream of objects', '', ...packed(SCRIPT)],
  ['one whose checksum is wrong', '', ...packed(SCRIPT, { bytes: broken(`7 0 8 40 ${SCRIPT}`) })],
  ['one that is cut off', '', ...packed(SCRIPT, { bytes: deflateSync(`7 0 ${SCRIPT}`).subarray(0, -6) })],
  ['one that is packed otherwise', '', ...packed(SCRIPT, { dictionary: '/Filter /ASCIIHexDecode' })],
  ['one that is packed twice', '', ...packed(SCRIPT, { dictionary: '/Filter [/FlateDecode /FlateDecode]' })],
  [
    'one whose bytes are another one’s differences',
    '',
    ...packed('', { dictionary: '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>' }),
  ],
  ['one whose packing stands elsewhere', '', ...packed(SCRIPT, { dictionary: '/Filter 6 0 R' })],
  ['one that nobody can unpack', '', ...packed('', { bytes: Buffer.from('xx not deflate') })],
  ['a dictionary that cannot be told', '', '5 0 obj\n<< /X (<< /Type /ObjStm >>\nstream\nx\nendstream\n'],
  ['a head in a string, whose dictionary never ends', '/X (7 0 obj <<)'],
  ['a dictionary that is broken', '', '5 0 obj\n<< ) /Type /ObjStm >>\nstream\nx\nendstream\n'],
  ['objects in each other', '', 'obj<<'.repeat(50_000), '>>'.repeat(50_000)],
  [
    'more in its streams than anybody reads',
    '',
    ...[0, 1].flatMap(() => packed('', { bytes: deflateSync(Buffer.alloc(30_000_000)) })),
  ],
])('a PDF with %s is more than pages', (_case, ...parts) => expect(isActivePdf(file(...parts))).toBe(true));

/**
 * Text around and inside the dictionary of a stream. It hides the script from a reader that parses it otherwise than a
 * viewer.
 */
test.each<[string, string, string]>([
  ['a NUL before the stream', '5 0 obj<<D>>\0', 'stream\n'],
  ['a comment before it', '5 0 obj<<D>>%c\n', 'stream\n'],
  ['a comment that ends it', '5 0 obj<<D>>%end\n', 'stream\n'],
  ['a comment with the word', '5 0 obj<<D>>%stream\r', 'stream\n'],
  ['no space at all', '5 0 obj<<D>>', 'stream\n'],
  ['a comment behind the head', '5 0 obj%>>\n<<D>>', 'stream\n'],
  ['a NUL behind the head', '5 0 obj\0<<D>>', 'stream\n'],
  ['a head in a string', '5 0 obj<<D/X(7 0 obj)>>', 'stream\n'],
  ['a head in a comment', '5 0 obj<<D%7 0 obj <<\n>>', 'stream\n'],
  ['an end in a string', '5 0 obj<</X(>>)D>>', 'stream\n'],
  ['an end in a string with brackets', '5 0 obj<</X((>>)\\)>>)D>>', 'stream\n'],
  ['an end in a comment', '5 0 obj<<%>>\nD>>', 'stream\n'],
  ['an end in a string by numbers', '5 0 obj<</X<3E3E>D>>', 'stream\n'],
  ['a dictionary inside', '5 0 obj<</X<</Y<<>>>>D>>', 'stream\n'],
  ['a head inside another string', '4 0 obj<</X(5 0 obj<<D>>', 'stream\n'],
  ['more white space than anybody writes', `5 0 obj<<${' '.repeat(20_000)}D>>`, 'stream\n'],
  ['words behind the stream', '5 0 obj<<D>>', 'stream words\n'],
])('a script in a stream of objects is seen with %s', (_case, head, stream) => {
  for (const names of [
    '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
    '/N 1/F#69rst 4/Filt#65r[/Flate#44ecode]',
  ])
    for (const script of [SCRIPT, '<<>>'])
      expect(
        isActivePdf(file('', head.replace('D', names), stream, deflateSync(`7 0 ${script}`), '\nendstream')),
      ).toBe(script === SCRIPT || stream !== 'stream\n' || head.startsWith('4'));
});

/** Each of these is small, and was looked through again from each of thousands of places in it. */
const SLOW = 20_000;
const goesOn = (...more: readonly (string | Uint8Array)[]) => file('/OpenAction (first)', LINK, ...more);
/** A stream of objects that all begin at the same place. */
const pointing = (inside: string) => {
  const heads = '7 0 '.repeat(SLOW);
  const dictionary = `<< /Type /ObjStm /N ${SLOW} /First ${heads.length} /Filter /FlateDecode >>`;
  return [`5 0 obj\n${dictionary}\nstream\r\n`, deflateSync(heads + inside), '\nendstream\nendobj\n'];
};
test.each<[string, Uint8Array]>([
  ['objects in strings', bytesOf('%PDF-1.7\n', 'obj ('.repeat(SLOW))],
  ['objects in comments', bytesOf('%PDF-1.7\n', 'obj %'.repeat(SLOW))],
  ['objects in each other', bytesOf('%PDF-1.7\n', 'obj<</A '.repeat(SLOW), '>>'.repeat(SLOW))],
  ['openings in comments', goesOn('/OpenAction%'.repeat(SLOW))],
  [
    'openings in strings',
    goesOn('/OpenAction('.repeat(SLOW), '/OpenAction<</X('.repeat(SLOW), ')>>'.repeat(SLOW)),
  ],
  ['objects of a stream that are one string', goesOn(...pointing(`(${' '.repeat(SLOW)}`))],
  ['objects of a stream that are one number without an end', goesOn(...pointing(`<${'a'.repeat(SLOW)}`))],
])('a PDF of %s is given up before it is read five times over', (_case, bytes) => {
  expect(isActivePdf(bytes)).toBe(true);
});

test('a stranger’s file is read beside the turns, and counts as active when that takes too long', async () => {
  const look = createLookAtPdf(60_000);
  expect(await look(file(''), 'a')).toBe('pages');
  expect(await look(file(`/OpenAction ${SCRIPT}`), 'a')).toBe('active');
  // No thread begins so fast.
  expect(await createLookAtPdf(0)(file(''), 'a')).toBe('active');
});

test('a customer’s file never keeps an adviser’s waiting', async () => {
  const ends: string[] = [];
  const many = Array.from({ length: 10 }, async () => {
    await lookAtCustomersPdf(file(''), 'web:1');
    ends.push('customer');
  });
  await lookAtAdvisersPdf(file(''), 'nadia').then(() => ends.push('adviser'));
  await Promise.all(many);
  expect(ends.indexOf('adviser')).toBeLessThan(ends.lastIndexOf('customer'));
});
