import { html, raw } from 'hono/html';
import { type Case, isSnoozed, isTakenFrom } from '../../conversation/cases/case.ts';
import { LISTED_MAX } from '../../conversation/cases/cases.ts';
import { channelOf } from '../../conversation/channel.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import {
  type CaseListName,
  isForThem,
  isNewCase,
  isShown,
  isWithin,
  type Narrowed,
  type Seen,
  SHOWN,
} from '../case-list.ts';
import { FILTER_NAME_MAX_CHARACTERS } from '../filters.ts';
import { type Label, labelsOf, offeredLabels } from '../labels.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { phoneFor } from '../masks.ts';
import { placeName } from '../names.ts';
import type { Present } from '../presence.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { type Team, teamOf } from '../teams.ts';
import {
  caseState,
  duePart,
  KIND_NAMES,
  macroOption,
  ownerOptions,
  snoozeFields,
  stateName,
} from './case.ts';
import { type Chosen, queryOf } from './case-selection.ts';
import type { Offered } from './options.ts';
import {
  CHANNEL_NAMES,
  code,
  csrf,
  flash,
  form,
  labelPart,
  liveForm,
  phone,
  placePart,
  type Said,
  type View,
} from './parts.ts';
import { CASE_NOTE } from './words.ts';

/** How many cases of a list a page has. */
export const CASES_SHOWN_MAX = 100;

const LISTS: Readonly<Record<CaseListName, ConsoleKey>> = {
  mine: 'console.inboxMine',
  team: 'console.inboxTeam',
  unassigned: 'console.inboxUnassigned',
  waiting: 'console.inboxWaiting',
  snoozed: 'console.inboxSnoozed',
  mentions: 'console.inboxMentions',
  all: 'console.inboxAll',
};

/** The data of the inbox. */
export interface InboxState {
  /** Those that are not closed, and closed ones that name somebody who has not looked. */
  readonly cases: readonly Case[];
  /** While the cases cannot be reached: who needs an agent now, as the live store knows. */
  readonly instead?: Html;
  readonly present: readonly Present[];
  readonly teams: readonly Team[];
  readonly labels: readonly Label[];
  /** Those of all, then the agent's own. */
  readonly filters: readonly NamedFilter[];
}

/** A filter with what it narrows the inbox to. */
export interface NamedFilter {
  readonly id: string;
  readonly name: string;
  readonly chosen: Chosen;
  readonly isShared: boolean;
}

/** The saved filter that a page shows. Undefined where the filters have no name. */
function filterOf({ filters }: InboxState, chosen: Chosen): NamedFilter | undefined {
  return filters.find((each) => queryOf(each.chosen) === queryOf(chosen));
}

function seenBy({ teams }: Pick<InboxState, 'teams'>, { who, now }: Pick<View, 'who' | 'now'>): Seen {
  return { agent: who.id, teams, now };
}

/** A case about which something was refused. */
export interface RefusedCase {
  readonly id: string;
  /** In a sentence. */
  readonly why?: string;
}

/** The result of an act on several cases. */
interface Flash {
  readonly said: Said | undefined;
  /** Those about which it was refused: they stay chosen. */
  readonly not: readonly RefusedCase[];
  /** The attempt, as its form had it. */
  readonly tried: Tried;
  /** The number of the list's page, from 1. */
  readonly page: number;
}

type Tried = Readonly<Partial<Record<'act' | 'to' | 'for' | 'at' | 'label' | 'macro', string | undefined>>>;

