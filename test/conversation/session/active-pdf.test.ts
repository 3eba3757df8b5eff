import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isActivePdf } from '../../../src/conversation/session/active-pdf.ts';
import { isActiveForStrangers } from '../../../src/conversation/session/strangers-pdf.ts';
import { pdf } from '../../../src/sandbox/bills/pdf.ts';

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

test.each<[string, Uint8Array]>([
  ['a receipt of the wallet', pdf('Reçu', [['Montant', '20 DH']])],
  [
    'links, and the page to begin with',
    file('/OpenAction [3 0 R /Fit] /A << /S /URI /URI (https://a.ma) >>'),
  ],
  ['an action that goes to a page', file('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>')],
  ['the same as an object', file('/OpenAction 9 0 R', '9 0 obj\n<< /D [3 0 R] /S /GoTo >>\nendobj\n')],
  ['the same in a stream of objects', file('/OpenAction 7 0 R', ...packed('<< /S /GoTo /D [3 0 R /Fit] >>'))],
  ['a form that nobody sends', file('/AcroForm << /Fields [] >>')],
  ['words that only look so', file('/Title (JavaScript, Launch) /Javascripts 1 /AAPL 2')],
  [
    'a stream of objects after one that is packed with a table',
    file(
      '',
      '4 0 obj\n<< /DecodeParms << /Predictor 12 >> /W [1 2 1] >>\nstream\nxx\nendstream\n',
      ...packed('<< >>'),
    ),
  ],
])('a PDF with %s is only pages', (_case, bytes) => expect(isActivePdf(bytes)).toBe(false));

test.each<[string, Uint8Array]>([
  ['a script', file('/Names << /JavaScript 4 0 R >>')],
  ['its name by numbers', file('/Names << /#4AavaS#63ript 4 0 R >>')],
  ['a script on opening', file(`/OpenAction ${SCRIPT}`)],
  ['a program', file('/OpenAction << /S /Launch /F (cmd.exe) >>')],
  ['a site on opening', file('/OpenAction << /S /URI /URI (https://evil.ma) >>')],
  [
    'the same as an object',
    file('/OpenAction 9 0 R', '9 0 obj\n<< /S /URI /URI (https://evil.ma) >>\nendobj\n'),
  ],
  [
    'the same in a stream of objects',
    file('/OpenAction 7 0 R', ...packed('<< /S /URI /URI (https://evil.ma) >>')),
  ],
  [
    'an object of two kinds',
    file('/OpenAction 9 0 R', '9 0 obj\n<< /S /GoTo /D [3 0 R] >>\nendobj\n9 0 obj\n<< /S /URI >>\nendobj\n'),
  ],
  ['two actions', file('/OpenAction [3 0 R /Fit] /OpenAction << /S /URI /URI (https://evil.ma) >>')],
  ['an action that is nowhere', file('/OpenAction 99 0 R')],
  ['what is done with a page', file('/AA << /O << /S /URI /URI (https://evil.ma) >> >>')],
  ['a form that is sent', file('/A << /S /SubmitForm /F (https://evil.ma) >>')],
  ['another file inside', file('/Names << /EmbeddedFiles 4 0 R >>')],
  ['a cipher', file('', 'trailer\n<< /Root 1 0 R /Encrypt 8 0 R >>\n')],
  ['a script in a stream of objects', file('', ...packed(SCRIPT))],
  ['one whose checksum is wrong', file('', ...packed(SCRIPT, { bytes: broken(`7 0 8 40 ${SCRIPT}`) }))],
  [
    'one that is cut off',
    file('', ...packed(SCRIPT, { bytes: deflateSync(`7 0 ${SCRIPT}`).subarray(0, -6) })),
  ],
  ['one that is packed otherwise', file('', ...packed(SCRIPT, { dictionary: '/Filter /ASCIIHexDecode' }))],
  [
    'one that is packed twice',
    file('', ...packed(SCRIPT, { dictionary: '/Filter [/FlateDecode /FlateDecode]' })),
  ],
  [
    'one whose bytes are another one’s differences',
    file('', ...packed('', { dictionary: '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>' })),
  ],
  ['one whose packing stands elsewhere', file('', ...packed(SCRIPT, { dictionary: '/Filter 6 0 R' }))],
  ['one that nobody can unpack', file('', ...packed('', { bytes: Buffer.from('xx not deflate') }))],
  [
    'a dictionary that cannot be told',
    file('', '5 0 obj\n<< /X (<<) /Type /ObjStm >>\nstream\nx\nendstream\n'),
  ],
  [
    'more in its streams than anybody reads',
    file('', ...[0, 1].flatMap(() => packed('', { bytes: deflateSync(Buffer.alloc(30_000_000)) }))),
  ],
])('a PDF with %s is more than pages', (_case, bytes) => expect(isActivePdf(bytes)).toBe(true));

test('what a stranger has made is read beside the turns, and taken for active once that takes too long', async () => {
  expect(await isActiveForStrangers(file(''), 60_000)).toBe(false);
  expect(await isActiveForStrangers(file(`/OpenAction ${SCRIPT}`), 60_000)).toBe(true);
  // Each opening is looked for in the whole file: minutes, of which nobody waits for more than a moment.
  const slow = bytesOf('%PDF-1.7\n7 0 obj [1]\n', '/OpenAction 7 0 R '.repeat(250_000));
  expect(await isActiveForStrangers(slow, 50)).toBe(true);
  expect(await isActiveForStrangers(file(''), 60_000)).toBe(false);
});
