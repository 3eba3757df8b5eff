const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Every frame that says how large it is; the others among these markers are tables. */
const JPEG_FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

/** How many pixels a JPEG or PNG says that it has, without unpacking it; undefined for what is neither. */
export function pixelsOf(picture: Uint8Array): number | undefined {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.length);
  if (bytes.subarray(0, 8).equals(PNG)) return pngPixels(bytes);
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegPixels(bytes) : undefined;
}

export function isPng(picture: Uint8Array): boolean {
  return PNG.equals(picture.subarray(0, 8));
}

function pngPixels(bytes: Buffer): number | undefined {
  const pixels = bytes.length >= 24 ? bytes.readUInt32BE(16) * bytes.readUInt32BE(20) : 0;
  return pixels || undefined;
}

function jpegPixels(bytes: Buffer): number | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // The marker may be filled up with any number of these.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (JPEG_FRAMES.has(marker)) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7) || undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
