import { z } from 'zod';
import { cin, latinName, phone, pin } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
import { ownPartner } from '../partners/partners.ts';
import { addCustomer } from '../partners/seed.ts';
import { type Customer, findCustomer } from './customer.ts';

const DIRHAMS_MAX = 1_000_000_000;
/** The numbers of customers that are made without one. */
const NUMBERS_FROM = 212_650_000_001;

/** Play money, in dirhams. */
export const dirhams = z
  .number()
  .min(0)
  .max(DIRHAMS_MAX)
  .refine(
    (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
    'must have at most two decimals',
  );

/** A customer to be made. The sandbox chooses the fields that are left out: a free number, a name, level 2, active, 1,000 DH, PIN 1234. */
export const newCustomer = z.strictObject({
  phone: phone.optional(),
  firstName: latinName.default('Amina'),
  lastName: latinName.default('Test'),
  /** 1 to 4. */
  level: z.literal([1, 2, 3, 4]).default(2),
  /** 1 not confirmed, 2 confirmed, 3 active, 4 locked for now, 5 locked. */
  status: z.literal([1, 2, 3, 4, 5]).default(3),
  /** Dirhams. */
  balance: dirhams.default(1_000),
  /** Null: none created yet. */
  pin: pin.nullable().default('1234'),
  cin: cin.optional(),
  walletType: z.enum(['P', 'C']).default('P'),
});

/** Makes a customer with money, inside a transaction. Undefined where somebody has the number. */
export function madeCustomer(core: Core, order: z.output<typeof newCustomer>): Customer | undefined {
  const { phone: number = freeNumber(core), pin: secret, balance, cin: id, ...who } = order;
  const partner = ownPartner(core);
  if (findCustomer(core, partner, number)) return undefined;
  addCustomer(core, partner.id, {
    ...{ ...who, phone: number, balance: centimes(Math.round(balance * 100)) },
    ...(secret && { pin: secret }),
    ...(id && { cin: id }),
  });
  return findCustomer(core, partner, number);
}

function freeNumber(core: Core): string {
  const partner = ownPartner(core);
  for (let number = NUMBERS_FROM; ; number++)
    if (!findCustomer(core, partner, `+${number}`)) return `+${number}`;
}
