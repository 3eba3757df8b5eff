import { type Context, Hono } from 'hono';
import type { Acted, Agent, AgentProposal, AgentWish, Principal } from '../../conversation/desk/desk.ts';
import { readAmount } from '../../wallet/money.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { NewRetailAgent, RetailAgentDetails } from '../../wallet/services.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { field } from '../form.ts';
import { sightOf } from '../masks.ts';
import { say } from '../sentences.ts';
import { answer, notFound } from './answer.ts';
import { whyNotApproved } from './approval.ts';
import type { Tools } from './options.ts';
import { isSaid } from './parts.ts';
import { type Note, principalPage } from './principal.ts';
import { failedNote, incompleteNote } from './principal-notes.ts';
import { REASON, typedIn } from './words.ts';

type Ctx = Context<Guarded>;
const HOME = `${BASE}/principal`;
/** Partner API v2.3, "Retail agent": names have at least two letters. */
const NAME_MIN_CHARACTERS = 2;

/**
 * The operator's principal agent, for administrators: what they ask for is in the audit before it is sent. None of it moves money by
 * itself.
 */
export function principalRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/principal', (c) => sendPage(tools, c));
  app.post('/principal/load', (c) => load(tools, c));
  app.post('/principal/agents', (c) => proposeOpening(tools, c));
  app.post('/principal/agents/:code', (c) => change(tools, c, c.req.param('code')));
  app.post('/principal/agents/:code/number', (c) => proposeNumber(tools, c, c.req.param('code')));
  app.post('/principal/proposals/approve', (c) => approveAgent(tools, c));
  app.post('/principal/proposals/take-up', (c) => takeUpAgent(tools, c));
  app.post('/principal/proposals/withdraw', (c) => withdrawAgent(tools, c));
  for (const [path, act] of NUMBER_ACTS) app.post(`/principal/numbers/${path}`, (c) => number(tools, c, act));
  return app;
}

async function load(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const amount = readAmount(await field(c, 'amount'));
  if (!amount.ok) return sendPage(tools, c, incompleteNote(c));
  await audited(tools, c, 'loadFloat', principal, String(amount.centimes / 100));
  const result = await principal.load(amount.centimes);
  if (result.kind !== 'ok') return sendPage(tools, c, failedNote(c, result));
  const words = say(c.var.language, 'console.floatReference', {
    reference: { code: result.value.reference },
  });
  return sendPage(tools, c, { good: true, words });
}

/** A new agent: another administrator approves it. */
async function proposeOpening(tools: Tools, c: Ctx): Promise<Response> {
  const agent = await agentIn(c);
  return agent ? proposed(tools, c, { open: agent }, agent.name) : sendPage(tools, c, incompleteNote(c));
}

/** Another number for an agent that there is: another administrator approves it. */
async function proposeNumber(tools: Tools, c: Ctx, code: string): Promise<Response> {
  const phone = readPhone(await field(c, 'phone'));
  return phone ? proposed(tools, c, { code, phone }, code) : answer(c, 'noNumber', HOME);
}

async function proposed(
  { desk: { principal }, audit }: Tools,
  c: Ctx,
  wish: AgentWish,
  what: string,
): Promise<Response> {
  if (!principal) return notFound(c);
  const { id, name } = c.var.who;
  const { text: why, no } = await reasonIn(c);
  if (no) return answer(c, no, HOME);
  const about = 'open' in wish ? wish.open.phone : wish.phone;
  await audit.append({ who: id, act: 'proposeAgent', on: principal.code, about, what: shortened(what), why });
  return answer(c, await principal.proposeAgent(wish, { id, name }, why), HOME);
}

/** Another administrator agrees: the wallet is asked, once, and what it answers is said. */
async function approveAgent(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const { id, name } = c.var.who;
  const { at, proposal } = await proposalIn(principal, c);
  await auditProposal(tools, c, 'approveAgent', proposal);
  const by = proposal?.by;
  const no = await whyNotApproved(tools, c, by === undefined ? undefined : { by, at }, {
    at,
    proposes: 'managePrincipal',
  });
  if (no) return answer(c, no, HOME);
  const result = await principal.approveAgent(at, { id, name });
  if (typeof result === 'string') return answer(c, result, HOME);
  if (result.kind !== 'ok') return sendPage(tools, c, failedNote(c, result));
  const key = proposal && 'open' in proposal.wish ? 'console.retailOpened' : 'console.retailNumbered';
  return sendPage(tools, c, {
    good: true,
    words: say(c.var.language, key, { code: { code: result.value.code } }),
  });
}

