/** Choices that have a colour of their own, by their sentence: what goes on, and what cannot be taken back. */
export const STYLES: Readonly<Record<string, 'success' | 'danger'>> = {
  'pay.confirm': 'success',
  'consent.agree': 'success',
  'bill-payment.payAll': 'success',
  'bill-payment.payOne': 'success',
  'bill-payment.payShown': 'success',
  'closing.close': 'danger',
  'unlink.unlink': 'danger',
};
