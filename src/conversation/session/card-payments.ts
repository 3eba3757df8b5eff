import type { CardPaymentEntry } from '../../../machines/kit/effects.ts';
import type { WalletDoc } from './wallet-doc.ts';

/** The length of a wallet's list. Above it the oldest payment that is not reserved is dropped. */
const CARD_PAYMENTS_MAX = 50;

/** The wallet with one more payment by card. A payment that is there already stays as it is. */
export function withCardPayment(wallet: WalletDoc, entry: CardPaymentEntry): WalletDoc {
  const { cardPayments = [] } = wallet;
  if (cardPayments.some(({ id }) => id === entry.id)) return wallet;
  const all = [...cardPayments, entry];
  const leaves =
    all.length > CARD_PAYMENTS_MAX ? (all.find(({ state }) => state !== 'reserved') ?? all[0]) : undefined;
  return { ...wallet, cardPayments: all.filter((each) => each !== leaves) };
}

/** The wallet after a change of one of them. */
export function withCardPaymentChanged(
  wallet: WalletDoc,
  id: string,
  change: (entry: CardPaymentEntry) => CardPaymentEntry,
): WalletDoc {
  const { cardPayments = [] } = wallet;
  if (!cardPayments.some((each) => each.id === id)) return wallet;
  return { ...wallet, cardPayments: cardPayments.map((each) => (each.id === id ? change(each) : each)) };
}
