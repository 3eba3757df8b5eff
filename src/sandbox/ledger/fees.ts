import { type Centimes, centimes } from '../../wallet/money.ts';

/** The fee of an amount up to `upTo`, in centimes. The last row has no limit. */
interface Row {
  readonly upTo: number;
  readonly fees: number;
}

const rows = (...all: readonly (readonly [upTo: number, fees: number])[]): readonly Row[] =>
  all.map(([upTo, fees]) => ({ upTo, fees }));

/** The fees that the payer pays on top. All of them are invented: v2.3 shows no tariff. */
export const TARIFFS = {
  transfer: rows([100_00, 0], [1_000_00, 2_00], [Number.POSITIVE_INFINITY, 5_00]),
  /** To a wallet of another provider. */
  openLoop: rows([100_00, 2_00], [1_000_00, 4_00], [Number.POSITIVE_INFINITY, 10_00]),
  bankTransfer: rows([1_000_00, 5_00], [Number.POSITIVE_INFINITY, 10_00]),
  topUp: rows([19_99, 1_00], [Number.POSITIVE_INFINITY, 0]),
  merchant: rows([1_000_00, 0], [Number.POSITIVE_INFINITY, 1_00]),
  voucher: rows([499_99, 2_00], [Number.POSITIVE_INFINITY, 5_00]),
} as const;

function feesIn(tariff: readonly Row[], amount: Centimes): Centimes {
  return centimes(tariff.find(({ upTo }) => amount <= upTo)?.fees ?? 0);
}

/** @param openLoop the recipient's wallet belongs to another provider */
export function transferFees(amount: Centimes, openLoop: boolean): Centimes {
  return feesIn(openLoop ? TARIFFS.openLoop : TARIFFS.transfer, amount);
}

export function bankTransferFees(amount: Centimes): Centimes {
  return feesIn(TARIFFS.bankTransfer, amount);
}

export function topUpFees(amount: Centimes): Centimes {
  return feesIn(TARIFFS.topUp, amount);
}

export function merchantFees(amount: Centimes): Centimes {
  return feesIn(TARIFFS.merchant, amount);
}

export function voucherFees(price: Centimes): Centimes {
  return feesIn(TARIFFS.voucher, price);
}
