import { html } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import { channelOf } from '../../conversation/channel.ts';
import type { Intent } from '../../conversation/desk/desk.ts';
import type { TurnRecord } from '../../conversation/record/record.ts';
import type { Renderer } from '../../screen/renderer.ts';
import type { Msisdn } from '../../wallet/phone.ts';
import { type Html, layout } from '../layout.ts';
import { flowName } from '../names.ts';
import type { StuckWebhook } from '../queue.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { moment } from '../times.ts';
import { searchPart } from './list.ts';
import { CHANNEL_NAMES, code, flash, named, phone, placePart, type View } from './parts.ts';
import { amountOf, shortReference, stateBadge } from './payment.ts';

/** One thing that a search may have meant, and its page. */
export type FoundLine = { readonly path: string } & (
  | { readonly person: Msisdn }
  | { readonly intent: Intent }
  | { readonly it: Case }
  | { readonly call: TurnRecord }
  | { readonly webhook: StuckWebhook }
);

/** What a search has found, where that is not one thing: each with what tells it from the others. */
export function foundPage(found: readonly FoundLine[], view: View, renderer: Pick<Renderer, 'chat'>): Html {
  const { language, who } = view;
  const title = say(language, 'console.found');
  return layout({
    title,
    language,
    who,
    at: 'live',
    body: html`<h1>${title}</h1>${searchPart(view)}
${
  found.length === 0
    ? flash('notFoundHere', language)
    : html`<ul class="found queue">${found.map(
        (line) => html`<li>${linePart(line, view, renderer)}</li>`,
      )}</ul>`
}`,
  });
}

function linePart(line: FoundLine, view: View, renderer: Pick<Renderer, 'chat'>): Html {
  const { language } = view;
  const link = (key: ConsoleKey, name: Html) =>
    html`<a href="${line.path}">${say(language, key)} ${name}</a>`;
  if ('person' in line) return link('console.person', phone(line.person, view));
  if ('webhook' in line) {
    const { id, event, since } = line.webhook;
    return html`${link('console.webhook', code(event ?? id.slice(0, 24)))} <time dir="ltr">${moment(since)}</time>`;
  }
  if ('it' in line) return link('console.case', code(line.it.id));
  if ('call' in line) {
    const { address, wallet, to, at } = line.call;
    return html`${link('console.foundCall', html`${CHANNEL_NAMES[channelOf(address)]}`)} ${wallet && phone(wallet, view)}
${placePart(to, view)} <time dir="ltr">${moment(at)}</time>`;
  }
  const { intent } = line;
  return html`${link('console.payment', code(shortReference(intent)))}
${named(flowName(intent.order.kind, language), intent.order.kind)} <b>${amountOf(intent, view, renderer)}</b> ${phone(intent.wallet, view)}
<time dir="ltr">${moment(intent.sentAt)}</time> ${stateBadge(intent, view)}`;
}
