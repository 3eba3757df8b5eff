import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Call, Wallet } from '../../wallet/wallet.ts';

/**
 * The account level of a wallet as it is now, and whether it is a merchant's. The profile does not say that: only a
 * merchant has a code for its counter (open question 82).
 */
export async function levelOf(
  api: Pick<Wallet, 'profile' | 'staticQr'>,
  wallet: Msisdn,
  call?: Call,
): Promise<Answer<{ level: number; isMerchant: boolean }>> {
  const [profile, code] = await Promise.all([api.profile(wallet, call), api.staticQr(wallet, call)]);
  if (profile.kind !== 'ok') return profile;
  return { kind: 'ok', value: { level: profile.value.level, isMerchant: code.kind === 'ok' } };
}
