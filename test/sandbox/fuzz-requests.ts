import { z } from 'zod';
import { PRINCIPAL_AGENT } from '../../src/sandbox/agents/agents.ts';
import { BILL_MAGIC } from '../../src/sandbox/bills/magic.ts';
import { TEST_CARDS } from '../../src/sandbox/cards/test-cards.ts';
import { FAULTS, type FaultName } from '../../src/sandbox/faults/faults.ts';
import { MAGIC } from '../../src/sandbox/faults/magic.ts';
import { SEEDED } from '../../src/sandbox/partners/seed.ts';
import { BANK_MAGIC } from '../../src/sandbox/transfers/bank-magic.ts';
import { ribWith } from '../../src/sandbox/transfers/rib.ts';
import type { Endpoint } from '../../src/wallet/contract/endpoint.ts';

/** A choice among so many, from 0. */
export type Pick = (of: number) => number;
/** Fields by their names in lower case: what one successful request said and was told. */
export type Bundle = Readonly<Record<string, unknown>>;
type Fields = Record<string, unknown>;

export interface Given {
  readonly params: Fields;
  readonly query: Fields;
  readonly body: Fields | FormData | string;
}

/** Faults that break off an answer, or answer 500 on purpose, would hide what the sandbox itself says. */
const harmless = (name: string) => !(name in FAULTS) || FAULTS[name as FaultName].strikes === 'operation';
const magicPhones = Object.entries(MAGIC).flatMap(([name, phone]) => (harmless(name) ? [phone] : []));
const STRANGERS = ['+212612345678', '+212611111101', '+212611111102', '+212611111103', '+212511111111'];
/** Numbers that can pay come more often than those to whom something happens. */
const USABLE = SEEDED.flatMap(({ status, phone }) =>
  status === 3 ? [phone, phone, phone, phone, phone] : [phone],
);
const contract = (valChamp: string) => [{ nomChamp: 'numContrat', valChamp }];

/** Possible values of fields with these names. The first fitting row counts. */
const POOLS: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [/phonenumber$/, [...USABLE, ...STRANGERS, ...magicPhones]],
  [/amount$|^prixttc$/, [10, 1, 50, 0.01, 99.99, 200, 1000, 5, 3500.5, 20, 15_000]],
  [/^(code|agentcode)$/, [PRINCIPAL_AGENT.code, PRINCIPAL_AGENT.code, 'RA-2001', 'RA-2002', '123-456']],
  [/rib$/, [ribWith('007780', 42), ...Object.values(BANK_MAGIC).map(({ rib }) => rib)]],
  [/pin$/, ['1234', '1234', '4321']],
  [/^otp$/, ['123-456']],
  [/^pan$/, [...Array(8).fill(TEST_CARDS.accepted.pan), ...Object.values(TEST_CARDS).map(({ pan }) => pan)]],
  [/^cvv$/, ['731', '731', '000']],
  [/^autocapture$/, [false, false, true]],
  [/^expirydate$/, ['2912', '2912', '3101', '3101', '2001']],
  [/^creancierid$/, ['1001', '1101', '1901', '1301']],
  [/^creanceid$/, ['01', '01', '02']],
  [
    /^creanciervals$/,
    ['20457813', '0612345678', ...Object.values(BILL_MAGIC).map(({ contract: c }) => c)].map(contract),
  ],
  [/^providerskuid$/, ['SOUK-50', 'JEU-50', 'JOUET-500', 'LIVRE-100']],
  [/^skuid$/, ['LOCAL-SOUK-50', 'LOCAL-JEU-50']],
  [/^providerid$/, [41]],
  [/^productcode$/, [1114, 1104, 2103, 3109]],
  [/^doctype$/, [1, 3, 5, 8, 9, 10]],
  [/name$/, ['Amina', 'Bennani', 'Société Amal']],
  [/^cin$/, ['AB12345', 'XX12345']],
  [/email$/, ['amina@example.com']],
  [/url$/, ['http://127.0.0.1:9/back']],
  [/^(from|to)$/, ['2026-11-01T00:00:00Z', '2026-11-21T00:00:00Z', '2027-01-01']],
  [/percent$/, [0, 1.5, 100]],
  [/^sortby$/, ['name', 'id', 'createdAt']],
  [/^(keyword|search)$/, ['a', 'test', '%']],
  [/^(pagesize|take)$/, [1, 3, 10, 200]],
  [/^(pagenumber|page)$/, [1, 1, 1, 2]],
  [/id$/, [1, 2, 3, 4, 5, 6, 7, 8]],
];

/** Under which names another call may have said what this field wants. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  originaloperationid: ['operationid'],
  sourcephonenumber: ['recipientphonenumber'],
  destinationphonenumber: ['destinationphonenumber', 'customerphonenumber'],
  customerphonenumber: ['customerphonenumber', 'phonenumber'],
  listearticleselectionnes: ['impayesparams'],
  reference: ['reference', 'reftxnetwork', 'qrcodereference'],
  qrcodecontent: ['qrcontent'],
  cardid: ['customerbankcardid', 'customertokenizedcardid', 'cardid', 'id'],
  id: ['operationid', 'id', 'customerbankcardid'],
  beneficiaryid: ['id'],
  cardprogramid: ['id'],
  refundamount: ['amount'],
  creancierid: ['creancierid', 'codecreancier'],
  creanceid: ['creanceid', 'codecreance'],
};

const JUNK: readonly unknown[] = [
  ...[
    '',
    ' ',
    'x',
    '-1',
    '1e3',
    '٣٤',
    `'; DROP TABLE operations; --`,
    '\u0000',
    'a'.repeat(5_000),
    '../../etc',
  ],
  ...[-1, 0, 1.001, 1e21, -0.01, 2 ** 53, 1e-7, null, true, [], {}, [[]], [null], { a: { b: 1 } }],
];
/** Bodies that are no JSON object. */
const BROKEN: readonly string[] = [
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":',
  '\u0000',
  '{"__proto__":{"a":1}}',
  '',
];

