import type { CustomerStatus } from '../../wallet/contract/customers.ts';
import type { AccountLevel } from '../../wallet/contract/limits.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import { type BeneficiaryDetails, saveBeneficiary } from '../customers/beneficiaries.ts';
import { changeCustomer, findCustomer, hashPin, openCustomer, sendOtp } from '../customers/customer.ts';
import { TEST_BANK } from '../transfers/bank-magic.ts';
import { ribWith } from '../transfers/rib.ts';

/** A customer there is from the start, or one that a test adds. All of them are invented. */
export interface SeedCustomer {
  readonly phone: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly level: AccountLevel;
  readonly status: CustomerStatus;
  readonly balance: Centimes;
  /** Absent: none created yet. */
  readonly pin?: string;
  /** The national ID number. Absent: one that the identity provider finds right. */
  readonly cin?: string;
  /** C is a merchant, who can be paid by number and by QR code. Absent: P, a person. */
  readonly walletType?: 'P' | 'C';
  /** Whom the customer pays again and again. Absent: nobody. */
  readonly beneficiaries?: readonly BeneficiaryDetails[];
}

const PIN = '1234';
const MERCHANT = { pin: PIN, walletType: 'C' } as const;
function seed(
  last: number,
  firstName: string,
  lastName: string,
  level: AccountLevel,
  status: CustomerStatus,
  dirhams: number,
  more: Pick<SeedCustomer, 'pin' | 'walletType' | 'beneficiaries'> = { pin: PIN },
): SeedCustomer {
  const phone = `+2126${String(last).padStart(8, '0')}`;
  return { phone, firstName, lastName, level, status, balance: centimes(dirhams * 100), ...more };
}

/** A wallet here, one of another provider, and an account of a bank that there is not. */
const KNOWN_TO_FATIMA = [
  { name: 'Youssef Benali', phone: '+212600000002', rib: null, email: null },
  { name: 'Maman', phone: '+212600000021', rib: null, email: null },
  {
    name: 'Résidence Al Manar (test)',
    phone: null,
    rib: ribWith(TEST_BANK, 21),
    email: 'syndic@example.com',
  },
];

/** Number, name, level, status, dirhams. Then merchants. Last the retail agents `RA-2001` and `RA-2002`, with wallets of their own. */
export const SEEDED: readonly SeedCustomer[] = [
  seed(1, 'Fatima Zahra', 'El Amrani', 2, 3, 3_500, { pin: PIN, beneficiaries: KNOWN_TO_FATIMA }),
  seed(2, 'Youssef', 'Benali', 2, 3, 1_200),
  seed(3, 'Khadija', 'Ouazzani', 3, 3, 18_900),
  seed(4, 'Omar', 'Tazi', 1, 1, 0, {}),
  seed(5, 'Salma', 'Idrissi', 1, 2, 0, {}),
  seed(6, 'Hamza', 'Chraibi', 2, 4, 640),
  seed(7, 'Nadia', 'Bennis', 2, 5, 75),
  seed(8, 'Mehdi', 'Alaoui', 1, 3, 980),
  seed(11, 'Café', 'Atlas (test)', 4, 3, 2_450, MERCHANT),
  seed(12, 'Épicerie', 'Nour (test)', 4, 3, 860, MERCHANT),
  seed(31, 'Driss', 'Lahlou', 2, 3, 420),
  seed(32, 'Amal', 'Sefrioui', 2, 3, 300),
];

/** Opens a wallet with its balance on it, paid in from the float. Who is not confirmed yet is sent a code. */
export function addCustomer(core: Core, tenant: number, from: SeedCustomer): void {
  const { ledger, clock, settings } = core;
  const { pin, balance, walletType = 'P', beneficiaries = [], ...who } = from;
  const customer = openCustomer(core, tenant, { cin: `AB${from.phone.slice(-6)}`, ...who, walletType });
  const attemptsLeft = from.status === 4 ? 0 : settings.pinAttemptsMax;
  if (pin) changeCustomer(core, customer, { pinHash: hashPin(pin), attemptsLeft });
  ledger.bring(tenant, clock.now(), customer.account, balance);
  for (const beneficiary of beneficiaries) saveBeneficiary(core, customer, beneficiary);
  if (from.status === 1) sendOtp(core, customer);
}

/** Gives a seeded customer back the PIN, the tries and at least the money that they began with. Nothing to anybody else. */
export function restoreCustomer(core: Core, tenant: number, phone: string): void {
  const seeded = SEEDED.find((each) => each.phone === phone);
  const customer = findCustomer(core, { id: tenant }, phone);
  if (!seeded?.pin || !customer) return;
  const { ledger, clock, settings } = core;
  const attemptsLeft = seeded.status === 4 ? 0 : settings.pinAttemptsMax;
  changeCustomer(core, customer, { pinHash: hashPin(seeded.pin), attemptsLeft, status: seeded.status });
  if (ledger.balance(customer.account) < seeded.balance)
    ledger.bring(tenant, clock.now(), customer.account, seeded.balance);
}
