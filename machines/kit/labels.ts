import type { SentenceKey } from './sentence-key.ts';

/**
 * Conversations by the labels of the entries that lead to them. They can be offered to a customer who was not understood: none of them does
 * anything before it has asked.
 */
export const LABELS = {
  transfer: 'menu.transfer',
  balance: 'menu.balance',
  'top-up': 'menu.top-up',
  'bill-payment': 'menu.bill-payment',
  statement: 'menu.statement',
  'bank-transfer': 'menu.bank-transfer',
  'receive-payment': 'menu.receive-payment',
  'merchant-refund': 'menu.merchant-refund',
  voucher: 'shopping.voucher',
  'voucher-codes': 'shopping.voucher-codes',
  'merchant-payment': 'shopping.merchant-payment',
  cards: 'shopping.cards',
  'card-order': 'shopping.card-order',
  'cash-in': 'cash.cash-in',
  'card-cash-in': 'cash.card-cash-in',
  'cash-out': 'cash.cash-out',
  references: 'cash.references',
  'saved-cards': 'cash.saved-cards',
  beneficiaries: 'account.beneficiaries',
  'pin-change': 'account.pin-change',
  'pin-reset': 'account.pin-reset',
  upgrade: 'account.upgrade',
  profile: 'account.profile',
  closing: 'account.closing',
  'lost-card': 'help.lost-card',
} as const satisfies Readonly<Record<string, SentenceKey>>;
