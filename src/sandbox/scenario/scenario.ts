import { z } from 'zod';
import { API_HEADERS } from '../../wallet/contract/api.ts';
import { phone } from '../../wallet/contract/fields.ts';
import { centimes } from '../../wallet/money.ts';
import { AGENT_CODES } from '../agents/agents.ts';
import { CONTRACTS, contractOrder } from '../bills/contracts.ts';
import type { Core } from '../core/core.ts';
import { settingsOrder } from '../core/settings.ts';
import { findCustomer } from '../customers/customer.ts';
import { dirhams, madeCustomer, newCustomer } from '../customers/made.ts';
import type { DeskDeps } from '../desk/deps.ts';
import { modulesOrder, reordered } from '../door/modules.ts';
import { faultOrder } from '../faults/faults.ts';
import { setFloat } from '../ledger/funding.ts';
import { changePartner, ownPartner } from '../partners/partners.ts';
import { SEEDED } from '../partners/seed.ts';

const STEPS_MAX = 1_000;
const CUSTOMERS_MAX = 1_000;
const YEAR_MS = 366 * 24 * 60 * 60_000;

/** A request that was played, or is to be. */
const step = z.strictObject({
  /** Method and path, with the query: `POST /api/customers/login`. */
  request: z
    .string()
    .max(4_000)
    .regex(
      /^(GET|POST|PUT|PATCH|DELETE) \/(api|sandbox|3ds)\/\S+$/,
      'must be a method and a path of the sandbox',
    ),
  requestId: z.string().max(200).optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  /** In place of a body: the fields of a browser's form. */
  form: z.record(z.string(), z.string()).optional(),
  /** How long passes before it, by the sandbox's clock. */
  afterMs: z.int().min(0).max(YEAR_MS).optional(),
  /** The HTTP status that it was answered with. Absent: any. */
  status: z.int().min(100).max(599).optional(),
});

/**
 * A scenario file: the beginning of a key, and the requests that follow. Everything may be left out. Amounts are dirhams.
 * The same file always leads to the same state.
 */
const scenario = z
  .strictObject({
    about: z.string().max(2_000).optional(),
    seed: z.string().min(1).max(200).default('scenario'),
    clock: z
      .strictObject({ at: z.iso.datetime({ offset: true }), frozen: z.boolean().default(true) })
      .optional(),
    settings: settingsOrder.optional(),
    modules: modulesOrder.optional(),
    webhooks: z
      .strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000), key: z.string().max(200).default('') })
      .optional(),
    /** Besides the seeded ones. */
    customers: z.array(newCustomer.extend({ phone })).max(CUSTOMERS_MAX).default([]),
    /** By phone number. */
    balances: z.record(phone, dirhams).default({}),
    /** The float of agents, by code. */
    float: z.partialRecord(z.enum(AGENT_CODES), dirhams).optional(),
    contracts: z.array(contractOrder).max(CUSTOMERS_MAX).default([]),
    faults: z.array(faultOrder).default([]),
    steps: z.array(step).max(STEPS_MAX).default([]),
  })
  .superRefine(({ customers, balances }, context) => {
    const seeded = new Set(SEEDED.map((each) => each.phone));
    const known = new Set(seeded);
    for (const [n, each] of customers.entries()) {
      if (known.has(each.phone))
        context.addIssue({
          code: 'custom',
          path: ['customers', n, 'phone'],
          message: seeded.has(each.phone)
            ? 'is a seeded customer: set the money under balances'
            : 'is there twice',
        });
      known.add(each.phone);
    }
    for (const number of Object.keys(balances))
      if (!known.has(number))
        context.addIssue({
          code: 'custom',
          path: ['balances', number],
          message: 'is no customer of this scenario',
        });
  });
export type Scenario = z.input<typeof scenario>;
export type Step = z.output<typeof step>;

/** The result of a scenario: how many requests were played, and those that got another status than it says. */
export interface Played {
  readonly steps: number;
  readonly differences: readonly {
    readonly step: number;
    readonly request: string;
    readonly expected: number;
    readonly answered: number;
  }[];
}

/** A file that makes no sense, with each fault and its place in it. */
export class BadScenario extends Error {
  override name = 'BadScenario';
}

/** Sends a request to the sandbox of the same key. */
type Send = (path: string, init: RequestInit) => Response | Promise<Response>;

/**
 * Resets the key, makes what a scenario begins with, and plays its requests. Throws `BadScenario` before anything is changed.
 * @param content of the file, as JSON
 */
export async function play(deps: DeskDeps, send: Send, content: unknown): Promise<Played> {
  const read = scenario.safeParse(content);
  if (!read.success) throw new BadScenario(`The scenario makes no sense.\n${z.prettifyError(read.error)}`);
  const { core, due, faults, settings, reset } = deps;
  const { seed, clock, steps, ...beginning } = read.data;
  reset({ seed, frozenAt: clock && Date.parse(clock.at) });
  if (clock?.frozen === false) core.clock.run();
  settings.set(beginning.settings ?? {});
  core.db.transaction(() => begin(core, beginning));
  for (const each of beginning.faults) faults.set(each);
  const differences: Played['differences'][number][] = [];
  for (const [n, each] of steps.entries()) {
    if (each.afterMs) await due.advance(each.afterMs);
    const { status } = await answered(core, send, each);
    if (each.status !== undefined && status !== each.status)
      differences.push({ step: n + 1, request: each.request, expected: each.status, answered: status });
  }
  due.wake();
  return { steps: steps.length, differences };
}

type Beginning = Omit<z.output<typeof scenario>, 'seed' | 'clock' | 'steps'>;

function begin(
  core: Core,
  { modules, webhooks, customers, balances, float = {}, contracts }: Beginning,
): void {
  const partner = ownPartner(core);
  if (modules) changePartner(core, partner, { modules: reordered(partner, modules) });
  if (webhooks) changePartner(core, partner, { webhookUrl: webhooks.url, webhookKey: webhooks.key });
  for (const each of customers) madeCustomer(core, each);
  for (const [number, amount] of Object.entries(balances)) setBalance(core, number, amount);
  for (const [code, amount] of Object.entries(float))
    setFloat(core, partner, centimes(Math.round(amount * 100)), code);
  core.db.setMeta(CONTRACTS, JSON.stringify(contracts));
}

function setBalance(core: Core, number: string, amount: number): void {
  const partner = ownPartner(core);
  const customer = findCustomer(core, partner, number);
  if (!customer) throw new Error(`nobody has the number ${number}`);
  core.ledger.bring(partner.id, core.clock.now(), customer.account, centimes(Math.round(amount * 100)));
}

async function answered(core: Core, send: Send, { request, requestId, body, form }: Step): Promise<Response> {
  const [method = '', path = ''] = request.split(' ');
  const headers = {
    [API_HEADERS.key]: ownPartner(core).apiKey,
    ...(requestId && { [API_HEADERS.requestId]: requestId }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = form ? new URLSearchParams(form) : body && JSON.stringify(body);
  return send(path, { method, headers, redirect: 'manual', ...(sent && { body: sent }) });
}
