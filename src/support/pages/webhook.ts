import { html } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import type { Intent } from '../../conversation/desk/desk.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { type Html, layout } from '../layout.ts';
import type { StuckWebhook } from '../queue.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { REASON_MAX_CHARACTERS, REASON_MIN_CHARACTERS } from './acts.ts';
import { caseBar } from './case.ts';
import { code, flash, form, type Said, since, type View } from './parts.ts';
import { shortReference } from './payment.ts';

/** What a webhook that waits for a person is about, as far as it says so, and what can be done about it. */
export function webhookPage(
  { id, event, operationId, requestId, since: from, tries }: StuckWebhook,
  it: Case | undefined,
  payment: Intent | undefined,
  said: Said | undefined,
  view: View,
): Html {
  const { who, language } = view;
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const row = (key: ConsoleKey, value: Html | string) =>
    html`<div><dt>${say(language, key)}</dt><dd>${value}</dd></div>`;
  const title = say(language, 'console.webhook');
  const body = html`<div class="narrow"><h1>${title}</h1>
${flash(said, language)}
${caseBar(it, view)}<div class="panel"><dl class="rows">
${event !== undefined && row('console.webhookEvent', code(event))}
${operationId !== undefined && row('console.operation', code(String(operationId)))}
${requestId !== undefined && row('console.requestId', code(requestId))}
${payment && row('console.payment', html`<a href="${BASE}/payments/${payment.id}">${code(shortReference(payment))}</a>`)}
${row('console.webhookId', code(id))}
${row('console.since', since(from, view))}
${row('console.triesSoFar', String(tries))}
</dl>
${may(who.role, 'webhooks') && html`<div class="acts">${form(`${path}/retry`, view, html`<button>${say(language, 'console.retry')}</button>`)}</div>`}
${may(who.role, 'closeWebhook') ? closeForm(path, view) : html`<p class="hint">${say(language, 'console.supervisorCloses')}</p>`}</div></div>`;
  return layout({ title, language, who, at: 'live', body });
}

function closeForm(path: string, view: View): Html {
  const { language } = view;
  return html`<section class="card" aria-labelledby="close"><h2 id="close">${say(language, 'console.close')}</h2>
<p class="hint">${say(language, 'console.closeHint')}</p>
${form(
  `${path}/close`,
  view,
  html`<label>${say(language, 'console.reason')}<textarea name="why" rows="2" required minlength="${REASON_MIN_CHARACTERS}" maxlength="${REASON_MAX_CHARACTERS}" dir="auto"></textarea></label>
<button class="danger">${say(language, 'console.close')}</button>`,
)}</section>`;
}
