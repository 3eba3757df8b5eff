/** An invented bank and town, so that no RIB of the sandbox is anyone's. */
const RIB_PREFIX = '999780';

/** The RIB of an account of the sandbox. */
export function ribOf(account: number): string {
  return ribWith(RIB_PREFIX, account);
}

/** 24 digits: bank, town, number, and the key that makes the whole a multiple of 97 (facts E2). */
export function ribWith(prefix: string, account: number): string {
  const body = `${prefix}${String(account).padStart(16, '0')}`;
  const key = 97n - ((BigInt(body) * 100n) % 97n);
  return `${body}${String(key).padStart(2, '0')}`;
}

/** The account that a RIB is of; undefined where another bank has it. */
export function accountOfRib(rib: string): number | undefined {
  return rib.startsWith(RIB_PREFIX) ? Number(rib.slice(RIB_PREFIX.length, -2)) : undefined;
}
