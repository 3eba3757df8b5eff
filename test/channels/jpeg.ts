import type { Picture } from './pictures.ts';

/** The usual tables of JPEG (ITU-T T.81, annex K) for shades of grey: how coarse, in which order, in which codes. */
const COARSENESS = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const ORDER = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
];
/** How many codes there are of each length, and what they stand for: of the mean of a block, and of the rest of it. */
const MEANS = { counts: '00010501010101010100000000000000', values: '000102030405060708090a0b' };
const RESTS = {
  counts: '0002010303020403050504040000017d',
  values:
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
};
type Codes = ReadonlyMap<number, string>;

/** A baseline JPEG of a picture in shades of grey: enough of a camera for the tests. */
export function toJpeg({ width, height, at }: Picture): Buffer {
  const [means, rests] = [codesOf(MEANS), codesOf(RESTS)];
  let bits = '';
  let mean = 0;
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      const grey = (x: number, y: number) => at(Math.min(left + x, width - 1), Math.min(top + y, height - 1));
      const block = transformed(grey);
      const first = block[0] ?? 0;
      bits += written(first - mean, 0, means) + restOf(block, rests);
      mean = first;
    }
  }
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  const size = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...ORDER.map((place) => COARSENESS[place] ?? 0)])),
    segment(0xc0, size),
    segment(0xc4, Buffer.from(`00${MEANS.counts}${MEANS.values}`, 'hex')),
    segment(0xc4, Buffer.from(`10${RESTS.counts}${RESTS.values}`, 'hex')),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const COSINES = Array.from({ length: 8 }, (_, u) =>
  Array.from(
    { length: 8 },
    (__, x) => (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16),
  ),
);

/** The frequencies of a block of 8 by 8 pixels, made coarse, in the order they are written. */
function transformed(grey: (x: number, y: number) => number): number[] {
  const rows = Array.from({ length: 8 }, (_, y) =>
    COSINES.map((wave) => wave.reduce((sum, part, x) => sum + part * (grey(x, y) - 128), 0)),
  );
  return ORDER.map((place) => {
    const [v, u] = [place >> 3, place & 7];
    const sum = (COSINES[v] ?? []).reduce((all, part, y) => all + part * (rows[y]?.[u] ?? 0), 0);
    return Math.round(sum / (COARSENESS[place] ?? 1));
  });
}

/** Zeros are counted and other values are written. A mark ends a block that has only zeros left. */
function restOf(block: readonly number[], codes: Codes): string {
  let bits = '';
  let zeros = 0;
  for (const value of block.slice(1)) {
    if (value === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) bits += codes.get(0xf0);
    bits += written(value, zeros, codes);
    zeros = 0;
  }
  return zeros > 0 ? bits + codes.get(0) : bits;
}

function written(value: number, zeros: number, codes: Codes): string {
  const length = value === 0 ? 0 : Math.abs(value).toString(2).length;
  const digits = length === 0 ? '' : (value > 0 ? value : value + 2 ** length - 1).toString(2);
  return codes.get(zeros * 16 + length) + digits.padStart(length, '0');
}

function codesOf({ counts, values }: typeof MEANS): Codes {
  const codes = new Map<number, string>();
  const list = Buffer.from(values, 'hex');
  let code = 0;
  let next = 0;
  for (const [i, count] of Buffer.from(counts, 'hex').entries()) {
    for (let n = 0; n < count; n++) codes.set(list[next++] ?? 0, (code++).toString(2).padStart(i + 1, '0'));
    code *= 2;
  }
  return codes;
}

function segment(marker: number, data: Buffer): Buffer {
  const length = data.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data]);
}
