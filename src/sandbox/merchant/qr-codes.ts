import { type Context, Hono } from 'hono';
import type { Centimes } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import { drawQr } from '../../wallet/qr/draw.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { carryOut, isRefusal, refuse, toBusinessError } from '../core/refusal.ts';
import { amountOf } from '../ledger/amounts.ts';
import { codeContent } from './codes.ts';
import { findMerchant, firstMerchant } from './merchants.ts';

export interface QrCode {
  readonly id: number;
  readonly tenant: number;
  readonly merchant: string;
  /** Null on a static one. */
  readonly amount: Centimes | null;
  readonly masked: 0 | 1;
  readonly reference: string;
  readonly content: string;
  /** The last operation that paid it. */
  readonly operation: number | null;
}

interface Wanted {
  readonly customerPhoneNumber?: string | undefined;
  readonly maskedNumber?: boolean | undefined;
  readonly amount?: Centimes;
  readonly billNumber?: string | undefined;
  readonly additionalData?: string | undefined;
}

/** QR codes of merchants (Partner API v2.3, "Merchant payments" and "QR code"). */
export const qrCodes = {
  /** Open question 14: a body is accepted and changes nothing. The answer is the QR status result. */
  readStaticQr: (core, { tenant, query }) => codeAnswer(makeQrCode(core, tenant, query)),

  createQr(core, { tenant, query, body }) {
    const amount = amountOf(body.amount);
    return codeAnswer(makeQrCode(core, tenant, { ...query, ...body, amount }));
  },

  /** Not shown in v2.3: who asks, and what becomes of a code that is paid. Its reference is answered as before. */
  readQrStatus(core, { tenant, query }) {
    const sql = 'SELECT * FROM qrCodes WHERE tenant = ? AND reference = ?';
    return codeAnswer(core.db.get<QrCode>(sql, tenant.id, query.reference) ?? refuse('qrUnknown'));
  },
} satisfies SomeHandlers;

/**
 * Makes a code and gives its row. The static one of a merchant is always the same. Not shown in v2.3: without a number it is
 * that of the partner's first merchant.
 */
function makeQrCode(core: Core, tenant: Tenant, wanted: Wanted): QrCode {
  const { db, random } = core;
  const { customerPhoneNumber, maskedNumber = false, amount, billNumber, additionalData } = wanted;
  const phone = customerPhoneNumber ?? firstMerchant(core, tenant);
  const merchant = findMerchant(core, tenant, phone);
  const masked = maskedNumber ? 1 : 0;
  const known = db.get<QrCode>(
    'SELECT * FROM qrCodes WHERE tenant = ? AND merchant = ? AND masked = ? AND amount IS NULL',
    ...[tenant.id, phone, masked],
  );
  if (amount === undefined && known) return known;
  const row = { tenant: tenant.id, merchant: phone, amount: amount ?? null, masked } as const;
  const id = db.insert('qrCodes', row);
  const reference = random.reference(id, 'qr code');
  const content = codeContent({
    ...merchant,
    merchant: phone,
    amount,
    reference,
    masked: maskedNumber,
    billNumber,
    additionalData,
  });
  db.run('UPDATE qrCodes SET reference = ?, content = ? WHERE id = ?', reference, content, id);
  return { ...row, id, reference, content, operation: null };
}

function codeAnswer(code: QrCode) {
  return { qrContent: code.content, qrCodeReference: code.reference };
}

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
