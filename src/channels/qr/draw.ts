import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pixels of one of the small squares that a code is made of: sharp on a telephone, and still when Telegram makes a JPEG of it. */
const SQUARE_PIXELS = 10;

/**
 * Draws a QR code as a PNG, dark on white with a white edge, as cameras want it. Undefined for a text that no code holds.
 * Nothing is loaded before the first one, and nothing is fetched.
 */
export async function drawQr(text: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  loading ??= loadWriter();
  const { image } = await (await loading)(text, { format: 'QRCode', scale: SQUARE_PIXELS });
  return image ? new Uint8Array(await image.arrayBuffer()) : undefined;
}

let loading: ReturnType<typeof loadWriter> | undefined;

/** Given its file here, because by itself the package would fetch it from the network. */
async function loadWriter() {
  const { prepareZXingModule, writeBarcode } = await import('zxing-wasm/writer');
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'));
  const wasmBinary = new Uint8Array(readFileSync(file)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return writeBarcode;
}
