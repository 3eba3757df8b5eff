import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import decodeWithJsQr from 'jsqr';

type Reader = (png: Uint8Array) => string | undefined;

const jsQr: Reader = (png) => {
  const { pixels, width, height } = unpacked(png);
  return decodeWithJsQr.default(pixels, width, height)?.data;
};

/** What is used of ZXing. Its own types are 138 files. */
interface Zxing {
  readonly RGBLuminanceSource: new (grey: Uint8ClampedArray, width: number, height: number) => object;
  readonly HybridBinarizer: new (source: object) => object;
  readonly BinaryBitmap: new (binarizer: object) => object;
  readonly QRCodeReader: new () => { decode(bitmap: object): { getText(): string } };
}
const { BinaryBitmap, HybridBinarizer, QRCodeReader, RGBLuminanceSource }: Zxing = createRequire(
  import.meta.url,
)('@zxing/library');

const zxing: Reader = (png) => {
  const { pixels, width, height } = unpacked(png);
  const grey = Uint8ClampedArray.from({ length: width * height }, (_, i) => pixels[i * 4] ?? 0);
  const source = new RGBLuminanceSource(grey, width, height);
  return new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source))).getText();
};

const ZBAR = '/usr/bin/zbarimg';
const zbar: Reader = (png) => {
  const folder = mkdtempSync(join(tmpdir(), 'wasl-qr-'));
  try {
    const file = join(folder, 'code.png');
    writeFileSync(file, png);
    return execFileSync(ZBAR, ['--quiet', '--raw', '--oneshot', file], { encoding: 'utf8' }).replace(
      /\n$/,
      '',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Readers of QR codes that share no code with ours: two packages, and a program where it is installed. */
export const OTHER_READERS: readonly (readonly [string, Reader])[] = [
  ['jsQR', jsQr],
  ['@zxing/library', zxing],
  ...(existsSync(ZBAR) ? [['zbarimg', zbar] as const] : []),
];

function unpacked(png: Uint8Array) {
  const image = PhotonImage.new_from_byteslice(png);
  const pixels = new Uint8ClampedArray(image.get_raw_pixels());
  return { pixels, width: image.get_width(), height: image.get_height() };
}
