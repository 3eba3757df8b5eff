import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Context, Hono } from 'hono';
import { readAmount } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { isRefusal, type Tenant, toBusinessError } from '../core.ts';
import type { createQrMaker } from './qr-codes.ts';

/** Pixels of one of the small squares that a code is made of. */
const SQUARE_PIXELS = 6;

/**
 * Pictures of merchants' codes, so that anybody can try one with a phone: `/qr/0600000011.png` (or `.svg`), and with
 * `?amount=45.50` a new one for one payment. Behind no key, like any picture.
 */
export function qrPictures(
  make: ReturnType<typeof createQrMaker>,
  transaction: <T>(work: () => T) => T,
  tenant: (c: Context) => Tenant | undefined,
): Hono {
  const app = new Hono();
  app.get('/qr/:file', async (c) => {
    const [, number = '', type] = /^(\+?\d+)\.(png|svg)$/.exec(c.req.param('file')) ?? [];
    const phone = readPhone(number);
    const asked = c.req.query('amount');
    const amount = asked === undefined ? undefined : readAmount(asked);
    const whose = tenant(c);
    if (!phone || !whose || amount?.ok === false) return c.notFound();
    const wanted = { customerPhoneNumber: phone, ...(amount && { amount: amount.centimes }) };
    const code = transaction(() => make(whose, wanted));
    if (isRefusal(code)) return c.json(toBusinessError(code).body, 404);
    return picture(c, code.content, type);
  });
  return app;
}

async function picture(c: Context, content: string, type: string | undefined): Promise<Response> {
  const { image, svg } = await (await writer())(content, { format: 'QRCode', scale: SQUARE_PIXELS });
  const headers = { 'cache-control': 'no-store' };
  if (type === 'svg') return c.body(svg, 200, { ...headers, 'content-type': 'image/svg+xml' });
  if (!image) throw new Error('a QR code could not be drawn');
  return c.body(await image.arrayBuffer(), 200, { ...headers, 'content-type': 'image/png' });
}

let loading: ReturnType<typeof loadWriter> | undefined;

/** Loaded from its package when it is first needed, once; by itself it would fetch it from the network. */
function writer() {
  loading ??= loadWriter();
  return loading;
}

async function loadWriter() {
  const { prepareZXingModule, writeBarcode } = await import('zxing-wasm/writer');
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'));
  const wasmBinary = new Uint8Array(readFileSync(file)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return writeBarcode;
}
