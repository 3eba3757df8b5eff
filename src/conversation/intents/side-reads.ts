import type { Failure } from '../../../machines/kit/problem.ts';
import type { Answer } from '../../wallet/answer.ts';
import { ERRORS } from '../../wallet/contract/errors.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { ribIn } from '../../wallet/rib.ts';
import type { Beneficiary } from '../../wallet/services.ts';
import type { Call, Wallet } from '../../wallet/wallet.ts';
import type { EffectEnv } from '../effects/effect.ts';

/** Longer than that the list of saved recipients keeps nothing back, however slow the wallet is. */
const SAVED_MAX_MS = 2_000;

/** How the list is read where something else waits for it, which goes on without it. */
export function spareCall(call: Call): Call {
  return { ...call, timeoutMs: SAVED_MAX_MS, spare: true };
}

/** A page waits no longer for what it can do without. */
const BRIEF_MAX_MS = 1_000;

/** The same for what a page only says beside the rest. */
export function briefCall(call: Call): Call {
  return { ...spareCall(call), timeoutMs: BRIEF_MAX_MS };
}

/**
 * The refusal of an amount, with the balance where that is the reason and its owner's PIN has just opened it. A balance that does not come
 * in time is left out.
 */
export async function withBalance<Failed extends Failure>(
  failed: Failed,
  wallet: Msisdn,
  { api, call, mayView }: Pick<EffectEnv, 'api' | 'call' | 'mayView'>,
): Promise<Failed> {
  if (!mayView || failed.kind !== 'refused' || failed.code !== TOO_LOW) return failed;
  const balance = await api.balance(wallet, briefCall(call));
  return balance.kind === 'ok' ? { ...failed, has: balance.value } : failed;
}
const TOO_LOW = String(ERRORS.insufficientFunds.code);

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
