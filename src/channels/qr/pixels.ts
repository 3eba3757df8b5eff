const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Every frame that tells its size. The other ones among these markers are tables. */
const JPEG_FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

/** RFC 9649, 2.7.1: a flag of the header. */
const WEBP_ANIMATED = 0x02;

export interface Size {
  readonly kind: 'png' | 'jpeg' | 'webp' | 'gif';
  readonly width: number;
  readonly height: number;
}

/** How large a picture says that it is, in pixels, without unpacking it. Undefined for a kind that is not read. */
export function sizeOf(picture: Uint8Array): Size | undefined {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.length);
  if (bytes.subarray(0, 8).equals(PNG)) return pngSize(bytes);
  if (bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8) return jpegSize(bytes);
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return gifSize(bytes);
  return /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12)) ? webpSize(bytes) : undefined;
}

/** How many pixels that makes. */
export function pixelsOf(picture: Uint8Array): number | undefined {
  const size = sizeOf(picture);
  return size && size.width * size.height;
}

/** Of its first chunk, which must be the one that says it: decoders take others there (`CgBI`), and read the size from behind them. */
function pngSize(bytes: Buffer): Size | undefined {
  return bytes.length >= 24 && bytes.toString('latin1', 12, 16) === 'IHDR'
    ? notEmpty('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
    : undefined;
}

function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // The marker may be filled up with any number of these.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (JPEG_FRAMES.has(marker))
      return notEmpty('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function gifSize(bytes: Buffer): Size | undefined {
  return bytes.length >= 10 ? notEmpty('gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : undefined;
}

/** A WebP may have a canvas and a picture of another size, and decoders make room for both: the larger one. Animations are not read. */
function webpSize(bytes: Buffer): Size | undefined {
  let canvas: Size | undefined;
  for (let at = 12; at + 18 <= bytes.length; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = at + 8;
    if (kind === 'VP8X') {
      if ((bytes.readUInt8(data) & WEBP_ANIMATED) > 0) return undefined;
      canvas = notEmpty('webp', bytes.readUIntLE(data + 4, 3) + 1, bytes.readUIntLE(data + 7, 3) + 1);
    }
    if (kind === 'VP8 ')
      return larger(canvas, bytes.readUInt16LE(data + 6) & 0x3fff, bytes.readUInt16LE(data + 8) & 0x3fff);
    if (kind === 'VP8L') {
      const sides = bytes.readUInt32LE(data + 1);
      return larger(canvas, (sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1);
    }
    at = data + length + (length % 2);
  }
  return undefined;
}

function larger(canvas: Size | undefined, width: number, height: number): Size | undefined {
  return canvas && canvas.width * canvas.height > width * height ? canvas : notEmpty('webp', width, height);
}

function notEmpty(kind: Size['kind'], width: number, height: number): Size | undefined {
  return width > 0 && height > 0 ? { kind, width, height } : undefined;
}