/** An administrator proposes the retail agent that a number has asked for in its chat. */
async function takeUpAgent(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const { id, name } = c.var.who;
  const { text: why, no } = await reasonIn(c);
  if (no) return answer(c, no, HOME);
  const { at, proposal } = await proposalIn(principal, c);
  await auditProposal(tools, c, 'proposeAgent', proposal, why);
  return answer(c, await principal.takeUpAgent(at, { id, name }, why), HOME);
}

async function withdrawAgent(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const { at, proposal } = await proposalIn(principal, c);
  await auditProposal(tools, c, 'withdrawAgent', proposal);
  return answer(c, await principal.withdrawAgent(at), HOME);
}

/** The proposal that was read, as long as it waits. */
async function proposalIn(
  principal: Principal,
  c: Ctx,
): Promise<{ readonly at: number; readonly proposal: AgentProposal | undefined }> {
  const at = Number(await field(c, 'at'));
  return { at, proposal: (await principal.proposedAgents()).find((each) => each.at === at) };
}

function auditProposal(
  { desk: { principal }, audit }: Tools,
  c: Ctx,
  act: Audited,
  proposal: AgentProposal | undefined,
  why?: string,
): Promise<void> {
  const { wish } = proposal ?? {};
  const [about, what] =
    wish === undefined ? [] : 'open' in wish ? [wish.open.phone, wish.open.name] : [wish.phone, wish.code];
  return audit.append({
    ...{ who: c.var.who.id, act },
    ...(principal && { on: principal.code }),
    ...(about && { about }),
    ...(what && { what: shortened(what) }),
    ...(why && { why }),
  });
}

async function change(tools: Tools, c: Ctx, code: string): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const to = await detailsIn(c);
  if (Object.keys(to).length === 0) return sendPage(tools, c, incompleteNote(c));
  await audited(tools, c, 'changeAgent', principal, code);
  const result = await principal.change(code, to);
  if (result.kind !== 'ok') return sendPage(tools, c, failedNote(c, result));
  return sendPage(tools, c, { good: true, words: say(c.var.language, 'console.saidDone') });
}

/** The acts of an administrator on a number that is to act for the principal agent. */
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

/**
 * Each act is in the audit before it is done. A second person approves a proposal, and not another account of the same
 * one.
 */
async function number(tools: Tools, c: Ctx, { act, hasReason, approves, run }: NumberAct): Promise<Response> {
  const { principal } = tools.desk;
  const { id, name } = c.var.who;
  const phone = readPhone(await field(c, 'phone'));
  if (!principal) return notFound(c);
  if (!phone) return answer(c, 'noNumber', HOME);
  const { text: why, no: noReason } = await reasonIn(c);
  if (hasReason && noReason) return answer(c, noReason, HOME);
  await tools.audit.append({ who: id, act, on: principal.code, about: phone, ...(hasReason && { why }) });
  const proposal = (await principal.numbers()).find((each) => each.phone === phone)?.proposal;
  const at = Number(await field(c, 'at'));
  const no = approves && (await whyNotApproved(tools, c, proposal, { at, proposes: 'managePrincipal' }));
  return answer(c, no || (await run(principal, phone, { by: { id, name }, why, at })), HOME);
}

/** Why, in one's own words. */
async function reasonIn(c: Ctx) {
  return typedIn(await field(c, 'why'), REASON);
}

/** Personal data stays out of the audit: it says who has asked for what, and for which agent. */
function audited({ audit }: Tools, c: Ctx, act: Audited, { code }: Principal, what: string): Promise<void> {
  return audit.append({ who: c.var.who.id, act, on: code, what: shortened(what) });
}

function shortened(what: string): string {
  return what.slice(0, 64);
}

async function sendPage({ desk, now }: Tools, c: Ctx, note?: Note): Promise<Response> {
  const { who, language } = c.var;
  const page = Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1);
  const view = { who, language, now: now(), sight: sightOf(who) };
  const said = c.req.query('said');
  const made = await principalPage(desk.principal, page, view, isSaid(said) ? said : note);
  return c.html(made, note && !note.good ? 400 : 200);
}

async function agentIn(c: Ctx): Promise<NewRetailAgent | undefined> {
  const { name, firstName, lastName, address, email } = await detailsIn(c);
  const phone = readPhone(await field(c, 'phone'));
  const cin = (await field(c, 'cin')).trim();
  if (!phone || !name || !firstName || !lastName || !cin) return undefined;
  return { phone, name, firstName, lastName, cin, ...(address && { address }), ...(email && { email }) };
}

/** The typed details of an agent, but for the number. */
async function detailsIn(c: Ctx): Promise<RetailAgentDetails> {
  const texts = await Promise.all(
    (['name', 'firstName', 'lastName', 'address', 'email'] as const).map(
      async (name) => [name, (await field(c, name)).trim()] as const,
    ),
  );
  return Object.fromEntries(texts.filter(([, text]) => text.length >= NAME_MIN_CHARACTERS));
}
