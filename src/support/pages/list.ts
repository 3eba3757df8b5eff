import { html } from 'hono/html';
import { channelOf } from '../../conversation/channel.ts';
import { BASE } from '../access/endpoints.ts';
import type { Filter, Row } from '../board.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { placeName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import { CHANNEL_NAMES, choice, flash, phone, placePart, since, table, type View } from './parts.ts';

/** The number of sessions that are listed, and the number at high load, where none stays in place. The rest is counted. */
export const LISTED_MAX = 200;
export const LISTED_BUSY_MAX = 50;
/** The waiting times that can be chosen, in minutes. */
export const WAITS: readonly number[] = [1, 5, 15];

/** A session, as a line. */
function rowPart(
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

interface Listed {
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
    ...(['console.customer', 'console.channel', 'console.state'] as const),
    ...(['console.customerLanguage', 'console.standsFor', 'console.agent'] as const),
  ];
  const caption = say(language, found, { count: { count } });
  const lines = rows.map((row) => rowPart(row, view));
  return html`${table(heads, lines, view, { className: 'sessions lines', caption })}
${count > rows.length && html`<p class="hint">${isPartial ? say(language, 'console.moreSessionsAtLeast') : say(language, 'console.moreSessions', { count: { count: count - rows.length } })}</p>`}
${pacedSeconds !== undefined && html`<p class="hint">${say(language, 'console.rowsPaced', { count: { count: pacedSeconds } })}</p>`}`;
}

/** The filters of the list. Every change is applied at once. Without JavaScript, the button applies it. */
export function filterPart(filter: Filter, places: readonly string[], { language }: View): Html {
  const text = (key: ConsoleKey) => say(language, key);
  const all = ['', text('console.all')] as const;
  const states = placesWith(places, filter).map((each) => [each, placeName(each, language)] as const);
  const waits = WAITS.map(
    (count) => [`${count}`, say(language, 'console.atLeast', { count: { count } })] as const,
  );
  const minutes = filter.waitingMs === undefined ? '' : `${filter.waitingMs / 60_000}`;
  return html`<form class="filters" method="get" action="${BASE}" role="search" aria-label="${text('console.filters')}">
${choice(text('console.channel'), 'channel', [all, ...Object.entries(CHANNEL_NAMES)], filter.channel)}
${choice(text('console.state'), 'place', [all, ...states], filter.place)}
${choice(text('console.customerLanguage'), 'speaks', [all, ...Object.entries(LANGUAGE_NAMES)], filter.language)}
${choice(text('console.standsFor'), 'minutes', [['', text('console.anyTime')], ...waits], minutes)}
<button>${text('console.filter')}</button></form>`;
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
  },
  view: View,
): Html {
  const { language } = view;
  return layout(
    view,
    say(language, 'console.live'),
    'live',
  )`<div class="list" hx-ext="sse" sse-connect="${BASE}/live?${parts.query}">
<div class="head"><h1>${say(language, 'console.live')}</h1></div>
${flash(view)}
<section class="panel" aria-labelledby="h-people"><h2 id="h-people">${say(language, 'console.people')}</h2>
<div sse-swap="people">${parts.people}</div></section>
<section class="panel" aria-labelledby="h-sessions"><h2 id="h-sessions">${say(language, 'console.sessions')}</h2>
<div sse-swap="figures">${parts.figures}</div>
${parts.filter}<div sse-swap="sessions">${parts.sessions}</div></section></div>`;
}
