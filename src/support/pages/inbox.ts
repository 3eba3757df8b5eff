import { html, raw } from 'hono/html';
import { CASE_KINDS, type Case, isSnoozed, isTakenFrom, waitsSince } from '../../conversation/cases/case.ts';
import type { CaseSort } from '../../conversation/cases/choice.ts';
import { channelOf } from '../../conversation/channel.ts';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { type CaseListName, isUnreadBy, type Narrowed, type Seen, SHOWN } from '../case-list.ts';
import { FILTER_NAME_MAX_CHARACTERS } from '../filters.ts';
import { type Label, labelsOf, offeredLabels } from '../labels.ts';
import type { LastWords } from '../last-words.ts';
import { type Html, LANGUAGE_NAMES } from '../layout.ts';
import { phoneFor } from '../masks.ts';
import { placeName } from '../names.ts';
import type { Present } from '../presence.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import { type Team, teamOf } from '../teams.ts';
import { caseState, duePart, macroOption, ownerOptions, snoozeFields, stateName } from './case.ts';
import { type Chosen, queryOf } from './case-selection.ts';
import type { Offered } from './options.ts';
import {
  CHANNEL_NAMES,
  choice,
  code,
  csrf,
  flash,
  form,
  labelPart,
  liveForm,
  phone,
  placePart,
  since,
  type View,
} from './parts.ts';
import { deedName } from './transcript.ts';
import { CASE_NOTE } from './words.ts';

/** How many cases of a list a page has. */
export const CASES_SHOWN_MAX = 100;

const SORT_NAMES: Readonly<Record<CaseSort, ConsoleKey>> = {
  due: 'console.caseDue',
  waiting: 'console.sortWaiting',
  newest: 'console.sortNewest',
  customer: 'console.customer',
  channel: 'console.channel',
  language: 'console.customerLanguage',
  reason: 'console.caseKind',
  owner: 'console.caseOwner',
};

