import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { isPng, pixelsOf } from './pixels.ts';

/** A picture of more than so many codes is of none in particular. */
const CODES_MAX = 8;
/** At most: four colours of two bytes. */
const PIXEL_BYTES_MAX = 8;
/** Each line begins with a byte of its own, and there are a few more in a picture that comes in passes. */
const MORE_BYTES_MAX = 1_000_000;

/** A thread that decodes the one picture it is started with and posts the texts of its QR codes (see `decode.ts`). */
const picture = workerData as Uint8Array;
if (isPng(picture)) checkSize(picture);
const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
// Given here, because by itself the package would fetch it from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } });
const codes = await readBarcodes(picture, {
  formats: ['QRCode'],
  textMode: 'Plain',
  tryDenoise: true,
  maxNumberOfSymbols: CODES_MAX,
});
parentPort?.postMessage(codes.filter(({ isValid }) => isValid).map(({ text }) => text));

/** The decoder unpacks all there is before it looks how much that should be: what unpacks to more than it says throws here. */
function checkSize(png: Uint8Array): void {
  const bytes = Buffer.from(png);
  const packed: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const maxOutputLength = (pixelsOf(png) ?? 0) * PIXEL_BYTES_MAX + MORE_BYTES_MAX;
  inflateSync(Buffer.concat(packed), { maxOutputLength });
}
