import { methodOf, type Order } from '../../payments/payments.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { Preview } from '../../wallet/wallet.ts';
import type { EffectEnv } from '../effects/effect.ts';
import type { WalletDoc } from '../session/wallet-doc.ts';
import { briefCall } from './side-reads.ts';

/** The different numbers that one wallet may have named in a day: more than most people pay, and too few to list strangers. */
const NAMES_MAX = 10;
const DAY_MS = 24 * 3_600_000;
/** A right PIN says for so long that the wallet's owner is there. */
const PROVEN_MS = DAY_MS;
/** The number whose name may be asked for, and what counts it. Undefined: nobody is asked (docs/safety-customers.md, "A name is masked"). */
function askable(order: Order, env: EffectEnv): { readonly to: Msisdn; readonly what: string } | undefined {
  const { served, walletDoc, secrets, at } = env;
  const { payee, listed } = methodOf(order);
  const to = payee?.isNamed ? readPhone(listed.receiver(order) ?? '') : undefined;
  const isProven = at - (walletDoc.naming?.provenAt ?? 0) < PROVEN_MS;
  if (!served.namesPayees || !to || !isProven) return undefined;
  const what = secrets.digest(`payee ${order.from} ${to}`);
  const asked = askedIn(walletDoc, at);
  return asked.length < NAMES_MAX || asked.some((each) => each.what === what) ? { to, what } : undefined;
}

/**
 * How the recipient may be named before the PIN. Nothing where the budget is used up, or the wallet does not say it in time: the page comes
 * without a name.
 */
export async function nameOf(
  order: Order,
  { openLoop, recipientName }: Preview,
  env: EffectEnv,
): Promise<{ readonly maskedName?: string }> {
  const asked = openLoop || recipientName !== undefined ? undefined : askable(order, env);
  if (!asked) return {};
  // Its preview took the number, so it is a merchant's.
  const isShop = methodOf(order).payee?.isNamed === 'whole';
  const answer = await env.api[isShop ? 'shopName' : 'maskedName'](asked.to, briefCall(env.call));
  const name = answer.kind === 'ok' ? answer.value.name : undefined;
  return name === undefined ? {} : { maskedName: name };
}

/** The wallet's document once a number may have been named. It counts whatever the wallet has answered. */
export function withNameAsked(order: Order, env: EffectEnv): Pick<WalletDoc, 'naming'> {
  const asked = askable(order, env);
  if (!asked) return {};
  const before = askedIn(env.walletDoc, env.at);
  const isNew = !before.some(({ what }) => what === asked.what);
  const all = isNew ? [...before, { what: asked.what, at: env.at }] : before;
  return { naming: { ...env.walletDoc.naming, asked: all } };
}

function askedIn({ naming: { asked = [] } = {} }: WalletDoc, now: number) {
  return asked.filter(({ at }) => at > now - DAY_MS);
}
