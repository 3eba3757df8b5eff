import { AMOUNT_MAX_CENTIMES, type Centimes, fromDecimal } from '../money.ts';
import { readPhone } from '../phone.ts';
import { type Fields, fieldsIn, type Malformed, readFields } from './emvco.ts';

/** A merchant's QR code as it describes itself. It proves nothing: anybody can print one. */
export interface MerchantQr {
  /** The text that is sent to the wallet, unchanged. */
  readonly content: string;
  readonly name: string;
  readonly arName?: string;
  readonly city?: string;
  /** Absent: the customer is asked. */
  readonly amount?: Centimes;
  /** The same in every code of one merchant: the number where it shows one, else the account as it is written. */
  readonly merchant: string;
  /** Of a code that was made for one payment: its reference, else the number of the bill. */
  readonly reference?: string;
}

/**
 * The reason why a text is not read as a merchant's code. `currency`: it asks for other money than dirhams. `fee`: it
 * adds a fee of its own to the amount. `merchantless`: it names no account or no merchant.
 */
type NoMerchantQr = Malformed | 'currency' | 'amount' | 'fee' | 'merchantless';
export type MerchantQrReading =
  | { readonly ok: true; readonly qr: MerchantQr }
  | { readonly ok: false; readonly why: NoMerchantQr };

/** Longer than any payment code. A longer text was never one. */
export const QR_CHARS_MAX = 1_024;

/** ISO 4217: the Moroccan dirham. */
const DIRHAM = '504';
/** The point of initiation of a code for one payment. `11` is on a counter for all of them. */
const DYNAMIC = '12';
/** At most two decimals, as the dirham has. */
const AMOUNT = /^\d{1,10}(?:\.\d{0,2})?$/;
/** Fields that hold who is paid: those of card schemes, and templates of other networks. */
const ACCOUNT_FIRST = 2;
const ACCOUNT_LAST = 51;

/**
 * Reads a merchant's QR code as EMVCo content. Whether the codes of Moroccan wallets follow EMVCo is not known (facts E6):
 * what cannot be read here may still be paid, only it says nothing about itself.
 */
export function readMerchantQr(content: string): MerchantQrReading {
  const reading = readFields(content);
  if (!reading.ok) return reading;
  const { fields } = reading;
  if (fields.get('53') !== DIRHAM) return { ok: false, why: 'currency' };
  if (['02', '03'].includes(fields.get('55') ?? '')) return { ok: false, why: 'fee' };
  const amount = amountOf(fields.get('54'));
  if (amount === 'amount') return { ok: false, why: amount };

  const accounts = [...fields].filter(([id]) => Number(id) >= ACCOUNT_FIRST && Number(id) <= ACCOUNT_LAST);
  const name = words(fields.get('59'));
  if (accounts.length === 0 || !name) return { ok: false, why: 'merchantless' };
  const more = template(fields, '62');
  const other = template(fields, '64');
  if (!more || !other) return { ok: false, why: 'brokenOff' };

  const inArabic = other.get('00')?.toLowerCase() === 'ar';
  const otherName = words(other.get('01'));
  const city = words((!inArabic && other.get('02')) || fields.get('60'));
  const reference = fields.get('01') === DYNAMIC ? words(more.get('05') || more.get('01')) : undefined;
  return {
    ok: true,
    qr: {
      content,
      name: (!inArabic && otherName) || name,
      ...(inArabic && otherName && { arName: otherName }),
      ...(city && { city }),
      ...(amount && { amount }),
      merchant: phoneIn(accounts) ?? accounts.map(([id, value]) => `${id}:${value}`).join(' '),
      ...(reference && { reference }),
    },
  };
}

function amountOf(said: string | undefined): Centimes | undefined | 'amount' {
  if (said === undefined) return undefined;
  const amount = AMOUNT.test(said) ? fromDecimal(Number(said)) : 0;
  return amount > 0 && amount <= AMOUNT_MAX_CENTIMES ? (amount as Centimes) : 'amount';
}

/** An absent template is empty. Undefined for a broken one. */
function template(fields: Fields, id: string): Fields | undefined {
  const reading = fieldsIn(fields.get(id) ?? '');
  return reading.ok ? reading.fields : undefined;
}

/** The mobile number of the merchant, where exactly one part of the account reads as one. */
function phoneIn(accounts: readonly (readonly [string, string])[]): string | undefined {
  const phones = accounts.flatMap(([, value]) => {
    const parts = fieldsIn(value);
    return (parts.ok ? [...parts.fields.values()] : [value]).flatMap((part) => readPhone(part) ?? []);
  });
  return phones.length === 1 ? phones[0] : undefined;
}

/** One line without invisible signs. Undefined where nothing is left. */
function words(said: string | undefined): string | undefined {
  const text = (said ?? '')
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text;
}