/** The cases that wait for agents, as an agent works through them. */
export function inboxPage(
  state: InboxState,
  offered: Offered,
  chosen: Chosen,
  { said, not, tried, page }: Flash,
  view: View,
): Html {
  const { language, who } = view;
  const title = say(language, 'console.inbox');
  return layout({
    title,
    language,
    who,
    at: 'inbox',
    body: html`<div class="list inbox" hx-ext="sse" sse-connect="${BASE}/inbox/live?${queryOf(chosen)}&amp;page=${page}">
<div class="head"><h1>${title}</h1>
<div class="acts">${
      may(who.role, 'workCases') &&
      html`<form id="next" method="post" action="${BASE}/inbox/next">${csrf(view)}${narrowedFields(chosen)}<button class="main">${say(language, 'console.inboxNext')}</button></form>`
    }${may(who.role, 'organise') && html`<a class="button" href="${BASE}/organisation">${say(language, 'console.organisation')}</a>`}<button id="alerts" type="button" class="quiet" aria-pressed="false" hidden>${say(language, 'console.inboxAlerts')}</button></div></div>
${flash(said, language)}
${not.length > 0 && html`<div class="note refused"><p>${say(language, 'console.inboxRefused')}</p><ul>${not.map(({ id, why }) => html`<li><a href="${BASE}/cases/${id}">${code(id)}</a> ${why}</li>`)}</ul></div>`}
${narrowForm(state, chosen, view)}
${filterForm(state, chosen, view)}
${may(who.role, 'workCases') && bulkForm(state, offered, chosen, tried, page, view)}
<div sse-swap="cases">${casesPart(state, chosen, page, view, new Set(not.map(({ id }) => id)))}</div>
<p class="hint"><a href="${BASE}/inbox/csv?${queryOf(chosen)}" download>${say(language, 'console.saveCsv')}</a></p>
<p class="hint keys">${say(language, 'console.inboxKeys')}</p></div>`,
  });
}

/** Filters cases by language or kind, among others. "Next" then takes one of these. */
function narrowForm({ teams, labels }: InboxState, chosen: Chosen, { language }: View): Html {
  const { shown, language: speaks, kind, team, label } = chosen;
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}" ${isChosen ? 'selected' : ''}>${label}</option>`;
  const all = say(language, 'console.all');
  return html`<form class="filters" method="get" action="${BASE}/inbox"><input type="hidden" name="show" value="${shown}">
<label>${say(language, 'console.customerLanguage')}<select name="speaks">${option('', all, !speaks)}${LANGUAGES.map((each) => option(each, LANGUAGE_NAMES[each], each === speaks))}</select></label>
<label>${say(language, 'console.caseKind')}<select name="kind">${option('', all, !kind)}${Object.entries(KIND_NAMES).map(([each, name]) => option(each, say(language, name), each === kind))}</select></label>
${teams.length > 0 && html`<label>${say(language, 'console.team')}<select name="team">${option('', all, !team)}${teams.map(({ id, name }) => option(id, name, id === team))}</select></label>`}
${labels.length > 0 && html`<label>${say(language, 'console.label')}<select name="label">${option('', all, !label)}${labels.filter(({ id, isRemoved }) => !isRemoved || id === label).map(({ id, names }) => option(id, names[language], id === label))}</select></label>`}
<button>${say(language, 'console.filter')}</button></form>`;
}

/** Saves the filters of the inbox under a name. An agent with the right to do so removes a saved one. */
function filterForm(state: InboxState, chosen: Chosen, view: View): Html {
  const { language, who } = view;
  const text = (key: ConsoleKey) => say(language, key);
  const known = filterOf(state, chosen);
  const fields = html`<input type="hidden" name="show" value="${chosen.shown}">${narrowedFields(chosen)}`;
  const mayShare = may(who.role, 'organise');
  if (known?.isShared && !mayShare) return html``;
  if (known)
    return html`<details class="sure"><summary>${text('console.filterRemove')}</summary>${form(
      `/inbox/filters${known.isShared ? '/shared' : ''}/remove`,
      view,
      html`${fields}<input type="hidden" name="id" value="${known.id}"><button class="danger">${text('console.removeSure')}</button>`,
    )}</details>`;
  return html`<details class="reveal" data-key="f"><summary>${text('console.filterSave')}</summary>${form(
    '/inbox/filters',
    view,
    html`${fields}<label>${text('console.filterName')}<input name="name" required maxlength="${FILTER_NAME_MAX_CHARACTERS}" dir="auto" autocomplete="off"></label>
<div class="acts"><button class="main">${text('console.save')}</button>${mayShare && html`<button formaction="${BASE}/inbox/filters/shared">${text('console.filterShare')}</button>`}</div>`,
  )}</details>`;
}

