import type { Screen } from '../../../machines/kit/screen.ts';
import type { Sealed } from '../../../machines/kit/secret.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Secrets } from '../secrets.ts';
import type { Session } from './session.ts';

/** The number of a reference can be opened for this time: longer than any operator lets one be used. */
export const WALLET_SECRET_MS = 30 * 24 * 3_600_000;

/** Seals something that is worth money to a wallet. A customer who has proven that the wallet is theirs can be shown it. */
export function sealForWallet(secrets: Secrets, text: string, wallet: Msisdn, now: number): Sealed {
  return secrets.seal(text, boundTo(wallet), now);
}

/** The text that was sealed for a wallet. Undefined where it was for another wallet, or too long ago. */
export function openForWallet(
  secrets: Secrets,
  sealed: Sealed,
  wallet: Msisdn,
  now: number,
): string | undefined {
  return secrets.open(sealed, boundTo(wallet), now, WALLET_SECRET_MS);
}

/** A screen as its customer sees it: values that are sealed for their wallet are opened, and not stored. */
export function revealed<S extends Pick<Screen, 'values'>>(
  screen: S,
  { wallet, linked }: Pick<Session, 'wallet' | 'linked'>,
  secrets: Secrets,
  now: number,
): S {
  const { values } = screen;
  if (!values || !wallet || !linked || !hasSecret(screen)) return screen;
  const shown = Object.entries(values).map(([name, value]) => {
    const text = 'sealed' in value ? openForWallet(secrets, value.sealed, wallet, now) : undefined;
    return [name, text === undefined ? value : { hidden: text }];
  });
  return { ...screen, values: Object.fromEntries(shown) };
}

/** True for a screen with a sealed value. */
export function hasSecret({ values = {} }: Pick<Screen, 'values'>): boolean {
  return Object.values(values).some((value) => 'sealed' in value);
}

function boundTo(wallet: Msisdn): string {
  return `${wallet} reference`;
}
