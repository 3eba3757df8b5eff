import { type Context, Hono } from 'hono';
import type { Acted, Agent, AgentProposal, AgentWish, Principal } from '../../conversation/desk/desk.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import type { NewRetailAgent, RetailAgentDetails } from '../../wallet/services.ts';
import { readAmount } from '../../wallet/typed-amount.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { texts } from '../form.ts';
import { say } from '../sentences.ts';
import { answer, audited, found, viewOf } from './answer.ts';
import { whyNotApproved } from './approval.ts';
import { ownerOf } from './case-acts.ts';
import type { Tools } from './options.ts';
import type { Note, Said } from './parts.ts';
import { principalPage } from './principal.ts';
import { failedNote, incompleteNote } from './principal-notes.ts';
import { REASON, typedIn } from './words.ts';

type Ctx = Context<Guarded>;
const HOME = `${BASE}/principal`;
/** Partner API v2.3, "Retail agent": names have at least two letters. */
const NAME_MIN_CHARACTERS = 2;
const WHAT_MAX_CHARACTERS = 64;

interface Asked {
  readonly tools: Tools;
  readonly c: Ctx;
  readonly principal: Principal;
  readonly by: Agent;
  readonly form: Awaited<ReturnType<typeof texts>>;
}

/** The acts of forms, by the end of their path. Each act is in the audit before it is done. */
const ACTS: Readonly<Record<string, (asked: Asked) => Promise<Said | Note>>> = {
  load,
  agents: proposeOpening,
  'agents/:code': change,
  'agents/:code/number': proposeNumber,
  'proposals/approve': approveAgent,
  'proposals/take-up': takeUpAgent,
  'proposals/withdraw': withdrawAgent,
  'numbers/bind': bindNumber('proposeBinding', (of, ...act) => of.proposeBinding(...act)),
  'numbers/unbind': bindNumber('proposeUnbinding', (of, ...act) => of.proposeUnbinding(...act)),
  'numbers/approve': approveNumber,
  'numbers/withdraw': withdrawNumber,
};

/** The operator's principal agent, for administrators. None of it moves money by itself. */
export function principalRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/principal', (c) => sendPage(tools, c));
  for (const [path, act] of Object.entries(ACTS))
    app.post(`/principal/${path}`, async (c) => {
      const asked = { tools, c, principal: found(tools.desk.principal), by: ownerOf(c.var.who) };
      const said = await act({ ...asked, form: await texts(c) });
      return typeof said === 'string' ? answer(c, said, HOME) : sendPage(tools, c, said);
    });
  return app;
}

async function sendPage(tools: Tools, c: Ctx, note?: Note): Promise<Response> {
  const page = Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1);
  const view = viewOf(tools, c);
  const made = await principalPage(tools.desk.principal, page, { ...view, said: view.said ?? note });
  return c.html(made, note && !note.good ? 400 : 200);
}

async function load({ tools, c, principal, form }: Asked): Promise<Note> {
  const amount = readAmount(form.amount ?? '');
  if (!amount.ok) return incompleteNote(c);
  await written(tools, c, 'loadFloat', principal, { what: String(amount.centimes / 100) });
  const result = await principal.load(amount.centimes);
  if (result.kind !== 'ok') return failedNote(c, result);
  const values = { reference: { code: result.value.reference } };
  return { good: true, words: say(c.var.language, 'console.floatReference', values) };
}

async function proposeOpening(asked: Asked): Promise<Said | Note> {
  const agent = agentIn(asked);
  return agent ? proposed(asked, { open: agent }) : incompleteNote(asked.c);
}

/** Another number for an agent that there is: another administrator approves it. */
async function proposeNumber(asked: Asked): Promise<Said> {
  const phone = readPhone(asked.form.phone ?? '');
  return phone ? proposed(asked, { code: asked.c.req.param('code') ?? '', phone }) : 'noNumber';
}

async function proposed({ tools, c, principal, by, form }: Asked, wish: AgentWish): Promise<Said> {
  const { text: why, no } = typedIn(form.why, REASON);
  if (no) return no;
  await written(tools, c, 'proposeAgent', principal, { ...wishIn(wish), why });
  return principal.proposeAgent(wish, by, why);
}

/** Another administrator agrees: the wallet is asked, once, and what it answers is said. */
async function approveAgent({ tools, c, principal, by, form }: Asked): Promise<Said | Note> {
  const { at, proposal } = await proposalIn(principal, form);
  await written(tools, c, 'approveAgent', principal, wishIn(proposal?.wish));
  const read = proposal?.by === undefined ? undefined : { by: proposal.by, at };
  const no = await whyNotApproved(tools, c, read, { at, proposes: 'managePrincipal' });
  if (no) return no;
  const result = await principal.approveAgent(at, by);
  if (typeof result === 'string') return result;
  if (result.kind !== 'ok') return failedNote(c, result);
  const key = proposal && 'open' in proposal.wish ? 'console.retailOpened' : 'console.retailNumbered';
  return { good: true, words: say(c.var.language, key, { code: { code: result.value.code } }) };
}

