import { type Context, Hono } from 'hono';
import type { Acted, Agent, Principal } from '../../conversation/desk/desk.ts';
import type { Answer } from '../../wallet/answer.ts';
import { readAmount } from '../../wallet/money.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { NewRetailAgent, RetailAgentChange } from '../../wallet/services.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { field } from '../form.ts';
import { sightOf } from '../masks.ts';
import { say } from '../sentences.ts';
import { REASON_MAX_CHARACTERS, REASON_MIN_CHARACTERS } from './acts.ts';
import { answer, notFound } from './answer.ts';
import type { Tools } from './options.ts';
import { isSaid } from './parts.ts';
import { type Note, principalPage } from './principal.ts';

type Ctx = Context<Guarded>;
/** Partner API v2.3, "Retail agent": names have at least two letters. */
const NAME_MIN_CHARACTERS = 2;

/**
 * The operator's principal agent, for administrators: what they ask for is in the audit before it is sent. None of it moves money by
 * itself.
 */
export function principalRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/principal', (c) => shown(tools, c));
  app.post('/principal/load', (c) => load(tools, c));
  app.post('/principal/agents', (c) => open(tools, c));
  app.post('/principal/agents/:code', (c) => change(tools, c, c.req.param('code')));
  for (const [path, act] of NUMBER_ACTS) app.post(`/principal/numbers/${path}`, (c) => number(tools, c, act));
  return app;
}

async function load(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const amount = readAmount(await field(c, 'amount'));
  if (!amount.ok) return refused(tools, c, 'console.principalIncomplete');
  await audited(tools, c, 'loadFloat', principal, String(amount.centimes / 100));
  const told = await principal.load(amount.centimes);
  if (told.kind !== 'ok') return failed(tools, c, told);
  const words = say(c.var.language, 'console.floatReference', {
    reference: { code: told.value.reference },
  });
  return shown(tools, c, { good: true, words });
}

async function open(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const agent = await agentIn(c);
  if (!agent) return refused(tools, c, 'console.principalIncomplete');
  await audited(tools, c, 'openAgent', principal, agent.name);
  const told = await principal.open(agent);
  if (told.kind !== 'ok') return failed(tools, c, told);
  const words = say(c.var.language, 'console.retailOpened', { code: { code: told.value.code } });
  return shown(tools, c, { good: true, words });
}

async function change(tools: Tools, c: Ctx, code: string): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const to = await changeIn(c);
  if (!to) return refused(tools, c, 'console.principalIncomplete');
  await audited(tools, c, 'changeAgent', principal, code);
  const told = await principal.change(code, to);
  if (told.kind !== 'ok') return failed(tools, c, told);
  return shown(tools, c, { good: true, words: say(c.var.language, 'console.saidDone') });
}

/** What an administrator can do about a number that is to act for the principal agent. */
interface NumberAct {
  /** Its name in the audit. */
  readonly act: Audited;
  readonly hasReason?: true;
  /** True where the second administrator does it: another person than the first. */
  readonly approves?: true;
  readonly run: (principal: Principal, phone: Msisdn, of: ByWhom) => Promise<Acted>;
}
interface ByWhom {
  readonly by: Agent;
  readonly why: string;
  /** The `at` of the proposal that was read. */
  readonly at: number;
}

const NUMBER_ACTS: readonly (readonly [path: string, act: NumberAct])[] = [
  [
    'bind',
    {
      act: 'proposeBinding',
      hasReason: true,
      run: (of, phone, { by, why }) => of.proposeBinding(phone, by, why),
    },
  ],
  [
    'unbind',
    {
      act: 'proposeUnbinding',
      hasReason: true,
      run: (of, phone, { by, why }) => of.proposeUnbinding(phone, by, why),
    },
  ],
  [
    'approve',
    {
      act: 'approveBinding',
      approves: true,
      run: (of, phone, { by, at }) => of.approveBinding(phone, by, at),
    },
  ],
  ['withdraw', { act: 'withdrawBinding', run: (of, phone, { by }) => of.withdrawBinding(phone, by) }],
];

