import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Sharp on a telephone, and still when Telegram makes a JPEG of it. */
export const CHAT_SQUARE_PIXELS = 10;

const IN_ASCII = /^[\0-\x7f]*$/;
/** Extended Channel Interpretation: the number of UTF-8 (AIM ITS/04-023). */
const UTF_8_ECI = 26;

/** A QR code, dark on white with a white edge, as cameras want it. */
export interface QrPicture {
  readonly png: Uint8Array<ArrayBuffer>;
  readonly svg: string;
}

/**
 * Draws a text as a QR code. Undefined for one that no code holds. Nothing is loaded before the first one, and nothing
 * is fetched.
 * @param squarePixels how wide each of the small squares is that a code is made of
 */
export async function drawQr(text: string, squarePixels: number): Promise<QrPicture | undefined> {
  loading ??= loadWriter();
  // Without its name in the code, the writer stores letters beyond ASCII as Latin-1 or ISO-8859-6, and other readers guess.
  const options = IN_ASCII.test(text) ? '' : `eci=${UTF_8_ECI}`;
  const { image, svg } = await (await loading)(text, { format: 'QRCode', scale: squarePixels, options });
  return image ? { png: new Uint8Array(await image.arrayBuffer()), svg } : undefined;
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
