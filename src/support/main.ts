import { readConfig } from '../config.ts';
import { createSecrets } from '../conversation/secrets.ts';
import { openAnswer } from '../conversation/turn/finish/keep-answer.ts';
import { helpOn } from '../help.ts';
import { originOf } from '../http/network.ts';
import { openRecords } from '../records/open.ts';
import { openStore } from '../store/open.ts';
import { createAccounts, type Invited } from './access/accounts.ts';
import { consoleAddress } from './access/console-address.ts';
import { BASE } from './access/endpoints.ts';
import { createAudit } from './audit/audit.ts';
import { jsonOf } from './audit/export.ts';
import { takingLog } from './audit/take.ts';
import { END_UNPROVEN } from './audit/verify.ts';
import { dayBegins, dayEnds } from './times.ts';

const USAGE = `npm run support -- add-admin <name> "<display name>"   an account, and a link to set it up
npm run support -- reset <name>                        a new link; password and second factor are void
npm run support -- confirm <name>                      it is one person's own account: they can approve what others propose
npm run support -- verify-audit [<witness>]            checks the audit; a witness is what an earlier check or the log said
npm run support -- export-audit [<from> [<to>]]        the audit, newest first, as JSON lines; days such as 2026-11-22
npm run support -- open-answer <payment> <sealed>      an answer of the wallet that the log keeps sealed`;

/** `npm run support`: what must work before anybody can sign in, and when nobody can any more. */
helpOn(USAGE);
const [command = '', ...args] = process.argv.slice(2);
const config = readConfig(process.env);
if ('refused' in config) throw stop(config.refused);
if (!['add-admin', 'reset', 'confirm', 'verify-audit', 'export-audit', 'open-answer'].includes(command))
  throw stop(USAGE);

const { REDIS_URL, HOST, PORT } = config;
const publicUrl = config.SUPPORT_URL ?? config.PUBLIC_URL;
const here = originOf(HOST, PORT);
// Before an account is made: its link is said only once.
if (['add-admin', 'reset'].includes(command) && !URL.canParse(publicUrl ?? here))
  throw stop(`HOST=${HOST} makes no address: set SUPPORT_URL, where people reach the console.`);

// Wasl reports missing guarantees of Redis at its start, and by `wasl check`, so this command does not.
const store = await openStore(config, () => {}).catch((error: Error) => {
  const isTaken = /^Another process/.test(error.message);
  const hint = `${error.message} Stop Wasl, run this again and start Wasl; or let an admin do it at ${BASE}, while it runs.`;
  throw stop(isTaken ? hint : error.message);
});
const secrets = createSecrets(...config.secretsKeys);
const records = await openRecords(config).catch((error: Error) => {
  throw stop(error.message);
});
if (!records) throw stop('There are no records, in which the audit is kept: set RECORDS_URL.');
const { settings } = records;
const accounts = createAccounts({ store, settings, secrets, now: Date.now });
const audit = createAudit(store, secrets, Date.now, records.audit, {
  keptDays: config.RECORDS_KEEP_AUDIT_DAYS,
  // The output is what was asked for.
  onTaking: takingLog({ say: (line, fields) => console.error(line, JSON.stringify(fields)) }),
  onError: () => console.error('How this ended could not be written into the audit.'),
});
try {
  await audit.during(
    () => ({ from: 'command' }),
    run,
    () => (process.exitCode ? { end: 'refused' } : { end: 'done' }),
  );
} finally {
  await records.close();
  await store.close();
}

async function run(): Promise<void> {
  const [id = '', name = ''] = args;
  if (command === 'verify-audit') return verify(args[0]);
  if (command === 'export-audit') return exportAudit(id, name);
  if (command === 'open-answer') return showAnswer(id, name);
  if (command === 'confirm') return confirm(id);
  const isNew = command === 'add-admin';
  await audit.append({ who: 'command', act: isNew ? 'createAccount' : 'resetAccount', on: id.slice(0, 64) });
  await print(isNew ? await accounts.create({ id, name, role: 'admin' }) : await accounts.reset(id));
}

