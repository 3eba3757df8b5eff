import { crc32, deflateSync } from 'node:zlib';
import { Hono } from 'hono';
import { ARTICLES, BRANDS } from './catalog.ts';

const COLOURS = new Map([
  ...BRANDS.map(({ image, colour }) => [image, colour] as const),
  ...ARTICLES.map(({ image, brand }) => [image, brand.colour] as const),
]);

/** Drawn, so that they are nobody's. Behind no key. PNG, because every chat can show that. */
export function pictures(): Hono {
  const app = new Hono();
  app.get('/pictures/:file', (c) => {
    const colour = COLOURS.get(c.req.path);
    if (!colour) return c.notFound();
    return c.body(Uint8Array.from(png(colour)), 200, { 'content-type': 'image/png' });
  });
  return app;
}

const WIDTH = 480;
const HEIGHT = 300;
/** The line where a voucher is torn off. */
const TEAR_X = 360;
const [PAPER, PLATE, MARK] = [0, 1, 2];

/** A voucher: a plate in the brand's colour, notched and perforated where it is torn off. */
function toneAt(x: number, y: number): number {
  const notch = Math.min(Math.hypot(x - TEAR_X, y), Math.hypot(x - TEAR_X, y - HEIGHT));
  if (notch < 26 || (Math.abs(x - TEAR_X) < 3 && y % 24 < 12)) return PAPER;
  const ring = Math.hypot(x - TEAR_X / 2, y - HEIGHT / 2);
  if ((ring > 52 && ring < 78) || ring < 22) return MARK;
  return x > TEAR_X + 36 && x < WIDTH - 36 && y % 60 > 22 && y % 60 < 38 ? MARK : PLATE;
}

/** One byte a pixel: its place in a palette of three. */
function png(colour: string): Buffer {
  const plate = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const mark = plate.map((part) => Math.round(part + (255 - part) * 0.6));
  // Each line begins with how it is filtered: not at all.
  const pixels = Buffer.alloc(HEIGHT * (WIDTH + 1));
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) pixels[y * (WIDTH + 1) + 1 + x] = toneAt(x, y);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([255, 255, 255, ...plate, ...mark])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
