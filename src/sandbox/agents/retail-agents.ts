import type { z } from 'zod';
import type { Api } from '../../wallet/contract/api.ts';
import { toDecimal } from '../../wallet/money.ts';
import { type Core, type Handlers, isRefusal, refuse, type Tenant } from '../core/core.ts';
import { pageOf, since, until } from '../core/paging.ts';
import { ribOf } from '../core/random.ts';
import { type Agent, addRetailAgent, findAgent } from './agents.ts';

type Shown = z.input<Api['readRetailAgent']['data']>;

/** The highest there is; "higher limits" of a principal agent are not shown in v2.3. */
const PRINCIPAL_LEVEL = 4;

/**
 * Agents of a partner (Partner API v2.3, "Agents"). Not shown in v2.3: one phone number is one agent's; a retail agent belongs
 * to the partner's principal agent, by whose code it is listed, the oldest first.
 */
export function agents(
  core: Core,
): Handlers<
  'listRetailAgents' | 'readRetailAgent' | 'createRetailAgent' | 'updateRetailAgent' | 'readPrincipalAgent'
> {
  const { db, ledger } = core;

  function isTaken(tenant: Tenant, phone: string, by?: Agent): boolean {
    const sql = 'SELECT 1 FROM agents WHERE tenant = ? AND phone = ? AND id <> ?';
    return db.get(sql, tenant.id, phone, by?.id ?? 0) !== undefined;
  }

  return {
    listRetailAgents({ tenant, query }) {
      const principal = findAgent(core, tenant, query.Code, 'principal');
      if (isRefusal(principal)) return principal;
      const { rows, count } = pageOf<Agent>(db, {
        from: 'agents',
        where: [['tenant = ?', tenant.id], [`kind = 'retail'`], since(query.From), until(query.To)],
        orderBy: 'id',
        number: query.PageNumber,
        size: query.PageSize,
      });
      return { collection: rows.map(shown), count };
    },

    readRetailAgent({ tenant, params }) {
      const agent = findAgent(core, tenant, params.code, 'retail');
      return isRefusal(agent) ? agent : shown(agent);
    },

    createRetailAgent({ tenant, body }) {
      if (isTaken(tenant, body.PhoneNumber)) return refuse('agentPhoneTaken');
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
      const agent = findAgent(core, tenant, code, 'retail');
      return isRefusal(agent) ? agent : shown(agent);
    },

    updateRetailAgent({ tenant, params, body }) {
      const agent = findAgent(core, tenant, params.code, 'retail');
      if (isRefusal(agent)) return agent;
      const { name, phone, firstName, lastName, cin, address, email, gender } = agent;
      const to = body.PhoneNumber ?? phone ?? '';
      if (isTaken(tenant, to, agent)) return refuse('agentPhoneTaken');
      db.run(
        `UPDATE agents SET name = ?, phone = ?, firstName = ?, lastName = ?, cin = ?, address = ?, email = ?, gender = ?
         WHERE id = ?`,
        body.Name ?? name,
        to,
        body.FirstName ?? firstName,
        body.LastName ?? lastName,
        body.Cin ?? cin,
        body.Address ?? address,
        body.Email ?? email,
        body.Gender ?? gender,
        agent.id,
      );
      return null;
    },

    readPrincipalAgent({ tenant, params }) {
      const agent = findAgent(core, tenant, params.code, 'principal');
      if (isRefusal(agent)) return agent;
      const { code, name, account } = agent;
      return {
        agent: { code, name },
        account: {
          balance: toDecimal(ledger.balance(account)),
          rib: ribOf(account),
          accountLevel: PRINCIPAL_LEVEL,
        },
      };
    },
  };
}

function shown(agent: Agent): Shown {
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
