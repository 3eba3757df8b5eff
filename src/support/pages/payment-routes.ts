import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Acted, Agent, Intent, Settlement } from '../../conversation/desk/desk.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { say } from '../sentences.ts';
import { answer, audited, found, viewOf } from './answer.ts';
import { whyNotApproved } from './approval.ts';
import { caseBar } from './case.ts';
import { othersOf, ownerOf } from './case-acts.ts';
import { paneBeside } from './case-pane.ts';
import { deskPage, personSlot } from './desk-page.ts';
import { noticed, type Tools } from './options.ts';
import { code, flash, type Said } from './parts.ts';
import { paymentPart, shortReference } from './payment.ts';
import { personPath } from './person.ts';
import { closeWebhook } from './webhook-routes.ts';
import { EVIDENCE, typedIn } from './words.ts';

type Ctx = Context<Guarded, '/payments/:intent'>;
type Form = Readonly<Record<string, unknown>>;
type Run = (tools: Tools, intent: Intent, by: Agent, form: Form, c: Ctx) => Promise<Acted | Said>;

const ENDS: ReadonlySet<string> = new Set(['succeeded', 'failed', 'reversed', 'handedOver']);

/** The acts on a payment: the end of the path and name in the audit, and the function. */
const ACTS: readonly (readonly [act: Audited & ('resend' | 'approve' | 'withdraw' | 'propose'), run: Run])[] =
  [
    ['resend', ({ desk }, { id }, by) => desk.resend(id, by)],
    ['approve', approve],
    ['withdraw', ({ desk }, { id }, by) => desk.withdraw(id, by)],
    ['propose', propose],
  ];

/** One payment: its steps, and what a person can do where nobody else can say how it ended. */
export function paymentRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/payments/:intent', (c) => see(tools, c));
  for (const [name, run] of ACTS)
    app.post(`/payments/:intent/${name}`, (c) => act(tools, c as Ctx, name, run));
  return app;
}

async function see(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, reveals, ids, renderer, offered } = tools;
  const { who, language } = c.var;
  const intent = found(await desk.payment(c.req.param('intent')));
  await audited(tools, c, 'seePayment', { on: intent.id, about: intent.wallet });
  const it = await desk.cases.about('payment', intent.id).catch(whenAway);
  await noticed(tools, it, who);
  const view = viewOf(tools, c, (await reveals.until(who.id, intent.address)) !== undefined);
  const title = `${say(language, 'console.payment')} ${shortReference(intent)}`;
  const work = html`<header class="session-head"><h1>${say(language, 'console.payment')} ${code(shortReference(intent))}</h1>
<p><a href="${BASE}/sessions/${ids.idOf(intent.address)}">${say(language, 'console.toSession')}</a></p></header>
${flash(view)}
${caseBar(it, await othersOf(tools, it), await offered(), view)}<div class="panel">${paymentPart(intent, await desk.deliveries(intent), view, renderer)}</div>`;
  const person = personSlot(personPath({ ids }, intent.wallet), view);
  return c.html(deskPage({ title, pane: await paneBeside(tools, c, it?.id), work, person }, view));
}

async function act(tools: Tools, c: Ctx, name: Audited, run: Run): Promise<Response> {
  const intent = found(await tools.desk.payment(c.req.param('intent')));
  const form = await c.req.parseBody();
  const { id: on, wallet: about } = intent;
  await audited(tools, c, name, { on, about, ...caseIn(intent, name, form) });
  const acted = await run(tools, intent, ownerOf(c.var.who), form, c);
  tools.queue.expire();
  return answer(c, acted, `${BASE}/payments/${intent.id}`);
}

async function approve(
  tools: Tools,
  { id, proposal }: Intent,
  by: Agent,
  form: Form,
  c: Ctx,
): Promise<Acted | Said> {
  const at = Number(form.at);
  const no = await whyNotApproved(tools, c, proposal, { at, proposes: 'propose' });
  const acted = no ?? (await tools.desk.approve(id, by, at));
  // The webhook that the proposal came from has done its work.
  if (acted === 'done' && proposal?.webhook !== undefined)
    await closeWebhook(tools, proposal.webhook, by.id, proposal.evidence);
  return acted;
}

async function propose({ desk }: Tools, { id }: Intent, by: Agent, form: Form): Promise<Acted | Said> {
  const { no } = typedIn(form.evidence, EVIDENCE);
  const settlement = settlementIn(form);
  return settlement ? desk.propose(id, by, settlement) : (no ?? 'noEvidence');
}

/** The outcome of a payment that an agent claims, with their evidence: their own words, or those that they agree to. */
function caseIn(
  { proposal }: Intent,
  act: Audited,
  form: Form,
): { readonly what?: string; readonly why?: string } {
  const said = act === 'propose' ? settlementIn(form) : proposal;
  if (!said || act === 'resend') return {};
  const { as, operationId, evidence } = said;
  return { what: operationId === undefined ? as : `${as}, operation ${operationId}`, why: evidence };
}

function settlementIn({
  as,
  evidence,
  operation,
}: Readonly<Record<string, unknown>>): Settlement | undefined {
  const { text: how, no } = typedIn(evidence, EVIDENCE);
  if (typeof as !== 'string' || !ENDS.has(as) || no) return undefined;
  const operationId =
    typeof operation === 'string' && /^\d{1,15}$/.test(operation) ? Number(operation) : undefined;
  return { as: as as Settlement['as'], evidence: how, ...(operationId !== undefined && { operationId }) };
}
