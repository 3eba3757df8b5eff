import { describe, expect, test } from 'vitest';
import { createQrReader, PICTURE_BYTES_MAX, photoOf } from '../../src/channels/qr/decode.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { drawQr } from '../../src/wallet/qr/draw.ts';
import { writeCode } from '../../src/wallet/qr/emvco.ts';
import { toJpeg } from './jpeg.ts';
import {
  beside,
  blurred,
  chunk,
  plain,
  qrPicture,
  snapped,
  toGif,
  toPng,
  toWebp,
  turned,
} from './pictures.ts';
import { OTHER_READERS } from './qr-readers.ts';

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
/** As slow as this machine may be: how long one picture may take is a test of its own. */
const reader = createQrReader({ maxMs: 60_000 });
let callers = 0;
const read = (picture: Uint8Array) => reader(picture, `caller ${callers++}`);
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
  ['small in a picture of 12 megapixels', () => toPng(beside(code, plain(4_000, 3_000, 220)))],
  ['a WebP', () => toWebp(code)],
  ['a GIF', () => toGif(code)],
  ['a PNG, dark on nothing', () => toPng(code, { transparent: true })],
  ['a WebP, dark on nothing', () => toWebp(code, { transparent: true })],
  ['a GIF, dark on nothing', () => toGif(code, { transparent: true })],
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
  ['another kind of picture', () => Buffer.from('BM…'), 'notAPicture'],
  ['a GIF without a size', () => toGif(code).subarray(0, 8), 'notAPicture'],
  ['a GIF that breaks off', () => toGif(code).subarray(0, 600), 'notAPicture'],
  ['a WebP without a size', () => toWebp(code).subarray(0, 20), 'notAPicture'],
  ['a WebP that breaks off', () => toWebp(code).subarray(0, 100), 'notAPicture'],
  ['a GIF that says it is enormous', () => sized(toGif(small), 6, 60_000, 60_000), 'tooLarge'],
  ['a GIF whose frame is enormous', () => sized(toGif(small), FRAME_AT, 65_535, 65_535), 'notAPicture'],
  ['a WebP that says it is enormous', () => canvas(16_000, 16_000), 'tooLarge'],
  ['a WebP that hides an enormous picture behind a small canvas', () => canvas(40, 40, vast()), 'tooLarge'],
  ['an animated WebP', () => canvas(40, 40, undefined, 0x02), 'notAPicture'],
  ['a page that says it is a JPEG', () => Buffer.from([0xff, 0xd8, 0x3c, 0x68]), 'notAPicture'],
  ['a JPEG without a size', () => toJpeg(code).subarray(0, 40), 'notAPicture'],
  ['a PNG without a size', () => toPng(code).subarray(0, 20), 'notAPicture'],
  ['a PNG that breaks off', () => toPng(code).subarray(0, 600), 'notAPicture'],
  ['a PNG of no width', () => toPng(plain(0, 100)), 'notAPicture'],
  ['a PNG of garbage', () => toPng(code, { data: Buffer.from('garbage') }), 'notAPicture'],
  ['too many bytes', () => Buffer.alloc(PICTURE_BYTES_MAX + 1), 'tooLarge'],
  [
    'an enormous picture in a small file',
    () => toPng(plain(30_000, 30_000), { data: Buffer.alloc(9) }),
    'tooLarge',
  ],
  ['an enormous picture that hides its size behind another chunk', () => hidden(), 'notAPicture'],
  ['a small picture that unpacks to hundreds of megabytes', () => bomb(), 'none'],
])('not read: %s', async (_, picture, kind) => {
  expect(await read(picture())).toEqual({ kind });
});

test('a picture that takes too long is given up, and the next one is read', async () => {
  const hurried = createQrReader({ maxMs: 0 });
  expect(await hurried(toPng(code), 'somebody')).toEqual({ kind: 'tooSlow' });
  expect(await read(toPng(code))).toMatchObject({ kind: 'found' });
});

test('a large picture is scaled down before it is read, so that it costs no more than a small one', async () => {
  const fine = await qrPicture(TEXT, 1);
  expect(await read(toPng(beside(fine, plain(1_500, 1_000))))).toMatchObject({ kind: 'found' });
  expect(await read(toPng(beside(fine, plain(5_900, 4_000))))).toEqual({ kind: 'none' });
});

describe('a code that Wasl draws', () => {
  test.each([
    ['plain letters', 'CAFE ATLAS 45.50'],
    ['é', 'Café Atlas'],
    ['Arabic letters', 'مقهى أطلس'],
    ['both', TEXT],
    ['the euro sign and emoji', 'Œuvre 5 € ☕'],
  ])('with %s is read as it is by readers that others wrote', async (_, text) => {
    const drawn = await drawQr(text, 6);
    if (!drawn) throw new Error('not drawn');
    for (const [name, readBy] of OTHER_READERS) expect(readBy(drawn.png), name).toBe(text);
    expect(await read(drawn.png)).toEqual({ kind: 'found', texts: [text] });
  });
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
  return toPng(plain(40, 40), { data: Buffer.alloc(400_000_000) });
}

/** Behind the head and its table of 128 colours: the mark of a frame, and where it stands. */
const FRAME_AT = 13 + 3 * 128 + 5;

function sized(gif: Buffer, at: number, width: number, height: number): Buffer {
  gif.writeUInt16LE(width, at);
  gif.writeUInt16LE(height, at + 2);
  return gif;
}

/** A WebP with a canvas of its own size. */
function canvas(width: number, height: number, frame = toWebp(code).subarray(12), flags = 0): Buffer {
  const head = Buffer.alloc(18);
  head.write('VP8X');
  head.writeUInt32LE(10, 4);
  head.writeUInt8(flags, 8);
  head.writeUIntLE(width - 1, 12, 3);
  head.writeUIntLE(height - 1, 15, 3);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(4 + head.length + frame.length);
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), head, frame]);
}

/** A frame of a WebP that says it has 16,384 pixels in each direction. */
function vast(): Buffer {
  const frame = toWebp(small).subarray(12);
  frame.writeUInt32LE(0x0fffffff, 9);
  return frame;
}

/** Apple's own kind of PNG, which decoders know: what it begins with reads like a size of 40 by 40. */
function hidden(): Buffer {
  const png = toPng(plain(30_000, 30_000), { data: Buffer.alloc(9) });
  const [width, height] = [Buffer.from([0, 0, 0, 40]), Buffer.from([0, 0, 0, 40])];
  return Buffer.concat([png.subarray(0, 8), chunk('CgBI', Buffer.concat([width, height])), png.subarray(8)]);
}
