import type { Msisdn } from '../../src/wallet/phone.ts';
import type { MerchantQr } from '../../src/wallet/qr/merchant-qr.ts';
import type { Value, Values } from './screen.ts';

/** A QR code as it is sent, with what it says of itself where that can be read. */
export type ScannedQr = Pick<MerchantQr, 'content'> & Partial<MerchantQr>;

/** Who is paid: the number, or what the code says of itself, which proves nothing. */
export function merchantOf(paid: {
  readonly to?: Msisdn | undefined;
  readonly qr?: ScannedQr | undefined;
}): Value {
  if (paid.to) return { phone: paid.to };
  const { name, arName, city } = paid.qr ?? {};
  if (name === undefined) return { say: 'merchant-payment.unnamed' };
  const values: Values = { name: { name, ...(arName && { arName }) } };
  const sentence = city
    ? { key: 'merchant-payment.byCodeIn', values: { ...values, city: { name: city } } }
    : { key: 'merchant-payment.byCode', values };
  return { lines: [sentence] };
}

/**
 * What makes two payments the same to the customer: the merchant. A code for one payment is another payment than the next
 * one of the same merchant.
 */
export function merchantKey(paid: { readonly to: Msisdn } | { readonly qr: ScannedQr }): string {
  if ('to' in paid) return paid.to;
  const { merchant, reference, content } = paid.qr;
  return merchant === undefined ? content : [merchant, reference].filter(Boolean).join(' ');
}
