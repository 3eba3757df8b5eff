import type { Value } from '../../../machines/kit/screen.ts';
import { merchantKey, type ScannedQr } from '../../../src/payments/merchant-payment.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';
import { writeCode, writeFields } from '../../../src/wallet/qr/emvco.ts';
import { readMerchantQr } from '../../../src/wallet/qr/merchant-qr.ts';
import type { Random } from '../town/random.ts';

const SHOP = msisdn('+212600000021');
const CAFE = msisdn('+212600000022');
export const MERCHANTS: readonly Msisdn[] = [SHOP, CAFE];

/** The account in a code that hides whose it is, and what Wasl makes of it. */
const HIDDEN = { account: 'CAFE', merchant: '26:CAFE' } as const;
/** Nobody but the wallet can read this one. */
const UNREADABLE = 'https://pay.test/q/7';
/** Payments that a merchant has received, each from another payer. So the payer of a refund names its payment. */
export const RECEIVED = [
  { id: 900_001, payer: msisdn('+212600000031'), amount: centimes(30_000) },
  { id: 900_002, payer: msisdn('+212600000032'), amount: centimes(30_000) },
] as const;

/** Codes on the merchants' counters. */
const COUNTERS: readonly string[] = [
  code({ account: SHOP, name: SHOP }),
  code({ account: HIDDEN.account, name: HIDDEN.merchant }),
  UNREADABLE,
];

/** A code as a customer finds it: on a counter, or made for this payment alone. `sale`: another one for each of those. */
export function codeShown(random: Random, amounts: readonly string[], sale: string): string {
  if (random.chance(0.6)) return random.pick(COUNTERS);
  return code({ account: SHOP, name: `${SHOP} ${sale}`, dirhams: random.pick(amounts), sale });
}

/** Two payments with codes of one name are the same. So a sentence says which one it means. */
function code(it: { account: string; name: string; dirhams?: string; sale?: string }): string {
  const { account, name, dirhams, sale } = it;
  return writeCode([
    ['01', sale ? '12' : '11'],
    ['26', account],
    ['53', '504'],
    ['54', dirhams],
    ['59', name],
    ['62', sale && writeFields([['05', sale]])],
  ]);
}

/** The merchant of a code, as only the wallet knows, and the name by which Wasl compares payments with it. */
export function paidByCode(content: string): { readonly to: Msisdn; readonly key: string } {
  const reading = readMerchantQr(content);
  const qr: ScannedQr = reading.ok ? reading.qr : { content };
  return { to: qr.merchant === SHOP ? SHOP : CAFE, key: merchantKey({ qr }) };
}

/** The same of a sentence about the payment. */
export function keyIn(merchant: Value | undefined): string {
  if (!merchant) return '';
  if ('phone' in merchant) return merchant.phone;
  const name = 'lines' in merchant ? merchant.lines[0]?.values?.name : undefined;
  return name && 'name' in name ? name.name : UNREADABLE;
}
