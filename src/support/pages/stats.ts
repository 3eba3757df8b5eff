import { html } from 'hono/html';
import { type ChannelName, LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Row } from '../board.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import type { Live } from '../live.ts';
import { callName, flowName, outcomeCode, outcomeName, stepName } from '../names.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import type { Funnel, Slice, Stats } from '../stats.ts';
import { took } from '../times.ts';
import { rowPart } from './list.ts';
import { CHANNEL_NAMES, named, placePart, timeOf, type View } from './parts.ts';
import type { TodayTable } from './today-tables.ts';

/** How many kinds of failures are listed. */
const FAILURES_MAX = 30;

/** The figures of today: where customers arrive, where they give up, how long each step takes, and the failures. */
export function statsPage(
  { stats, isFilling, isCut }: Pick<Live, 'stats' | 'isFilling' | 'isCut'>,
  slice: Slice,
  shown: { readonly place: string; readonly rows: readonly Row[] } | undefined,
  view: View,
): Html {
  const { language, who } = view;
  const funnels = stats.funnels(slice);
  return layout({
    title: say(language, 'console.today'),
    language,
    who,
    at: 'today',
    body: html`<div class="stats"><div class="head"><h1>${say(language, 'console.today')}</h1>${
      stats.since !== undefined &&
      html`<p class="hint">${say(language, 'console.since')} ${timeOf(stats.since)}</p>`
    }</div>
${isFilling && html`<p class="hint" role="status">${say(language, 'console.filling')}</p>`}
${isCut && html`<p class="hint"><a href="${BASE}/figures">${say(language, 'console.todayCut')}</a></p>`}
${sliceForm(slice, view)}
${shown && recentPart(shown.place, shown.rows, view)}
<section class="panel" aria-labelledby="h-funnels"><h2 id="h-funnels">${say(language, 'console.conversations')}</h2>
${funnels.length === 0 ? html`<p class="empty">${say(language, 'console.nothingYet')}</p>` : funnels.map((funnel) => funnelPart(funnel, slice, view))}
<p class="row">${saveLink('conversations', 'console.conversations', slice, view)} ${saveLink('states', 'console.state', slice, view)}</p></section>
<section class="panel" aria-labelledby="h-failures"><h2 id="h-failures">${say(language, 'console.failures')}</h2>${failuresPart(stats, view)}
<p class="row">${saveLink('failures', 'console.failures', {}, view)}</p></section>
<section class="panel" aria-labelledby="h-lag"><h2 id="h-lag">${say(language, 'console.webhookLag')}</h2>${lagPart(stats, view)}
<p class="row">${saveLink('webhookLag', 'console.webhookLag', {}, view)}</p></section></div>`,
  });
}

/** The link that saves a table, with its name, as there are several on the page. */
function saveLink(table: TodayTable, title: ConsoleKey, slice: Slice, { language }: View): Html {
  const query = queryOf(slice);
  return html`<a href="${BASE}/today/csv/${table}${query && `?${query}`}" download>${say(language, 'console.saveCsv')} · ${say(language, title)}</a>`;
}

function sliceForm({ channel, language: speaks }: Slice, { language }: View): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}" ${isChosen ? 'selected' : ''}>${label}</option>`;
  return html`<form class="filters" method="get" action="${BASE}/today">
<label>${say(language, 'console.channel')}<select name="channel">${option('', say(language, 'console.all'), !channel)}${(Object.keys(CHANNEL_NAMES) as ChannelName[]).map((each) => option(each, CHANNEL_NAMES[each], each === channel))}</select></label>
<label>${say(language, 'console.customerLanguage')}<select name="speaks">${option('', say(language, 'console.all'), !speaks)}${LANGUAGES.map((each) => option(each, LANGUAGE_NAMES[each], each === speaks))}</select></label>
<button>${say(language, 'console.filter')}</button></form>`;
}

/** A conversation as a bar of what became of it, and its states in a table. */
function funnelPart(
  { machine, started, completed, dropped, failed, unknown, states }: Funnel,
  slice: Slice,
  { language }: View,
): Html {
  const heads = ['console.state', 'console.visits', 'console.dropped', 'console.medianTime'] as const;
  const figure = (key: ConsoleKey, count: number) => html`<span>${say(language, key)} <b>${count}</b></span>`;
  return html`<details class="funnel"><summary>${named(flowName(machine, language), machine)}
<span class="figures">${figure('console.started', started)}
${figure('console.completed', completed)}
${failed > 0 && figure('console.paymentsFailed', failed)}
${unknown > 0 && figure('console.paymentsOpen', unknown)}
${figure('console.dropped', dropped)}</span>
<progress max="${Math.max(1, started)}" value="${Math.min(completed, started)}" aria-label="${say(language, 'console.completed')}"></progress></summary>
<div class="scroll"><table><thead><tr>${heads.map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${states.map(
    ({
      place,
      visits,
      dropped: left,
      medianMs,
    }) => html`<tr><td><a href="${BASE}/today?${queryOf(slice, place)}">${named(stepName(place, language), place)}</a></td>
<td class="number">${visits}</td><td class="number">${left}</td>
<td class="number">${medianMs === undefined ? '' : html`<bdi>${took(medianMs, language)}</bdi>`}</td></tr>`,
  )}</tbody></table></div></details>`;
}

/** Sessions that were lately in a state, masked like everywhere. */
function recentPart(place: string, rows: readonly Row[], view: View): Html {
  const { language } = view;
  return html`<section class="panel" aria-labelledby="h-recent"><h2 id="h-recent">${say(language, 'console.recentIn')} ${placePart(place, view)}</h2>
${rows.length === 0 ? html`<p class="empty">${say(language, 'console.noSessions')}</p>` : html`<div class="scroll"><table class="sessions lines"><tbody>${rows.map((row) => rowPart(row, view))}</tbody></table></div>`}</section>`;
}

function failuresPart(stats: Stats, { language }: View): Html {
  const failures = stats.failures().slice(0, FAILURES_MAX);
  if (failures.length === 0) return html`<p class="empty">${say(language, 'console.noFailures')}</p>`;
  const heads = ['console.call', 'console.answer', 'console.times'] as const;
  return html`<div class="scroll"><table><thead><tr>${heads.map((key) => html`<th scope="col">${say(language, key)}</th>`)}</tr></thead>
<tbody>${failures.map(({ effect, outcome, count }) => html`<tr><td>${named(callName(effect, language), effect)}</td><td>${named(outcomeName(outcome, language), outcomeCode(outcome))}</td><td class="number">${count}</td></tr>`)}</tbody></table></div>`;
}

function lagPart(stats: Stats, { language }: View): Html {
  const lag = stats.webhookLag();
  const [median, slow] = [lag.quantile(0.5), lag.quantile(0.95)];
  if (median === undefined || slow === undefined)
    return html`<p class="empty">${say(language, 'console.noWebhooks')}</p>`;
  const row = (key: ConsoleKey, ms: number) =>
    html`<div><dt>${say(language, key)}</dt><dd><bdi>${took(ms, language)}</bdi></dd></div>`;
  return html`<dl class="rows">${row('console.medianTime', median)}${row('console.slowest', slow)}
<div><dt>${say(language, 'console.times')}</dt><dd>${lag.count}</dd></div></dl>`;
}

function queryOf({ channel, language }: Slice, place?: string): string {
  return new URLSearchParams({
    ...(place && { place }),
    ...(channel && { channel }),
    ...(language && { speaks: language }),
  }).toString();
}
