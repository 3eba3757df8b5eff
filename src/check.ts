import { reportOf, untriedIn, warningsOf } from './config/report.ts';
import type { Config, WalletConfig } from './config.ts';
import { createSecrets } from './conversation/secrets.ts';
import { FOREIGN_KEY, knowsKey } from './conversation/store-keys.ts';
import { olderStore, refusalOf } from './records/older-store.ts';
import { openRecords } from './records/open.ts';
import { openStore } from './store/open.ts';
import { type Store, StoreInUse } from './store/store.ts';
import { readBook } from './support/access/account-book.ts';
import { discover, troubleOf as troubleOfProvider } from './support/access/oidc-client.ts';
import { may } from './support/access/roles.ts';
import { createWallet } from './wallet/client.ts';

/** Somebody waits for it at a terminal. */
const WALLET_TIMEOUT_MS = 5_000;

/**
 * `wasl check` checks that the settings have a meaning, that the store and the records answer and promise what they should, and that the wallet takes
 * the key. It also checks that the provider of the company sign-in answers. It prints a line for each, and at last the things that it did not try. It
 * starts and writes nothing. An embedded store that is in use is left alone: most likely Wasl runs.
 * @returns whether all that was tried is well. Rejects with a sentence where Wasl would not start.
 */
export async function check(config: Config, print: (line: string) => void): Promise<boolean> {
  for (const line of reportOf(config)) print(line);
  for (const sentence of warningsOf(config)) print(`Warning: ${sentence}`);
  const inUse = await tryStore(config, print);
  const trouble = config.wallet.kind === 'partner' ? await troubleOf(config.wallet) : undefined;
  if (config.wallet.kind === 'partner')
    print(trouble ? `NOT WELL: ${trouble}` : 'The wallet answers, and takes the key.');
  const noProvider = config.oidc && (await providerTroubleOf(config.oidc));
  if (config.oidc)
    print(noProvider ? `NOT WELL: ${noProvider}` : 'The provider of the company sign-in answers.');
  const untried = [...(inUse ? ['the store and the records, which are in use'] : []), ...untriedIn(config)];
  print(`Not tried: ${untried.join('; ')}.`);
  return trouble === undefined && noProvider === undefined;
}

/** The fault of the provider of the company sign-in. Undefined where its own description is as it must be. */
async function providerTroubleOf(oidc: NonNullable<Config['oidc']>): Promise<string | undefined> {
  const found = await discover(oidc).catch(troubleOfProvider);
  if (!('error' in found)) return undefined;
  const isUntrusted = /CERT|SIGNATURE|VERIFY/.test(`${found.error}`);
  const hint = isUntrusted ? ' Name the file of its authority in NODE_EXTRA_CA_CERTS.' : '';
  return `the provider of the company sign-in, ${oidc.issuer}, does not answer as it should (${found.error}).${hint}`;
}

/** Says whether Wasl would start on the store and the records. Rejects with a sentence where it would not. @returns whether they are in use */
async function tryStore(config: Config, print: (line: string) => void): Promise<boolean> {
  try {
    const store = await openStore(config, (sentence) => print(`Warning: ${sentence}`));
    try {
      const hasRecords = await hasFittingRecords(config, store);
      print(`The store${hasRecords ? ' and the records' : ''} can be opened. Wasl would start.`);
      if (config.SUPPORT) print(await approversIn(store));
    } finally {
      await store.close();
    }
    return false;
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw error;
    print(
      `The settings are good. ${error.message} If that is Wasl, it runs; a second one would not start beside it.`,
    );
    return true;
  }
}

/** The accounts that count as persons of their own, so that one can approve a proposal of another ("four eyes"). */
async function approversIn(store: Store): Promise<string> {
  const accounts = Object.values(await readBook(store));
  const ids = accounts
    .sort((a, b) => a.id.localeCompare(b.id))
    .filter(({ confirmed, disabled, role }) => confirmed && !disabled && may(role, 'approve'))
    .map(
      ({ id, role, madeBy }) => `${id} (${role}${madeBy === undefined ? '' : `, but not with ${madeBy}`})`,
    );
  return ids.length > 1
    ? `Who can approve what another one proposes: ${ids.join(', ')}.`
    : 'Nobody can approve what another one proposes: confirm two accounts (npm run support -- confirm <name>).';
}

/** Whether there are records. Rejects where the store is none of this key's, or an old copy beside them. */
async function hasFittingRecords(config: Config, store: Store): Promise<boolean> {
  const isKnown = await knowsKey(store, createSecrets(...config.secretsKeys));
  if (!isKnown && !config.SECRETS_KEY_LOST) throw new Error(FOREIGN_KEY);
  const records = await openRecords(config);
  if (!records) return false;
  try {
    const refusal = refusalOf(await olderStore(store, records), config.STORE_RESTORED);
    if (refusal !== undefined) throw new Error(refusal);
    return true;
  } finally {
    await records.close();
  }
}

/** The fault of the wallet, found by a read that is about no customer. Undefined where it answers and takes the key. */
async function troubleOf({
  url,
  apiKey,
}: Extract<WalletConfig, { kind: 'partner' }>): Promise<string | undefined> {
  const answer = await createWallet({ url, apiKey, timeoutMs: WALLET_TIMEOUT_MS }).creditors();
  if (answer.kind === 'ok') return undefined;
  if (answer.kind === 'unsent') return `the wallet cannot be reached (${answer.why})`;
  if (answer.kind === 'unknown') return `the wallet does not answer as it should (${answer.why})`;
  // Partner API v2.3, "Authentication": 401 without a valid key, 403 where a scope is missing, 404 where a module is not enabled.
  if (answer.code === 'http401') return 'the wallet does not take WALLET_API_KEY (401)';
  if (answer.code === 'http403' || answer.code === 'http404') return undefined;
  return `the wallet refuses to list who can be paid bills (${answer.code})`;
}
