import type { Command } from '../commands.ts';
import type { Config } from '../config.ts';
import { createSecrets } from '../conversation/secrets.ts';
import { factsOf } from '../screen/open.ts';
import { createRenderer, type Renderer } from '../screen/renderer.ts';
import { missingStore, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { type Audit, createAudit } from '../support/audit/audit.ts';
import { END_UNPROVEN, type Verdict } from '../support/audit/verify.ts';
import { handout } from '../support/handout.ts';
import { settingsMissing } from '../support/older-settings.ts';
import { type Msisdn, readPhone } from '../wallet/phone.ts';
import {
  type CustomerDeps,
  type Erasable,
  eraseCustomer,
  exportCustomer,
  findErasable,
  type TooEarly,
} from './customer.ts';
import { openRecords } from './open.ts';
import { createRecorder } from './recorder.ts';
import type { Records } from './records.ts';
import { type Finding, verifyRecords } from './verify.ts';

const TURNS_MAX = 10_000;

/** The output of a command, and how it ends. */
interface Printed {
  readonly lines: readonly string[];
  readonly isWell: boolean;
  /** Why it was refused, as the audit has it. Absent: `tooEarly`. */
  readonly why?: 'notConfirmed';
}

/** The commands that are about what is kept of the past. */
export type RecordsCommand = Extract<Command, { kind: 'verify' | 'export' | 'erase' }>;

/** Asks whoever has given the command, and gives what they have typed. */
export type Ask = (question: string) => Promise<string>;

/**
 * Runs a command about the records beside a Wasl that runs on Redis, or in place of one on the embedded store. Rejects with
 * `StoreDown`, whose sentence says why.
 */
export async function recordsCommand(config: Config, command: RecordsCommand, ask: Ask): Promise<Printed> {
  const missing = missingStore(config);
  if (missing !== undefined) return { lines: [missing], isWell: false };
  // The start and `wasl check` warn of missing promises of Redis.
  const store = await openStore(config, () => {});
  try {
    const records = await openRecords(config);
    if (!records) return { lines: ['There are no records: set RECORDS_URL.'], isWell: false };
    try {
      const secrets = createSecrets(...config.secretsKeys);
      const audit = createAudit(store, secrets, Date.now, records.audit, {
        keptDays: config.RECORDS_KEEP_AUDIT_DAYS,
      });
      if (command.kind === 'verify') return await verify(store, records, audit);
      const deps = depsOf(config, store, records);
      const pseudonym = `erased:${secrets.digest(`erased ${command.wallet}`)}`;
      return await audit.during(
        () => ({ from: 'command' }),
        () => aboutCustomer(deps, command, pseudonym, audit, ask, rendererOf(config)),
        ({ isWell, why = 'tooEarly' }) => (isWell ? { end: 'done' } : { end: 'refused', endWhy: why }),
      );
    } finally {
      await records.close();
    }
  } finally {
    await store.close();
  }
}

/** Says what customers have read as they read it. */
function rendererOf(config: Config): Renderer {
  return createRenderer(undefined, factsOf(config), config.SUPPORT_LINKS);
}

function depsOf({ cash, cases: settings }: Config, store: Store, records: Records): CustomerDeps {
  const now = Date.now;
  const { drain } = createRecorder({ store, records, settings, turnsMax: TURNS_MAX, onProgress() {}, now });
  return { store, records, drain, principal: cash.ownAgent, now };
}

function auditFinding(verdict: Verdict): Finding {
  if (verdict.ok) {
    const { count, open, putBack = [], isEndUnproven } = verdict;
    const sentence = `the agents' audit is whole: ${count} entries were ever written, ${open} of them with no known outcome`;
    const since = `; the store was put back before entries ${putBack.join(', ')}, so that seconds before may be missing`;
    const end = isEndUnproven ? `. ${END_UNPROVEN}` : '';
    return { isWhole: true, sentence: `${sentence}${putBack.length > 0 ? since : ''}${end}` };
  }
  const { n, why } = verdict;
  const hint = why === 'changed' ? ', or written under another SECRETS_KEY: put that one behind it' : '';
  return { isWhole: false, sentence: `the agents' audit is broken at entry ${n} (${why}${hint})` };
}

async function verify(store: Store, records: Records, audit: Audit): Promise<Printed> {
  const ofAudit = auditFinding(await audit.verify());
  const missing = await settingsMissing({ store, settings: records.settings });
  const findings = [...(await verifyRecords(store, records)), ofAudit, settingsFinding(missing)];
  const isWell = findings.every(({ isWhole }) => isWhole);
  return {
    lines: [
      ...findings.map(({ isWhole, sentence }) => `${isWhole ? 'whole' : 'NOT WHOLE'}: ${sentence}`),
      isWell ? 'Everything is whole.' : 'Not everything is whole (docs/operator/backup.md).',
    ],
    isWell,
  };
}

/** @param missing what an older release has written and no process has taken yet */
function settingsFinding(missing: readonly string[]): Finding {
  const sentence =
    missing.length === 0
      ? 'accounts and settings of the console are in the records, the older ones too'
      : `accounts or settings are not in the records yet, and a worker takes them within 10 s: ${missing.join(', ')}`;
  return { isWhole: missing.length === 0, sentence };
}

/** It is in the audit before it is done, as everything is that people do. */
async function aboutCustomer(
  deps: CustomerDeps,
  command: Exclude<RecordsCommand, { kind: 'verify' }>,
  pseudonym: string,
  audit: Audit,
  ask: Ask,
  renderer: Renderer,
): Promise<Printed> {
  const { wallet } = command;
  if (command.kind === 'export') {
    await audit.append({ who: 'command', act: 'exportCustomer', on: wallet, about: wallet });
    const found = await findErasable(deps, wallet);
    if (found.kind !== 'tooEarly' && found.isEmpty) return { lines: [nothingOf(wallet)], isWell: true };
    const shown = handout(await exportCustomer(deps, wallet), renderer, deps.now());
    return { lines: [JSON.stringify(shown, null, 2)], isWell: true };
  }
  await audit.append({ who: 'command', act: 'eraseCustomer', on: pseudonym });
  const found = await findErasable(deps, wallet);
  if (found.kind === 'tooEarly') return tooEarly(found);
  // It is done all the same: what an erasure that was cut off has begun is finished.
  const isSure = command.isSure || found.isEmpty;
  const lines = found.isEmpty ? [nothingOf(wallet)] : consequencesOf(found);
  if (!isSure) {
    const typed = await ask([...lines, `Type ${wallet} to erase it: `].join('\n'));
    if (readPhone(typed) !== wallet)
      return { lines: ['Nothing was erased: the number was not typed.'], isWell: false, why: 'notConfirmed' };
  }
  const forgotten = await eraseCustomer(deps, wallet, pseudonym);
  if (forgotten.kind === 'tooEarly') return tooEarly(forgotten);
  const { events, payments } = forgotten;
  const done = `Erased: ${counted(events, 'turn')}. Kept under ${pseudonym}: ${counted(payments, 'payment')}.`;
  return { lines: found.isEmpty ? lines : isSure ? [...lines, done] : [done], isWell: true };
}

/** The sentences that stand above the question for confirmation. */
function consequencesOf({ addresses, turns, payments }: Erasable): string[] {
  return [
    `This erases ${counted(turns, 'turn')}, and conversations, links, notifications, references, notes, files sent to agents, what their name is found by, and cases at ${addresses.join(', ')}. It cannot be undone.`,
    `What stays: ${counted(payments, 'payment')}, under a pseudonym, as the law asks; in the audit, for two years, that agents looked; a freeze of support's, and that an agent was stopped; for 400 days, lines of files in which a company has paid them or means to; for 7 days, sealed, what a webhook says that could not be applied and may be about them; backups, until their time is over.`,
    'The wallet itself and what it keeps are not touched.',
  ];
}

/** Names the payments that stand in the way, and a word for the customer: nobody erases it later by itself. */
function tooEarly({ from, payments }: TooEarly): Printed {
  const reason =
    from === undefined ? 'is not over' : 'is over for less than four days, and may still come back';
  const when =
    from === undefined
      ? 'once its outcome is known (the console has it)'
      : `from ${new Date(from).toISOString()}`;
  return {
    lines: [
      'Nothing was erased, and nothing is erased later by itself.',
      ...payments.map(
        ({ id, order, sentAt, state }) =>
          `Payment ${id} (${order.kind}, ${(order.amount / 100).toFixed(2)} DH, sent ${new Date(sentAt).toISOString()}, ${state}) ${reason}.`,
      ),
      `Try again ${when}. Tell the customer that nothing is erased until then.`,
    ],
    isWell: false,
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function nothingOf(wallet: Msisdn): string {
  return `Nothing is kept of ${wallet}: is the number right?`;
}