/** The form for acts on all chosen cases of the table. It appears once one is chosen, with the fields of the act. */
function bulkForm(
  { teams, labels }: InboxState,
  offered: Offered,
  chosen: Chosen,
  tried: Tried,
  page: number,
  view: View,
): Html {
  const { language } = view;
  const { agents, macros } = offered;
  const shownLabels = offeredLabels(labels, {});
  const option = (value: string, label: string, isTried: boolean) =>
    html`<option value="${value}" ${isTried ? 'selected' : ''}>${label}</option>`;
  const acts = [
    ['give', 'console.caseGive'],
    ['snooze', 'console.caseSnooze'],
    ['go-on', 'console.caseGoOn'],
    ...(shownLabels.length > 0
      ? ([
          ['label', 'console.caseLabel'],
          ['unlabel', 'console.caseUnlabel'],
        ] as const)
      : []),
    ['close', 'console.caseClose'],
    ...(macros.length > 0 ? ([['macro', 'console.macroRun']] as const) : []),
  ] as const satisfies readonly (readonly [string, ConsoleKey])[];
  return html`<form id="bulk" class="row panel" method="post" action="${BASE}/inbox/bulk">${csrf(view)}<input type="hidden" name="show" value="${chosen.shown}"><input type="hidden" name="page" value="${page}">${narrowedFields(chosen)}
<label><span>${say(language, 'console.inboxChosen')} <output id="chosen"></output></span><select name="act">${acts.map(([value, key]) => option(value, say(language, key), value === tried.act))}</select></label>
<div class="row for-give"><label>${say(language, 'console.caseOwner')}<select name="to">${ownerOptions({ teams, agents }, view, tried.to)}</select></label></div>
<div class="row for-snooze">${snoozeFields(view, tried)}</div>
<div class="row for-label for-unlabel"><label>${say(language, 'console.label')}<select name="label">${shownLabels.map(({ id, names }) => option(id, names[language], id === tried.label))}</select></label></div>
<div class="row for-close"><label>${say(language, 'console.caseCloseNote')}<input name="note" maxlength="${CASE_NOTE.max}" dir="auto" autocomplete="off"></label><span class="hint">${say(language, 'console.caseCloseHint')}</span></div>
<div class="row for-macro"><p class="hint">${say(language, 'console.inboxMacroHint')}</p>${macros.map((macro) => macroOption(macro, LANGUAGES, offered, view, tried.macro?.startsWith(`${macro.id}:`) === true))}</div>
<button class="main">${say(language, 'console.inboxApply')}</button></form>`;
}

/** The cases that a list shows. */
export function selectedCases(state: InboxState, chosen: Chosen, view: View): Case[] {
  const seen = seenBy(state, view);
  const isMeant = isWithin(chosen, state.teams);
  return state.cases.filter((it) => isMeant(it) && isShown(it, chosen.shown, seen));
}

/** The same as lines of a table to be saved, its heads first. Moments are ISO 8601. */
export function inboxLines(
  cases: readonly Case[],
  { teams, labels }: Pick<InboxState, 'teams' | 'labels'>,
  { language, sight, now }: View,
): string[][] {
  const heads = [
    'case',
    'caseKind',
    'customer',
    'channel',
    'customerLanguage',
    'stands',
    'state',
    'caseSnoozed',
    'caseDue',
    'caseOwner',
    'team',
    'labels',
  ] as const;
  const iso = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString());
  return [
    heads.map((head) => say(language, `console.${head}`)),
    ...cases.map((it) => [
      it.id,
      say(language, KIND_NAMES[it.kind]),
      it.wallet ? phoneFor(it.wallet, sight) : '',
      it.address ? CHANNEL_NAMES[channelOf(it.address)] : '',
      it.language ?? '',
      it.about ? placeName(it.about, language) : '',
      stateName(it, language),
      isSnoozed(it, now) ? iso(it.snoozedUntil) : '',
      iso(it.due),
      it.owner?.name ?? '',
      teamOf(it, teams)?.name ?? '',
      labelsOf(it, labels)
        .map(({ names }) => names[language])
        .join(', '),
    ]),
  ];
}

