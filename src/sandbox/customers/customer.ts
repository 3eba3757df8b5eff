import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { CustomerStatus } from '../../wallet/contract/customers.ts';
import type { AccountLevel } from '../../wallet/contract/limits.ts';
import { type Core, isRefusal, type Refusal, refuse, type Tenant } from '../core/core.ts';

/** A customer as a row. The key of a wallet is its phone number; a closed wallet (status 0) has given its number back. */
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

export interface NewCustomer {
  readonly phone: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly cin: string;
  readonly walletType: 'P' | 'C';
  readonly level: AccountLevel;
  readonly status: CustomerStatus;
  /** Absent: 0. */
  readonly closeLoop?: 0 | 1;
}

type Change = Partial<Omit<Customer, 'id' | 'tenant' | 'phone' | 'account'>>;

/** Customers in the database: found, opened, changed, and sent one-time codes. */
export function createCustomers({ db, ledger, clock, random, settings }: Core) {
  const findIn = (tenant: number, phone: string) =>
    db.get<Customer>('SELECT * FROM customers WHERE tenant = ? AND phone = ? AND status <> 0', tenant, phone);
  const find = (tenant: Tenant, phone: string) => findIn(tenant.id, phone);

  const change = (customer: Customer, to: Change): void => {
    const names = Object.keys(to);
    const sql = `UPDATE customers SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
    db.run(sql, ...Object.values(to), customer.id);
  };

  return {
    find,
    change,

    /** The customer of a number, or 20005. */
    get: (tenant: Tenant, phone: string): Customer | Refusal =>
      find(tenant, phone) ?? refuse('customerNotFound'),

    /** The customer of a number if the wallet may be used now, else why not. */
    usable(tenant: Tenant, phone: string): Customer | Refusal {
      const customer = find(tenant, phone) ?? refuse('customerNotFound');
      return isRefusal(customer) ? customer : (barred(customer) ?? customer);
    },

    open(tenant: number, customer: NewCustomer): Customer {
      const account = ledger.openAccount(tenant, 'wallet');
      db.run(
        `INSERT INTO customers
           (tenant, phone, account, firstName, lastName, cin, walletType, level, status, attemptsLeft, closeLoop)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        tenant,
        customer.phone,
        account,
        customer.firstName,
        customer.lastName,
        customer.cin,
        customer.walletType,
        customer.level,
        customer.status,
        settings.pinAttemptsMax,
        customer.closeLoop ?? 0,
      );
      const opened = findIn(tenant, customer.phone);
      if (!opened) throw new Error('a customer cannot be opened as closed');
      return opened;
    },

    /** Sends a new one-time code to the SMS outbox; it replaces the one before. */
    sendOtp(customer: Customer): void {
      const at = clock.now();
      const message = db.run(
        `INSERT INTO messages (tenant, phone, text, at) VALUES (?, ?, '', ?)`,
        customer.tenant,
        customer.phone,
        at,
      );
      const otp = random.otp(message);
      db.run('UPDATE messages SET text = ? WHERE id = ?', `Code de confirmation : ${otp}`, message);
      change(customer, { otp, otpExpiresAt: at + settings.otpValidMs, otpTriesLeft: settings.otpTriesMax });
    },

    /** Uses up the one-time code; undefined is a yes. Too many wrong ones lock it for a while (20008). */
    spendOtp(customer: Customer, otp: string): Refusal | undefined {
      const now = clock.now();
      if (customer.otpLockedUntil > now) return refuse('registrationLocked');
      if (!customer.otp || customer.otpExpiresAt <= now) return refuse('otpExpired');
      if (customer.otp === otp) {
        change(customer, { otp: null });
        return undefined;
      }
      const otpTriesLeft = customer.otpTriesLeft - 1;
      if (otpTriesLeft > 0) change(customer, { otpTriesLeft });
      else change(customer, { otp: null, otpTriesLeft, otpLockedUntil: now + settings.otpLockMs });
      return refuse('otpIncorrect');
    },
  };
}
export type Customers = ReturnType<typeof createCustomers>;

/** Why this wallet may not be used now; undefined where it may (active, with a PIN or activated without). */
export function barred({ status }: Customer): Refusal | undefined {
  if (status === 1) return refuse('notConfirmed');
  if (status === 2) return refuse('pinNotCreated');
  if (status === 4) return refuse('lockedTemporarily');
  return status === 5 ? refuse('locked') : undefined;
}

/** Light on purpose: it guards play money, and a login should not hold up the others. */
const SCRYPT = { N: 64, r: 8, p: 1 };

/** PINs are kept only like this. */
export function hashPin(pin: string): string {
  const salt = randomBytes(16);
  return `${salt.toString('hex')}:${scryptSync(pin, salt, 32, SCRYPT).toString('hex')}`;
}

export function isPin(pin: string, pinHash: string): boolean {
  const [salt = '', digest = ''] = pinHash.split(':');
  return timingSafeEqual(scryptSync(pin, Buffer.from(salt, 'hex'), 32, SCRYPT), Buffer.from(digest, 'hex'));
}
