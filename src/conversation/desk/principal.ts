import type { Answer } from '../../wallet/answer.ts';
import type { Centimes } from '../../wallet/money.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import type {
  CashReference,
  NewRetailAgent,
  Paged,
  PrincipalAccount,
  RetailAgent,
  RetailAgentChange,
  RetailAgentFile,
} from '../../wallet/services.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { TellDeps } from '../session/tell.ts';
import { type Binding, createBinding } from './binding.ts';

/** How many retail agents stand on one page of the list. */
const AGENTS_PAGE_SIZE = 20;
/** How far the list is looked through for an agent whose opening was not answered. */
const SEARCHED_PAGES_MAX = 50;
const SEARCHED_PAGE_SIZE = 50;
/** What the bill network is told that the money is for. */
const DESCRIPTION = 'Avance';
/** How long one answer of the wallet may take: an administrator waits for it. */
const PATIENCE = { timeoutMs: 15_000 };

/**
 * The operator's principal agent at the wallet, for administrators. The API authenticates none (open question 110): its code is the
 * operator's setting, and whoever may act for it is the console's to say.
 */
export interface Principal extends Binding {
  readonly code: string;
  account(): Promise<Answer<PrincipalAccount>>;
  /** Pages count from 1, and hold so many. */
  readonly pageSize: number;
  agents(page: number): Promise<Answer<Paged<RetailAgentFile>>>;
  /** `unknown`: nobody knows whether the agent was opened, nor does the list show them. */
  open(agent: NewRetailAgent): Promise<Answer<RetailAgent>>;
  /** What is left out stays as it is. `unknown`: nobody knows whether it was changed. */
  change(code: string, to: RetailAgentChange): Promise<Answer<true>>;
  /**
   * A reference with which the float is paid in at a counter of the bill network. It moves nothing by itself; one whose answer is lost is
   * known to nobody, and harms nobody.
   */
  load(amount: Centimes): Promise<Answer<CashReference>>;
}

export interface PrincipalDeps extends TellDeps {
  readonly api: Wallet;
  /** What the counters of the bill network charge, in percent. */
  readonly feesPercent: number;
}

/** @param code absent: the operator has named no principal agent */
export function createPrincipal(deps: PrincipalDeps, code: string | undefined): Principal | undefined {
  if (code === undefined) return undefined;
  const { api, feesPercent } = deps;
  return {
    code,
    ...createBinding(deps, code),
    account: () => api.principalAgent(code, PATIENCE),
    pageSize: AGENTS_PAGE_SIZE,
    agents: (page) => api.retailAgents({ code, page, pageSize: AGENTS_PAGE_SIZE }, PATIENCE),
    open: (agent) => open(api, code, agent),
    change: (retail, to) => change(api, retail, to),
    load: (amount) => api.requestFloat({ code, amount, description: DESCRIPTION, feesPercent }, PATIENCE),
  };
}

/** An opening without an answer is looked for in the list, by the number: a number is one agent's. */
async function open(api: Wallet, principal: string, agent: NewRetailAgent): Promise<Answer<RetailAgent>> {
  const answer = await api.createRetailAgent(agent, PATIENCE);
  if (answer.kind !== 'unknown') return answer;
  const found = await byPhone(api, principal, agent.phone);
  return found ? { kind: 'ok', value: found } : answer;
}

async function byPhone(api: Wallet, code: string, phone: Msisdn): Promise<RetailAgent | undefined> {
  for (let page = 1; page <= SEARCHED_PAGES_MAX; page++) {
    const answer = await api.retailAgents({ code, page, pageSize: SEARCHED_PAGE_SIZE }, PATIENCE);
    if (answer.kind !== 'ok' || answer.value.entries.length === 0) return undefined;
    const found = answer.value.entries.find((each) => each.phone === phone);
    if (found) return found;
  }
  return undefined;
}

/** A change without an answer is read: it may be made again, by whoever reads that it was not. */
async function change(api: Wallet, code: string, to: RetailAgentChange): Promise<Answer<true>> {
  const answer = await api.changeRetailAgent(code, to, PATIENCE);
  if (answer.kind !== 'unknown') return answer;
  const read = await api.retailAgent(code, PATIENCE);
  const { name, phone, address } = to;
  const isSo =
    read.kind === 'ok' &&
    (name === undefined || read.value.name === name) &&
    (phone === undefined || read.value.phone === phone) &&
    (address === undefined || read.value.address === address);
  return isSo ? { kind: 'ok', value: true } : answer;
}
