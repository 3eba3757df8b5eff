import { type Core, type Handlers, isRefusal, type Refusal, refuse } from '../core/core.ts';
import { settingsOf } from '../core/settings.ts';
import { barred, type Customer, type Customers, hashPin, isPin } from './customer.ts';

/** PINs and logins (Partner API v2.3, "Customers"). The locking rules are not shown in v2.3 (open question 3). */
export function pins(
  { settings }: Core,
  customers: Customers,
): Handlers<'loginCustomer' | 'createPin' | 'changePin' | 'resetPin'> {
  /** Undefined when the PIN is right; a wrong one costs an attempt, and the last of them locks the wallet. */
  const wrongPin = (customer: Customer, pin: string): Refusal | undefined => {
    if (customer.pinHash === null) return refuse('pinNotCreated');
    if (isPin(pin, customer.pinHash)) {
      customers.change(customer, { attemptsLeft: settings.pinAttemptsMax });
      return undefined;
    }
    const attemptsLeft = customer.attemptsLeft - 1;
    customers.change(customer, attemptsLeft > 0 ? { attemptsLeft } : { attemptsLeft, status: 4 });
    return refuse('pinIncorrect', { remainingAttempts: attemptsLeft });
  };
  const setPin = (customer: Customer, pin: string): true => {
    const attemptsLeft = settings.pinAttemptsMax;
    customers.change(customer, { pinHash: hashPin(pin), attemptsLeft, status: 3 });
    return true;
  };

  return {
    loginCustomer({ tenant, body }) {
      const customer = customers.usable(tenant, body.phoneNumber);
      if (isRefusal(customer)) return customer;
      const refusal = wrongPin(customer, body.pin);
      if (!refusal) return { logged: true, remainingAttempts: settings.pinAttemptsMax };
      const { wrongPin: read } = settingsOf(settings, tenant.id);
      if (refusal.remainingAttempts === undefined || read === 'refused') return refusal;
      return { logged: false, remainingAttempts: refusal.remainingAttempts };
    },

    createPin({ tenant, body }) {
      const customer = customers.get(tenant, body.phoneNumber);
      if (isRefusal(customer)) return customer;
      if (customer.pinHash !== null) return refuse('pinAlreadySet');
      const obstacle = barred(customer);
      return obstacle && obstacle.refused !== 'pinNotCreated' ? obstacle : setPin(customer, body.pin);
    },

    changePin({ tenant, body }) {
      const customer = customers.usable(tenant, body.phoneNumber);
      if (isRefusal(customer)) return customer;
      return wrongPin(customer, body.oldPin) ?? setPin(customer, body.newPin);
    },

    /** A one-time code (from `resendOtp`) also opens a wallet that is locked temporarily. */
    resetPin({ tenant, body }) {
      const customer = customers.get(tenant, body.phoneNumber);
      if (isRefusal(customer)) return customer;
      if (customer.status === 1) return refuse('notConfirmed');
      if (customer.status === 5) return refuse('locked');
      return customers.spendOtp(customer, body.otp) ?? setPin(customer, body.pin);
    },
  };
}