/** One request in so many has a broken body, and one field in so many a value that makes no sense. */
const BROKEN_ONE_IN = 60;
const JUNK_ONE_IN = 80;

/**
 * A request for an operation, made from its schemas: mostly of existing values that belong together, sometimes of
 * others.
 * @param bundles known facts of earlier requests, whose fields go together
 */
export function requestFor(endpoint: Endpoint, bundles: readonly Bundle[], pick: Pick): Given {
  const bundle = pick(6) > 0 ? mostApt(endpoint, bundles, pick) : undefined;
  const context = { bundle, pick };
  const params = fieldsOf(endpoint.params, context);
  const query = fieldsOf(endpoint.query, context);
  const body = fieldsOf(endpoint.body, context);
  if (endpoint.multipart) return { params, query, body: formOf(body) };
  return { params, query, body: pick(BROKEN_ONE_IN) === 1 ? from(BROKEN, pick) : body };
}

/** Of half of the requests before, one that knows most of what this one wants, or at least some of it. */
function mostApt(endpoint: Endpoint, bundles: readonly Bundle[], pick: Pick): Bundle | undefined {
  const half = bundles
    .filter(() => pick(2) === 0)
    .map((bundle) => ({ bundle, known: known(endpoint, bundle) }));
  const most = pick(2) === 0 ? 1 : Math.max(...half.map((each) => each.known));
  const best = half.filter((each) => each.known >= most);
  return best.length === 0 ? undefined : from(best, pick).bundle;
}

/** How many of the fields that a request wants are in a bundle. */
export function known({ params, query, body }: Endpoint, bundle: Bundle): number {
  const names = Object.keys({ ...params.shape, ...query.shape, ...body.shape });
  return names.filter((name) => toldOf(bundle, name.toLowerCase()) !== undefined).length;
}

function toldOf(bundle: Bundle | undefined, name: string): unknown {
  return (ALIASES[name] ?? [name]).map((each) => bundle?.[each]).find((value) => value !== undefined);
}

interface Context {
  readonly bundle: Bundle | undefined;
  readonly pick: Pick;
}

function fieldsOf(schema: z.ZodObject, context: Context): Fields {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, kind]) => [
      name,
      context.pick(JUNK_ONE_IN) === 1
        ? from(JUNK, context.pick)
        : valueFor(kind, name.toLowerCase(), context),
    ]),
  );
}

function valueFor(kind: unknown, name: string, context: Context): unknown {
  const { bundle, pick } = context;
  if (kind instanceof z.ZodNever) return undefined;
  if (kind instanceof z.ZodOptional || kind instanceof z.ZodDefault || kind instanceof z.ZodNullable)
    return pick(3) === 0 ? undefined : valueFor(kind.unwrap(), name, context);
  if (kind instanceof z.ZodLiteral) return from([...kind.values], pick);
  if (kind instanceof z.ZodEnum) return from(kind.options, pick);
  if (kind instanceof z.ZodFile) return new File(['%PDF-1.4'], 'a.pdf', { type: 'application/pdf' });
  const told = toldOf(bundle, name);
  if (told !== undefined && pick(20) > 0) return told;
  const pool = POOLS.find(([names]) => names.test(name))?.[1];
  if (pool && !(kind instanceof z.ZodArray && !Array.isArray(pool[0]))) return from(pool, pick);
  if (kind instanceof z.ZodBoolean) return pick(3) > 0;
  if (kind instanceof z.ZodArray)
    return Array.from({ length: pick(3) }, () => valueFor(kind.element, name, context));
  if (kind instanceof z.ZodObject) return fieldsOf(kind, context);
  if (kind instanceof z.ZodPipe) return valueFor(kind.def.out, name, context);
  return kind instanceof z.ZodNumber ? pick(5) : from(['Test', 'abc', '12'], pick);
}

/** A multipart form of an object whose lists hold objects. */
function formOf(body: Fields): FormData {
  const form = new FormData();
  const add = (name: string, value: unknown) => {
    if (value !== undefined) form.append(name, value instanceof File ? value : String(value));
  };
  for (const [list, items] of Object.entries(body))
    for (const [n, item] of (Array.isArray(items) ? items : [items]).entries())
      for (const [field, value] of Object.entries(item ?? {})) add(`${list}[${n}].${field}`, value);
  return form;
}

function from<T>(values: readonly T[], pick: Pick): T {
  return values[pick(values.length)] as T;
}

/** The common facts of a successful request and its answer. Of a list, one item. */
export function bundleOf({ params, query, body }: Given, answer: unknown, pick: Pick): Bundle {
  const asked = {
    ...params,
    ...query,
    ...(body instanceof FormData || typeof body === 'string' ? {} : body),
  };
  const data = isFields(answer) && 'data' in answer ? answer.data : answer;
  const list = Array.isArray(data)
    ? data
    : isFields(data) && Array.isArray(data.collection)
      ? data.collection
      : [];
  const told = list.length > 0 ? list[pick(list.length)] : data;
  const nested = isFields(told) ? Object.values(told).filter(isFields) : [];
  const all = [asked, ...nested, told].filter(isFields);
  const entries = all.flatMap((each) => Object.entries(each));
  const said = entries.filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(said.map(([name, value]) => [name.toLowerCase(), value]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
