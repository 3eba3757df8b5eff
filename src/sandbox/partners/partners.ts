import { addAgents } from '../agents/agents.ts';
import type { Core, Tenant } from '../core/core.ts';
import { MODULES, type Module } from '../door/modules.ts';
import { seedCard } from '../issuing/seed.ts';
import { OWN_ACCOUNTS } from '../ledger/ledger.ts';
import { giveAPast } from './past.ts';
import { addCustomer, SEEDED } from './seed.ts';

/** The values that a partner begins with. */
interface NewPartner {
  readonly apiKey: string;
  /** Scopes separated by spaces. `*` is all of them. */
  readonly scopes: string;
  /** Absent: all. */
  readonly modules?: readonly Module[] | undefined;
}

/** A change of a partner. A field that is left out stays as it is. */
type Change = { readonly [Name in Exclude<keyof Tenant, 'id'>]?: Tenant[Name] | undefined };

export function findPartner({ db }: Core, id: number): Tenant | undefined {
  return db.lasting<Tenant>('SELECT * FROM tenants WHERE id = ?', id);
}

/** The owner of a key, or undefined for nobody's. */
export function partnerOfKey({ db }: Core, apiKey: string): Tenant | undefined {
  return db.lasting<Tenant>('SELECT * FROM tenants WHERE apiKey = ?', apiKey);
}

/** The first one first. */
export function allPartners({ db }: Core): Tenant[] {
  return db.all<Tenant>('SELECT * FROM tenants ORDER BY id');
}

/**
 * Adds a partner with wallets of its own, those of the seeded customers. One whose key is known stays as it is.
 * @param past true where the customers have used their wallets before
 */
export function addPartner(
  core: Core,
  { apiKey, scopes, modules = MODULES }: NewPartner,
  past: boolean,
): Tenant {
  const known = partnerOfKey(core, apiKey);
  if (known) return known;
  const id = core.db.insert('tenants', { apiKey, scopes, modules: modules.join(' ') });
  for (const kind of OWN_ACCOUNTS) core.ledger.openAccount(id, kind);
  addAgents(core, id);
  for (const customer of SEEDED) addCustomer(core, id, customer);
  const added = findPartner(core, id);
  if (!added) throw new Error(`no partner ${id}`);
  seedCard(core, added);
  if (past) giveAPast(core, added);
  return added;
}

export function changePartner({ db }: Core, { id }: Tenant, to: Change): void {
  for (const [name, value] of Object.entries(to))
    if (value !== undefined) db.run(`UPDATE tenants SET ${name} = ? WHERE id = ?`, value, id);
  db.forget();
}
