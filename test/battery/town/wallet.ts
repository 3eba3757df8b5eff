import { createSandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { centimes } from '../../../src/wallet/money.ts';
import { type Msisdn, msisdn } from '../../../src/wallet/phone.ts';

/** Every customer of the town has this PIN. */
export const PIN = '1234';

/** The wallet of a town: the sandbox with its ledger, a clock that the test moves, and customers. */
export function createTownWallet(
  options: Omit<SandboxOptions, 'clock' | 'file'> & {
    readonly file?: string;
    readonly aheadMs?: number;
    readonly firstPhone: number;
  },
) {
  const { file = ':memory:', aheadMs = 0, firstPhone, ...rest } = options;
  const clock = { aheadMs, now: () => Date.now() + clock.aheadMs };
  const sandbox = createSandbox({ ...rest, file, clock });
  let phones = firstPhone;
  return {
    clock,
    sandbox,

    /** A new customer with 500 dirhams, if nothing else is said. `C` is a merchant. */
    customer(balance = centimes(50_000), walletType: 'P' | 'C' = 'P'): Msisdn {
      const phone = msisdn(`+2126${phones++}`);
      const person = { firstName: 'Test', lastName: 'Customer', level: 2, status: 3, pin: PIN } as const;
      sandbox.addCustomer({ ...person, phone, balance, walletType });
      return phone;
    },
  };
}