/** The user of this command holds the store and its keys, so their word counts. */
async function confirm(id: string): Promise<void> {
  await audit.append({ who: 'command', act: 'confirmAccount', on: id.slice(0, 64) });
  const { ok } = await accounts.confirm(id);
  console.log(ok ? `${id} is confirmed.` : `Nothing was done: there is no account ${id}.`);
  if (!ok) process.exitCode = 1;
}

async function verify(witness: string | undefined): Promise<void> {
  const verdict = await audit.verify(witness);
  if (verdict.ok) {
    const { count, open, head, putBack = [], isEndUnproven } = verdict;
    const what = `${count} entries, ${open} of them with no known outcome`;
    console.log(
      `The audit is whole: ${what}.${isEndUnproven ? ` ${END_UNPROVEN}` : ''} Keep this witness elsewhere: ${head}`,
    );
    if (putBack.length > 0)
      console.log(
        `The store was put back before entries ${putBack.join(', ')}: what was written in the last seconds before that may be missing. A witness from before tells.`,
      );
    return;
  }
  const what = {
    missing: `The audit is broken: entry ${verdict.n} is missing.`,
    changed: `The audit is broken: entry ${verdict.n} is not as it was written, or was written under another SECRETS_KEY (put that one behind it).`,
    head: `The audit is broken: entry ${verdict.n} is where the end was changed.`,
    begun: `The audit is broken: it begins at entry ${verdict.n}, and there are accounts older than that.`,
    witness: 'Nothing was checked: this is no witness of ours.',
  };
  console.error(what[verdict.why]);
  process.exitCode = 1;
}

/** Everything in clear, as the user of this command holds the keys anyway. The export is an entry as well. */
async function exportAudit(from: string, to: string): Promise<void> {
  const [begins, ends] = [dayBegins(from), dayEnds(to)];
  if ((from && begins === undefined) || (to && ends === undefined)) throw stop(USAGE);
  await audit.append({ who: 'command', act: 'exportAudit', ...(from && { why: `${from} ${to}`.trim() }) });
  const range = { ...(begins !== undefined && { from: begins }), ...(ends !== undefined && { to: ends }) };
  for await (const entry of audit.all(range)) console.log(jsonOf(entry));
}

/** Shows an answer that the store did not take in time (docs/operator/console.md). It may hold a voucher's code: that it was seen is audited. */
async function showAnswer(payment: string, sealed: string): Promise<void> {
  const answer = openAnswer(secrets, payment, sealed);
  if (answer === undefined) {
    console.error('Nothing was opened: it is not sealed for this payment, or not with this SECRETS_KEY.');
    process.exitCode = 1;
    return;
  }
  await audit.append({ who: 'command', act: 'openAnswer', on: payment.slice(0, 64) });
  console.log(answer);
}

async function print(invited: Invited): Promise<void> {
  if (!invited.ok) {
    const why = {
      badName: 'a name has 1 to 32 characters of a-z, 0-9, dot and hyphen, and does not begin with "oidc."',
      badDisplayName: 'a display name has 1 to 40 letters, digits and spaces; customers read it',
      taken: 'there is an account of that name; for a new link: npm run support -- reset <name>',
      notFound: 'there is no such account with a password',
      full: 'there is no room for another account',
      lastAdmin: 'it is the last admin',
      self: 'another admin must do it',
      notAnother: 'another admin must do it',
    }[invited.why];
    console.error(`Nothing was done: ${why}.`);
    process.exitCode = 1;
    return;
  }
  const path = `${BASE}/set-up/${invited.token}`;
  const known = publicUrl ?? (await consoleAddress(settings));
  console.log(`For one use within an hour: ${new URL(path, known ?? here).href}`);
  // Another process may be the console, and it has not been started yet.
  if (!known && REDIS_URL) console.log(`Where the console is at another address: ${path} behind it.`);
}

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
