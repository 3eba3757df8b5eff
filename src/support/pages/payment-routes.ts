import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Acted, Agent, Intent, Settlement } from '../../conversation/desk/desk.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { layout } from '../layout.ts';
import { sightOf } from '../masks.ts';
import { say } from '../sentences.ts';
import { answer, notFound } from './answer.ts';
import { caseBar } from './case.ts';
import type { Tools } from './options.ts';
import { code, flash, isSaid, type Said, type View } from './parts.ts';
import { EVIDENCE_MAX_CHARACTERS, EVIDENCE_MIN_CHARACTERS, paymentPart, shortReference } from './payment.ts';
import { personPath } from './person-routes.ts';

const ENDS: ReadonlySet<string> = new Set(['succeeded', 'failed', 'reversed', 'handedOver']);

/** One payment: its steps, and what a person can do where nobody else can say how it ended. */
export function paymentRoutes({
  desk,
  audit,
  reveals,
  ids,
  queue,
  renderer,
  areTwoPeople,
  now,
}: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();

  app.get('/payments/:intent', async (c) => {
    const { who, language } = c.var;
    const intent = await desk.payment(c.req.param('intent'));
    if (!intent) return notFound(c);
    await audit.append({ who: who.id, act: 'seePayment', on: intent.id, about: intent.wallet });
    const it = await desk.cases.about('payment', intent.id);
    const isRevealed = (await reveals.until(who.id, intent.address)) !== undefined;
    const view: View = { who, language, now: now(), sight: sightOf(who.role, isRevealed) };
    const said = c.req.query('said');
    const title = `${say(language, 'console.payment')} ${shortReference(intent)}`;
    const body = html`<div class="narrow"><h1>${say(language, 'console.payment')} ${code(shortReference(intent))}</h1>
<p><a href="${BASE}/sessions/${ids.idOf(intent.address)}">${say(language, 'console.toSession')}</a> · <a href="${personPath({ ids }, intent.wallet)}">${say(language, 'console.personTo')}</a></p>
${flash(isSaid(said) ? said : undefined, language)}
${caseBar(it, view)}<div class="panel">${paymentPart(intent, view, renderer)}</div></div>`;
    return c.html(layout({ title, language, who, at: 'live', body }));
  });

  acts('resend', 'resend', ({ id }, by) => desk.resend(id, by));
  acts('approve', 'approve', async ({ id, proposal }, by, { at }) => {
    const isOfAnother = !proposal || (await areTwoPeople(proposal.by, by.id));
    return isOfAnother ? desk.approve(id, by, Number(at)) : 'sameAgent';
  });
  acts('withdraw', 'withdraw', ({ id }, by) => desk.withdraw(id, by));
  acts('propose', 'propose', async ({ id }, by, form) => {
    const settlement = settlementIn(form);
    return settlement ? desk.propose(id, by, settlement) : 'noEvidence';
  });
  return app;

  /** One act about a payment. It is in the audit before it is done. */
  function acts(
    path: string,
    act: Audited,
    run: (intent: Intent, by: Agent, form: Readonly<Record<string, unknown>>) => Promise<Acted | Said>,
  ): void {
    app.post(`/payments/:intent/${path}`, async (c: Context<Guarded>) => {
      const intent = await desk.payment(c.req.param('intent') ?? '');
      if (!intent) return notFound(c);
      const { id, name } = c.var.who;
      const form = await c.req.parseBody();
      const { id: on, wallet: about } = intent;
      await audit.append({ who: id, act, on, about, ...caseIn(intent, act, form) });
      const acted = await run(intent, { id, name }, form);
      queue.expire();
      return answer(c, acted, `${BASE}/payments/${intent.id}`);
    });
  }
}

/** What somebody says that became of a payment, and how they know: their own words, or those that they agree to. */
function caseIn(
  { proposal }: Intent,
  act: Audited,
  form: Readonly<Record<string, unknown>>,
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
  const how = typeof evidence === 'string' ? evidence.trim().slice(0, EVIDENCE_MAX_CHARACTERS) : '';
  if (typeof as !== 'string' || !ENDS.has(as) || how.length < EVIDENCE_MIN_CHARACTERS) return undefined;
  const operationId =
    typeof operation === 'string' && /^\d{1,15}$/.test(operation) ? Number(operation) : undefined;
  return { as: as as Settlement['as'], evidence: how, ...(operationId !== undefined && { operationId }) };
}
