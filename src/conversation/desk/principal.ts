import type { Answer } from '../../wallet/answer.ts';
import type { Centimes } from '../../wallet/money.ts';
import type {
  CashReference,
  Paged,
  PrincipalAccount,
  RetailAgentDetails,
  RetailAgentFile,
} from '../../wallet/services.ts';
import { changeAgent, floatReference } from '../principal-agent.ts';
import { type Binding, createBinding } from './binding.ts';
import { createFloatCards, type FloatCards, type FloatCardsDeps } from './float-cards.ts';
import { createNumbering, type Numbering, type NumberingDeps, PATIENCE } from './numbering.ts';
import { createPayoutFiles, type PayoutFiles, type PayoutFilesDeps } from './payouts.ts';

/** How many retail agents stand on one page of the list. */
const AGENTS_PAGE_SIZE = 20;

/**
 * The operator's principal agent at the wallet, for administrators. The API authenticates none (open question 110). Its
 * code is the operator's setting, and the console decides which accounts may act for it.
 */
export interface Principal extends Binding, FloatCards, Numbering, PayoutFiles {
  readonly code: string;
  account(): Promise<Answer<PrincipalAccount>>;
  /** Pages count from 1, and hold so many. */
  readonly pageSize: number;
  agents(page: number): Promise<Answer<Paged<RetailAgentFile>>>;
  /** A detail that is left out stays as it is, and so does the number. `unknown`: nobody knows whether it was changed. */
  change(code: string, to: RetailAgentDetails): Promise<Answer<true>>;
  /** A reference with which the float is paid in at a counter. */
  load(amount: Centimes): Promise<Answer<CashReference>>;
}

interface PrincipalDeps extends FloatCardsDeps, NumberingDeps, PayoutFilesDeps {
  /** The fee of the bill network's counters, in percent. */
  readonly feesPercent: number;
}

/** @param code absent: the operator has named no principal agent */
export function createPrincipal(deps: PrincipalDeps, code: string | undefined): Principal | undefined {
  if (code === undefined) return undefined;
  const { api, feesPercent } = deps;
  return {
    code,
    ...createBinding(deps, code),
    ...createNumbering(deps, code),
    ...createFloatCards(deps, code),
    ...createPayoutFiles(deps, code),
    account: () => api.principalAgent(code, PATIENCE),
    pageSize: AGENTS_PAGE_SIZE,
    agents: (page) => api.retailAgents({ code, page, pageSize: AGENTS_PAGE_SIZE }, PATIENCE),
    change: (retail, to) => changeAgent(api, retail, to, PATIENCE),
    load: (amount) => floatReference(api, { code, amount, feesPercent }, PATIENCE),
  };
}
