import { type Context, Hono } from 'hono';
import type { Principal } from '../../conversation/desk/desk.ts';
import type { Answer } from '../../wallet/answer.ts';
import { readAmount } from '../../wallet/money.ts';
import { readPhone } from '../../wallet/phone.ts';
import type { NewRetailAgent, RetailAgentChange } from '../../wallet/services.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { field } from '../form.ts';
import { sightOf } from '../masks.ts';
import { say } from '../sentences.ts';
import { notFound } from './answer.ts';
import type { Tools } from './options.ts';
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
  return app;
}

async function load(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const amount = readAmount(await field(c, 'amount'));
  if (!amount.ok) return refused(tools, c, 'console.principalIncomplete');
  await audited(tools, c, 'loadFloat', principal, String(amount.centimes / 100));
  const answer = await principal.load(amount.centimes);
  if (answer.kind !== 'ok') return failed(tools, c, answer);
  const words = say(c.var.language, 'console.floatReference', {
    reference: { code: answer.value.reference },
  });
  return shown(tools, c, { good: true, words });
}

async function open(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const agent = await agentIn(c);
  if (!agent) return refused(tools, c, 'console.principalIncomplete');
  await audited(tools, c, 'openAgent', principal, agent.name);
  const answer = await principal.open(agent);
  if (answer.kind !== 'ok') return failed(tools, c, answer);
  const words = say(c.var.language, 'console.retailOpened', { code: { code: answer.value.code } });
  return shown(tools, c, { good: true, words });
}

async function change(tools: Tools, c: Ctx, code: string): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const to = await changeIn(c);
  if (!to) return refused(tools, c, 'console.principalIncomplete');
  await audited(tools, c, 'changeAgent', principal, code);
  const answer = await principal.change(code, to);
  if (answer.kind !== 'ok') return failed(tools, c, answer);
  return shown(tools, c, { good: true, words: say(c.var.language, 'console.saidDone') });
}

/** Personal data stays out of the audit: it says who has asked for what, and for which agent. */
function audited({ audit }: Tools, c: Ctx, act: Audited, { code }: Principal, what: string): Promise<void> {
  return audit.append({ who: c.var.who.id, act, on: code, what: what.slice(0, 64) });
}

function failed(tools: Tools, c: Ctx, answer: Answer<unknown>): Promise<Response> {
  return answer.kind === 'refused'
    ? refused(tools, c, 'console.walletRefused', answer.code)
    : refused(tools, c, answer.kind === 'unsent' ? 'console.walletSilent' : 'console.principalUnknown');
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
  const made = await principalPage(desk.principal, page, view, note);
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
