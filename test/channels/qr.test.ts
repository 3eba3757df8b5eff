import { expect, test } from 'vitest';
import { createQrReader, PICTURE_BYTES_MAX, photoOf } from '../../src/channels/qr/decode.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { writeCode } from '../../src/wallet/qr/emvco.ts';
import { toJpeg } from './jpeg.ts';
import { beside, blurred, chunk, plain, qrPicture, snapped, toPng, turned } from './pictures.ts';

const merchant = (name: string) =>
  writeCode([
    ['01', '11'],
    ['26', '0009ma.test.x'],
    ['53', '504'],
    ['59', name],
    ['64', '0002AR0109مقهى أطلس'],
  ]);
const TEXT = merchant('Café Atlas');
const OTHER = merchant('Café Rif');
const read = createQrReader();
const code = await qrPicture(TEXT);
const small = await qrPicture(TEXT, 2);

test.each([
  ['a PNG', () => toPng(code)],
  ['a small one', () => toJpeg(small)],
  ['a JPEG', () => toJpeg(code)],
  ['a JPEG, snapped askew in bad light', () => toJpeg(snapped(turned(code, 17)))],
  ['upside down', () => toPng(turned(code, 180))],
  ['a little blurred', () => toJpeg(blurred(code, 2))],
  ['small in a large picture', () => toJpeg(beside(code, plain(1_600, 1_200, 220)))],
])('read: %s', async (_, picture) => {
  expect(await read(picture())).toEqual({ kind: 'found', texts: [TEXT] });
});

test('read: two codes', async () => {
  const other = await qrPicture(OTHER);
  const reading = await read(toPng(beside(code, other)));
  expect(reading.kind === 'found' && [...reading.texts].sort()).toEqual([OTHER, TEXT].sort());
});

test('read: the picture that the sandbox draws', async () => {
  const sandbox = createSandbox({ file: ':memory:' });
  const answer = await sandbox.app.request('/qr/0600000011.png?amount=45.50');
  const reading = await read(new Uint8Array(await answer.arrayBuffer()));
  expect(reading.kind === 'found' && reading.texts[0]).toContain('540545.50');
  await sandbox.close();
});

test.each([
  ['a white sheet', () => toPng(plain(300, 300)), 'none'],
  ['a code that is much too blurred', () => toJpeg(blurred(small, 3)), 'none'],
  ['half a code', () => toPng({ ...code, width: code.width / 2 }), 'none'],
  ['nothing', () => Buffer.alloc(0), 'notAPicture'],
  ['a text', () => Buffer.from('hello'), 'notAPicture'],
  ['another kind of picture', () => Buffer.from('GIF89a…'), 'notAPicture'],
  ['a page that says it is a JPEG', () => Buffer.from([0xff, 0xd8, 0x3c, 0x68]), 'notAPicture'],
  ['a JPEG without a size', () => toJpeg(code).subarray(0, 40), 'notAPicture'],
  ['a PNG without a size', () => toPng(code).subarray(0, 20), 'notAPicture'],
  ['a PNG that breaks off', () => toPng(code).subarray(0, 600), 'notAPicture'],
  ['a PNG of no width', () => toPng(plain(0, 100)), 'notAPicture'],
  ['a PNG of garbage', () => toPng(code, Buffer.from('garbage')), 'none'],
  ['too many bytes', () => Buffer.alloc(PICTURE_BYTES_MAX + 1), 'tooLarge'],
  ['an enormous picture in a small file', () => toPng(plain(30_000, 30_000), Buffer.alloc(9)), 'tooLarge'],
  ['an enormous picture that hides its size behind another chunk', () => hidden(), 'notAPicture'],
  ['a small picture that unpacks to hundreds of megabytes', () => bomb(), 'notAPicture'],
])('not read: %s', async (_, picture, kind) => {
  expect(await read(picture())).toEqual({ kind });
});

test('a picture that takes too long is given up, and the next one is read', async () => {
  const hurried = createQrReader({ maxMs: 0 });
  expect(await hurried(toPng(code))).toEqual({ kind: 'tooSlow' });
  expect(await read(toPng(code))).toMatchObject({ kind: 'found' });
});

test('of too many pictures at once the last are turned away, and the first are read', async () => {
  const many = createQrReader();
  const readings = await Promise.all(Array.from({ length: 22 }, () => many(toPng(plain(40, 40)))));
  expect(readings.map(({ kind }) => kind)).toEqual([...Array(20).fill('none'), 'busy', 'busy']);
});

test.each<[string, Parameters<typeof photoOf>[0], string | undefined]>([
  ['one code', { kind: 'found', texts: ['x'] }, 'x'],
  ['the same code twice', { kind: 'found', texts: [TEXT, TEXT] }, TEXT],
  ['a merchant’s beside an address', { kind: 'found', texts: ['https://cafe.test', TEXT] }, TEXT],
  ['two merchants', { kind: 'found', texts: [TEXT, OTHER] }, undefined],
  ['two addresses', { kind: 'found', texts: ['https://a.test', 'https://b.test'] }, undefined],
  ['none', { kind: 'none' }, undefined],
  ['too large', { kind: 'tooLarge' }, undefined],
])('meant by a photo of %s', (_, reading, qr) => {
  expect(photoOf(reading)).toEqual({ type: 'photo', ...(qr !== undefined && { qr }) });
});

function bomb(): Buffer {
  return toPng(plain(40, 40), Buffer.alloc(400_000_000));
}

/** Apple's own kind of PNG, which decoders know: what it begins with reads like a size of 40 by 40. */
function hidden(): Buffer {
  const png = toPng(plain(30_000, 30_000), Buffer.alloc(9));
  const [width, height] = [Buffer.from([0, 0, 0, 40]), Buffer.from([0, 0, 0, 40])];
  return Buffer.concat([png.subarray(0, 8), chunk('CgBI', Buffer.concat([width, height])), png.subarray(8)]);
}
