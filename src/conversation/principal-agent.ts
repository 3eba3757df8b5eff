import type { AgentWish } from '../../machines/kit/effects.ts';
import type { Answer } from '../wallet/answer.ts';
import { ERRORS } from '../wallet/contract/errors.ts';
import type { Centimes } from '../wallet/money.ts';
import type { Msisdn } from '../wallet/phone.ts';
import type { CashReference, NewRetailAgent, RetailAgent, RetailAgentChange } from '../wallet/services.ts';
import type { Call, Wallet } from '../wallet/wallet.ts';
import { numberIn } from './agent-proposals.ts';

/* The acts for a principal agent, for an administrator at the console and for a number that acts for it in a chat. */

/** How far the list is looked through for an agent whose opening was not answered. */
const SEARCHED_PAGES_MAX = 50;
const SEARCHED_PAGE_SIZE = 50;
const UNKNOWN_CODES: readonly string[] = [ERRORS.retailAgentUnknown, ERRORS.agentUnknown].map(({ code }) =>
  String(code),
);
/** The purpose of the money that the bill network is told. */
const DESCRIPTION = 'Avance';

/**
 * The reason why the wallet would refuse a wish for an agent: there is no such agent, it has this number already, or
 * another one has. Undefined where nothing speaks against it, and where the wallet does not say.
 */
export async function whyInVain(
  api: Wallet,
  principal: string,
  wish: AgentWish,
  call: Call,
): Promise<'noAgent' | 'hasNumber' | 'numberTaken' | undefined> {
  if ('code' in wish) {
    const agent = await api.retailAgent(wish.code, call);
    if (agent.kind === 'refused' && UNKNOWN_CODES.includes(agent.code)) return 'noAgent';
    if (agent.kind === 'ok' && agent.value.phone === wish.phone) return 'hasNumber';
  }
  return (await byPhone(api, principal, numberIn(wish), call)) && 'numberTaken';
}

/** An opening without an answer is looked for in the list, by the number: a number is one agent's. */
export async function openAgent(
  api: Wallet,
  principal: string,
  agent: NewRetailAgent,
  call: Call,
): Promise<Answer<RetailAgent>> {
  const answer = await api.createRetailAgent(agent, call);
  if (answer.kind !== 'unknown') return answer;
  const found = await byPhone(api, principal, agent.phone, call);
  return found ? { kind: 'ok', value: found } : answer;
}

async function byPhone(
  api: Wallet,
  code: string,
  phone: Msisdn,
  call: Call,
): Promise<RetailAgent | undefined> {
  for (let page = 1; page <= SEARCHED_PAGES_MAX; page++) {
    const answer = await api.retailAgents({ code, page, pageSize: SEARCHED_PAGE_SIZE }, call);
    if (answer.kind !== 'ok' || answer.value.entries.length === 0) return undefined;
    const found = answer.value.entries.find((each) => each.phone === phone);
    if (found) return found;
  }
  return undefined;
}

/** After a change without an answer the agent is read. An administrator who reads that it was not made may make it again. */
export async function changeAgent(
  api: Wallet,
  code: string,
  to: RetailAgentChange,
  call: Call,
): Promise<Answer<true>> {
  const answer = await api.changeRetailAgent(code, to, call);
  if (answer.kind !== 'unknown') return answer;
  const read = await api.retailAgent(code, call);
  const { name, phone, address } = to;
  const isSo =
    read.kind === 'ok' &&
    (name === undefined || read.value.name === name) &&
    (phone === undefined || read.value.phone === phone) &&
    (address === undefined || read.value.address === address);
  return isSo ? { kind: 'ok', value: true } : answer;
}

/**
 * A reference with which the float is paid in at a counter of the bill network. It moves nothing by itself. If its
 * answer is lost, nobody knows the reference, and it harms nobody.
 */
export function floatReference(
  api: Wallet,
  order: { readonly code: string; readonly amount: Centimes; readonly feesPercent: number },
  call: Call,
): Promise<Answer<CashReference>> {
  return api.requestFloat({ ...order, description: DESCRIPTION }, call);
}
