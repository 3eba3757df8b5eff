import type { Config } from '../config.ts';
import { createSecrets } from '../conversation/secrets.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { type Audit, createAudit } from '../support/audit/audit.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import { type CustomerDeps, eraseCustomer, exportCustomer } from './customer.ts';
import { openRecords } from './open.ts';
import { createRecorder } from './recorder.ts';
import type { Records } from './records.ts';
import { type Finding, verifyRecords } from './verify.ts';

const USAGE = `wasl verify                      says what of the live store and the records is whole
wasl customer export <number>    everything that is kept of a customer, as JSON
wasl customer erase <number>     erases it; payments are kept under a pseudonym, as the law asks`;
const TURNS_MAX = 10_000;

/** What a command prints and how it ends. */
export interface Printed {
  readonly lines: readonly string[];
  readonly isWell: boolean;
}

/**
 * Runs a command about the records beside a Wasl that runs on Redis, or in place of one on the embedded store. Rejects with
 * `StoreDown`, whose sentence says why.
 */
export async function runRecordsCommand(
  config: Config,
  command: string,
  args: readonly string[],
): Promise<Printed> {
  const [verb, number = ''] = args;
  const wallet = readPhone(number);
  const isCustomer = command === 'customer' && (verb === 'export' || verb === 'erase') && wallet;
  if (command !== 'verify' && !isCustomer) return { lines: [USAGE], isWell: false };
  const store = await openStore(config, console.warn);
  try {
    const records = await openRecords(config);
    if (!records) return { lines: ['There are no records: set RECORDS_URL.'], isWell: false };
    try {
      const secrets = createSecrets(...config.secretsKeys);
      const audit = createAudit(store, secrets, Date.now, records);
      if (command === 'verify') return await verify(store, records, audit);
      const pseudonym = `erased:${secrets.digest(`erased ${wallet}`)}`;
      const deps = depsOf(store, records);
      return await audit.during(
        () => ({ from: 'command' }),
        () => aboutCustomer(deps, verb === 'erase', wallet as Msisdn, pseudonym, audit),
        ({ isWell }) => (isWell ? { end: 'done' } : { end: 'refused', endWhy: 'tooEarly' }),
      );
    } finally {
      await records.close();
    }
  } finally {
    await store.close();
  }
}

function depsOf(store: Store, records: Records): CustomerDeps {
  const now = Date.now;
  const { drain } = createRecorder({ store, records, turnsMax: TURNS_MAX, onProgress() {}, now });
  return { store, records, drain, now };
}

async function verify(store: Store, records: Records, audit: Audit): Promise<Printed> {
  const verdict = await audit.verify();
  const ofAudit: Finding = verdict.ok
    ? {
        isWhole: true,
        sentence: `the agents' audit is whole: ${verdict.count} entries, ${verdict.open} of them with no known outcome`,
      }
    : {
        isWhole: false,
        sentence: `the agents' audit is broken at entry ${verdict.n} (${verdict.why}${verdict.why === 'changed' ? ', or written under another SECRETS_KEY: put that one behind it' : ''})`,
      };
  const findings = [...(await verifyRecords(store, records)), ofAudit];
  const isWell = findings.every(({ isWhole }) => isWhole);
  return {
    lines: [
      ...findings.map(({ isWhole, sentence }) => `${isWhole ? 'whole' : 'NOT WHOLE'}: ${sentence}`),
      isWell ? 'Everything is whole.' : 'Not everything is whole (docs/operating.md, "Records").',
    ],
    isWell,
  };
}

/** It is in the audit before it is done, as everything is that people do. */
async function aboutCustomer(
  deps: CustomerDeps,
  isErased: boolean,
  wallet: Msisdn,
  pseudonym: string,
  audit: Audit,
): Promise<Printed> {
  if (!isErased) {
    await audit.append({ who: 'command', act: 'exportCustomer', on: wallet, about: wallet });
    return { lines: [JSON.stringify(await exportCustomer(deps, wallet), null, 2)], isWell: true };
  }
  await audit.append({ who: 'command', act: 'eraseCustomer', on: pseudonym });
  const forgotten = await eraseCustomer(deps, wallet, pseudonym);
  if (forgotten.kind === 'erased') {
    const { events, payments } = forgotten;
    return {
      lines: [`Erased: ${events} turns. Kept under ${pseudonym}: ${payments} payments.`],
      isWell: true,
    };
  }
  const when =
    forgotten.from === undefined ? 'once its end is known' : `from ${new Date(forgotten.from).toISOString()}`;
  return {
    lines: [`Nothing was erased: a payment may still be heard of. Try again ${when}.`],
    isWell: false,
  };
}
