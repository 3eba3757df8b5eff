import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { toDecimal } from '../../wallet/money.ts';
import type { Core, SomeHandlers, Tenant } from '../core/core.ts';
import { pageOf, since, until } from '../core/paging.ts';
import { refuse } from '../core/refusal.ts';
import { ribOf } from '../transfers/rib.ts';
import { type Agent, addRetailAgent, findAgent } from './agents.ts';

type AgentAnswer = z.input<Api['readRetailAgent']['data']>;

/** The highest there is; "higher limits" of a principal agent are not shown in v2.3. */
const PRINCIPAL_LEVEL = 4;

/**
 * Agents of a partner (Partner API v2.3, "Agents"). Not shown in v2.3: one phone number is one agent's. A retail agent belongs
 * to the partner's principal agent, by whose code it is listed, the oldest first.
 */
export const agents = {
  listRetailAgents(core, { tenant, query }) {
    findAgent(core, tenant, query.Code, 'principal');
    const { rows, count } = pageOf<Agent>(core.db, {
      from: 'agents',
      where: [['tenant = ?', tenant.id], [`kind = 'retail'`], since(query.From), until(query.To, core)],
      orderBy: 'id',
      number: query.PageNumber,
      size: query.PageSize,
    });
    return { collection: rows.map(agentAnswer), count };
  },

  readRetailAgent(core, { tenant, params }) {
    return agentAnswer(findAgent(core, tenant, params.code, 'retail'));
  },

  createRetailAgent(core, { tenant, body }) {
    if (isTaken(core, tenant, body.PhoneNumber)) refuse('agentPhoneTaken');
    const code = addRetailAgent(core, tenant.id, {
      name: body.Name,
      phone: body.PhoneNumber,
      firstName: body.FirstName,
      lastName: body.LastName,
      cin: body.Cin,
      address: body.Address ?? null,
      email: body.Email ?? null,
      gender: null,
    });
    return agentAnswer(findAgent(core, tenant, code, 'retail'));
  },

  updateRetailAgent(core, { tenant, params, body }) {
    const agent = findAgent(core, tenant, params.code, 'retail');
    const isRemoved = core.settings.agentNull === 'removed';
    const removable = (to: string | null | undefined) => (isRemoved ? to : (to ?? undefined));
    const phone = body.PhoneNumber ?? agent.phone ?? '';
    if (isTaken(core, tenant, phone, agent)) refuse('agentPhoneTaken');
    core.db.update('agents', agent.id, {
      phone,
      name: body.Name ?? undefined,
      firstName: body.FirstName ?? undefined,
      lastName: body.LastName ?? undefined,
      cin: body.Cin ?? undefined,
      address: removable(body.Address),
      email: removable(body.Email),
      gender: removable(body.Gender),
    });
    return null;
  },

  readPrincipalAgent(core, { tenant, params }) {
    const agent = findAgent(core, tenant, params.code, 'principal');
    const { code, name, account } = agent;
    return {
      agent: { code, name },
      account: {
        balance: toDecimal(core.ledger.balance(account)),
        rib: ribOf(account),
        accountLevel: PRINCIPAL_LEVEL,
      },
    };
  },
} satisfies SomeHandlers;

function isTaken(core: Core, tenant: Tenant, phone: string, by?: Agent): boolean {
  const sql = 'SELECT 1 FROM agents WHERE tenant = ? AND phone = ? AND id <> ?';
  return core.db.get(sql, tenant.id, phone, by?.id ?? 0) !== undefined;
}

function agentAnswer(agent: Agent): AgentAnswer {
  return {
    code: agent.code,
    PhoneNumber: agent.phone ?? '',
    Name: agent.name,
    FirstName: agent.firstName,
    LastName: agent.lastName,
    Cin: agent.cin,
    Address: agent.address,
    Email: agent.email,
    Gender: agent.gender,
  };
}
