import type { Context } from 'hono';
import { z } from 'zod';
import type { ApiName } from '../../wallet/contract/api.ts';
import { bills } from '../../wallet/contract/bills.ts';
import { cardCashIn } from '../../wallet/contract/card-cash-in.ts';
import { merchantCards } from '../../wallet/contract/merchant-cards.ts';
import { telco } from '../../wallet/contract/telco.ts';
import { tokenizedCards } from '../../wallet/contract/tokenized-cards.ts';
import { vouchers } from '../../wallet/contract/vouchers.ts';
import type { Tenant } from '../core/core.ts';
import { refusal, toBusinessError } from '../core/refusal.ts';

/** Modules enabled on request (Partner API v2.3, "Sandbox onboarding rules" 2), and their calls. */
const CALLS = {
  telco,
  bills,
  vouchers,
  /** "Card gateway". Issued cards are another section, and in beta. */
  cards: { ...cardCashIn, ...merchantCards, ...tokenizedCards },
} as const;
export type Module = keyof typeof CALLS;
export const MODULES = Object.keys(CALLS) as readonly Module[];

const MODULE_OF: ReadonlyMap<string, Module> = new Map(
  MODULES.flatMap((module) => Object.keys(CALLS[module]).map((name) => [name, module] as const)),
);

type Modules = Readonly<Record<Module, boolean>>;
/** A change of modules. Modules that are left out stay as they are. */
export const modulesOrder = z.strictObject(
  Object.fromEntries(MODULES.map((module) => [module, z.boolean().optional()])) as Record<
    Module,
    z.ZodOptional<z.ZodBoolean>
  >,
);
export type ModulesOrder = z.input<typeof modulesOrder>;

/** The catalogs, of which a partner without vouchers sees nothing. */
const EMPTY_CATALOGS: readonly ApiName[] = ['listBrands', 'listArticles', 'listVouchers'];

export function modulesOf({ modules }: Pick<Tenant, 'modules'>): Modules {
  const enabled = (module: Module) => modules.split(' ').includes(module);
  return Object.fromEntries(MODULES.map((module) => [module, enabled(module)])) as Modules;
}

/** The modules of a partner after an order, as its row holds them. */
export function reordered(tenant: Tenant, order: ModulesOrder): string {
  const modules = modulesOf(tenant);
  return MODULES.filter((module) => order[module] ?? modules[module]).join(' ');
}

/**
 * The answer to a call of a module that the partner does not have. Undefined: nothing is in its way. Partner API v2.3,
 * "Sandbox onboarding rules" 4: telco says so in words, the voucher catalogs are empty, anything else is not found.
 */
export function notEnabled(c: Context, tenant: Tenant, name: ApiName): Response | undefined {
  const module = MODULE_OF.get(name);
  if (!module || modulesOf(tenant)[module]) return undefined;
  if (EMPTY_CATALOGS.includes(name)) return c.body(null, 204);
  if (module !== 'telco') return c.json({}, 404);
  const { status, body } = toBusinessError(refusal('serviceNotEnabled'));
  return c.json(body, status);
}
