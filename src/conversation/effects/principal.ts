import { addProposal } from '../agent-proposals.ts';
import { changeAgent, floatReference, whyInVain } from '../principal-agent.ts';
import { principalOf } from '../session/agent.ts';
import { counter } from '../session/counter.ts';
import { NO_PRINCIPAL } from '../session/safety.ts';
import { type EffectEnv, type EffectOf, read } from './effect.ts';

/** Retail agents on one page of the list: with the ways on, no more than can be looked over. */
const LIST_PAGE_SIZE = 8;
const DAY_MS = 24 * 3_600_000;
/** References that one number may ask for in a day: each is left behind at the wallet. Agents that it may ask for: people look at each. */
const LOADS = counter({ name: 'float-loads', max: 50, ms: DAY_MS });
const ASKED = counter({ name: 'agents-asked', max: 20, ms: DAY_MS });
const LOST = { kind: 'unknown', why: 'the process that has asked brings no answer' } as const;

/** The principal agent that the customer's number acts for: two administrators have bound it (`desk/binding.ts`). */
function codeOf({
  walletDoc,
  served: { cash },
}: Pick<EffectEnv, 'walletDoc' | 'served'>): string | undefined {
  return principalOf(walletDoc, cash.ownAgent);
}

export const readFloat: EffectOf<'readFloat'> = read(async (_input, env) => {
  const code = codeOf(env);
  return code === undefined ? NO_PRINCIPAL : env.api.principalAgent(code, env.call);
});

export const requestFloat: EffectOf<'requestFloat'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { at, served: { cash } }) {
    return principalOf(wallet, cash.ownAgent) ? LOADS.count(wallet, at) : { instead: NO_PRINCIPAL };
  },
  async run({ amount }, env) {
    const code = codeOf(env);
    if (code === undefined) return NO_PRINCIPAL;
    return floatReference(env.api, { code, amount, feesPercent: env.served.cash.feesPercent }, env.call);
  },
  lost: LOST,
};

export const readRetailAgents: EffectOf<'readRetailAgents'> = read(async ({ page }, env) => {
  const code = codeOf(env);
  if (code === undefined) return NO_PRINCIPAL;
  const answer = await env.api.retailAgents({ code, page, pageSize: LIST_PAGE_SIZE }, env.call);
  if (answer.kind !== 'ok') return answer;
  const { entries: agents, count } = answer.value;
  return { kind: 'ok', value: { agents, isLast: agents.length === 0 || page * LIST_PAGE_SIZE >= count } };
});

export const askForRetailAgent: EffectOf<'askForRetailAgent'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { at, served: { cash } }) {
    return principalOf(wallet, cash.ownAgent) ? ASKED.count(wallet, at) : { instead: NO_PRINCIPAL };
  },
  async run({ wallet, wish }, env) {
    const code = codeOf(env);
    if (code === undefined) return NO_PRINCIPAL;
    const why = await whyInVain(env.api, code, wish, env.call);
    if (why !== undefined) return { kind: 'inVain', why };
    const added = await addProposal({ ...env, code }, { from: wallet, reason: '', wish });
    if (added === 'waits') return { kind: 'inVain', why: added };
    return { kind: added === 'added' ? 'ok' : 'tooMany' };
  },
  // A customer who asks again for a request that was written down reads that it waits.
  lost: LOST,
};

export const changeRetailAgent: EffectOf<'changeRetailAgent'> = {
  kind: 'guarded',
  claim({ wallet }, _input, { served: { cash } }) {
    return principalOf(wallet, cash.ownAgent) ? { wallet } : { instead: NO_PRINCIPAL };
  },
  run: ({ code, to }, { api, call }) => changeAgent(api, code, to, call),
  lost: LOST,
};
