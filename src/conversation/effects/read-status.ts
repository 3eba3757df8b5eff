import type { AgentMark } from '../../../machines/kit/effects.ts';
import { isNotEnabled } from '../../wallet/contract/errors.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { AGENT_KNOWN_MS } from '../session/agent.ts';
import { hasOwner, isAnothers } from '../session/linking.ts';
import type { MerchantMark } from '../session/wallet-doc.ts';
import type { EffectEnv, EffectOf } from './effect.ts';

/** How long it is taken for known whether a wallet is a merchant's. `customer.level.updated` ends it sooner. */
const MERCHANT_KNOWN_MS = 24 * 3_600_000;
/** A question that the wallet has not answered is asked again after this: nobody's menu waits for it each time. */
const ASKED_AGAIN_MS = 5 * 60_000;
/** The menu waits no longer for it. */
const ASKED_MAX_MS = 2_000;
/** A wallet that was active today is not waited for. The choice on the menu asks again. */
const ACTIVE_MAX_MS = 1_000;
/** Partner API v2.3, "Customer status": only an active wallet has the menu that the answer is for. */
const ACTIVE = 3;
/** The same: nobody has a wallet by this number. */
const NONE = 0;

/**
 * The state of the wallet and, once it is active and its customer's own address asks, whether it is a merchant's or an agent's. Where the
 * wallet does not answer, one that was active today is taken to be so still.
 */
export const readStatus: EffectOf<'readStatus'> = {
  kind: 'read',
  async run({ wallet, linked = false }, env) {
    // It is marked only once it is active.
    const { merchant, agent } = env.walletDoc;
    const wasActive = linked && merchant !== undefined && merchant.until > env.now();
    const call = wasActive ? ({ ...env.call, timeoutMs: ACTIVE_MAX_MS, spare: true } as const) : env.call;
    const answer = await env.api.customerStatus(wallet, call);
    if (wasActive && answer.kind !== 'ok' && answer.kind !== 'refused')
      return { kind: 'ok', value: { status: ACTIVE, merchant, ...(agent && { agent }) } };
    if (answer.kind !== 'ok' || answer.value.status !== ACTIVE || !linked) return answer;
    const [isMerchant, isAgent, owner] = await Promise.all([
      merchantMark(wallet, env),
      agentMark(wallet, env),
      ownerOf(wallet, env),
    ]);
    const value = { ...answer.value, merchant: isMerchant, ...(agent && { agent: isAgent }), owner };
    return {
      kind: 'ok',
      value: { ...value, ...(isAnothers({ owner }, env.walletDoc) && { isAnothers: true }) },
    };
  },
  learnt(answer, _, { walletDoc }) {
    if (answer.kind !== 'ok') return {};
    const { merchant, status, owner } = answer.value;
    return {
      ...(merchant && { merchant }),
      ...('agent' in answer.value && { agent: answer.value.agent }),
      ...(owner !== undefined && { owner }),
      // The number has no wallet any more. Its next wallet is another person's.
      ...(status === NONE && hasOwner(walletDoc) && { owner: null }),
    };
  },
};

/** The id of the wallet's owner. It is read as often as a merchant's mark. Without an answer the earlier result holds. */
async function ownerOf(wallet: Msisdn, { api, now, walletDoc }: EffectEnv): Promise<number | undefined> {
  const known = walletDoc.owner ?? undefined;
  if (walletDoc.merchant && walletDoc.merchant.until > now()) return known;
  const answer = await api.profile(wallet, { timeoutMs: ASKED_MAX_MS });
  return answer.kind === 'ok' ? (answer.value.id ?? known) : known;
}

/**
 * Finds out whether a wallet is a merchant's. The profile does not say so (open question 87): a wallet with a QR code
 * of its own is a merchant's. Any other refusal of the code means a consumer. Without an answer, or with a wallet
 * service without such codes, the earlier result holds.
 */
async function merchantMark(wallet: Msisdn, { api, now, walletDoc }: EffectEnv): Promise<MerchantMark> {
  const known = walletDoc.merchant;
  if (known && known.until > now()) return known;
  const answer = await api.staticQr(wallet, { timeoutMs: ASKED_MAX_MS });
  const isAnswered = answer.kind === 'ok' || (answer.kind === 'refused' && !isNotEnabled(answer));
  return isAnswered
    ? { is: answer.kind === 'ok', until: now() + MERCHANT_KNOWN_MS }
    : {
        is: known?.is ?? false,
        until: now() + ASKED_AGAIN_MS,
        ...((known?.guessed ?? !known) && { guessed: true }),
      };
}

/**
 * The agent that a wallet's customer has said to be. It is read again once a day, as the agent may have another number
 * by now. Undefined where the code is another customer's, or nobody's. Without an answer the earlier result holds.
 */
async function agentMark(wallet: Msisdn, { api, now, walletDoc }: EffectEnv): Promise<AgentMark | undefined> {
  const { agent: known } = walletDoc;
  // Nobody comes back by themselves once they were stopped.
  if (!known || known.stopped || known.until > now()) return known;
  const answer = await api.retailAgent(known.code, { timeoutMs: ASKED_MAX_MS });
  if (answer.kind === 'ok') {
    const { phone, name } = answer.value;
    return phone === wallet ? { ...known, name, until: now() + AGENT_KNOWN_MS } : undefined;
  }
  const isGone = answer.kind === 'refused' && !isNotEnabled(answer);
  return isGone ? undefined : { ...known, until: now() + ASKED_AGAIN_MS };
}
