import type { ReceivedPayment } from '../../src/payments/merchant-refund.ts';
import { centimes } from '../../src/wallet/money.ts';
import { readPhone } from '../../src/wallet/phone.ts';
import type { Operation } from '../../src/wallet/wallet.ts';
import type { TakenPayment } from './effects.ts';
import type { Choice, Values } from './screen.ts';
import type { FilesWith, SentenceKey } from './sentence-key.ts';

/** Payments that a merchant has received, as a list shows them: newest first, a page at a time. */
export interface PaymentsPage {
  /** From 1. */
  page: number;
  isLast?: boolean;
  payments?: readonly TakenPayment[];
}

/** Choices of such a list that are no payment, and where they lead. */
export const OTHER_PAGES: Readonly<Record<string, number>> = { older: 1, newer: -1 };

/** The lines of a page, and the ways to the pages beside it. The payer is masked: their number is nobody's to keep. */
export function paymentChoices(
  file: FilesWith<'line' | 'lineOnly' | 'older' | 'newer'> & ('takings' | 'merchant-refund'),
  { payments = [], page, isLast }: PaymentsPage,
): Choice[] {
  return [
    ...payments.map(
      (payment): Choice => ({
        id: String(payment.id),
        key: lineOf(file, payment),
        values: paymentValues(payment),
        listed: true,
      }),
    ),
    ...(isLast ? [] : [{ id: 'older', key: `${file}.older` } as const]),
    ...(page > 1 ? [{ id: 'newer', key: `${file}.newer` } as const] : []),
  ];
}

function lineOf(file: 'takings' | 'merchant-refund', payment: TakenPayment): SentenceKey {
  if (file === 'merchant-refund' && isGivenBack(payment)) return 'merchant-refund.lineBack';
  return readPhone(payment.sender) ? `${file}.line` : `${file}.lineOnly`;
}

export function paymentValues({ amount, at, sender }: Operation): Values {
  const payer = readPhone(sender);
  return { amount: { money: amount }, at: { date: at }, ...(payer && { from: { masked: payer } }) };
}

/** A payment that can be given back. Undefined where the wallet does not say whose number paid. */
export function receivedPayment({
  id,
  amount,
  at,
  sender,
  givenBack,
}: TakenPayment): ReceivedPayment | undefined {
  const payer = readPhone(sender);
  const left = givenBack && centimes(Math.max(0, amount - givenBack));
  return payer && { id, amount, at, payer, ...(left !== undefined && { left }) };
}

/** True where nothing of it can be given back any more. */
export function isGivenBack({ amount, givenBack }: TakenPayment): boolean {
  return givenBack !== undefined && givenBack >= amount;
}
