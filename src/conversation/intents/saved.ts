import type { Answer } from '../../wallet/answer.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { ribIn } from '../../wallet/rib.ts';
import type { Beneficiary } from '../../wallet/services.ts';
import type { Call, Wallet } from '../../wallet/wallet.ts';

/** Longer than that the list of saved recipients keeps nothing back, however slow the wallet is. */
const SAVED_MAX_MS = 2_000;

/** How the list is read where something else waits for it, which goes on without it. */
export function spareCall(call: Call): Call {
  return { ...call, timeoutMs: SAVED_MAX_MS, spare: true };
}

/** Whether a number or RIB is among the saved recipients of a wallet. */
export async function isSaved(
  api: Pick<Wallet, 'beneficiaries'>,
  wallet: Msisdn,
  account: string,
  call: Call,
): Promise<Answer<boolean>> {
  const listed = await api.beneficiaries(wallet, { search: account }, call);
  if (listed.kind !== 'ok') return listed;
  const isTheirs = ({ phoneNumber = '', rib = '' }: Beneficiary) =>
    readPhone(phoneNumber) === account || ribIn(rib) === account;
  return { kind: 'ok', value: listed.value.entries.some(isTheirs) };
}
