import type { Centimes } from '../../wallet/money.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import { amountOf } from '../ledger/amounts.ts';
import { codeContent } from './codes.ts';
import { findMerchant, firstMerchant } from './merchants.ts';

/** A QR code as a row. */
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
export function makeQrCode(core: Core, tenant: Tenant, wanted: Wanted): QrCode {
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