/** Each act is in the audit before it is done. What one has proposed another person approves: not another account of the same one. */
async function number(
  { desk: { principal }, audit, areTwoPeople }: Tools,
  c: Ctx,
  { act, hasReason, approves, run }: NumberAct,
): Promise<Response> {
  const { id, name } = c.var.who;
  const back = `${BASE}/principal`;
  const phone = readPhone(await field(c, 'phone'));
  if (!principal) return notFound(c);
  if (!phone) return answer(c, 'noNumber', back);
  const why = (await field(c, 'why')).trim().slice(0, REASON_MAX_CHARACTERS);
  if (hasReason && why.length < REASON_MIN_CHARACTERS) return answer(c, 'noReason', back);
  await audit.append({ who: id, act, on: principal.code, about: phone, ...(hasReason && { why }) });
  const proposal = (await principal.numbers()).find((each) => each.phone === phone)?.proposal;
  const at = Number(await field(c, 'at'));
  // Of this very proposal, or one that is made meanwhile would be looked at by nobody.
  if (approves && proposal?.at !== at) return answer(c, 'notNow', back);
  if (approves && proposal && !(await areTwoPeople(proposal.by, id))) return answer(c, 'sameAgent', back);
  return answer(c, await run(principal, phone, { by: { id, name }, why, at }), back);
}

/** Personal data stays out of the audit: it says who has asked for what, and for which agent. */
function audited({ audit }: Tools, c: Ctx, act: Audited, { code }: Principal, what: string): Promise<void> {
  return audit.append({ who: c.var.who.id, act, on: code, what: what.slice(0, 64) });
}

function failed(tools: Tools, c: Ctx, told: Answer<unknown>): Promise<Response> {
  return told.kind === 'refused'
    ? refused(tools, c, 'console.walletRefused', told.code)
    : refused(tools, c, told.kind === 'unsent' ? 'console.walletSilent' : 'console.principalUnknown');
}

function refused(
  tools: Tools,
  c: Ctx,
  key:
    | 'console.walletRefused'
    | 'console.walletSilent'
    | 'console.principalUnknown'
    | 'console.principalIncomplete',
  code = '',
): Promise<Response> {
  c.set('refusal', code || key);
  return shown(tools, c, { good: false, words: say(c.var.language, key, { code: { code } }) });
}

async function shown({ desk, now }: Tools, c: Ctx, note?: Note): Promise<Response> {
  const { who, language } = c.var;
  const page = Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1);
  const view = { who, language, now: now(), sight: sightOf(who.role) };
  const said = c.req.query('said');
  const made = await principalPage(desk.principal, page, view, isSaid(said) ? said : note);
  return c.html(made, note && !note.good ? 400 : 200);
}

async function agentIn(c: Ctx): Promise<NewRetailAgent | undefined> {
  const { phone, name, firstName, lastName, address, email } = await typedIn(c);
  const cin = (await field(c, 'cin')).trim();
  if (!phone || !name || !firstName || !lastName || !cin) return undefined;
  return { phone, name, firstName, lastName, cin, ...(address && { address }), ...(email && { email }) };
}

/** What was typed of a change; undefined where it is nothing, or a number that is none. */
async function changeIn(c: Ctx): Promise<RetailAgentChange | undefined> {
  const { hasPhone, ...to } = await typedIn(c);
  if (hasPhone && !to.phone) return undefined;
  return Object.keys(to).length > 0 ? to : undefined;
}

async function typedIn(c: Ctx): Promise<RetailAgentChange & { readonly hasPhone?: true }> {
  const typed = (await field(c, 'phone')).trim();
  const phone = readPhone(typed);
  const texts = await Promise.all(
    (['name', 'firstName', 'lastName', 'address', 'email'] as const).map(
      async (name) => [name, (await field(c, name)).trim()] as const,
    ),
  );
  const said = texts.filter(([, text]) => text.length >= NAME_MIN_CHARACTERS);
  return { ...Object.fromEntries(said), ...(phone && { phone }), ...(typed && { hasPhone: true }) };
}
