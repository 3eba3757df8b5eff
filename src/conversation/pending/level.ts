import type { Answer } from '../../wallet/answer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type { Call, Wallet } from '../../wallet/wallet.ts';

/** A wallet's level, and whether it is a merchant's: only they have a counter's code (open question 82). */
export async function levelOf(
  api: Pick<Wallet, 'profile' | 'staticQr'>,
  wallet: Msisdn,
  call?: Call,
): Promise<Answer<{ level: number; isMerchant: boolean }>> {
  const [profile, code] = await Promise.all([api.profile(wallet, call), api.staticQr(wallet, call)]);
  if (profile.kind !== 'ok') return profile;
  return { kind: 'ok', value: { level: profile.value.level, isMerchant: code.kind === 'ok' } };
}
