import type { ApiName } from '../../wallet/contract/api.ts';
import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';

/** The principal agent's account that a partner has from the start. */
function accountOf({ db }: Core, { id }: Tenant): number {
  const sql = `SELECT account FROM agents WHERE tenant = ? AND kind = 'principal' ORDER BY id LIMIT 1`;
  const agent = db.lasting<{ account: number }>(sql, id);
  if (!agent) throw new Error(`tenant ${id} has no principal agent`);
  return agent.account;
}

/** The test float of a partner. */
export function floatOf(core: Core, tenant: Tenant): Centimes {
  return core.ledger.balance(accountOf(core, tenant));
}

/** Gives a partner that much test float, or takes what is above it. */
export function setFloat(core: Core, tenant: Tenant, to: Centimes): Centimes {
  const { ledger, clock } = core;
  const account = accountOf(core, tenant);
  const missing = centimes(to - ledger.balance(account));
  if (missing !== 0)
    ledger.post(tenant.id, clock.now(), null, [
      [ledger.own(tenant.id, 'float'), -missing],
      [account, missing],
    ]);
  return to;
}

/** Partner API v2.3, "Sandbox onboarding rules" 3: "transfers, bill payments, top-ups, vouchers". */
const DEBITS: readonly ApiName[] = [
  'previewTransfer',
  'executeTransfer',
  'previewBankTransfer',
  'executeBankTransfer',
  'previewBill',
  'executeBill',
  'previewTopUp',
  'executeTopUp',
  'executeTopUpB2b',
  'previewVoucher',
  'executeVoucher',
  'previewServiceVoucher',
  'executeServiceVoucher',
];

/**
 * The rule that debits "require the partner's principal agent to be funded with test float". Not shown in v2.3: how much,
 * and the error; here anything at all, and 90100. Every partner begins with float (`agents.ts`).
 */
export function requireFloat(core: Core, name: ApiName, tenant: Tenant): void {
  if (DEBITS.includes(name) && floatOf(core, tenant) <= 0) refuse('agentNotFunded');
}
