import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { CustomerStatus } from '../../wallet/contract/customers.ts';
import type { ErrorName } from '../../wallet/contract/errors.ts';
import type { AccountLevel } from '../../wallet/contract/limits.ts';
import type { Core, Tenant } from '../core/core.ts';
import { type Refusal, refusal, refuse } from '../core/refusal.ts';

/** A customer as a row. The key of a wallet is its phone number. A closed wallet (status 0) has given its number back. */
export interface Customer {
  readonly id: number;
  readonly tenant: number;
  readonly phone: string;
  readonly account: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly cin: string;
  readonly walletType: 'P' | 'C';
  readonly level: AccountLevel;
  readonly status: CustomerStatus;
  readonly pinHash: string | null;
  readonly attemptsLeft: number;
  readonly otp: string | null;
  readonly otpExpiresAt: number;
  readonly otpTriesLeft: number;
  readonly otpLockedUntil: number;
  /** 1 where the wallet is not enrolled with the switch: other providers' wallets are out of its reach. */
  readonly closeLoop: 0 | 1;
}

/** Without `closeLoop`: 0. */
type NewCustomer = Pick<
  Customer,
  'phone' | 'firstName' | 'lastName' | 'cin' | 'walletType' | 'level' | 'status'
> &
  Partial<Pick<Customer, 'closeLoop'>>;

type Change = Partial<Omit<Customer, 'id' | 'tenant' | 'phone' | 'account'>>;

const BY_PHONE = 'SELECT * FROM customers WHERE tenant = ? AND phone = ? AND status <> 0';

/** The customer of a number. A closed wallet is nobody's. */
export function findCustomer(core: Core, tenant: Pick<Tenant, 'id'>, phone: string): Customer | undefined {
  return core.db.lasting<Customer>(BY_PHONE, tenant.id, phone);
}

/** The customer of a number, or 20005. */
export function getCustomer(core: Core, tenant: Tenant, phone: string): Customer {
  return findCustomer(core, tenant, phone) ?? refuse('customerNotFound');
}

/** The customer of a number whose wallet may be used now. Any other is refused. */
export function usableCustomer(core: Core, tenant: Tenant, phone: string): Customer {
  const customer = getCustomer(core, tenant, phone);
  const reason = barred(customer);
  return reason ? refuse(reason) : customer;
}

/** The customer who was found before, whatever has become of the wallet since. */
export function customerById(core: Core, id: number | null): Customer | undefined {
  return core.db.get<Customer>('SELECT * FROM customers WHERE id = ?', id);
}

export function changeCustomer(core: Core, customer: Customer, to: Change): void {
  core.db.update('customers', customer.id, to);
  core.db.forget(BY_PHONE, customer.tenant, customer.phone);
}

export function openCustomer(core: Core, tenant: number, customer: NewCustomer): Customer {
  const { closeLoop = 0, ...fields } = customer;
  const row = {
    tenant,
    account: core.ledger.openAccount(tenant, 'wallet'),
    ...fields,
    closeLoop,
    attemptsLeft: core.settings.pinAttemptsMax,
  };
  core.db.insert('customers', row);
  const opened = findCustomer(core, { id: tenant }, customer.phone);
  if (!opened) throw new Error('a customer cannot be opened as closed');
  return opened;
}

/** Sends a new one-time code to the SMS outbox. It replaces the one before. */
export function sendOtp(core: Core, customer: Customer): void {
  const { db, clock, random, settings } = core;
  const at = clock.now();
  const message = db.insert('messages', { tenant: customer.tenant, phone: customer.phone, text: '', at });
  const otp = random.otp(message);
  db.run('UPDATE messages SET text = ? WHERE id = ?', `Code de confirmation : ${otp}`, message);
  const otpExpiresAt = at + settings.otpValidMs;
  changeCustomer(core, customer, { otp, otpExpiresAt, otpTriesLeft: settings.otpTriesMax });
}

/** Undefined is a yes. A wrong code costs a try, so its refusal is returned. Too many lock it (20008). */
export function spendOtp(core: Core, customer: Customer, otp: string): Refusal | undefined {
  const { clock, settings } = core;
  const now = clock.now();
  if (customer.otpLockedUntil > now) refuse('registrationLocked');
  if (!customer.otp || customer.otpExpiresAt <= now) refuse('otpExpired');
  if (customer.otp === otp) {
    changeCustomer(core, customer, { otp: null });
    return undefined;
  }
  const otpTriesLeft = customer.otpTriesLeft - 1;
  const locked = { otp: null, otpLockedUntil: now + settings.otpLockMs };
  changeCustomer(core, customer, { otpTriesLeft, ...(otpTriesLeft <= 0 && locked) });
  return refusal('otpIncorrect');
}

/** Why this wallet may not be used now. Undefined where it may (active, with a PIN or activated without). */
export function barred({ status }: Pick<Customer, 'status'>): ErrorName | undefined {
  return BARRED[status];
}

const BARRED: Readonly<Partial<Record<CustomerStatus, ErrorName>>> = {
  1: 'notConfirmed',
  2: 'pinNotCreated',
  4: 'lockedTemporarily',
  5: 'locked',
};

/** Light on purpose: it guards play money, and a login should not hold up the others. */
const SCRYPT = { N: 64, r: 8, p: 1 };

/** PINs are kept only like this. */
export function hashPin(pin: string): string {
  const salt = randomBytes(16);
  return `${salt.toString('hex')}:${scryptSync(pin, salt, 32, SCRYPT).toString('hex')}`;
}

/** @param pinHash as `hashPin` has made it */
export function isPin(pin: string, pinHash: string): boolean {
  const [salt = '', digest = ''] = pinHash.split(':');
  return timingSafeEqual(scryptSync(pin, Buffer.from(salt, 'hex'), 32, SCRYPT), Buffer.from(digest, 'hex'));
}
