import { type Context, Hono } from 'hono';
import { readAmount } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { drawQr } from '../../wallet/qr/draw.ts';
import type { Core, Tenant } from '../core/core.ts';
import { carryOut, isRefusal, toBusinessError } from '../core/refusal.ts';
import { makeQrCode } from './qr-codes.ts';

/** Pixels of one of the small squares that a code is made of. */
const SQUARE_PIXELS = 6;

/**
 * Pictures of merchants' codes, so that anybody can try one with a phone: `/qr/0600000011.png` (or `.svg`), and with
 * `?amount=45.50` a new one for one payment. Behind no key, like any picture.
 */
export function qrPictures(core: Core, tenant: (c: Context) => Tenant | undefined): Hono {
  const app = new Hono();
  app.get('/qr/:file', async (c) => {
    const [, number = '', type] = /^(\+?\d+)\.(png|svg)$/.exec(c.req.param('file')) ?? [];
    const phone = readPhone(number);
    const asked = c.req.query('amount');
    const amount = asked === undefined ? undefined : readAmount(asked);
    const whose = tenant(c);
    if (!phone || !whose || amount?.ok === false) return c.notFound();
    const wanted = { customerPhoneNumber: phone, ...(amount && { amount: amount.centimes }) };
    const code = carryOut(core.db, () => makeQrCode(core, whose, wanted));
    if (isRefusal(code)) return c.json(toBusinessError(code).body, 404);
    return picture(c, code.content, type);
  });
  return app;
}

async function picture(c: Context, content: string, type: string | undefined): Promise<Response> {
  const drawn = await drawQr(content, SQUARE_PIXELS);
  if (!drawn) throw new Error('a QR code could not be drawn');
  const headers = { 'cache-control': 'no-store' };
  return type === 'svg'
    ? c.body(drawn.svg, 200, { ...headers, 'content-type': 'image/svg+xml' })
    : c.body(drawn.png, 200, { ...headers, 'content-type': 'image/png' });
}
