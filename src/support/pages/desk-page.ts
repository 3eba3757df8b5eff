import { html, raw } from 'hono/html';
import { BASE } from '../access/endpoints.ts';
import { type Html, layout } from '../layout.ts';
import { say } from '../sentences.ts';
import type { View } from './parts.ts';

/** The list of cases, as it stands beside what an agent works on. */
export interface CasePane {
  readonly html: Html;
  /** The choice that it shows, for the stream that keeps it true. */
  readonly query: string;
}

interface DeskPage {
  readonly title: string;
  readonly pane: CasePane;
  /** The case that an agent works on. Absent: nothing is open, and a phone shows the list. */
  readonly work?: Html | undefined;
  readonly person?: Html | undefined;
  /** The path of the stream that brings the pieces of the page and the list. Absent: the list alone is kept true. */
  readonly live?: string | undefined;
  /** The session, as URLs name it. */
  readonly where?: string | undefined;
}

/**
 * The list of cases, what is worked on, and its customer, side by side. A narrow window shows one of them, and links lead to the others. The list has
 * a page of its own, and the customer comes in the place of the work.
 */
export function deskPage(
  { title, pane, work, person, live = '/inbox/live?', where }: DeskPage,
  { language, who }: Pick<View, 'language' | 'who'>,
): Html {
  const back = (path: string, words: string) => html`<a class="back" href="${path}">${words}</a>`;
  return layout(
    { language, who },
    title,
    'inbox',
  )`<div class="desk ${work === undefined ? 'at-list' : 'at-work'}" ${where ? raw(`data-where="${where}"`) : ''} hx-ext="sse" sse-connect="${BASE}${live}${live.endsWith('?') ? '' : '&'}${pane.query}">
<aside class="pane inbox" id="list" tabindex="0" aria-label="${say(language, 'console.cases')}">${pane.html}</aside>
<section class="pane work" id="work" aria-label="${title}">${work !== undefined && html`<nav class="ways" aria-label="${say(language, 'console.panes')}">${back(`${BASE}/inbox`, say(language, 'console.inbox'))}${person !== undefined && back('#person', say(language, 'console.personTo'))}</nav>`}${work ?? html`<p class="empty when-some">${say(language, 'console.inboxChooseOne')}</p><p class="empty when-none">${say(language, 'console.inboxEmpty')}</p>`}</section>
${person !== undefined && html`<aside class="pane person" id="person" tabindex="0" aria-label="${say(language, 'console.customer')}"><nav class="ways" aria-label="${say(language, 'console.panes')}">${back('#work', say(language, 'console.transcript'))}</nav>${person}</aside>`}
</div>`;
}

/** The pane of a customer, which the page fetches once it is there: the wallet may be slow. Without a script it is a link. */
export function personSlot(path: string | undefined, { language }: Pick<View, 'language'>): Html {
  return path === undefined
    ? html``
    : html`<div hx-get="${path}/pane" hx-trigger="load" hx-swap="outerHTML"><p class="panel empty" aria-busy="true"><a href="${path}">${say(language, 'console.personTo')}</a> <span class="failed">${say(language, 'console.personNotLoaded')}</span></p></div>`;
}
