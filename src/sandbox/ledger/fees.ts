import { type Centimes, centimes } from '../../wallet/money.ts';

/** The sender's fee of a transfer up to an amount, in centimes. It is invented: v2.3 shows no tariff. */
const TRANSFER_FEES = [
  { upTo: 100_00, own: 0, openLoop: 2_00 },
  { upTo: 1_000_00, own: 2_00, openLoop: 4_00 },
  { upTo: Number.POSITIVE_INFINITY, own: 5_00, openLoop: 10_00 },
] as const;

/** @param openLoop the recipient's wallet belongs to another provider */
export function transferFees(amount: Centimes, openLoop: boolean): Centimes {
  const row = TRANSFER_FEES.find(({ upTo }) => amount <= upTo) ?? TRANSFER_FEES[2];
  return centimes(openLoop ? row.openLoop : row.own);
}

/** Invented as well. */
export function bankTransferFees(amount: Centimes): Centimes {
  return centimes(amount <= 1_000_00 ? 5_00 : 10_00);
}

/** Invented as well: small top-ups cost a dirham, all others nothing. */
export function topUpFees(amount: Centimes): Centimes {
  return centimes(amount < 20_00 ? 1_00 : 0);
}

/** Invented as well: who pays a merchant pays nothing more, up to an amount. */
export function merchantFees(amount: Centimes): Centimes {
  return centimes(amount <= 1_000_00 ? 0 : 1_00);
}

/** Invented as well. */
export function voucherFees(price: Centimes): Centimes {
  return centimes(price < 500_00 ? 2_00 : 5_00);
}
