import { BILL_MAGIC } from '../bills/magic.ts';
import { TEST_CARDS, THREE_DS_CODE, WRONG_CVV } from '../cards/test-cards.ts';
import { STATUS_MESSAGES } from '../customers/profiles.ts';
import { MAGIC, type MagicName, magicMeans } from '../faults/magic.ts';
import { SEEDED } from '../partners/seed.ts';
import { BANK_MAGIC } from '../transfers/bank-magic.ts';

/** The data that every partner begins with, and the values that make something happen, from the tables that the sandbox works by. */
export const TEST_DATA = {
  customers: SEEDED.map(({ phone, firstName, lastName, level, status, balance, pin, walletType = 'P' }) => ({
    phone,
    name: `${firstName} ${lastName}`,
    walletType,
    level,
    status: STATUS_MESSAGES[status],
    balance: balance / 100,
    pin: pin ?? null,
  })),
  threeDsCode: THREE_DS_CODE,
  wrongCvv: WRONG_CVV,
  phones: Object.entries(MAGIC).map(([name, value]) => ({ value, means: magicMeans(name as MagicName) })),
  cards: Object.values(TEST_CARDS).map(({ pan, means }) => ({ value: pan, means })),
  contracts: Object.values(BILL_MAGIC).map(({ contract, means }) => ({ value: contract, means })),
  ribs: Object.values(BANK_MAGIC).map(({ rib, means }) => ({ value: rib, means })),
} as const;
