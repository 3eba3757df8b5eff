import { html } from 'hono/html';
import { channelOf } from '../../conversation/channel.ts';
import type { HelpRequest, Intent } from '../../conversation/desk/desk.ts';
import type { Address } from '../../conversation/incoming.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import type { Row } from '../board.ts';
import type { Html } from '../layout.ts';
import { flowName } from '../names.ts';
import { QUEUE_MAX, type Queue, type StuckWebhook } from '../queue.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { CHANNEL_NAMES, code, form, phone, placePart, since, type View } from './parts.ts';
import { amountOf, shortReference, stateBadge } from './payment.ts';

interface PeopleOptions {
  readonly queue: Queue;
  readonly stuck: readonly Row[];
  readonly idOf: (address: Address) => string;
  readonly renderer: Pick<Renderer, 'chat'>;
}

/**
 * The payments, customers and webhooks that need an agent, by how much they may cost: money first, then requests for
 * help, then customers who get no further.
 */
export function peoplePart({ queue, stuck, idOf, renderer }: PeopleOptions, view: View): Html {
  const { payments, help, webhooks } = queue;
  const { language } = view;
  if (payments.length + help.length + webhooks.length + stuck.length === 0) {
    return html`<p class="empty">${say(language, 'console.nobodyWaits')}</p>`;
  }
  return html`<div class="queues">
${group('console.unsettled', payments, (each) => paymentLine(each, view, renderer), view)}
${group('console.askedForHelp', help, (each) => helpLine(each, idOf(each.address), view), view)}
${group('console.stuck', stuck, (each) => stuckLine(each, view), view)}
${group('console.orphans', webhooks, (each) => webhookLine(each, view), view)}</div>`;
}

function group<T>(key: ConsoleKey, all: readonly T[], line: (each: T) => Html, { language }: View): Html {
  if (all.length === 0) return html``;
  return html`<section><h3>${say(language, key)} <span class="count">${all.length}</span></h3>
<ul class="queue">${all.slice(0, QUEUE_MAX).map((each) => html`<li>${line(each)}</li>`)}</ul>
${all.length > QUEUE_MAX && html`<p class="hint">${say(language, 'console.moreWait', { count: { count: all.length - QUEUE_MAX } })}</p>`}</section>`;
}

function paymentLine(intent: Intent, view: View, renderer: Pick<Renderer, 'chat'>): Html {
  const { language } = view;
  return html`<a href="${BASE}/payments/${intent.id}">${code(shortReference(intent))} ${flowName(intent.order.kind, language)} <b>${amountOf(intent, view, renderer)}</b></a>
<span>${intent.proposal ? html`<span class="badge busy">${say(language, 'console.proposal')}</span>` : stateBadge(intent, view)} ${since(intent.sentAt, view)}</span>`;
}

function helpLine({ address, wallet, at, about, callBack }: HelpRequest, id: string, view: View): Html {
  const { language } = view;
  return html`<a href="${BASE}/sessions/${id}">${CHANNEL_NAMES[channelOf(address)]} ${wallet && phone(wallet, view)} ${about && placePart(about, view)}</a>
<span>${callBack && html`<span class="badge busy">${say(language, 'console.callBack')}</span>`} ${since(at, view)}</span>`;
}

function stuckLine({ address, id, wallet, place, since: from }: Row, view: View): Html {
  return html`<a href="${BASE}/sessions/${id}">${CHANNEL_NAMES[channelOf(address)]} ${wallet && phone(wallet, view)} ${placePart(place, view)}</a><span>${since(from, view)}</span>`;
}

/** By the wallet's operation, which a person can look up. The name of the event is on its page, folded. */
function webhookLine({ id, since: from, tries, state, operationId }: StuckWebhook, view: View): Html {
  const { who, language } = view;
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const retry = html`<button class="small">${say(language, 'console.retry')}</button>`;
  return html`<span><a href="${BASE}${path}">${say(language, operationId === undefined ? 'console.webhook' : 'console.operation')} ${code(String(operationId ?? id.slice(0, 24)))}</a> ${say(language, state === 'kept' ? 'console.webhookKept' : 'console.webhookWaiting')} · ${say(language, 'console.tries', { count: { count: tries } })} · ${since(from, view)}</span>
${may(who.role, 'webhooks') && html`<span class="acts">${form(`${path}/retry`, view)`${retry}`}</span>`}`;
}
