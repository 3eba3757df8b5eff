import { html } from 'hono/html';
import type { Case } from '../../conversation/cases/case.ts';
import { channelOf } from '../../conversation/channel.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { isNews, isShown, isWithin, type Narrowed, SHOWN, type Shown } from '../case-list.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import type { Present } from '../presence.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { caseState, duePart, KIND_NAMES } from './case.ts';
import { CHANNEL_NAMES, code, csrf, flash, phone, placePart, type Said, type View } from './parts.ts';

/** How many cases of a list are shown; the rest is counted. */
const CASES_SHOWN_MAX = 100;

const LISTS: Readonly<Record<Shown, ConsoleKey>> = {
  mine: 'console.inboxMine',
  unassigned: 'console.inboxUnassigned',
  waiting: 'console.inboxWaiting',
  snoozed: 'console.inboxSnoozed',
  all: 'console.inboxAll',
};

/** Which of the cases a page shows. */
export interface Chosen extends Narrowed {
  readonly shown: Shown;
}

/** What waits for people, as an agent works through it. */
export function inboxPage(
  all: readonly Case[],
  present: readonly Present[],
  chosen: Chosen,
  said: Said | undefined,
  view: View,
): Html {
  const { language, who } = view;
  const title = say(language, 'console.inbox');
  return layout({
    title,
    language,
    who,
    at: 'inbox',
    body: html`<div class="list inbox" hx-ext="sse" sse-connect="${BASE}/inbox/live?${queryOf(chosen)}">
<div class="head"><h1>${title}</h1>
<div class="acts">${
      may(who.role, 'workCases') &&
      html`<form id="next" method="post" action="${BASE}/inbox/next">${csrf(view)}${narrowedFields(chosen)}<button class="main">${say(language, 'console.inboxNext')}</button></form>`
    }<button id="alerts" type="button" class="quiet" aria-pressed="false" hidden>${say(language, 'console.inboxAlerts')}</button></div></div>
${flash(said, language)}
${narrowForm(chosen, view)}
<div sse-swap="cases">${casesPart(all, present, chosen, view)}</div>
<p class="hint keys">${say(language, 'console.inboxKeys')}</p></div>`,
  });
}

/** Only cases in a language, or of a kind; "next" takes one of these then. */
function narrowForm({ shown, language: speaks, kind }: Chosen, { language }: View): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}" ${isChosen ? 'selected' : ''}>${label}</option>`;
  const all = say(language, 'console.all');
  return html`<form class="filters" method="get" action="${BASE}/inbox"><input type="hidden" name="show" value="${shown}">
<label>${say(language, 'console.customerLanguage')}<select name="speaks">${option('', all, !speaks)}${LANGUAGES.map((each) => option(each, LANGUAGE_NAMES[each], each === speaks))}</select></label>
<label>${say(language, 'console.caseKind')}<select name="kind">${option('', all, !kind)}${Object.entries(KIND_NAMES).map(([each, name]) => option(each, say(language, name), each === kind))}</select></label>
<button>${say(language, 'console.filter')}</button></form>`;
}

/** What the inbox is narrowed to, for a form: the page's script keeps it for the next case from any other page. */
function narrowedFields({ language, kind }: Narrowed): Html {
  return html`<input type="hidden" name="speaks" value="${language ?? ''}"><input type="hidden" name="kind" value="${kind ?? ''}">`;
}

/** For the links of a page of the inbox. */
export function queryOf({ shown, language, kind }: Chosen): string {
  return new URLSearchParams({
    show: shown,
    ...(language && { speaks: language }),
    ...(kind && { kind }),
  }).toString();
}

/** The lists, the one that is shown, and who is there. */
export function casesPart(
  everything: readonly Case[],
  present: readonly Present[],
  chosen: Chosen,
  view: View,
): Html {
  const { language, who, now } = view;
  const { shown } = chosen;
  const all = everything.filter(isWithin(chosen));
  const rows = all.filter((it) => isShown(it, shown, who.id, now));
  const tab = (each: Shown) => {
    const label = html`${say(language, LISTS[each])} <span class="count">${all.filter((it) => isShown(it, each, who.id, now)).length}</span>`;
    const path = `${BASE}/inbox?${queryOf({ ...chosen, shown: each })}`;
    return each === shown
      ? html`<a href="${path}" aria-current="page">${label}</a>`
      : html`<a href="${path}">${label}</a>`;
  };
  return html`<nav class="tabs" aria-label="${say(language, 'console.inboxShow')}">${SHOWN.map(tab)}</nav>
<section class="panel">${
    rows.length === 0
      ? html`<p class="empty">${say(language, 'console.inboxEmpty')}</p>`
      : html`<div class="scroll"><table class="lines cases"><caption>${say(language, 'console.inboxCount', { count: { count: rows.length } })}</caption>
<thead><tr>${(['console.case', 'console.caseKind', 'console.customer', 'console.stands', 'console.state', 'console.caseDue', 'console.caseOwner'] as const).map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${rows.slice(0, CASES_SHOWN_MAX).map((it) => rowPart(it, view))}</tbody></table></div>`
  }</section>
<p class="hint present">${say(language, 'console.inboxPresent')} ${present.map(({ name, id }) => html`<span class="badge ${id === who.id ? 'good' : ''}">${name}</span> `)}</p>`;
}

function rowPart(it: Case, view: View): Html {
  const { language, who, now } = view;
  const { id, kind, address, wallet, about, owner } = it;
  return html`<tr>
<td><a href="${BASE}/cases/${id}/work">${code(id)}</a>${isNews(it, who.id, now) && html` <span class="badge good">${say(language, 'console.caseNew')}</span>`}</td>
<td>${say(language, KIND_NAMES[kind])}</td>
<td>${wallet && phone(wallet, view)} ${address && CHANNEL_NAMES[channelOf(address)]} ${it.language && html`<span lang="${it.language}">${LANGUAGE_NAMES[it.language]}</span>`}</td>
<td>${about && placePart(about, view)}</td>
<td>${caseState(it, view)}</td>
<td class="number">${duePart(it, view)}</td>
<td>${owner && html`<bdi>${owner.name}</bdi>`}</td></tr>`;
}

/** How much is new for an agent, beside the menu's link. The page's script says it in the title, and aloud where they want that. */
export function newsCount(all: readonly Case[], view: Pick<View, 'who' | 'language' | 'now'>): Html {
  const { who, language, now } = view;
  const news = all.filter((it) => isNews(it, who.id, now)).length;
  const free = all.filter((it) => isShown(it, 'unassigned', who.id, now)).length;
  return html`<span id="news" class="count" data-news="${news}" data-free="${free}" data-says="${say(language, 'console.inboxNews', { count: { count: news + free } })}" title="${say(language, 'console.inboxNewsHint')}" ${news + free === 0 ? 'hidden' : ''}>${news + free}</span>`;
}
