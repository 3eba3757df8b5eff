import { addAgents } from '../agents/agents.ts';
import type { Core, Tenant } from '../core/core.ts';
import type { Customers } from '../customers/customer.ts';
import { MODULES, type Module } from '../door/modules.ts';
import { seedCard } from '../issuing/seed.ts';
import { OWN_ACCOUNTS } from '../ledger/ledger.ts';
import { giveAPast } from './past.ts';
import { addCustomer, SEEDED } from './seed.ts';

/** What a partner begins with. */
export interface NewPartner {
  readonly apiKey: string;
  /** Scopes separated by spaces; `*` is all of them. */
  readonly scopes: string;
  /** Absent: all. */
  readonly modules?: readonly Module[] | undefined;
}

/** What is left out stays as it is. */
type Change = { readonly [Name in Exclude<keyof Tenant, 'id'>]?: Tenant[Name] | undefined };

/**
 * Partners in the database, each with wallets of its own.
 * @param past true where their customers have used their wallets before
 */
export function createPartners(core: Core, customers: Customers, past: boolean) {
  const { db, ledger } = core;
  const find = (id: number) => db.lasting<Tenant>('SELECT * FROM tenants WHERE id = ?', id);
  const ofKey = (apiKey: string) => db.lasting<Tenant>('SELECT * FROM tenants WHERE apiKey = ?', apiKey);

  return {
    find,
    ofKey,
    /** The first one first. */
    all: (): Tenant[] => db.all<Tenant>('SELECT * FROM tenants ORDER BY id'),

    /** Adds a partner with the seeded customers; one whose key is known stays as it is. */
    plant({ apiKey, scopes, modules = MODULES }: NewPartner): Tenant {
      const known = ofKey(apiKey);
      if (known) return known;
      const sql = 'INSERT INTO tenants (apiKey, scopes, modules) VALUES (?, ?, ?)';
      const id = db.run(sql, apiKey, scopes, modules.join(' '));
      for (const kind of OWN_ACCOUNTS) ledger.openAccount(id, kind);
      addAgents(core, id);
      for (const customer of SEEDED) addCustomer(core, customers, id, customer);
      const planted = find(id);
      if (!planted) throw new Error(`no partner ${id}`);
      seedCard(core, customers, planted);
      if (past) giveAPast(core, customers, planted);
      return planted;
    },

    change({ id }: Tenant, to: Change): void {
      for (const [name, value] of Object.entries(to))
        if (value !== undefined) db.run(`UPDATE tenants SET ${name} = ? WHERE id = ?`, value, id);
      db.forget();
    },
  };
}
export type Partners = ReturnType<typeof createPartners>;
