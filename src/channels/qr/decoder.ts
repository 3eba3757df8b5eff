/** The program of the thread that `decode.ts` starts: it posts the texts of the QR codes in one picture. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** A picture of more than so many codes is of none in particular. */
const CODES_MAX = 8;
/** The reader's work grows with the pixels. The page of the web chat sends no larger ones either. */
const SIDE_PIXELS_MAX = 1_600;
const WHITE = 255;

const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
// Given here, because by itself the package would fetch it from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } });
const codes = await readBarcodes(smallOnWhite(workerData as Uint8Array), {
  formats: ['QRCode'],
  textMode: 'Plain',
  tryDenoise: true,
  maxNumberOfSymbols: CODES_MAX,
});
parentPort?.postMessage(codes.filter(({ isValid }) => isValid).map(({ text }) => text));

/** Throws for bytes that are no picture. The decoder checks sizes while it unpacks. */
function smallOnWhite(picture: Uint8Array) {
  const image = PhotonImage.new_from_byteslice(picture);
  const scale = Math.min(1, SIDE_PIXELS_MAX / Math.max(image.get_width(), image.get_height()));
  const [width, height] = [image.get_width(), image.get_height()].map((side) =>
    Math.max(1, Math.round(side * scale)),
  ) as [number, number];
  const small = scale < 1 ? resize(image, width, height, SamplingFilter.Triangle) : image;
  const data = new Uint8ClampedArray(small.get_raw_pixels());
  for (let at = 0; at < data.length; at += 4) {
    const opacity = (data[at + 3] ?? 0) / 255;
    for (let i = at; i < at + 3; i++) data[i] = WHITE + ((data[i] ?? 0) - WHITE) * opacity;
  }
  return { data, width, height };
}
