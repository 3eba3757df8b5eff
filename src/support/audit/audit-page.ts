import { html } from 'hono/html';
import { type Address, isAddress } from '../../conversation/channel.ts';
import type { Language } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Who } from '../access/guard.ts';
import { type Html, layout } from '../layout.ts';
import { maskPhones } from '../masks.ts';
import { table } from '../pages/parts.ts';
import { type ConsoleKey, keyIn, say, wordFor } from '../sentences.ts';
import { moment } from '../times.ts';
import type { AuditPage } from './audit.ts';
import { ACTS_BY_GROUP, ENDINGS, type Entry } from './deeds.ts';
import type { Verdict } from './verify.ts';

/** The filters as typed. Empty: no filter. Days are written `2026-11-22`. */
export interface Asked {
  readonly by: string;
  readonly act: string;
  readonly on: string;
  readonly about: string;
  readonly end: string;
  readonly from: string;
  readonly to: string;
}

const HEADS = [
  ...(['console.auditNumber', 'console.auditAt', 'console.auditWho', 'console.auditAct'] as const),
  ...(['console.auditOn', 'console.auditWhy', 'console.auditOutcome'] as const),
];

/** The audit, newest first, for supervisors. */
export function auditPage({
  who,
  asked,
  page,
  verdict,
  sessionPage,
  because,
}: {
  readonly who: Who;
  readonly asked: Asked;
  readonly page: AuditPage;
  readonly verdict?: Verdict;
  readonly sessionPage: (address: Address) => string;
  readonly because: Because;
}): Html {
  const { language } = who;
  const text = (key: ConsoleKey) => say(language, key);
  const query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  const path = (to: string, more: Readonly<Record<string, string>>) =>
    `${BASE}/audit${to}?${new URLSearchParams({ ...query, ...more })}`;
  const rows = page.entries.map((entry) => row(language, entry, sessionPage, because));
  return layout({ language, who }, text('console.audit'), 'audit')`<h1>${text('console.audit')}</h1>
      ${verdict ? html`<p role="status" class="note ${moodOf(verdict)}">${sentenceOf(language, verdict)}</p>` : ''}
      ${filterForm(language, asked)}
      <section class="panel">${table(HEADS, rows, who, { className: 'lines' })}
      ${page.entries.length === 0 ? html`<p class="empty">${text('console.auditNone')}</p>` : ''}
      ${page.next === undefined ? '' : html`<p><a href="${path('', { before: `${page.next}` })}">${text('console.auditOlder')}</a></p>`}
      <p class="row"><a href="${path('/export', { as: 'csv' })}" download>${text('console.saveCsv')}</a>
      <a href="${path('/export', { as: 'jsonl' })}" download>${text('console.saveJsonLines')}</a></p></section>`;
}

function filterForm(language: Language, asked: Asked): Html {
  const text = (key: ConsoleKey) => say(language, key);
  const typed = (name: keyof Asked, key: ConsoleKey, max: number) =>
    html`<label>${text(key)} <input name="${name}" value="${asked[name]}" maxlength="${max}" dir="ltr"></label>`;
  const day = (name: 'from' | 'to', key: ConsoleKey) =>
    html`<label>${text(key)} <input type="date" name="${name}" value="${asked[name]}"></label>`;
  const chosen = (name: keyof Asked, key: ConsoleKey, options: readonly Html[]) =>
    html`<label>${text(key)} <select name="${name}"><option value="">${text('console.auditAny')}</option>${options}</select></label>`;
  const option = (name: keyof Asked, value: string, key: ConsoleKey) =>
    html`<option value="${value}" ${value === asked[name] ? 'selected' : ''}>${text(key)}</option>`;
  const acts = Object.entries(ACTS_BY_GROUP).map(
    ([group, of]) =>
      html`<optgroup label="${text(`console.${group as keyof typeof ACTS_BY_GROUP}`)}">${of.map((act) => option('act', act, keyIn('audit', act)))}</optgroup>`,
  );
  const endings = ENDINGS.map((end) => option('end', end, keyIn('auditEnd', end)));
  return html`<form method="get" action="${BASE}/audit" class="row">
        ${typed('by', 'console.auditWho', 64)}
        ${typed('about', 'console.auditAbout', 120)}
        ${chosen('act', 'console.auditAct', acts)}
        ${chosen('end', 'console.auditOutcome', endings)}
        ${day('from', 'console.fromDay')}
        ${day('to', 'console.toDay')}
        <button>${text('console.auditFilter')}</button>
      </form>
      <form method="get" action="${BASE}/audit" class="row">
        <label>${text('console.auditWitness')} <input name="witness" maxlength="200" dir="ltr" autocomplete="off"></label>
        <button name="check" value="1" class="quiet">${text('console.auditCheck')}</button>
      </form>`;
}

