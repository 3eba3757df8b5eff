import { html } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import type { Intent } from '../../conversation/desk/desk.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import type { Html } from '../layout.ts';
import { maskWebhookField } from '../masks.ts';
import { flowName } from '../names.ts';
import type { StuckWebhook, WebhookContent } from '../queue.ts';
import { type ConsoleKey, say, wordFor } from '../sentences.ts';
import { moment } from '../times.ts';
import { revealPart } from './acts.ts';
import { caseBar } from './case.ts';
import { type CasePane, deskPage } from './desk-page.ts';
import type { Offered } from './options.ts';
import { code, flash, form, innards, named, row, since, table, type View } from './parts.ts';
import { amountOf, shortReference, stateBadge } from './payment.ts';
import { evidenceField, reasonField } from './words.ts';

/** A webhook that waits for a person, with what it may be about. */
interface KnownWebhook {
  readonly webhook: StuckWebhook;
  /** For who may read it. */
  readonly content?: WebhookContent | undefined;
  readonly revealedUntil?: number | undefined;
  readonly it?: Case | undefined;
  readonly offered: Offered;
  /** The payment that it names by itself. */
  readonly payment?: Intent | undefined;
  /** Payments of the same wallet that have no outcome, or need a person. */
  readonly candidates: readonly Intent[];
}

/** A webhook that waits for a person: what it says, which payment it may be about, and what can be done about it. */
export function webhookPage(
  known: KnownWebhook,
  pane: CasePane,
  view: View,
  renderer: Pick<Renderer, 'chat'>,
): Html {
  const { webhook, content, it, offered, payment, revealedUntil } = known;
  const { id, event, operationId, requestId, since: from, tries } = webhook;
  const { who, language } = view;
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const title = say(language, 'console.webhook');
  const work = html`<header class="session-head"><h1>${title}</h1></header>
${flash(view)}
${caseBar(it, [], offered, view)}<div class="panel"><dl class="rows">
${operationId !== undefined && row('console.operation', code(String(operationId)), view)}
${payment && row('console.payment', html`<a href="${BASE}/payments/${payment.id}">${code(shortReference(payment))}</a>`, view)}
${row('console.since', since(from, view), view)}
${row('console.triesSoFar', String(tries), view)}
</dl>${innards(html`<dl class="rows">${event !== undefined && row('console.webhookEvent', code(event), view)}${row('console.webhookId', code(id), view)}${requestId !== undefined && row('console.requestId', code(requestId), view)}</dl>`, view)}
${content && contentPart(content, view)}
${content && revealPart(path, revealedUntil, view, { tells: false })}
${may(who.role, 'webhooks') && html`<div class="acts">${form(`${path}/retry`, view)`<button>${say(language, 'console.retry')}</button>`}</div>`}
${content && may(who.role, 'propose') && applyPart(known, content, view, renderer)}
${may(who.role, 'closeWebhook') ? closeForm(path, view) : html`<p class="hint">${say(language, 'console.supervisorCloses')}</p>`}</div>`;
  return deskPage({ title, pane, work }, view);
}

/** The fields that people read, in this order. They have words (Partner API v2.3, "Events / Common properties"). */
const FIELDS = [
  ...(['Amount', 'FeeAmount', 'PrimaryAccountNumber', 'SecondaryAccountNumber'] as const),
  ...([
    'BankTransferBeneficiaryName',
    'Reference',
    'CreatedAt',
    'ExecutedAt',
    'Method',
    'NetworkName',
  ] as const),
  ...(['OperationId', 'TransactionId', 'OperationType', 'OperationStatus', 'CustomData'] as const),
] as const;

/** Its fields in words. Those that only machines need are folded away, under the wallet's own names. */
function contentPart({ fields, raw }: WebhookContent, view: View): Html {
  const { language, sight } = view;
  const shown = FIELDS.flatMap((name) => fields.filter(([each]) => each === name));
  const others = fields.filter((each) => !shown.includes(each));
  const tableOf = (rows: WebhookContent['fields'], key: ConsoleKey) => {
    const lines = rows.map(
      ([name, value]) =>
        html`<tr><td>${named(wordFor(language, 'field', name), name)}</td><td>${code(maskWebhookField(name, value, sight))}</td></tr>`,
    );
    return table(['console.webhookField', 'console.webhookValue'], lines, view, {
      label: say(language, key),
      className: 'fields',
    });
  };
  const unread =
    raw !== undefined &&
    html`<p class="hint">${say(language, 'console.webhookUnread')}</p>
<pre class="raw" tabindex="0" dir="ltr">${maskWebhookField('', raw, sight)}</pre>`;
  return html`<h2>${say(language, 'console.webhookContent')}</h2>
${unread}${shown.length > 0 && tableOf(shown, 'console.webhookContent')}${others.length > 0 && innards(tableOf(others, 'console.innards'), view)}
${!sight.personal && html`<p class="hint">${say(language, 'console.webhookMasked')}</p>`}`;
}

/**
 * The payment that it means: one of the wallet's that have no outcome yet, or any other. The wallet has the last word
 * about it.
 */
function applyPart(
  { webhook, candidates }: KnownWebhook,
  { operationId }: WebhookContent,
  view: View,
  renderer: Pick<Renderer, 'chat'>,
): Html {
  const { language } = view;
  const text = (key: ConsoleKey) => say(language, key);
  if (operationId === undefined) return html`<p class="hint">${text('console.webhookNoOperation')}</p>`;
  const listed = candidates.map(
    (
      intent,
    ) => html`<label><input type="radio" name="payment" value="${intent.id}"> ${code(shortReference(intent))}
${flowName(intent.order.kind, language)} <b>${amountOf(intent, view, renderer)}</b> <time dir="ltr">${moment(intent.sentAt)}</time> ${stateBadge(intent, view)}</label>`,
  );
  return html`<section class="card" aria-labelledby="apply"><h2 id="apply">${text('console.webhookApply')}</h2>
<p class="hint">${text('console.webhookApplyHint')}</p>
${form(
  `/webhooks/${encodeURIComponent(webhook.id)}/apply`,
  view,
)`${candidates.length > 0 && html`<fieldset class="radios"><legend>${text('console.webhookCandidates')}</legend>${listed}</fieldset>`}
<label>${text('console.webhookOther')}<input name="other" maxlength="40" dir="ltr" autocomplete="off"></label>
${evidenceField(view)}
<button class="main">${text('console.propose')}</button>`}</section>`;
}

function closeForm(path: string, view: View): Html {
  const { language } = view;
  return html`<section class="card" aria-labelledby="close"><h2 id="close">${say(language, 'console.close')}</h2>
<p class="hint">${say(language, 'console.closeHint')}</p>
${form(`${path}/close`, view)`${reasonField(view)}
<button class="danger">${say(language, 'console.close')}</button>`}</section>`;
}
