import { type Centimes, centimes } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core/core.ts';
import { refuse } from '../core/refusal.ts';

/** Partner API v2.3, "Account types". */
type AgentKind = 'principal' | 'retail';

/** An agent as a row: an account with float, known by its code. */
export interface Agent {
  readonly id: number;
  readonly kind: AgentKind;
  readonly code: string;
  readonly account: number;
  readonly name: string;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly cin: string | null;
  readonly address: string | null;
  readonly email: string | null;
  readonly gender: string | null;
}
type Details = Omit<Agent, 'id' | 'kind' | 'code' | 'account'>;

/** The one of every partner, whom B2B calls debit ("Sandbox onboarding rules" 3). All is invented. */
export const PRINCIPAL_AGENT = {
  code: 'PA-1001',
  name: 'Wasl Paiements (test)',
  balance: centimes(100_000_00),
} as const;
export const AGENT_CODES = [PRINCIPAL_AGENT.code, 'RA-2001', 'RA-2002'] as const;
/** How an agent gets float is not shown in v2.3: each retail agent begins with some. */
export const RETAIL_FLOAT = centimes(20_000_00);
const RETAIL_CODES_FROM = 2001;

const NO_DETAILS = {
  phone: null,
  firstName: null,
  lastName: null,
  cin: null,
  address: null,
  email: null,
  gender: null,
} as const satisfies Partial<Details>;

/** Retail agents there are from the start, all of them invented: `RA-2001`, `RA-2002`. */
const SEEDED_RETAIL_AGENTS: readonly Details[] = [
  {
    ...NO_DETAILS,
    name: 'Tabac Central (test)',
    phone: '+212600000031',
    firstName: 'Driss',
    lastName: 'Lahlou',
    cin: 'BE310031',
    address: '12, rue des Orangers, Casablanca',
  },
  {
    ...NO_DETAILS,
    name: 'Téléboutique Amal (test)',
    phone: '+212600000032',
    firstName: 'Amal',
    lastName: 'Sefrioui',
    cin: 'CD320032',
    email: 'amal@example.com',
  },
];

/** The agents that a partner begins with. */
export function addAgents(core: Core, tenant: number): void {
  const { code, name, balance } = PRINCIPAL_AGENT;
  open(core, tenant, 'principal', code, balance, { ...NO_DETAILS, name });
  for (const details of SEEDED_RETAIL_AGENTS) addRetailAgent(core, tenant, details);
}

/** Opens a retail agent and gives its code, the next one of the partner. */
export function addRetailAgent(core: Core, tenant: number, details: Details): string {
  const sql = `SELECT COUNT(*) AS count FROM agents WHERE tenant = ? AND kind = 'retail'`;
  const code = `RA-${RETAIL_CODES_FROM + (core.db.get<{ count: number }>(sql, tenant)?.count ?? 0)}`;
  const float = core.settings.retailFloat === 'given' ? RETAIL_FLOAT : centimes(0);
  open(core, tenant, 'retail', code, float, details);
  return code;
}

function open(
  { db, ledger, clock }: Core,
  tenant: number,
  kind: AgentKind,
  code: string,
  balance: Centimes,
  details: Details,
): void {
  const account = ledger.openAccount(tenant, 'agent');
  const row = { ...details, tenant, kind, code, account, createdAt: clock.now() };
  db.insert('agents', row);
  ledger.bring(tenant, clock.now(), account, balance);
}

/** The retail agent that a partner has had for the longest, or 90024. */
export function firstRetailAgent({ db }: Core, tenant: Tenant): Agent {
  const sql = `SELECT * FROM agents WHERE tenant = ? AND kind = 'retail' ORDER BY id LIMIT 1`;
  return db.get<Agent>(sql, tenant.id) ?? refuse('agentUnknown');
}

/**
 * The agent of a code, or 90024; 90140 where it must be a retail one.
 * @param kind absent: either
 */
export function findAgent({ db }: Core, tenant: Tenant, code: string, kind?: AgentKind): Agent {
  const agent = db.get<Agent>('SELECT * FROM agents WHERE tenant = ? AND code = ?', tenant.id, code);
  if (agent && (kind ?? agent.kind) === agent.kind) return agent;
  return refuse(kind === 'retail' ? 'retailAgentUnknown' : 'agentUnknown');
}
