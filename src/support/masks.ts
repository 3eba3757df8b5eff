import type { Choice, Screen, Sentence, Value } from '../../machines/kit/screen.ts';
import { withoutSecrets } from '../conversation/session/talk.ts';
import { type Msisdn, nationalNumber, readPhone } from '../wallet/phone.ts';
import type { Role } from './access/roles.ts';
import { moment } from './times.ts';

/**
 * The part of a customer's data that an agent sees. Secrets are in neither: they are in no record ("secrets pass
 * through", "every turn leaves a record"), and data that only look like one are masked for everybody.
 */
export interface Sight {
  /** The amounts of payments, but not the balance of the wallet. */
  readonly amounts: boolean;
  /** Phone numbers, names, RIB, ID number, balance, and the customer's typed text. */
  readonly personal: boolean;
  /** The messages between the customer and an agent. */
  readonly talk: boolean;
}

const SIGHTS: Readonly<Record<Role, Sight>> = {
  viewer: { amounts: false, personal: false, talk: false },
  auditor: { amounts: false, personal: false, talk: false },
  // But of payments that wait for a person: they say how those ended (`pages/payment.ts`).
  agent: { amounts: false, personal: false, talk: true },
  supervisor: { amounts: true, personal: false, talk: true },
  admin: { amounts: true, personal: false, talk: true },
};
export const EVERYTHING: Sight = { amounts: true, personal: true, talk: true };

/** The sight of a role, or of an agent to whom a session's data was revealed. The operator may let agents see amounts. */
export function sightOf(
  { role, seesAmounts = false }: { readonly role: Role; readonly seesAmounts?: boolean },
  isRevealed = false,
): Sight {
  if (isRevealed) return EVERYTHING;
  return role === 'agent' && seesAmounts ? { ...SIGHTS.agent, amounts: true } : SIGHTS[role];
}

export const MASK = '••••';

/** Texts in sentences that say nothing about a customer, by the names of their values. Every other one is masked. */
const PUBLIC_TEXTS: ReadonlySet<string> = new Set([
  'creditor',
  'receivable',
  'operator',
  'product',
  'brand',
  'article',
  'description',
  'option',
  'label',
  'city',
  'reference',
  'settlement',
  'stampNumber',
  // The name that a support agent goes by.
  'agent',
]);

/** Amounts that tell the balance: it is the limit less what is left below that. */
const TELLS_BALANCE: ReadonlySet<string> = new Set(['balance', 'left']);

/** A screen with everything masked that this sight does not reach. */
export function maskScreen<
  S extends Pick<Screen, 'key' | 'values' | 'choices' | 'notice' | 'first' | 'expects'>,
>(screen: S, sight: Sight): S {
  const { choices, notice, first } = screen;
  return {
    ...screen,
    ...maskSentence(screen, sight),
    ...(choices && {
      choices: choices.map((choice): Choice => ({ ...choice, ...maskSentence(choice, sight) })),
    }),
    ...(notice && { notice: maskSentence(notice, sight) }),
    ...(first && { first: first.map((each) => maskSentence(each, sight)) }),
  };
}

/** A sentence with its values as far as this agent may see them. */
export function maskSentence({ key, values }: Sentence, sight: Sight): Sentence {
  if (!values) return { key };
  const masked = Object.entries(values).map(([name, value]) => [name, maskValue(name, value, sight)]);
  return { key, values: Object.fromEntries(masked) };
}

function maskValue(name: string, value: Value, sight: Sight): Value {
  if ('hidden' in value || 'sealed' in value) return { code: MASK };
  if ('lines' in value) return { lines: value.lines.map((line) => maskSentence(line, sight)) };
  if ('money' in value || 'signed' in value) {
    return (TELLS_BALANCE.has(name) ? sight.personal : sight.amounts) ? value : { code: MASK };
  }
  if (sight.personal || PUBLIC_TEXTS.has(name)) return value;
  if ('phone' in value) return { code: maskPhone(value.phone) };
  if ('name' in value) return { name: maskName(value.name) };
  return 'text' in value || 'code' in value || 'account' in value ? { code: MASK } : value;
}

/** `+212 6•• •• •• 78`. */
export function maskPhone(phone: Msisdn): string {
  const national = nationalNumber(phone);
  return `+212 ${national[1]}•• •• •• ${national.slice(-2)}`;
}

/** `+212 600 00 00 01`, or masked where this agent may not see it. */
export function phoneFor(phone: Msisdn, { personal }: Sight): string {
  return personal
    ? `+212 ${nationalNumber(phone)
        .slice(1)
        .replace(/(\d)(\d\d)(\d\d)(\d\d)(\d\d)/, '$1$2 $3 $4 $5')}`
    : maskPhone(phone);
}

