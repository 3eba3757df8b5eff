import { randomBytes } from 'node:crypto';
import { looksGenerated } from './config/strength.ts';
import { type Msisdn, readPhone } from './wallet/phone.ts';

/** The parsed command line. `wrong`: an unknown command, with the sentence that says so. */
export type Command =
  | { readonly kind: 'start' }
  | { readonly kind: 'help' }
  | { readonly kind: 'check' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'verify' }
  /** `submits`: what is missing is submitted. */
  | { readonly kind: 'whatsapp-templates'; readonly submits: boolean }
  | { readonly kind: 'export'; readonly wallet: Msisdn }
  /** `isSure`: nobody is asked again. */
  | { readonly kind: 'erase'; readonly wallet: Msisdn; readonly isSure: boolean }
  | { readonly kind: 'wrong'; readonly why: string };

/** The help text of each command, beside its form. */
const LINES: readonly (readonly [command: string, what: string])[] = [
  ['wasl', 'starts; its settings are environment variables (docs/operator/settings.md)'],
  [
    'wasl check',
    'says what the settings mean, and tries store, records, wallet and company sign-in; starts nothing',
  ],
  ['wasl keys', 'prints a new secret for each setting that holds one of yours'],
  ['wasl verify', 'says what of the store and the records is whole'],
  [
    'wasl whatsapp-templates',
    'compares the templates at Meta with those of this release (--submit: submits missing ones)',
  ],
  ['wasl customer export <number>', 'prints everything that is kept of a customer, as JSON'],
  ['wasl customer erase <number>', 'erases it, once the number is typed again (--yes: without asking)'],
  ['wasl help', 'prints this'],
  ['npm run support', 'accounts of the support console and the audit of its agents'],
];
const ALONE = ['check', 'keys', 'verify', 'help'] as const;

/** Settings whose secrets are the operator's to make. */
const OWN_SECRETS = ['SECRETS_KEY', 'WEBHOOK_KEYS', 'USSD_SECRETS', 'CASE_WEBHOOK_KEY'];

/** A line for each of them, as a file of settings has it: 256 random bits that nobody takes for words. */
export function newKeys(): string {
  const generated = (): string => {
    const key = randomBytes(32).toString('base64url');
    return looksGenerated(key) ? key : generated();
  };
  return OWN_SECRETS.map((name) => `${name}=${generated()}`).join('\n');
}

/** One line for each command. In a checkout `wasl` is `node src/main.ts`. */
export function helpText(): string {
  const width = Math.max(...LINES.map(([command]) => command.length));
  return LINES.map(([command, what]) => `${command.padEnd(width)}  ${what}`).join('\n');
}

/** @param typed what stands behind `wasl` */
export function commandIn(typed: readonly string[]): Command {
  const [word, ...args] = typed;
  if (word === undefined) return { kind: 'start' };
  if (typed.includes('--help') || typed.includes('-h')) return { kind: 'help' };
  if (word === 'customer') return customerIn(args);
  if (word === 'whatsapp-templates') {
    const [flag, ...more] = args;
    return more.length > 0 || (flag !== undefined && flag !== '--submit')
      ? { kind: 'wrong', why: 'wasl whatsapp-templates takes --submit, or nothing.' }
      : { kind: 'whatsapp-templates', submits: flag !== undefined };
  }
  const kind = ALONE.find((each) => each === word);
  if (!kind) return { kind: 'wrong', why: `There is no command ${word}.` };
  return args.length > 0 ? { kind: 'wrong', why: `wasl ${kind} takes nothing more.` } : { kind };
}

function customerIn(args: readonly string[]): Command {
  const [verb, number = '', ...more] = args.filter((arg) => arg !== '--yes');
  const isSure = args.includes('--yes');
  if ((verb !== 'export' && verb !== 'erase') || more.length > 0 || (isSure && verb === 'export'))
    return { kind: 'wrong', why: 'wasl customer takes export or erase, and a number.' };
  const wallet = readPhone(number);
  if (!wallet)
    return {
      kind: 'wrong',
      why: `A number is a Moroccan mobile, such as +212612345678, not ${number || 'nothing'}.`,
    };
  return verb === 'export' ? { kind: 'export', wallet } : { kind: 'erase', wallet, isSure };
}
