import { toDecimal } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import type { CardPayment } from './payment.ts';
import { RESPONSE_CODES, type Reason } from './test-cards.ts';

/** Its name among the deliveries. It is none of the events of v2.3. */
export const CARD_NOTIFICATION = 'card.notification';

/** How a payment ended, in the parameters of the redirect (Partner API v2.3, "Card payment result"). */
export function outcomeOf({ orderId, trackId }: CardPayment, reason: Reason) {
  return {
    RESPONSE_CODE: RESPONSE_CODES[reason],
    REASON_CODE: reason,
    OPERATION: 'PAYMENT',
    orderId,
    transactionTrackId: trackId,
  };
}

/**
 * "notificationUrl (if given) is also notified when the transaction ends, success or failure" (Partner API v2.3, "Events").
 * It is written down when the payment begins, and is due when the 3D Secure page expires. Anything that happens before
 * rewrites it. So there is exactly one, and no end of a payment can be forgotten. Its content is not shown in v2.3.
 */
export function expectNotification(
  { db, random, settings }: Core,
  payment: CardPayment,
  url: string,
): CardPayment {
  const id = db.insert('deliveries', {
    tenant: payment.tenant,
    webhookId: '',
    event: CARD_NOTIFICATION,
    body: bodyOf(payment, 'SESSION_EXPIRED', null),
    url,
    state: settings.expiredPage === 'notified' ? 'due' : 'dead',
    dueAt: payment.expiresAt,
  });
  db.run('UPDATE deliveries SET webhookId = ? WHERE id = ?', random.uuid('webhook', id), id);
  db.run('UPDATE cardPayments SET notification = ? WHERE id = ?', id, payment.id);
  return { ...payment, notification: id };
}

/** Makes the notification of a payment due now, with how it has ended. */
export function sendNotification(
  { db, clock }: Core,
  payment: CardPayment,
  reason: Reason,
  operationId: number | null,
): void {
  const sql = `UPDATE deliveries SET body = ?, dueAt = ?, state = 'due' WHERE id = ?`;
  db.run(sql, bodyOf(payment, reason, operationId), clock.now(), payment.notification);
}

function bodyOf(payment: CardPayment, reason: Reason, operationId: number | null): string {
  return JSON.stringify({
    data: {
      ...outcomeOf(payment, reason),
      transactionReferenceId: payment.referenceId,
      operationId,
      amount: toDecimal(payment.amount),
      externalReference: payment.externalReference,
    },
  });
}
