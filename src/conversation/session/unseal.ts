import type { Screen } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Address } from '../incoming.ts';
import type { Secrets } from '../secrets.ts';
import type { Outgoing } from './session.ts';

/** A voucher code waits for its customer for so long ("secrets pass through"). */
const VOUCHER_CODE_MS = 72 * 3_600_000;

/** Seals a voucher code for one address: nothing but its delivery there can open it. */
export function sealVoucherCode(secrets: Secrets, code: string, address: Address, now: number): Sealed {
  return secrets.seal(code, boundTo(address), now);
}

/**
 * A message as its channel gets it: what was sealed is opened now, at the moment of delivery, and stays nowhere else. What
 * can be opened no more is said to be with an adviser.
 */
export function unsealed(
  { screen, sealed }: Pick<Outgoing, 'screen' | 'sealed'>,
  address: Address,
  secrets: Secrets,
  now: number,
): Screen {
  if (!sealed) return screen;
  const opened = Object.entries(sealed).map(
    ([name, each]) => [name, secrets.open(each, boundTo(address), now, VOUCHER_CODE_MS)] as const,
  );
  if (opened.some(([, text]) => text === undefined)) return { ...screen, key: 'voucher.codeExpired' };
  const values = opened.map(([name, text]) => [name, { hidden: text ?? '' }]);
  return { ...screen, values: { ...screen.values, ...Object.fromEntries(values) } };
}

function boundTo(address: Address): string {
  return `${address} voucher code`;
}
