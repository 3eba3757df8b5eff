import { type AccountLevel, BALANCE_MAX_CENTIMES } from '../../src/wallet/contract/limits.ts';
import { type Centimes, centimes } from '../../src/wallet/money.ts';

/** True for a level of the table (Partner API v2.3, "Account levels"). */
export function isLevel(level: number): level is AccountLevel {
  return Object.hasOwn(BALANCE_MAX_CENTIMES, level);
}

/** The highest balance of this level. Undefined for a level that the table does not have. */
export function limitOf(level: number): Centimes | undefined {
  return isLevel(level) ? centimes(BALANCE_MAX_CENTIMES[level]) : undefined;
}
