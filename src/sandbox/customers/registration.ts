import { APPLICATION_STATUSES, CARD_STATUSES } from '../../wallet/contract/card-management.ts';
import { type Core, type Handlers, isRefusal, refuse } from '../core/core.ts';
import type { Customer, Customers } from './customer.ts';

/** Of a card and of an application for one. */
const CLOSED = 'The wallet was closed';

/**
 * Opening and closing a wallet (Partner API v2.3, "Customers" and "Customer status").
 * Not shown in v2.3: which code each illegal step gets; 20009 is read as "registered, not confirmed yet".
 */
export function registration(
  { db, clock, ledger }: Core,
  customers: Customers,
): Handlers<'registerCustomer' | 'confirmCustomer' | 'resendOtp' | 'unregisterCustomer'> {
  /** The number may be somebody else's tomorrow: nothing that was made for this wallet may outlive it. */
  function endAllOf({ id, tenant, phone }: Customer): void {
    const now = clock.now();
    db.run(
      `UPDATE cashReferences SET expiresAt = ? WHERE tenant = ? AND phone = ? AND operation IS NULL AND expiresAt > ?`,
      ...[now, tenant, phone, now],
    );
    db.run(`UPDATE qrCodes SET merchant = '' WHERE tenant = ? AND merchant = ?`, tenant, phone);
    const { CANCELLED } = CARD_STATUSES;
    const cancel = 'UPDATE issuedCards SET status = ?, reason = ? WHERE customer = ? AND status <> ?';
    db.run(cancel, CANCELLED, CLOSED, id, CANCELLED);
    const { PENDING, REJECTED } = APPLICATION_STATUSES;
    db.run(
      `UPDATE cardApplications SET status = ?, rejectionReason = ?, decidedAt = ? WHERE customer = ? AND status = ?`,
      ...[REJECTED, CLOSED, now, id, PENDING],
    );
  }

  return {
    registerCustomer({ tenant, body }) {
      const known = customers.find(tenant, body.phoneNumber);
      if (known && known.otpLockedUntil > clock.now()) return refuse('registrationLocked');
      if (known) return refuse(known.status === 1 ? 'registrationPending' : 'alreadyRegistered');
      const { phoneNumber: phone, firstName, lastName, cin, walletType, closeLoopOnly } = body;
      const newcomer = { phone, firstName, lastName, cin, walletType, level: 1, status: 1 } as const;
      // `closeLoopOnly` also changes who sends the code; here that is always the sandbox.
      customers.sendOtp(customers.open(tenant.id, { ...newcomer, closeLoop: closeLoopOnly ? 1 : 0 }));
      return true;
    },

    confirmCustomer({ tenant, body }) {
      const customer = customers.find(tenant, body.phoneNumber);
      if (customer?.status !== 1) return refuse('noPendingRequest');
      const refusal = customers.spendOtp(customer, body.code);
      if (refusal) return refusal;
      // Open question 5: activated without a PIN is 3, which can still be given one.
      customers.change(customer, { status: body.autoActivate ? 3 : 2 });
      return true;
    },

    /** Open question 4: also sends the code that resets the PIN of a confirmed customer. */
    resendOtp({ tenant, query }) {
      const customer = customers.get(tenant, query.phoneNumber);
      if (isRefusal(customer)) return customer;
      if (customer.status === 5) return refuse('locked');
      if (customer.otpLockedUntil > clock.now()) return refuse('registrationLocked');
      customers.sendOtp(customer);
      return true;
    },

    /**
     * Not shown in v2.3: the number is free again; a wallet with money in it, on its way, or about to come back is not
     * closed; its references for cash expire, its QR codes are worth nothing, its cards are cancelled and applications
     * for one rejected.
     */
    unregisterCustomer({ tenant, body }) {
      const customer = customers.get(tenant, body.PhoneNumber);
      if (isRefusal(customer)) return customer;
      const open = db.get(
        'SELECT 1 FROM operations WHERE status <> settlesAs AND (senderId = ? OR receiverId = ?)',
        customer.id,
        customer.id,
      );
      if (open || ledger.balance(customer.account) !== 0) return refuse('balanceNotZero');
      endAllOf(customer);
      customers.change(customer, { status: 0, pinHash: null, otp: null });
      return true;
    },
  };
}
