import type { Base } from '../base.ts';
import type { Config } from '../config.ts';
import { StoreDown } from '../store/store.ts';
import { createWitnessing } from './audit/witness.ts';
import { takeOlderSettings } from './older-settings.ts';
import type { SupportOptions } from './routes.ts';

/** The support console, where it is wanted, and what tells the log, and a receiver, where its audit ends. */
export async function open(
  config: Config,
  base: Base,
  { desk, webhooks }: Pick<SupportOptions, 'desk' | 'webhooks'>,
) {
  const { secrets, workerStore: store, records, names, log } = base;
  if (!records || !names) return { support: undefined, witnessing: undefined };
  const isHere = config.SUPPORT && config.ROLES.includes('console');
  const url = config.AUDIT_WITNESS_URL;
  return {
    support: isHere ? await openConsole(config, { ...base, records, names }, { desk, webhooks }) : undefined,
    witnessing: createWitnessing({ store, records: records.audit, secrets, url, log, now: Date.now }),
  };
}

/** The demo sign-in exists only beside the sandbox ("no back door"). */
async function openConsole(
  config: Config,
  {
    consoleStore: store,
    secrets,
    renderer,
    records,
    names,
    log,
  }: Base & Pick<SupportOptions, 'records' | 'names'>,
  parts: Pick<SupportOptions, 'desk' | 'webhooks'>,
) {
  const { createSupport } = await import('./routes.ts');
  // While SQL is away, a worker does it later.
  await takeOlderSettings({ store, settings: records.settings, secrets, now: Date.now }).catch((error) => {
    if (!(error instanceof StoreDown)) throw error;
  });
  const { secure, oidc, TRUSTED_PROXIES: proxies } = config;
  return createSupport({
    ...parts,
    store,
    secrets,
    renderer,
    records,
    names,
    log,
    hosts: config.SUPPORT_LINKS,
    agentsSeeAmounts: config.AGENTS_SEE_AMOUNTS,
    secure,
    proxies,
    publicUrl: config.SUPPORT_URL ?? config.PUBLIC_URL,
    auditKeptDays: config.RECORDS_KEEP_AUDIT_DAYS,
    oidc,
    sandbox: config.wallet.kind === 'sandbox',
  });
}
