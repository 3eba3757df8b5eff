import { html } from 'hono/html';
import { channelOf } from '../../conversation/channel.ts';
import { type ChannelName, LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Filter, Row } from '../board.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { placeName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { CHANNEL_NAMES, flash, phone, placePart, type Said, since, type View } from './parts.ts';

/** The number of sessions that are listed, and the number at high load, where none stays in place. The rest is counted. */
export const LISTED_MAX = 200;
export const LISTED_BUSY_MAX = 50;
/** The waiting times that can be chosen, in minutes. */
export const WAITS: readonly number[] = [1, 5, 15];

/** A session, as a line. */
export function rowPart(
  { address, id, wallet, language, place, since: from, owner, misses }: Row,
  view: View,
): Html {
  return html`<tr>
<td><a href="${BASE}/sessions/${id}">${wallet ? phone(wallet, view) : say(view.language, 'console.unlinked')}</a></td>
<td>${CHANNEL_NAMES[channelOf(address)]}</td>
<td>${placePart(place, view)}${misses > 0 && html` <span class="badge busy">${say(view.language, 'console.misses', { count: { count: misses } })}</span>`}</td>
<td lang="${language}">${LANGUAGE_NAMES[language]}</td>
<td class="number">${since(from, view)}</td>
<td>${owner && html`<span class="badge good">${owner}</span>`}</td></tr>`;
}

/** Sessions that are listed, of so many that were found. */
export interface Listed {
  readonly rows: readonly Row[];
  readonly count: number;
  /** There may be more: see `Board.isPartial`. */
  readonly isPartial: boolean;
  /** They are drawn anew so seldom, as more happens than anybody can read. */
  readonly pacedSeconds?: number | undefined;
}

/** The sessions that are under way and not filtered out, the newest first. */
export function rowsPart({ rows, count, isPartial, pacedSeconds }: Listed, view: View): Html {
  const { language } = view;
  const found = isPartial ? 'console.sessionsAtLeast' : 'console.sessionsFound';
  if (rows.length === 0) return html`<p class="empty">${say(language, 'console.noSessions')}</p>`;
  const heads = [
    'console.customer',
    'console.channel',
    'console.state',
    'console.customerLanguage',
    'console.standsFor',
    'console.agent',
  ] as const;
  return html`<div class="scroll"><table class="sessions lines">
<caption>${say(language, found, { count: { count } })}</caption>
<thead><tr>${heads.map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => rowPart(row, view))}</tbody></table></div>
${count > rows.length && html`<p class="hint">${isPartial ? say(language, 'console.moreSessionsAtLeast') : say(language, 'console.moreSessions', { count: { count: count - rows.length } })}</p>`}
${pacedSeconds !== undefined && html`<p class="hint">${say(language, 'console.rowsPaced', { count: { count: pacedSeconds } })}</p>`}`;
}

/** The filters of the list. Every change is applied at once. Without JavaScript, the button applies it. */
export function filterPart(filter: Filter, places: readonly string[], view: View): Html {
  const { language } = view;
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}" ${isChosen ? 'selected' : ''}>${label}</option>`;
  const any = (key: ConsoleKey, isChosen: boolean) => option('', say(language, key), isChosen);
  return html`<form class="filters" method="get" action="${BASE}" role="search" aria-label="${say(language, 'console.filters')}">
<label>${say(language, 'console.channel')}<select name="channel">${any('console.all', !filter.channel)}${(
    Object.keys(CHANNEL_NAMES) as ChannelName[]
  ).map((each) => option(each, CHANNEL_NAMES[each], each === filter.channel))}</select></label>
<label>${say(language, 'console.state')}<select name="place">${any('console.all', !filter.place)}${placesWith(
    places,
    filter,
  ).map((each) => option(each, placeName(each, language), each === filter.place))}</select></label>
<label>${say(language, 'console.customerLanguage')}<select name="speaks">${any('console.all', !filter.language)}${LANGUAGES.map(
    (each) => option(each, LANGUAGE_NAMES[each], each === filter.language),
  )}</select></label>
<label>${say(language, 'console.standsFor')}<select name="minutes">${any('console.anyTime', !filter.waitingMs)}${WAITS.map(
    (minutes) =>
      option(
        String(minutes),
        say(language, 'console.atLeast', { count: { count: minutes } }),
        filter.waitingMs === minutes * 60_000,
      ),
  )}</select></label>
<button>${say(language, 'console.filter')}</button></form>`;
}

/** The chosen filter stays in the list, even if no customer is there any more. */
function placesWith(places: readonly string[], { place }: Filter): readonly string[] {
  return place && !places.includes(place) ? [place, ...places] : places;
}

/** The live list: who needs a person first, then everybody else. */
export function listPage(
  parts: {
    readonly people: Html;
    readonly figures: Html;
    readonly sessions: Html;
    readonly filter: Html;
    readonly query: string;
    readonly said?: Said | undefined;
  },
  view: View,
): Html {
  const { language, who } = view;
  return layout({
    title: say(language, 'console.live'),
    language,
    who,
    at: 'live',
    body: html`<div class="list" hx-ext="sse" sse-connect="${BASE}/live?${parts.query}">
<div class="head"><h1>${say(language, 'console.live')}</h1></div>
${flash(parts.said, language)}
<section class="panel" aria-labelledby="h-people"><h2 id="h-people">${say(language, 'console.people')}</h2>
<div sse-swap="people">${parts.people}</div></section>
<section class="panel" aria-labelledby="h-sessions"><h2 id="h-sessions">${say(language, 'console.sessions')}</h2>
<div sse-swap="figures">${parts.figures}</div>
${parts.filter}<div sse-swap="sessions">${parts.sessions}</div></section></div>`,
  });
}
