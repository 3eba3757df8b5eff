import type { ApiName } from '../../wallet/contract/api.ts';
import type { Centimes } from '../../wallet/money.ts';
import { findAgent } from '../agents/agents.ts';
import type { Core, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';

/** The account of an agent by its code, or 90024. Without one, that of the principal agent that a partner has from the start. */
function accountOf(core: Core, tenant: Tenant, code?: string): number {
  if (code !== undefined) return findAgent(core, tenant, code).account;
  const { id } = tenant;
  const sql = `SELECT account FROM agents WHERE tenant = ? AND kind = 'principal' ORDER BY id LIMIT 1`;
  const agent = core.db.lasting<{ account: number }>(sql, id);
  if (!agent) throw new Error(`tenant ${id} has no principal agent`);
  return agent.account;
}

/** The test float of a partner, or that of one of its agents. */
export function floatOf(core: Core, tenant: Tenant, code?: string): Centimes {
  return core.ledger.balance(accountOf(core, tenant, code));
}

/** Gives a partner, or one of its agents, that much test float, or takes what is above it. */
export function setFloat(core: Core, tenant: Tenant, to: Centimes, code?: string): Centimes {
  core.ledger.bring(tenant.id, core.clock.now(), accountOf(core, tenant, code), to);
  return to;
}

/** Partner API v2.3, "Sandbox onboarding rules" 3: "transfers, bill payments, top-ups, vouchers". */
const DEBITS = /^(?:preview|execute)(?:Transfer|BankTransfer|Bill|TopUp|TopUpB2b|Voucher|ServiceVoucher)$/;

/**
 * The rule that debits "require the partner's principal agent to be funded with test float". Not shown in v2.3: how much,
 * and the error. Here anything at all, and 90100. Every partner begins with float (`agents.ts`).
 */
export function requireFloat(core: Core, name: ApiName, tenant: Tenant): void {
  if (core.settings.agentFloat === 'refused' && DEBITS.test(name) && floatOf(core, tenant) <= 0)
    refuse('agentNotFunded');
}