/** The reason why an act was refused or has failed, in a sentence. Undefined where there is none for that word. */
export type Because = (why: string, language: Language) => string | undefined;

function row(
  language: Language,
  entry: Entry,
  sessionPage: (address: Address) => string,
  because: Because,
): Html {
  const { n, at, who, act, on = '', about = '', from = '', session = '' } = entry;
  const iso = new Date(at).toISOString();
  const where = [from, session].filter(Boolean).join(' · ');
  return html`<tr>
    <td class="number">${n}</td>
    <td><time datetime="${iso}" title="${iso}" dir="ltr">${moment(at)}</time></td>
    <td><bdi>${who}</bdi>${where && html`<br><small><bdi dir="ltr">${where}</bdi></small>`}</td>
    <td>${wordFor(language, 'audit', act)}</td>
    <td>${isAddress(on) ? html`<a href="${sessionPage(on)}"><bdi>${maskPhones(on)}</bdi></a>` : html`<bdi>${maskPhones(on)}</bdi>`}${about && about !== on && html`<br><small><bdi dir="ltr">${maskPhones(about)}</bdi></small>`}</td>
    <td>${reasonOf(entry, language)}</td>
    <td>${endingOf(language, entry, because)}</td>
  </tr>`;
}

function reasonOf({ what = '', why = '' }: Entry, language: Language): Html {
  return html`${what && html`<b><bdi dir="auto">${wordFor(language, 'auditWhat', what)}</bdi></b> `}<bdi>${maskPhones(why)}</bdi>`;
}

/** The end of the act. Nothing where its end was not followed. */
function endingOf(language: Language, { end, endWhy = '' }: Entry, because: Because): Html {
  if (!end) return html``;
  const sentence = because(endWhy, language);
  const why = sentence
    ? html` <small title="${endWhy}">${sentence}</small>`
    : html` <code dir="ltr">${endWhy}</code>`;
  const mood = { open: 'busy', done: 'good', refused: 'bad', failed: 'bad' }[end];
  return html`<span class="badge ${mood}">${say(language, keyIn('auditEnd', end))}</span>${endWhy && why}`;
}

function moodOf(verdict: Verdict): string {
  if (!verdict.ok) return 'bad';
  return verdict.putBack ? 'busy' : 'good';
}

function sentenceOf(language: Language, verdict: Verdict): string {
  if (!verdict.ok) return say(language, keyIn('auditFault', verdict.why), { entry: { count: verdict.n } });
  const { count, open, head, putBack = [], isEndUnproven } = verdict;
  const whole = say(language, 'console.auditWhole', {
    entries: { count },
    open: { count: open },
    head: { code: head },
  });
  const places = { entries: { text: putBack.join(', ') } };
  return [
    whole,
    ...(isEndUnproven ? [say(language, 'console.auditEndUnproven')] : []),
    ...(putBack.length > 0 ? [say(language, 'console.auditWasPutBack', places)] : []),
  ].join(' ');
}
