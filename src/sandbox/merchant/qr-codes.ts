import { type Centimes, fromDecimal, toDecimal } from '../../wallet/money.ts';
import { type Core, type Handlers, isRefusal, type Refusal, refuse, type Tenant } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
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
export function qrCodes(
  core: Core,
  customers: Customers,
): Handlers<'readStaticQr' | 'createQr' | 'readQrStatus'> {
  const make = createQrMaker(core, customers);
  return {
    /** Open question 14: a body is accepted and changes nothing; the answer is the QR status result. */
    readStaticQr: ({ tenant, query }) => shown(make(tenant, query)),

    createQr({ tenant, query, body }) {
      const amount = fromDecimal(body.amount);
      if (toDecimal(amount) !== body.amount) return refuse('amountInvalid');
      return shown(make(tenant, { ...query, ...body, amount }));
    },

    /** Not shown in v2.3: who asks, and what becomes of a code that is paid; its reference is answered as before. */
    readQrStatus({ tenant, query }) {
      const sql = 'SELECT * FROM qrCodes WHERE tenant = ? AND reference = ?';
      return shown(core.db.get<QrCode>(sql, tenant.id, query.reference) ?? refuse('qrUnknown'));
    },
  };
}

/**
 * Makes a code and gives its row. The static one of a merchant is always the same. Not shown in v2.3: without a number it is
 * that of the partner's first merchant.
 */
export function createQrMaker(core: Core, customers: Customers) {
  const { db, random } = core;
  return (tenant: Tenant, wanted: Wanted): QrCode | Refusal => {
    const { customerPhoneNumber, maskedNumber = false, amount, billNumber, additionalData } = wanted;
    const phone = customerPhoneNumber ?? firstMerchant(core, tenant);
    const merchant = findMerchant(customers, tenant, phone);
    if (isRefusal(merchant)) return merchant;
    const masked = maskedNumber ? 1 : 0;
    const known = db.get<QrCode>(
      'SELECT * FROM qrCodes WHERE tenant = ? AND merchant = ? AND masked = ? AND amount IS NULL',
      tenant.id,
      phone,
      masked,
    );
    if (amount === undefined && known) return known;
    const id = db.run(
      'INSERT INTO qrCodes (tenant, merchant, amount, masked) VALUES (?, ?, ?, ?)',
      tenant.id,
      phone,
      amount ?? null,
      masked,
    );
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
    const row = {
      id,
      tenant: tenant.id,
      merchant: phone,
      masked,
      reference,
      content,
      operation: null,
    } as const;
    return { ...row, amount: amount ?? null };
  };
}

function shown(code: QrCode | Refusal) {
  return isRefusal(code) ? code : { qrContent: code.content, qrCodeReference: code.reference };
}