/** An administrator proposes the retail agent that a number has asked for in its chat. */
async function takeUpAgent({ tools, c, principal, by, form }: Asked): Promise<Said> {
  const { text: why, no } = typedIn(form.why, REASON);
  if (no) return no;
  const { at, proposal } = await proposalIn(principal, form);
  await written(tools, c, 'proposeAgent', principal, { ...wishIn(proposal?.wish), why });
  return principal.takeUpAgent(at, by, why);
}

async function withdrawAgent({ tools, c, principal, form }: Asked): Promise<Said> {
  const { at, proposal } = await proposalIn(principal, form);
  await written(tools, c, 'withdrawAgent', principal, wishIn(proposal?.wish));
  return principal.withdrawAgent(at);
}

async function proposalIn(
  principal: Principal,
  form: Asked['form'],
): Promise<{ readonly at: number; readonly proposal: AgentProposal | undefined }> {
  const at = Number(form.at);
  return { at, proposal: (await principal.proposedAgents()).find((each) => each.at === at) };
}

/** Whom a wish is about, for the audit, and which agent. */
function wishIn(wish: AgentWish | undefined): { readonly about?: string; readonly what?: string } {
  if (!wish) return {};
  return 'open' in wish
    ? { about: wish.open.phone, what: wish.open.name }
    : { about: wish.phone, what: wish.code };
}

async function change({ tools, c, principal, form }: Asked): Promise<Said | Note> {
  const code = c.req.param('code') ?? '';
  const to = detailsIn(form);
  if (Object.keys(to).length === 0) return incompleteNote(c);
  await written(tools, c, 'changeAgent', principal, { what: code });
  const result = await principal.change(code, to);
  return result.kind === 'ok'
    ? { good: true, words: say(c.var.language, 'console.saidDone') }
    : failedNote(c, result);
}

/** An administrator proposes that a number acts for the principal agent, or does so no more. */
function bindNumber(
  act: Audited,
  run: (of: Principal, phone: Msisdn, by: Agent, why: string) => Promise<Acted>,
) {
  return async ({ tools, c, principal, by, form }: Asked): Promise<Said> => {
    const phone = readPhone(form.phone ?? '');
    const { text: why, no } = typedIn(form.why, REASON);
    if (!phone || no) return phone ? (no ?? 'noReason') : 'noNumber';
    await written(tools, c, act, principal, { about: phone, why });
    return run(principal, phone, by, why);
  };
}

/** A second person approves the proposal, and not another account of the same one. */
async function approveNumber({ tools, c, principal, by, form }: Asked): Promise<Said> {
  const phone = readPhone(form.phone ?? '');
  if (!phone) return 'noNumber';
  await written(tools, c, 'approveBinding', principal, { about: phone });
  const proposal = (await principal.numbers()).find((each) => each.phone === phone)?.proposal;
  const at = Number(form.at);
  const no = await whyNotApproved(tools, c, proposal, { at, proposes: 'managePrincipal' });
  return no ?? principal.approveBinding(phone, by, at);
}

async function withdrawNumber({ tools, c, principal, by, form }: Asked): Promise<Said> {
  const phone = readPhone(form.phone ?? '');
  if (!phone) return 'noNumber';
  await written(tools, c, 'withdrawBinding', principal, { about: phone });
  return principal.withdrawBinding(phone, by);
}

/** Personal data stays out of the audit: it says who has asked for what, and for which agent. */
function written(
  tools: Tools,
  c: Ctx,
  act: Audited,
  { code }: Principal,
  details: { readonly about?: string; readonly what?: string; readonly why?: string },
): Promise<void> {
  return audited(tools, c, act, { on: code, ...details, what: details.what?.slice(0, WHAT_MAX_CHARACTERS) });
}

function agentIn({ form }: Asked): NewRetailAgent | undefined {
  const { name, firstName, lastName, address, email } = detailsIn(form);
  const phone = readPhone(form.phone ?? '');
  const cin = form.cin?.trim();
  if (!phone || !name || !firstName || !lastName || !cin) return undefined;
  return { phone, name, firstName, lastName, cin, ...(address && { address }), ...(email && { email }) };
}

function detailsIn(form: Asked['form']): RetailAgentDetails {
  const names = ['name', 'firstName', 'lastName', 'address', 'email'] as const;
  const typed = names.map((name) => [name, form[name]?.trim() ?? ''] as const);
  return Object.fromEntries(typed.filter(([, text]) => text.length >= NAME_MIN_CHARACTERS));
}