/** The data of the inbox. */
export interface InboxState {
  /** The cases of the page. */
  readonly cases: readonly Case[];
  /** The case that is open beside the list, where the list does not have it. */
  readonly inHand?: Case | undefined;
  /** How many cases each list has, within the filters, and each saved filter. */
  readonly counts: Readonly<Record<CaseListName, number>>;
  readonly savedCounts: readonly number[];
  /** While the cases cannot be reached: who needs an agent now, as the live store knows. */
  readonly instead?: Html;
  readonly present: readonly Present[];
  /** Those of them who are on a break, by their ids. */
  readonly away: ReadonlySet<string>;
  /** The last words in the conversation of a case. */
  readonly lastWords: (it: Case) => Promise<LastWords | undefined>;
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

export function seenBy({ teams }: Pick<InboxState, 'teams'>, { who, now }: Pick<View, 'who' | 'now'>): Seen {
  return { agent: who.id, teams, now };
}

/** A case about which something was refused. */
export interface RefusedCase {
  readonly id: string;
  /** In a sentence. */
  readonly why?: string;
}

/** The result of an act on several cases. */
export interface Flash {
  /** Those about which it was refused: they stay chosen. */
  readonly not: readonly RefusedCase[];
  /** The attempt, as its form had it. */
  readonly tried: Tried;
}

type Tried = Readonly<Partial<Record<'act' | 'to' | 'for' | 'at' | 'label' | 'macro', string | undefined>>>;

/** One page of the inbox: the list, and the number of its page, from 1. */
export interface Opened {
  readonly chosen: Chosen;
  readonly page: number;
  /** It stands beside something else, and is there to be read and to lead on. */
  readonly isBeside: boolean;
  /** The case that is open there. */
  readonly at?: string | undefined;
  /** The agent has chosen no list, and no list has anything to do. */
  readonly isIdle?: boolean;
}

/** The list beside what an agent works on. */
export function casePane(state: InboxState, opened: Opened, view: View): Html {
  const { language, who } = view;
  return html`<div class="head"><h2><a href="${BASE}/inbox?${queryOf(opened.chosen)}">${say(language, 'console.inbox')}</a></h2>
${may(who.role, 'workCases') && nextForm(html``, view)}</div>
<div sse-swap="cases">${casesPart(state, opened, view)}</div>`;
}

/** The list by itself, with what is done about several cases at once, and with its filters. */
export function wholePane(
  state: InboxState,
  offered: Offered,
  opened: Opened,
  { not, tried }: Flash,
  view: View,
): Html {
  const { language, who } = view;
  const { chosen, page } = opened;
  const mayWork = may(who.role, 'workCases');
  return html`<div class="head"><h1>${say(language, 'console.inbox')}</h1>
${mayWork && nextForm(narrowedFields(chosen), view)}</div>
${flash(view)}
${not.length > 0 && html`<div class="note refused"><p>${say(language, 'console.inboxRefused')}</p><ul>${not.map(({ id, why }) => html`<li><a href="${BASE}/cases/${id}">${code(id)}</a> ${why}</li>`)}</ul></div>`}
${mayWork && bulkForm(state, offered, chosen, tried, page, view)}
<div sse-swap="cases">${casesPart(state, opened, view, new Set(not.map(({ id }) => id)))}</div>
<details class="narrowing"><summary>${say(language, 'console.inboxTools')}</summary>
${narrowForm(state, chosen, view)}
${filterForm(state, chosen, view)}
<p class="acts"><a href="${BASE}/inbox/csv?${queryOf(chosen)}" download>${say(language, 'console.saveCsv')}</a>${may(who.role, 'organise') && html`<a href="${BASE}/organisation">${say(language, 'console.organisation')}</a>`}</p></details>
<button id="alerts" type="button" class="quiet small" aria-pressed="false" hidden>${say(language, 'console.inboxAlerts')}</button>`;
}

function nextForm(fields: Html, view: View): Html {
  return html`<form id="next" method="post" action="${BASE}/inbox/next">${csrf(view)}${fields}<button class="main small">${say(view.language, 'console.inboxNext')}</button></form>`;
}

/** Filters cases by language or kind, among others. "Next" then takes one of these. */
function narrowForm({ teams, labels }: InboxState, chosen: Chosen, { language }: View): Html {
  const { shown, language: speaks, kind, team, label, sort } = chosen;
  const text = (key: ConsoleKey) => say(language, key);
  const all = ['', text('console.all')] as const;
  const sorts = Object.entries(SORT_NAMES).map(([each, key]) => [each, text(key)] as const);
  const kinds = CASE_KINDS.map((each) => [each, text(keyIn('case', each))] as const);
  const theTeams = teams.map(({ id, name }) => [id, name] as const);
  const theLabels = labels.filter(({ id, isRemoved }) => !isRemoved || id === label);
  return html`<form class="filters" method="get" action="${BASE}/inbox"><input type="hidden" name="show" value="${shown}">
${choice(text('console.inboxSort'), 'sort', sorts, sort ?? 'due')}
${choice(text('console.customerLanguage'), 'speaks', [all, ...Object.entries(LANGUAGE_NAMES)], speaks)}
${choice(text('console.caseKind'), 'kind', [all, ...kinds], kind)}
${teams.length > 0 && choice(text('console.team'), 'team', [all, ...theTeams], team)}
${labels.length > 0 && choice(text('console.label'), 'label', [all, ...namesOf(theLabels, language)], label)}
<button>${text('console.filter')}</button></form>`;
}

function namesOf(labels: readonly Label[], language: Language) {
  return labels.map(({ id, names }) => [id, names[language]] as const);
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
    return html`<details class="sure"><summary>${text('console.filterRemove')}</summary>${form(`/inbox/filters${known.isShared ? '/shared' : ''}/remove`, view)`${fields}<input type="hidden" name="id" value="${known.id}"><button class="danger">${text('console.removeSure')}</button>`}</details>`;
  return html`<details class="reveal" data-key="f"><summary>${text('console.filterSave')}</summary>${form(
    '/inbox/filters',
    view,
  )`${fields}<label>${text('console.filterName')}<input name="name" required maxlength="${FILTER_NAME_MAX_CHARACTERS}" dir="auto" autocomplete="off"></label>
<div class="acts"><button class="main">${text('console.save')}</button>${mayShare && html`<button formaction="${BASE}/inbox/filters/shared">${text('console.filterShare')}</button>`}</div>`}</details>`;
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
  const isLabelled = shownLabels.length > 0;
  const acts = [
    ...([
      ['give', 'console.caseGive'],
      ['snooze', 'console.caseSnooze'],
      ['go-on', 'console.caseGoOn'],
    ] as const),
    ...(isLabelled
      ? ([
          ['label', 'console.caseLabel'],
          ['unlabel', 'console.caseUnlabel'],
        ] as const)
      : []),
    ['close', 'console.caseClose'] as const,
    ...(macros.length > 0 ? ([['macro', 'console.macroRun']] as const) : []),
  ].map(([act, key]) => [act, say(language, key)] as const);
  return html`<form id="bulk" class="row panel" method="post" action="${BASE}/inbox/bulk">${csrf(view)}<input type="hidden" name="show" value="${chosen.shown}"><input type="hidden" name="page" value="${page}">${narrowedFields(chosen)}
${choice(html`<span>${say(language, 'console.inboxChosen')} <output id="chosen"></output></span>`, 'act', acts, tried.act)}
<div class="row for-give"><label>${say(language, 'console.caseOwner')}<select name="to">${ownerOptions({ teams, agents }, view, tried.to)}</select></label></div>
<div class="row for-snooze">${snoozeFields(view, tried)}</div>
<div class="row for-label for-unlabel">${choice(say(language, 'console.label'), 'label', namesOf(shownLabels, language), tried.label)}</div>
<div class="row for-close"><label>${say(language, 'console.caseCloseNote')}<input name="note" maxlength="${CASE_NOTE.max}" dir="auto" autocomplete="off"></label><span class="hint">${say(language, 'console.caseCloseHint')}</span></div>
<div class="row for-macro"><p class="hint">${say(language, 'console.inboxMacroHint')}</p>${macros.map((macro) => macroOption(macro, LANGUAGES, offered, view, tried.macro?.startsWith(`${macro.id}:`) === true))}</div>
<button class="main">${say(language, 'console.inboxApply')}</button></form>`;
}

/** Cases as lines of a table to be saved, its heads first. Moments are ISO 8601. */
export function inboxLines(
  cases: readonly Case[],
  { teams, labels }: Pick<InboxState, 'teams' | 'labels'>,
  { language, sight, now }: View,
): string[][] {
  const heads = [
    ...(['console.case', 'console.caseKind', 'console.customer', 'console.channel'] as const),
    ...(['console.customerLanguage', 'console.stands', 'console.state', 'console.caseSnoozed'] as const),
    ...(['console.caseDue', 'console.caseOwner', 'console.team', 'console.labels'] as const),
  ];
  const iso = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString());
  return [
    heads.map((head) => say(language, head)),
    ...cases.map((it) => [
      it.id,
      say(language, keyIn('case', it.kind)),
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
  opened: Opened,
  view: View,
  picked: ReadonlySet<string> = new Set(),
): Html {
  const { language, who } = view;
  if (state.instead !== undefined)
    return html`<div class="note busy" role="status"><p><b>${say(language, 'console.inboxAway')}</b></p><p>${say(language, 'console.inboxAwayHint')}</p></div>
<h3>${say(language, 'console.people')}</h3>${state.instead}`;
  const { chosen, isBeside, page } = opened;
  const seen = seenBy(state, view);
  const rows = state.cases;
  const count = state.counts[chosen.shown];
  const isInTeam = state.teams.some(({ members }) => members.includes(who.id));
  const tab = (query: Chosen, name: string | Html, count: number, isHere: boolean) =>
    html`<a href="${BASE}/inbox?${queryOf(query)}" ${isHere ? raw('aria-current="page"') : ''}>${name} <span class="count">${count}</span></a>`;
  const list = (each: CaseListName) =>
    tab(
      { ...chosen, shown: each },
      say(language, keyIn('inbox', each)),
      state.counts[each],
      each === chosen.shown,
    );
  const named = filterOf(state, chosen);
  const saved = (each: NamedFilter, i: number) =>
    tab(each.chosen, html`<bdi>${each.name}</bdi>`, state.savedCounts[i] ?? 0, each === named);
  return html`<nav class="tabs" aria-label="${say(language, 'console.inboxShow')}">${SHOWN.filter((each) => each !== 'team' || isInTeam).map(list)}</nav>
${state.filters.length > 0 && html`<nav class="tabs saved" aria-label="${say(language, 'console.filters')}">${state.filters.map(saved)}</nav>`}
${
  !isBeside &&
  chosen.shown === 'mentions' &&
  rows.some((it) => isMentioned(it, who)) &&
  readForm(chosen, html`<button class="small">${say(language, 'console.mentionsAllRead')}</button>`, view)
}
${isBeside && state.inHand && html`<div class="listed"><span>${say(language, 'console.inboxInHand')}</span></div><ul class="cases">${rowPart(state.inHand, false, state, opened, seen, view)}</ul>`}${
  rows.length === 0
    ? html`<p class="empty no-cases">${say(language, 'console.inboxEmpty')}</p>`
    : html`<div class="listed">${may(who.role, 'workCases') && !isBeside && html`<label class="check"><input type="checkbox" id="choose-all"><span class="unseen">${say(language, 'console.inboxChooseAll')}</span></label>`}<span>${say(language, 'console.inboxCount', { count: { count } })} · ${say(language, SORT_NAMES[chosen.sort ?? 'due'])}</span></div>
<ul class="cases">${rows.map((it) => rowPart(it, picked.has(it.id), state, opened, seen, view))}</ul>${pagesPart(chosen, page, count, view)}`
}
<p class="hint present">${say(language, 'console.inboxPresent')} ${state.present.map(({ name, id }) => html`<span class="badge ${id === who.id ? 'good' : ''}"><bdi>${name}</bdi>${state.away.has(id) && html` · ${say(language, 'console.awayIs')}`}</span> `)}</p>`;
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
function isMentioned({ mentions }: Case, { id }: View['who']): boolean {
  return mentions?.[id] === true;
}

/** A form that marks mentions as read without opening them. @param fields which one; without: all that the list shows */
function readForm(chosen: Chosen, fields: Html, view: View): Html {
  return liveForm('/inbox/read', view, 'read')`${narrowedFields(chosen)}${fields}`;
}

/** A case as a line: a click anywhere on it opens it, but for its box and its form. */
async function rowPart(
  it: Case,
  isPicked: boolean,
  { labels, lastWords }: InboxState,
  { chosen, at, isBeside }: Opened,
  seen: Seen,
  view: View,
): Promise<Html> {
  const { language, who, now } = view;
  const { id, kind, address, wallet, about, owner, state } = it;
  const team = teamOf(it, seen.teams);
  const isNew = isUnreadBy(it, who.id);
  const waits = waitsSince(it);
  const marks = html`${isNew && html`<span class="dot"><span class="unseen">${say(language, 'console.caseNew')}</span></span>`}${isMentioned(it, who) && isTakenFrom(it, who.id) && html` <span class="badge busy">${say(language, 'console.caseTaken')}</span>`}`;
  const name = wallet
    ? phone(wallet, view)
    : say(language, address ? 'console.unlinked' : keyIn('case', kind));
  const facts = [
    address && CHANNEL_NAMES[channelOf(address)],
    it.language && html`<span lang="${it.language}">${LANGUAGE_NAMES[it.language]}</span>`,
    say(language, keyIn('case', kind)),
    about && placePart(about, view),
  ].filter(Boolean);
  const stands = state !== 'open' || isSnoozed(it, now) || it.isUrgent;
  return html`<li class="case ${isNew ? 'unread' : ''}">
${may(who.role, 'workCases') && !isBeside && html`<span class="choose">${state !== 'closed' && html`<input type="checkbox" form="bulk" name="id" value="${id}" aria-label="${say(language, 'console.inboxChoose', { case: { code: id } })}" ${isPicked ? 'checked' : ''}>`}</span>`}
<p class="case-head"><a class="opens" href="${BASE}/cases/${id}/work" ${id === at ? raw('aria-current="true"') : ''}>${name}</a> ${marks}<span class="case-since">${waits !== undefined && !isSnoozed(it, now) && since(waits, view)}</span></p>
<p class="case-words" dir="auto">${wordsPart(await lastWords(it), language)}</p>
<p class="case-facts one-line">${facts.map((fact, i) => html`${i > 0 && ' · '}${fact}`)}</p>
<p class="case-facts">${code(id)} ${stands && caseState(it, view)} <span>${duePart(it, view)}</span> ${labelsOf(it, labels).map((label) => labelPart(label, view))}<span class="case-owner">${owner ? html`<bdi>${owner.name}</bdi>` : team && html`<bdi>${team.name}</bdi>`}</span></p>${!isBeside && chosen.shown === 'mentions' && isMentioned(it, who) && readForm(chosen, html`<input type="hidden" name="id" value="${id}"><button class="quiet small">${say(language, 'console.mentionRead')}</button>`, view)}</li>`;
}

/** The last thing in a conversation, in a line. */
function wordsPart(last: LastWords | undefined, language: Language): Html {
  if (!last) return html``;
  const { entry } = last;
  if (!('text' in entry)) return html`${deedName(entry, language)}`;
  // A line of its own for each part of a message is too much here. An adviser's begins with their name.
  return html`<span lang="${last.language}">${entry.text.replaceAll('\n', ' ')}</span>`;
}

/**
 * How much is new for an agent, beside the menu's link. The page's script says it in the title, and aloud where they want that.
 * @param news their cases in which something is new @param free cases of nobody that are for them
 */
export function newCaseCount(news: number, free: number, { language }: Pick<View, 'language'>): Html {
  return html`<span id="news" class="count" data-news="${news}" data-free="${free}" data-says="${say(language, 'console.inboxNews', { count: { count: news + free } })}" title="${say(language, 'console.inboxNewsHint')}" ${news + free === 0 ? 'hidden' : ''}>${news + free}</span>`;
}
