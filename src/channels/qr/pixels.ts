const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Every frame that says how large it is; the others among these markers are tables. */
const JPEG_FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a JPEG or PNG says that it is, in pixels, without unpacking it; undefined for what is neither. */
export function sizeOf(picture: Uint8Array): Size | undefined {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.length);
  if (bytes.subarray(0, 8).equals(PNG)) return pngSize(bytes);
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined;
}

/** How many pixels that makes. */
export function pixelsOf(picture: Uint8Array): number | undefined {
  const size = sizeOf(picture);
  return size && size.width * size.height;
}

export function isPng(picture: Uint8Array): boolean {
  return PNG.equals(picture.subarray(0, 8));
}

/** Of its first chunk, which must be the one that says it: decoders take others there (`CgBI`), and read the size from behind them. */
function pngSize(bytes: Buffer): Size | undefined {
  return bytes.length >= 24 && bytes.toString('latin1', 12, 16) === 'IHDR'
    ? notEmpty(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
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
    if (JPEG_FRAMES.has(marker)) return notEmpty(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function notEmpty(width: number, height: number): Size | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
