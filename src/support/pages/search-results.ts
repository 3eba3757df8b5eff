import { html } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import { channelOf } from '../../conversation/channel.ts';
import type { Details, Intent, Person } from '../../conversation/desk/desk.ts';
import type { TurnRecord } from '../../conversation/record/record.ts';
import type { Renderer } from '../../screen/renderer.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { maskName } from '../masks.ts';
import { flowName } from '../names.ts';
import type { StuckWebhook } from '../queue.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { moment } from '../times.ts';
import { ago, around, CHANNEL_NAMES, code, named, phone, placePart, type View } from './parts.ts';
import { amountOf, shortReference, stateBadge } from './payment.ts';

/** As many look-alikes as an agent would read. There may be more. */
export const NAMED_MAX = 10;

/** One thing that a search may have meant, and its page. Several persons are of one name. */
export type FoundLine = { readonly path: string } & (
  | { readonly person: Person; readonly details?: Details | undefined }
  | { readonly intent: Intent }
  | { readonly it: Case }
  | { readonly call: TurnRecord }
  | { readonly webhook: StuckWebhook }
);

/**
 * The results of a search, where there is not exactly one: each with the facts that tell it from the others.
 * @param about hasMore: more customers are called so than are shown; isWhole: the records were searched, too
 */
export function foundPage(
  found: readonly FoundLine[],
  { hasMore, isWhole }: { readonly hasMore: boolean; readonly isWhole: boolean },
  view: View,
  renderer: Pick<Renderer, 'chat'>,
): Html {
  const { language } = view;
  const title = say(language, 'console.found');
  return layout(view, title)`<h1>${title}</h1>
${!isWhole && html`<p class="note busy">${say(language, 'console.foundPartial')}</p>`}
${
  found.length === 0
    ? html`<p class="note" role="status">${say(language, 'console.saidNothingFound')}</p>`
    : html`<ul class="found queue">${found.map(
        (line) => html`<li>${linePart(line, view, renderer)}</li>`,
      )}</ul>`
}${hasMore && html`<p class="note">${say(language, 'console.foundMore', { count: { count: NAMED_MAX } })}</p>`}`;
}

function linePart(line: FoundLine, view: View, renderer: Pick<Renderer, 'chat'>): Html {
  const { language } = view;
  const link = (key: ConsoleKey, name: Html) =>
    html`<a href="${line.path}">${say(language, key)} ${name}</a>`;
  if ('person' in line)
    return html`${link('console.person', phone(line.person.wallet, view))} ${personPart(line.person, line.details, view)}`;
  if ('webhook' in line) {
    const { id, operationId, since } = line.webhook;
    return html`${link('console.webhook', code(String(operationId ?? id.slice(0, 24))))} <time dir="ltr">${moment(since)}</time>`;
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

/**
 * The facts that tell customers of the same name apart. The name itself is on their page, as far as the agent may see
 * it.
 */
function personPart({ sessions }: Person, details: Details | undefined, { language, now }: View): Html {
  const seenAt = Math.max(...sessions.map(({ at }) => at));
  return html`${
    details &&
    html`<span>${details.fullName !== '' && html`<bdi>${maskName(details.fullName)}</bdi> · `}${say(language, 'console.personLevel')} ${details.level}</span>`
  }
<span>${sessions.map(
    ({ address, language: speaks }, i) =>
      html`${i > 0 && ' · '}<bdi dir="ltr">${CHANNEL_NAMES[channelOf(address)]} <bdi lang="${speaks}">${LANGUAGE_NAMES[speaks]}</bdi></bdi>`,
  )}</span>
${sessions.length > 0 && html`<span class="hint">${around('console.personLastSeen', ago(seenAt, { language, now }), { language })}</span>`}`;
}