/** The filters of the inbox, for a form. The page's script keeps them for the next case from any other page. */
function narrowedFields({ language, kind, team, label }: Narrowed): Html {
  return html`<input type="hidden" name="speaks" value="${language ?? ''}"><input type="hidden" name="kind" value="${kind ?? ''}"><input type="hidden" name="team" value="${team ?? ''}"><input type="hidden" name="label" value="${label ?? ''}">`;
}

/** The lists, the one that is shown, and who is there. */
export function casesPart(
  state: InboxState,
  chosen: Chosen,
  page: number,
  view: View,
  picked: ReadonlySet<string> = new Set(),
): Html {
  const { language, who } = view;
  if (state.instead !== undefined)
    return html`<div class="note busy" role="status"><p><b>${say(language, 'console.inboxAway')}</b></p><p>${say(language, 'console.inboxAwayHint')}</p></div>
<section class="panel"><h2>${say(language, 'console.people')}</h2>${state.instead}</section>`;
  const { shown } = chosen;
  const seen = seenBy(state, view);
  const all = state.cases.filter(isWithin(chosen, state.teams));
  const named = filterOf(state, chosen);
  const rows = selectedCases(state, chosen, view);
  // Where the list has become shorter meanwhile, its last page.
  const here = Math.min(page, Math.max(1, Math.ceil(rows.length / CASES_SHOWN_MAX)));
  const first = (here - 1) * CASES_SHOWN_MAX;
  const isInTeam = state.teams.some(({ members }) => members.includes(who.id));
  const mayWork = may(who.role, 'workCases');
  const tab = (each: CaseListName) => {
    const label = html`${say(language, LISTS[each])} <span class="count">${all.filter((it) => isShown(it, each, seen)).length}</span>`;
    const path = `${BASE}/inbox?${queryOf({ ...chosen, shown: each })}`;
    return each === shown
      ? html`<a href="${path}" aria-current="page">${label}</a>`
      : html`<a href="${path}">${label}</a>`;
  };
  return html`<nav class="tabs" aria-label="${say(language, 'console.inboxShow')}">${SHOWN.filter((each) => each !== 'team' || isInTeam).map(tab)}</nav>
${
  state.filters.length > 0 &&
  html`<nav class="tabs saved" aria-label="${say(language, 'console.filters')}"><span class="hint" aria-hidden="true">${say(language, 'console.filters')}</span>${state.filters.map((each) => html`<a href="${BASE}/inbox?${queryOf(each.chosen)}" ${each === named ? raw('aria-current="page"') : ''}><bdi>${each.name}</bdi> <span class="count">${selectedCases(state, each.chosen, view).length}</span></a>`)}</nav>`
}
<section class="panel">${
    shown === 'mentions' &&
    rows.some((it) => isUnread(it, who)) &&
    readForm(chosen, html`<button class="small">${say(language, 'console.mentionsAllRead')}</button>`, view)
  }${
    rows.length === 0
      ? html`<p class="empty">${say(language, 'console.inboxEmpty')}</p>`
      : html`<div class="scroll"><table class="lines cases"><caption>${say(language, 'console.inboxCount', { count: { count: rows.length } })}</caption>
<thead><tr>${mayWork && html`<th scope="col"><input type="checkbox" id="choose-all" aria-label="${say(language, 'console.inboxChooseAll')}"></th>`}${(['console.case', 'console.caseKind', 'console.customer', 'console.stands', 'console.state', 'console.caseDue', 'console.caseOwner'] as const).map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${rows.slice(first, first + CASES_SHOWN_MAX).map((it) => rowPart(it, picked.has(it.id), chosen, seen, state.labels, view))}</tbody></table></div>${pagesPart(chosen, here, rows.length, view)}`
  }${
    state.cases.length >= LISTED_MAX &&
    html`<p class="note busy">${say(language, 'console.inboxCut', { count: { count: LISTED_MAX } })}</p>`
  }</section>
<p class="hint present">${say(language, 'console.inboxPresent')} ${state.present.map(({ name, id }) => html`<span class="badge ${id === who.id ? 'good' : ''}">${name}</span> `)}</p>`;
}

/** Leads through the pages of a list that is longer than one. */
function pagesPart(chosen: Chosen, page: number, count: number, { language }: View): Html {
  if (count <= CASES_SHOWN_MAX) return html``;
  const first = (page - 1) * CASES_SHOWN_MAX;
  const last = Math.min(count, first + CASES_SHOWN_MAX);
  const link = (to: number, rel: string, key: ConsoleKey) =>
    html`· <a rel="${rel}" href="${BASE}/inbox?${queryOf(chosen)}&amp;page=${to}">${say(language, key)}</a>`;
  return html`<p class="pages"><bdi dir="ltr">${first + 1}–${last}</bdi> ${page > 1 && link(page - 1, 'prev', 'console.inboxPageBefore')} ${last < count && link(page + 1, 'next', 'console.inboxPageNext')}</p>`;
}

/** True where a case names somebody who has not looked. */
function isUnread({ mentions }: Case, { id }: View['who']): boolean {
  return mentions?.[id] === true;
}

/** A form that marks mentions as read without opening them. @param fields which one; without: all that the list shows */
function readForm(chosen: Chosen, fields: Html, view: View): Html {
  return liveForm('/inbox/read', view, html`${narrowedFields(chosen)}${fields}`, 'read');
}

function rowPart(
  it: Case,
  isPicked: boolean,
  chosen: Chosen,
  seen: Seen,
  labels: readonly Label[],
  view: View,
): Html {
  const { language, who } = view;
  const team = teamOf(it, seen.teams);
  const { id, kind, address, wallet, about, owner, state } = it;
  return html`<tr>
${may(who.role, 'workCases') && html`<td>${state !== 'closed' && html`<input type="checkbox" form="bulk" name="id" value="${id}" aria-label="${say(language, 'console.inboxChoose', { case: { code: id } })}" ${isPicked ? 'checked' : ''}>`}</td>`}
<td><a href="${BASE}/cases/${id}/work">${code(id)}</a>${isNewCase(it, seen) && html` <span class="badge good">${say(language, 'console.caseNew')}</span>`}${isUnread(it, who) && isTakenFrom(it, who.id) && html` <span class="badge busy">${say(language, 'console.caseTaken')}</span>`}${chosen.shown === 'mentions' && isUnread(it, who) && readForm(chosen, html`<input type="hidden" name="id" value="${id}"><button class="quiet small">${say(language, 'console.mentionRead')}</button>`, view)}</td>
<td>${say(language, KIND_NAMES[kind])}</td>
<td>${wallet && phone(wallet, view)} ${address && CHANNEL_NAMES[channelOf(address)]} ${it.language && html`<span lang="${it.language}">${LANGUAGE_NAMES[it.language]}</span>`}</td>
<td>${about && placePart(about, view)}</td>
<td>${caseState(it, view)} ${labelsOf(it, labels).map((label) => labelPart(label, view))}</td>
<td class="number">${duePart(it, view)}</td>
<td>${owner ? html`<bdi>${owner.name}</bdi>` : team && html`<span class="hint"><bdi>${team.name}</bdi></span>`}</td></tr>`;
}

/** How much is new for an agent, beside the menu's link. The page's script says it in the title, and aloud where they want that. */
export function newCaseCount(state: InboxState, view: Pick<View, 'who' | 'language' | 'now'>): Html {
  const { language } = view;
  const seen = seenBy(state, view);
  const news = state.cases.filter((it) => isNewCase(it, seen)).length;
  const free = state.cases.filter((it) => isShown(it, 'unassigned', seen) && isForThem(it, seen)).length;
  return html`<span id="news" class="count" data-news="${news}" data-free="${free}" data-says="${say(language, 'console.inboxNews', { count: { count: news + free } })}" title="${say(language, 'console.inboxNewsHint')}" ${news + free === 0 ? 'hidden' : ''}>${news + free}</span>`;
}