/** `F••••`: the initial. */
export function maskName(name: string): string {
  return `${Array.from(name.trim())[0] ?? ''}${MASK}`;
}

/** The customer's answer to a question, as far as this sight reaches. */
export function maskAnswer(text: string, expects: Screen['expects'], sight: Sight): string {
  if (expects === 'amount') return sight.amounts ? text : MASK;
  // The number of an entry says no more than the screen that it leads to.
  if (expects === 'choice' && /^\d{1,2}$/.test(text)) return text;
  const phone = readPhone(text);
  if (phone) return phoneFor(phone, sight);
  return sight.personal ? withoutSecrets(text) : MASK;
}

/** The facts of a conversation that say nothing about its customer. The names are those of the machines' contexts. */
const PUBLIC_FACTS: ReadonlySet<string> = new Set([
  'kind',
  'key',
  'state',
  'status',
  'outcome',
  'operator',
  'reference',
  'operationId',
  'sku',
  'page',
  'next',
  'wanted',
  'why',
  'tries',
  'expects',
  'version',
  'creditor.name',
  'receivable.name',
]);
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'fees', 'total', 'price', 'money']);
/** Sealed bytes, as text: nobody can read them, and nobody needs to see them. */
const SEALED = /^[\w-]{46,}$/;

/** One thing that a conversation remembers: where it is in the context, and what of it may be shown. */
export interface Fact {
  readonly path: string;
  readonly shown: string;
  readonly isSealed?: true;
}

/** A conversation's context as a list of facts. A fact that is not known to be harmless is masked. */
export function maskContext(
  context: Readonly<Record<string, unknown>>,
  sight: Sight,
  factsMax: number,
): Fact[] {
  const facts: Fact[] = [];
  walk(context, []);
  return facts;

  function walk(value: unknown, path: readonly string[]): void {
    if (facts.length >= factsMax || value === undefined || value === null) return;
    // The wallet's lists would hide everything else: only their lengths are shown.
    if (Array.isArray(value)) facts.push({ path: path.join('.'), shown: `[${value.length}]` });
    else if (typeof value !== 'object') facts.push(factOf(value as string | number | boolean, path, sight));
    else for (const [name, each] of Object.entries(value)) walk(each, [...path, name]);
  }
}

function factOf(value: string | number | boolean, path: readonly string[], sight: Sight): Fact {
  const name = path.at(-1) ?? '';
  const where = path.join('.');
  if (typeof value === 'string' && SEALED.test(value)) return { path: where, shown: '', isSealed: true };
  const isPublic =
    typeof value === 'boolean' || PUBLIC_FACTS.has(name) || PUBLIC_FACTS.has(path.slice(-2).join('.'));
  if (name === 'at' && typeof value === 'number') return { path: where, shown: moment(value) };
  if (isPublic) return { path: where, shown: String(value) };
  if (AMOUNTS.has(name))
    return { path: where, shown: sight.amounts ? (Number(value) / 100).toFixed(2) : MASK };
  const phone = typeof value === 'string' ? readPhone(value) : undefined;
  if (phone) return { path: where, shown: phoneFor(phone, sight) };
  return { path: where, shown: sight.personal ? withoutSecrets(String(value)) : MASK };
}

/** Fields of a webhook that say nothing about its customer (Partner API v2.3, "Events / Common properties"). */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  'EventId',
  'WebhookId',
  'CRequestId',
  'OperationId',
  'TransactionId',
  'OperationType',
  'OperationStatus',
  'CreatedAt',
  'ExecutedAt',
  'Method',
  'NetworkName',
]);
const AMOUNT_FIELDS: ReadonlySet<string> = new Set(['Amount', 'FeeAmount']);
/** The form of a field of that kind. A value of another form may have been put there by mistake. */
const PUBLIC_VALUE = /^[\w .:+-]{0,60}$/;

/** The value of a webhook's field, as far as this sight reaches. A value that is not known to be harmless is masked. */
export function maskWebhookField(name: string, value: string, sight: Sight): string {
  if (AMOUNT_FIELDS.has(name)) return sight.amounts ? value : MASK;
  const phone = readPhone(value);
  if (phone) return phoneFor(phone, sight);
  if (PUBLIC_FIELDS.has(name) && PUBLIC_VALUE.test(value)) return value;
  return sight.personal ? withoutSecrets(value) : MASK;
}

/** A text with every phone number in it masked: what agents and the engine have written down. */
export function maskPhones(text: string): string {
  return text.replace(/\+212[67]\d{8}/g, (number) => maskPhone(number as Msisdn));
}
