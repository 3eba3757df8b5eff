import { readConfig } from '../config.ts';
import { createSecrets } from '../conversation/secrets.ts';
import { openAnswer } from '../conversation/turn/held-answer.ts';
import { originOf } from '../http/network.ts';
import { openStore } from '../store/open.ts';
import { createAccounts, type Invited } from './access/accounts.ts';
import { BASE } from './access/endpoints.ts';
import { createAudit } from './audit/audit.ts';

const USAGE = `npm run support -- add-admin <name> "<display name>"   an account, and a link to set it up
npm run support -- reset <name>                        a new link; password and second factor are void
npm run support -- verify-audit [<witness>]            checks the audit; a witness is what an earlier check printed
npm run support -- open-answer <payment> <sealed>      an answer of the wallet that the log keeps sealed`;

/** `npm run support`: what must work before anybody can sign in, and when nobody can any more. */
const [command = '', ...args] = process.argv.slice(2);
const config = readConfig(process.env);
if ('refused' in config) throw stop(config.refused);
if (!['add-admin', 'reset', 'verify-audit', 'open-answer'].includes(command)) throw stop(USAGE);

const { PUBLIC_URL, HOST, PORT } = config;
const origin = PUBLIC_URL ?? originOf(HOST, PORT);
// Before an account is made: its link is said only once.
if (['add-admin', 'reset'].includes(command) && !URL.canParse(origin))
  throw stop(`HOST=${HOST} makes no address: set PUBLIC_URL, where people reach Wasl.`);

const store = await openStore(config, console.warn).catch((error: Error) => {
  const isTaken = /^Another process/.test(error.message);
  const hint = `${error.message} Stop Wasl, run this again and start Wasl; or let an admin do it at ${BASE}, while it runs.`;
  throw stop(isTaken ? hint : error.message);
});
const secrets = createSecrets(...config.secretsKeys);
const accounts = createAccounts(store, secrets, Date.now);
const audit = createAudit(store, secrets, Date.now);
try {
  await run();
} finally {
  await store.close();
}

async function run(): Promise<void> {
  const [id = '', name = ''] = args;
  if (command === 'verify-audit') return verify(args[0]);
  if (command === 'open-answer') return showAnswer(id, name);
  const isNew = command === 'add-admin';
  await audit.append({ who: 'command', act: isNew ? 'createAccount' : 'resetAccount', on: id.slice(0, 64) });
  print(isNew ? await accounts.create({ id, name, role: 'admin' }) : await accounts.reset(id));
}

async function verify(witness: string | undefined): Promise<void> {
  const verdict = await audit.verify(witness);
  if (verdict.ok) {
    console.log(`The audit is whole: ${verdict.count} entries. Keep this witness elsewhere: ${verdict.head}`);
    return;
  }
  const what = {
    missing: 'is missing',
    changed: 'is not as it was written',
    head: 'is where the end was changed',
  };
  console.error(`The audit is broken: entry ${verdict.n} ${what[verdict.why]}.`);
  process.exitCode = 1;
}

/** Shows an answer that the store did not take in time (docs/operating.md). It may hold a voucher's code: that it was seen is audited. */
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

function print(invited: Invited): void {
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
  console.log(`For one use within an hour: ${new URL(`${BASE}/set-up/${invited.token}`, origin).href}`);
}

/** Ends with a sentence. */
function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
