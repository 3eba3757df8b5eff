import { limitOf } from '../../../machines/kit/account-level.ts';
import type { Failure } from '../../../machines/kit/problem.ts';
import type { Order } from '../../payments/payments.ts';
import type { Answer } from '../../wallet/answer.ts';
import { ERRORS } from '../../wallet/contract/errors.ts';
import { BALANCE_MAX_CENTIMES } from '../../wallet/contract/limits.ts';
import type { Centimes } from '../../wallet/money.ts';
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
 * The refusal of an amount that the balance does not hold. It has the balance where its owner's PIN has just opened that, and the most that the
 * wallet may hold where the amount is above that: no deposit makes such a payment possible. What does not come in time is left out.
 */
export async function withBalance<Failed extends Failure>(
  failed: Failed,
  { from: wallet, amount }: Pick<Order, 'from' | 'amount'>,
  env: Pick<EffectEnv, 'api' | 'call' | 'mayView' | 'walletDoc'>,
): Promise<Failed> {
  if (failed.kind !== 'refused' || failed.code !== TOO_LOW) return failed;
  const [holds, balance] = await Promise.all([
    limitBelow(wallet, amount, env),
    env.mayView ? env.api.balance(wallet, briefCall(env.call)) : undefined,
  ]);
  return {
    ...failed,
    ...(holds !== undefined && { holds }),
    ...(balance?.kind === 'ok' && { has: balance.value }),
  };
}
const TOO_LOW = String(ERRORS.insufficientFunds.code);

/** The most that the wallet may hold, where an amount is above that. A merchant has negotiated its own. */
async function limitBelow(
  wallet: Msisdn,
  amount: Centimes,
  { api, call, walletDoc }: Pick<EffectEnv, 'api' | 'call' | 'walletDoc'>,
): Promise<Centimes | undefined> {
  if (amount <= BALANCE_MAX_CENTIMES[1] || walletDoc.merchant?.is !== false) return undefined;
  const profile = await api.profile(wallet, briefCall(call));
  const limit = profile.kind === 'ok' ? limitOf(profile.value.level) : undefined;
  return limit !== undefined && amount > limit ? limit : undefined;
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
