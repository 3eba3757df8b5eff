import { APPLICATION_STATUSES, CARD_STATUSES } from '../../wallet/contract/card-management.ts';
import type { Core, SomeHandlers } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';
import {
  type Customer,
  changeCustomer,
  findCustomer,
  getCustomer,
  openCustomer,
  sendOtp,
  spendOtp,
} from './customer.ts';

/** Of a card and of an application for one. */
const CLOSED = 'The wallet was closed';

/**
 * Opening and closing a wallet (Partner API v2.3, "Customers" and "Customer status").
 * Not shown in v2.3: which code each illegal step gets; 20009 is read as "registered, not confirmed yet".
 */
export const registration = {
  registerCustomer(core, { tenant, body }) {
    const known = findCustomer(core, tenant, body.phoneNumber);
    if (known && known.otpLockedUntil > core.clock.now()) refuse('registrationLocked');
    const isAnother = known?.status === 1 && core.settings.secondRegistration === 'replaces';
    if (known && !isAnother) refuse(known.status === 1 ? 'registrationPending' : 'alreadyRegistered');
    const { phoneNumber: phone, firstName, lastName, cin, walletType, closeLoopOnly } = body;
    const isFree = walletType === 'C' && core.settings.merchantLevel === 'four';
    const who = { firstName, lastName, cin, walletType };
    if (known) changeCustomer(core, known, who);
    const newcomer = { phone, ...who, level: isFree ? 4 : 1, status: 1 } as const;
    const isClosed = closeLoopOnly && core.settings.closeLoopOnly === 'closed';
    // `closeLoopOnly` also changes who sends the code. Here that is always the sandbox.
    sendOtp(core, known ?? openCustomer(core, tenant.id, { ...newcomer, closeLoop: isClosed ? 1 : 0 }));
    return true;
  },

  confirmCustomer(core, { tenant, body }) {
    const customer = findCustomer(core, tenant, body.phoneNumber);
    if (customer?.status !== 1) refuse('noPendingRequest');
    const wrong = spendOtp(core, customer, body.code);
    if (wrong) return wrong;
    // Open question 5: activated without a PIN is 3, which can still be given one.
    changeCustomer(core, customer, {
      status: body.autoActivate && core.settings.autoActivate === 'active' ? 3 : 2,
    });
    return true;
  },

  /** Open question 4: also sends the code that resets the PIN of a confirmed customer. */
  resendOtp(core, { tenant, query }) {
    const customer = getCustomer(core, tenant, query.phoneNumber);
    if (customer.status === 5) refuse('locked');
    if (customer.status !== 1 && core.settings.resetCode === 'refused') refuse('noPendingRequest');
    if (customer.otpLockedUntil > core.clock.now()) refuse('registrationLocked');
    sendOtp(core, customer);
    return true;
  },

  /**
   * Not shown in v2.3: the number is free again. A wallet with money in it, on its way, or about to come back is not
   * closed. Its references for cash expire, its QR codes are worth nothing, its cards are cancelled and applications
   * for one rejected.
   */
  unregisterCustomer(core, { tenant, body }) {
    const customer = getCustomer(core, tenant, body.PhoneNumber);
    const open = core.db.get(
      'SELECT 1 FROM operations WHERE status <> settlesAs AND (senderId = ? OR receiverId = ?)',
      customer.id,
      customer.id,
    );
    if (open || core.ledger.balance(customer.account) !== 0) refuse('balanceNotZero');
    endAllOf(core, customer);
    changeCustomer(core, customer, { status: 0, pinHash: null, otp: null });
    return true;
  },
} satisfies SomeHandlers;

/** The number may be somebody else's tomorrow: nothing that was made for this wallet may outlive it. */
function endAllOf(core: Core, { id, tenant, phone }: Customer): void {
  const now = core.clock.now();
  core.db.run(
    `UPDATE cashReferences SET expiresAt = ? WHERE tenant = ? AND phone = ? AND operation IS NULL AND expiresAt > ?`,
    ...[now, tenant, phone, now],
  );
  core.db.run(`UPDATE qrCodes SET merchant = '' WHERE tenant = ? AND merchant = ?`, tenant, phone);
  const { CANCELLED } = CARD_STATUSES;
  const cancel = 'UPDATE issuedCards SET status = ?, reason = ? WHERE customer = ? AND status <> ?';
  core.db.run(cancel, CANCELLED, CLOSED, id, CANCELLED);
  const { PENDING, REJECTED } = APPLICATION_STATUSES;
  core.db.run(
    `UPDATE cardApplications SET status = ?, rejectionReason = ?, decidedAt = ? WHERE customer = ? AND status = ?`,
    ...[REJECTED, CLOSED, now, id, PENDING],
  );
}
