import { type OperationStatus, STATUSES } from '../../wallet/contract/fields.ts';
import type { Struck } from '../faults/faults.ts';
import { ribWith } from './rib.ts';

const HOUR_MS = 60 * 60_000;

/** The course of a bank transfer: how it is completed, and which faults strike it. */
interface BankWay {
  readonly settlesAs: OperationStatus;
  /** Absent: as the settings say. */
  readonly afterMs?: number;
  readonly struck?: Struck;
}

interface Magic extends BankWay {
  readonly rib: string;
  readonly means: string;
}

/** A bank that there is not. Every other RIB with a true key is paid. */
export const TEST_BANK = '998780';

/**
 * RIBs that force an outcome. Partner API v2.3, "Event kinds": "settled, rejected or returned: read OperationStatus". Which
 * status says which is not shown. Here 2, 3 and 4.
 */
export const BANK_MAGIC = {
  rejected: {
    rib: ribWith(TEST_BANK, 1),
    means: 'rejected (3): the bank does not take it, the money comes back',
    settlesAs: STATUSES.FAILED,
  },
  returned: {
    rib: ribWith(TEST_BANK, 2),
    means: 'returned (4): the account is closed, the money comes back',
    settlesAs: STATUSES.CANCELED,
  },
  returnedLater: {
    rib: ribWith(TEST_BANK, 3),
    means: 'settled (2), and returned (4) a day later',
    settlesAs: STATUSES.COMPLETED,
    struck: { reversal: 24 * HOUR_MS },
  },
  settlesLate: {
    rib: ribWith(TEST_BANK, 4),
    means: 'settled (2) after 48 hours',
    settlesAs: STATUSES.COMPLETED,
    afterMs: 48 * HOUR_MS,
  },
} as const satisfies Record<string, Magic>;

const WAYS: ReadonlyMap<string, BankWay> = new Map(
  Object.values(BANK_MAGIC).map((magic) => [magic.rib, magic]),
);

/** The course of a transfer to this RIB: it arrives, unless the RIB is magic. */
export function bankWayOf(rib: string): BankWay {
  return WAYS.get(rib) ?? { settlesAs: STATUSES.COMPLETED };
}

/** A RIB of the test bank whose account is a magic number strikes with its fault: `…0000212699000104…`. */
export function phoneInRib(rib: unknown): string | undefined {
  const digits =
    typeof rib === 'string' ? new RegExp(`^${TEST_BANK}0{4}(212\\d{9})\\d\\d$`).exec(rib)?.[1] : undefined;
  return digits && `+${digits}`;
}
