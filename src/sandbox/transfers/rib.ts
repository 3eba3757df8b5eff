import { keyOf } from '../../wallet/rib.ts';

/** An invented bank and town, so that no RIB of the sandbox is anyone's. */
const RIB_PREFIX = '999780';

export function ribOf(account: number): string {
  return ribWith(RIB_PREFIX, account);
}

/** 24 digits: bank, town, number and key. */
export function ribWith(prefix: string, account: number): string {
  const body = `${prefix}${String(account).padStart(16, '0')}`;
  return body + keyOf(body);
}

/** The account that a RIB is of. Undefined where another bank has it. */
export function accountOfRib(rib: string): number | undefined {
  return rib.startsWith(RIB_PREFIX) ? Number(rib.slice(RIB_PREFIX.length, -2)) : undefined;
}
