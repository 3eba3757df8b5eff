import type { Core, SomeHandlers } from '../core/core.ts';
import { type Refusal, refusal, refuse } from '../core/refusal.ts';
import {
  barred,
  type Customer,
  changeCustomer,
  getCustomer,
  hashPin,
  isPin,
  spendOtp,
  usableCustomer,
} from './customer.ts';

/** PINs and logins (Partner API v2.3, "Customers"). The locking rules are not shown in v2.3 (open question 3). */
export const pins = {
  loginCustomer(core, { tenant, body }) {
    const customer = usableCustomer(core, tenant, body.phoneNumber);
    const wrong = wrongPin(core, customer, body.pin);
    if (!wrong) return { logged: true, remainingAttempts: core.settings.pinAttemptsMax };
    if (core.settings.wrongPin === 'refused') return wrong;
    return { logged: false, remainingAttempts: wrong.remainingAttempts ?? 0 };
  },

  createPin(core, { tenant, body }) {
    const customer = getCustomer(core, tenant, body.phoneNumber);
    if (customer.pinHash !== null) refuse('pinAlreadySet');
    const reason = barred(customer);
    if (reason && reason !== 'pinNotCreated') refuse(reason);
    return setPin(core, customer, body.pin);
  },

  changePin(core, { tenant, body }) {
    const customer = usableCustomer(core, tenant, body.phoneNumber);
    return wrongPin(core, customer, body.oldPin) ?? setPin(core, customer, body.newPin);
  },

  /** A one-time code (from `resendOtp`) also opens a wallet that is locked temporarily. */
  resetPin(core, { tenant, body }) {
    const customer = getCustomer(core, tenant, body.phoneNumber);
    if (customer.status === 1) refuse('notConfirmed');
    if (customer.status === 5) refuse('locked');
    return spendOtp(core, customer, body.otp) ?? setPin(core, customer, body.pin);
  },
} satisfies SomeHandlers;

/**
 * Undefined when the PIN is right. A wrong one costs an attempt, and the last of them locks the wallet: its refusal is returned,
 * so that this stays written.
 */
function wrongPin(core: Core, customer: Customer, pin: string): Refusal | undefined {
  if (customer.pinHash === null) refuse('pinNotCreated');
  if (isPin(pin, customer.pinHash)) {
    const { pinAttemptsMax: attemptsLeft } = core.settings;
    if (customer.attemptsLeft !== attemptsLeft) changeCustomer(core, customer, { attemptsLeft });
    return undefined;
  }
  const attemptsLeft = customer.attemptsLeft - 1;
  changeCustomer(core, customer, attemptsLeft > 0 ? { attemptsLeft } : { attemptsLeft, status: 4 });
  return refusal('pinIncorrect', { remainingAttempts: attemptsLeft });
}

function setPin(core: Core, customer: Customer, pin: string): true {
  const attemptsLeft = core.settings.pinAttemptsMax;
  changeCustomer(core, customer, { pinHash: hashPin(pin), attemptsLeft, status: 3 });
  return true;
}
