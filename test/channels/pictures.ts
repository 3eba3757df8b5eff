import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

/** A picture in shades of grey: 0 is black, 255 white. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly at: (x: number, y: number) => number;
}

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

/** A QR code, each of its squares so many pixels wide. */
export async function qrPicture(text: string, pixels = 6): Promise<Picture> {
  const { symbol, error } = await writeBarcode(text, { format: 'QRCode', addQuietZones: true });
  if (error) throw new Error(error);
  const { data, width, height } = symbol;
  const quiet = 4;
  return {
    width: (width + 2 * quiet) * pixels,
    height: (height + 2 * quiet) * pixels,
    at: (x, y) => {
      const [column, row] = [Math.floor(x / pixels) - quiet, Math.floor(y / pixels) - quiet];
      const isInside = column >= 0 && row >= 0 && column < width && row < height;
      return isInside ? (data[row * width + column] ?? 255) : 255;
    },
  };
}

export const plain = (width: number, height: number, grey = 255): Picture => ({
  width,
  height,
  at: () => grey,
});

/** Turned around its middle, on a larger white sheet. */
export function turned(picture: Picture, degrees: number): Picture {
  const side = Math.ceil(Math.hypot(picture.width, picture.height));
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return {
    width: side,
    height: side,
    at: (x, y) => {
      const [dx, dy] = [x - side / 2, y - side / 2];
      return outside(
        picture,
        dx * cos + dy * sin + picture.width / 2,
        dy * cos - dx * sin + picture.height / 2,
      );
    },
  };
}

/** Every pixel is the mean of those around it. */
export function blurred(picture: Picture, radius: number): Picture {
  const area = (2 * radius + 1) ** 2;
  return {
    ...picture,
    at: (x, y) => {
      let sum = 0;
      for (let dy = -radius; dy <= radius; dy++)
        for (let dx = -radius; dx <= radius; dx++) sum += outside(picture, x + dx, y + dy);
      return Math.round(sum / area);
    },
  };
}

export function beside(a: Picture, b: Picture): Picture {
  return {
    width: a.width + b.width,
    height: Math.max(a.height, b.height),
    at: (x, y) => (x < a.width ? outside(a, x, y) : outside(b, x - a.width, y)),
  };
}

/** Light from one side, and a grainy sensor: the same for the same picture. */
export function snapped(picture: Picture): Picture {
  return {
    ...picture,
    at: (x, y) => {
      const grain = ((x * 7919 + y * 104_729) % 41) - 20;
      const light = 0.55 + (0.4 * x) / picture.width;
      return Math.max(0, Math.min(255, Math.round((30 + picture.at(x, y) * 0.8) * light + grain)));
    },
  };
}

function outside({ width, height, at }: Picture, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  return column >= 0 && row >= 0 && column < width && row < height ? at(column, row) : 255;
}

interface PngOptions {
  /** Instead of the lines of the picture. */
  readonly data?: Buffer;
  /** White is nothing: what lies below shows. */
  readonly transparent?: boolean;
}

export function toPng(
  { width, height, at }: Picture,
  { data, transparent = false }: PngOptions = {},
): Buffer {
  const bytes = transparent ? 2 : 1;
  const lines = data ?? Buffer.alloc((width * bytes + 1) * height);
  if (!data)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const to = y * (width * bytes + 1) + x * bytes + 1;
        lines[to] = transparent ? 0 : at(x, y);
        if (transparent) lines[to + 1] = 255 - at(x, y);
      }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  head.writeUInt8(transparent ? 4 : 0, 9);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND')]);
}

export function toWebp({ width, height, at }: Picture, { transparent = false } = {}): Buffer {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const grey = at(x, y);
      pixels.set(transparent ? [0, 0, 0, 255 - grey] : [grey, grey, grey, 255], (y * width + x) * 4);
    }
  return Buffer.from(new PhotonImage(pixels, width, height).get_bytes_webp());
}

const [CLEAR, END, NOTHING] = [128, 129, 127];
/** Codes become longer than eight bits after more. */
const CODES_MAX = 100;

/** A GIF in 128 shades of grey, of codes that save nothing. */
export function toGif({ width, height, at }: Picture, { transparent = false } = {}): Buffer {
  const codes: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (codes.length % CODES_MAX === 0) codes.push(CLEAR);
      codes.push(transparent && at(x, y) > 250 ? NOTHING : at(x, y) >> 1);
    }
  codes.push(END);
  const word = (value: number) => [value & 255, value >> 8];
  // Nothing has a dark colour: a reader that shows it finds no code.
  const colours = Array.from({ length: 128 }, (_, i) => (transparent && i === NOTHING ? 0 : i * 2));
  const blocks = Array.from({ length: Math.ceil(codes.length / 255) }, (_, i) => {
    const block = codes.slice(i * 255, (i + 1) * 255);
    return [block.length, ...block];
  });
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[...word(width), ...word(height), 0x86, 0, 0],
    ...colours.flatMap((grey) => [grey, grey, grey]),
    ...(transparent ? [0x21, 0xf9, 4, 1, 0, 0, NOTHING, 0] : []),
    ...[0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, 7],
    ...blocks.flat(),
    ...[0, 0x3b],
  ]);
}

export function chunk(kind: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
