import { z } from 'zod';
import { addAgents } from '../agents/agents.ts';
import type { Core, Tenant } from '../core/core.ts';
import { jsonColumn } from '../core/json-column.ts';
import { MODULES, type Module } from '../door/modules.ts';
import { seedCard } from '../issuing/seed.ts';
import { OWN_ACCOUNTS } from '../ledger/ledger.ts';
import { giveAPast } from './past.ts';
import { addCustomer, SEEDED } from './seed.ts';

/** The values that a partner begins with. */
export interface NewPartner {
  readonly apiKey: string;
  /** Scopes separated by spaces. `*` is all of them. */
  readonly scopes: string;
  /** Absent: all. */
  readonly modules?: readonly Module[] | undefined;
  readonly webhookUrl?: string | null | undefined;
  readonly webhookKey?: string | null | undefined;
}

/** A key to be made. Everything may be left out. */
export type KeyOrder = { readonly [Name in keyof NewPartner]?: NewPartner[Name] | undefined };

/** The settings that a reset gives back to a key, as they are kept over a restart. */
export const ORIGIN = jsonColumn(
  'meta.origin',
  z.object({
    scopes: z.string().default('*'),
    modules: z.array(z.enum(MODULES as [Module, ...Module[]])).optional(),
  }),
);

/** A change of a partner. A field that is left out stays as it is. */
type Change = { readonly [Name in Exclude<keyof Tenant, 'id'>]?: Tenant[Name] | undefined };

/** The partner of a room: each key has a database of its own. */
export function ownPartner({ db }: Core): Tenant {
  const partner = db.lasting<Tenant>('SELECT * FROM tenants');
  if (!partner) throw new Error('the partner is gone');
  return partner;
}

/**
 * Adds the partner of a room, with the wallets of the seeded customers. If there is one already, it only gets this key.
 * @param past true where the customers have used their wallets before
 */
export function addPartner(
  core: Core,
  { apiKey, scopes, modules = MODULES }: NewPartner,
  past: boolean,
): Tenant {
  const { db } = core;
  if (db.get('SELECT id FROM tenants')) {
    changePartner(core, ownPartner(core), { apiKey });
    return ownPartner(core);
  }
  const id = db.insert('tenants', { apiKey, scopes, modules: modules.join(' ') });
  db.setMeta('origin', JSON.stringify({ scopes, modules }));
  for (const kind of OWN_ACCOUNTS) core.ledger.openAccount(id, kind);
  addAgents(core, id);
  for (const customer of SEEDED) addCustomer(core, id, customer);
  const added = ownPartner(core);
  seedCard(core, added);
  if (past) giveAPast(core, added);
  return added;
}

export function changePartner({ db }: Core, { id }: Tenant, to: Change): void {
  db.update('tenants', id, to);
  db.forget();
}
