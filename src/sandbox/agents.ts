import { centimes } from '../wallet/money.ts';
import { type Core, type Refusal, refuse, type Tenant } from './core.ts';

/** Who a partner's B2B calls debit (Partner API v2.3, "Sandbox onboarding rules" 3): one per partner, with test float. */
export interface Agent {
  readonly code: string;
  readonly account: number;
}

/** The one that every partner has from the start. Code and float are invented. */
export const PRINCIPAL_AGENT = { code: 'PA-1001', balance: centimes(100_000_00) } as const;

export function addAgent({ db, ledger, clock }: Core, tenant: number): void {
  const { code, balance } = PRINCIPAL_AGENT;
  const account = ledger.openAccount(tenant, 'agent');
  db.run('INSERT INTO agents (tenant, code, account) VALUES (?, ?, ?)', tenant, code, account);
  ledger.post(tenant, clock.now(), null, [
    [ledger.own(tenant, 'float'), -balance],
    [account, balance],
  ]);
}

/** The principal agent of a code, or 90024. */
export function findAgent({ db }: Core, tenant: Tenant, code: string): Agent | Refusal {
  const sql = 'SELECT code, account FROM agents WHERE tenant = ? AND code = ?';
  return db.get<Agent>(sql, tenant.id, code) ?? refuse('agentUnknown');
}
