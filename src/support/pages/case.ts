import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import {
  type Case,
  type CaseKind,
  type CaseStep,
  type Handler,
  isSnoozed,
  isTheirs,
} from '../../conversation/cases/case.ts';
import { channelOf } from '../../conversation/channel.ts';
import type { Language } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { cannedFor } from '../answers.ts';
import { type Label, labelsOf, offeredLabels } from '../labels.ts';
import type { Html } from '../layout.ts';
import { actsOf, type Macro, type MacroAct } from '../macros.ts';
import { piecesOf } from '../mentions.ts';
import { type ConsoleKey, keyIn, say, wordFor } from '../sentences.ts';
import { isSnooze, SNOOZES } from '../snooze.ts';
import { type Team, teamOf } from '../teams.ts';
import { moment } from '../times.ts';
import { type CasePane, deskPage, personSlot } from './desk-page.ts';
import type { Offered } from './options.ts';
import {
  ago,
  CHANNEL_NAMES,
  choice,
  code,
  draft,
  flash,
  form,
  labelPart,
  liveForm,
  MACRO_ACT_NAMES,
  phone,
  placePart,
  row,
  since,
  timeLeft,
  timeOf,
  type View,
} from './parts.ts';
import { CASE_NOTE } from './words.ts';

/** Notes of a case beside the work on it. All are on its own page. */
const NOTES_SHOWN_MAX = 3;
/** Other open cases of the customer there. All are on the customer's page. */
const OTHERS_SHOWN_MAX = 10;
const DIGEST_CHARACTERS = 16;
type Reader = Pick<View, 'who' | 'language'>;
type Languages = readonly (Language | undefined)[];
/** Tells a team from an account, whose id has no colon. */
export const TEAM_PREFIX = 'team:';

/** The state of a case, in words. */
export function stateName({ state }: Case, language: Language): string {
  return say(language, keyIn('case', state));
}

/** How a case stands, in a word or two. */
export function caseState(it: Case, { language, now }: Pick<View, 'language' | 'now'>): Html {
  const look = it.state === 'closed' ? '' : it.state === 'waiting' ? 'good' : 'busy';
  const stands = isSnoozed(it, now)
    ? html`<span class="badge">${it.snoozedFor === 'customer' ? say(language, 'console.caseSnoozedForCustomer') : html`${say(language, 'console.caseSnoozed')} <time dir="ltr">${moment(it.snoozedUntil ?? now)}</time>`}</span>`
    : html`<span class="badge ${look}">${stateName(it, language)}</span>`;
  return html`${stands}${
    it.end && html` <span class="hint">${say(language, keyIn('caseEnd', it.end))}</span>`
  }${it.isUrgent && html` <span class="badge bad">${say(language, 'console.caseUrgent')}</span>`}`;
}

/** The time that is left, or the delay. The page's script goes on with it. */
export function duePart({ due, state }: Case, view: View): Html {
  const { language, now } = view;
  if (state === 'closed') return html``;
  return due > now
    ? html`${say(language, 'console.caseDueIn')} ${timeLeft(due, view)}`
    : html`<span class="badge bad">${say(language, 'console.caseLate')} ${since(due, view)}</span>`;
}

/** The agent of an act about a case, with their role's rights over the cases of others. */
export function handlerOf({ id, role }: Pick<View['who'], 'id' | 'role'>): Handler {
  return { id, mayTake: may(role, 'takeFrom') };
}

/** True where a page offers somebody to change a case. Whether it is still so, the change itself finds out. */
export function mayHandle(it: Case, who: View['who']): boolean {
  return isTheirs(it, handlerOf(who));
}

/**
 * The case that a page is about, in a line: with its most frequent acts, and the other open cases of its customer.
 * @param isAnew an answer to a script puts it in its place
 */
export function caseBar(
  it: Case | undefined,
  others: readonly Case[],
  offered: Offered,
  view: View,
  isAnew = false,
): Html {
  if (!it && others.length === 0) return html``;
  const { language } = view;
  return html`<section id="case-bar" ${isAnew ? raw('hx-swap-oob="true"') : ''} class="panel wide case-bar" aria-label="${say(language, 'console.case')}">${it && barOf(it, offered, view)}${othersPart(it, others, view)}</section>`;
}

function barOf(it: Case, offered: Offered, view: View): Html {
  const { language, who } = view;
  const path = `/cases/${it.id}`;
  const act = (name: string, key: ConsoleKey) =>
    liveForm(`${path}/${name}`, view)`<button class="small">${say(language, key)}</button>`;
  const isMine = it.owner?.id === who.id;
  const allNotes = it.steps.filter(({ what }) => what === 'note');
  const notes = allNotes.slice(-NOTES_SHOWN_MAX);
  return html`
<p><a href="${BASE}${path}">${say(language, 'console.case')} ${code(it.id)}</a> · ${say(language, keyIn('case', it.kind))} ${caseState(it, view)} ${duePart(it, view)} · ${say(language, 'console.caseOwner')} <b><bdi>${it.owner?.name ?? say(language, 'console.caseNobody')}</bdi></b></p>
${labelsPart(it, offered, view, liveForm)}${
  may(who.role, 'workCases') &&
  it.state !== 'closed' &&
  html`<div class="acts">${!it.owner && act('take', 'console.caseTake')}
${isMine && it.state === 'open' && act('wait', 'console.caseWait')}
${mayHandle(it, who) && isPutOff(it, view) && act('go-on', 'console.caseGoOn')}
${handlingForms(it, path, offered, view, liveForm)}</div>`
}${
  notes.length > 0 &&
  html`<ul class="notes" aria-label="${say(language, 'console.caseNotes')}">${notes.map(({ at, by = '', note = '' }) => html`<li><p class="meta"><bdi>${by}</bdi> · ${ago(at, view)}</p><p dir="auto">${noteText(note, offered)}</p></li>`)}</ul>
${allNotes.length > notes.length && html`<p><a href="${BASE}${path}">${say(language, 'console.caseAllNotes', { count: { count: allNotes.length } })}</a></p>`}`
}`;
}

/**
 * The other open cases of the same customer, with their owners, and the form to merge this case into one. So nobody is
 * answered twice.
 */
function othersPart(it: Case | undefined, others: readonly Case[], view: View): Html {
  if (others.length === 0) return html``;
  const { language, who } = view;
  const mayMerge = it && it.state !== 'closed' && may(who.role, 'workCases') && mayHandle(it, who);
  const merge = ({ id }: Case) =>
    mayMerge &&
    liveForm(
      `/cases/${it.id}/merge`,
      view,
    )`<input type="hidden" name="into" value="${id}"><button class="small" name="merge">${say(language, 'console.caseMergeHere')}</button>`;
  const line = (other: Case) =>
    html`<li><span><a href="${BASE}/cases/${other.id}">${code(other.id)}</a> ${say(language, keyIn('case', other.kind))} ${other.address && CHANNEL_NAMES[channelOf(other.address)]} ${caseState(other, view)} · ${say(language, 'console.caseOwner')} <b><bdi>${other.owner?.name ?? say(language, 'console.caseNobody')}</bdi></b></span> ${merge(other)}</li>`;
  return html`<div class="more"><p class="hint">${say(language, 'console.caseOthers', { count: { count: others.length } })}</p>
<ul class="queue">${others.slice(0, OTHERS_SHOWN_MAX).map(line)}</ul></div>`;
}

/** Somebody has to take it up again before it is in the inbox. */
function isPutOff(it: Case, { now }: View): boolean {
  return it.state === 'waiting' || isSnoozed(it, now);
}

/**
 * The acts that need more than a press: a note, labels, a snooze, the end. Each opens with a key, too (`pages.js`). A
 * note and a label take nothing from the owner, so every agent can add them.
 */
function handlingForms(it: Case, path: string, offered: Offered, view: View, as: typeof form): Html {
  const { language, who } = view;
  const opened = (act: string, key: string, title: ConsoleKey, fields: Html) =>
    html`<details class="reveal" name="handling" data-key="${key}"><summary>${say(language, title)}</summary>${as(`${path}/${act}`, view)`${fields}`}</details>`;
  const text = html`<textarea name="text" rows="2" required dir="auto" ${draft(`note ${it.id}`, view)} aria-label="${say(language, 'console.caseNote')}" role="combobox" aria-expanded="false" aria-controls="names" aria-autocomplete="list"></textarea>
<ul id="names" role="listbox" aria-label="${say(language, 'console.caseOwners')}" hidden>${offered.agents.map(({ id, name }, i) => html`<li role="option" id="name-${i}" aria-selected="false" data-word="${id}" data-also="${name}"><b>@${id}</b> <bdi>${name}</bdi></li>`)}</ul>
<p class="hint">${say(language, 'console.caseNoteHint')}</p><button>${say(language, 'console.save')}</button>`;
  const until = html`<div class="row">${snoozeFields(view)}</div>
<p class="hint">${say(language, 'console.caseSnoozeHint')}</p><button>${say(language, 'console.caseSnooze')}</button>`;
  const end = html`<label class="wide">${say(language, 'console.caseCloseNote')}<input name="note" maxlength="${CASE_NOTE.max}" dir="auto" autocomplete="off"></label>
<p class="hint">${say(language, 'console.caseCloseHint')}</p><button class="main">${say(language, 'console.caseClose')}</button>`;
  const others = offeredLabels(offered.labels, it);
  const choice = html`<div class="choice">${others.map((label) => html`<label><input type="checkbox" name="label" value="${label.id}"> ${labelPart(label, view)}</label>`)}</div>
<button>${say(language, 'console.caseLabel')}</button>`;
  const receivers = receiversOf(it, offered);
  const receiver = html`<label>${say(language, 'console.caseOwner')}<select name="to">${ownerOptions(receivers, view)}</select></label>
<p class="hint">${say(language, 'console.caseGiveHint')}</p><button>${say(language, 'console.caseGive')}</button>`;
  // One that writes to nobody cannot be run.
  const macros = offered.macros
    .filter(({ answer }) => answer === undefined || it.address)
    .map((macro) => macroChoice(macro, it, offered, view));
  return html`${opened('note', 'm', 'console.caseNote', text)}${
    others.length > 0 && opened('label', 'l', 'console.caseLabel', choice)
  }${
    mayHandle(it, who) &&
    html`${macros.length > 0 && opened('macro', 'r', 'console.macroRun', html`${macros}<button class="main">${say(language, 'console.macroRun')}</button>`)}${receivers.agents.length + receivers.teams.length > 0 && opened('give', 'a', 'console.caseGive', receiver)}${opened('snooze', 'z', 'console.caseSnooze', until)}${opened('close', 'e', 'console.caseClose', end)}`
  }`;
}

function macroChoice(macro: Macro, it: Case, offered: Offered, view: View): Html {
  return macroOption(macro, [it.language], offered, view, false);
}

/**
 * The same for a macro that runs on several cases.
 * @param languages those of the customers; where there is not exactly one, the text is shown in the reader's own
 */
export function macroOption(
  macro: Macro,
  languages: Languages,
  offered: Offered,
  view: View,
  isPicked: boolean,
): Html {
  const { language } = view;
  const [theirs] = languages.length === 1 ? languages : [];
  const does = doneBy(macro, theirs, offered, view).map(
    ([act, , words]) =>
      html`<li><b>${say(language, MACRO_ACT_NAMES[act])}</b> <span dir="auto">${words ?? say(language, 'console.macroGone')}</span></li>`,
  );
  return html`<div class="macro"><label><input type="radio" name="macro" value="${macroRead(macro, languages, offered, view)}" ${languages.length === 1 ? 'required' : ''} ${isPicked ? 'checked' : ''} aria-describedby="does-${macro.id}"> <bdi>${macro.name}</bdi></label><ol id="does-${macro.id}">${does}</ol></div>`;
}

/** The acts of a macro on a case: each with its value, and the value in words, as the agent who runs it reads them. */
function doneBy(macro: Macro, theirs: Language | undefined, offered: Offered, view: Reader) {
  const inWords = (act: MacroAct, value: string) =>
    valueInWords(act, value, { ...(theirs && { language: theirs }) }, offered, view);
  return actsOf(macro).map(([act, value]) => [act, value, inWords(act, value)] as const);
}

/**
 * The value that is sent to run a macro: its id and a digest of the acts as they were read. A changed macro does not
 * run unread.
 * @param languages those of the customers whom it may write to
 */
export function macroRead(macro: Macro, languages: Languages, offered: Offered, view: Reader): string {
  const read = JSON.stringify(languages.map((each) => doneBy(macro, each, offered, view)));
  return `${macro.id}:${createHash('sha256').update(read).digest('hex').slice(0, DIGEST_CHARACTERS)}`;
}

/** The value of a macro's act, in words. Undefined where it does not exist any more. */
export function valueInWords(
  act: MacroAct,
  value: string,
  { language: theirs }: Pick<Case, 'language'>,
  { labels, teams, answers }: Offered,
  { who, language }: Reader,
): string | undefined {
  switch (act) {
    case 'answer': {
      const values = { agent: who.name, reference: '…' };
      return cannedFor(answers, theirs ?? language, language, values).find(({ id }) => id === value)?.text;
    }
    case 'label':
      return labels.find(({ id, isRemoved }) => id === value && !isRemoved)?.names[language];
    case 'give':
      return teams.find(({ id }) => id === value)?.name;
    case 'snooze':
      return isSnooze(value) ? say(language, keyIn('snooze', value)) : undefined;
    case 'close':
      return value;
  }
}

function labelsPart(it: Case, { labels }: Offered, view: View, as: typeof form): Html {
  const { language, who } = view;
  const isOpen = it.state !== 'closed' && may(who.role, 'workCases');
  const off = ({ id, names }: Label) =>
    as(
      `/cases/${it.id}/unlabel`,
      view,
    )`<input type="hidden" name="label" value="${id}"><button class="quiet small" aria-label="${say(language, 'console.caseUnlabelOne', { label: { text: names[language] } })}">×</button>`;
  const on = labelsOf(it, labels);
  return html`${on.length > 0 && html`<ul class="labels" aria-label="${say(language, 'console.labels')}">${on.map((label) => html`<li>${labelPart(label, view)}${isOpen && off(label)}</li>`)}</ul>`}`;
}

/** A note, with the names in it set off. */
function noteText(text: string, { agents }: Pick<Offered, 'agents'>): Html {
  return html`${piecesOf(text, agents).map(({ text: piece, isName }) => (isName ? html`<b class="mention">${piece}</b>` : piece))}`;
}

/** Until when something is put off: as it is chosen most often, or an exact time instead. */
export function snoozeFields(
  { language }: Pick<View, 'language'>,
  tried: { readonly for?: string | undefined; readonly at?: string | undefined } = {},
): Html {
  const times = SNOOZES.map((value) => [value, say(language, keyIn('snooze', value))] as const);
  return html`${choice(say(language, 'console.caseSnoozeUntil'), 'for', times, tried.for)}
<label>${say(language, 'console.caseSnoozeAt')}<input type="datetime-local" name="at" value="${tried.at ?? ''}"></label>`;
}

interface CaseContext {
  /** The page on which agents work on it, while that exists. */
  readonly workPath?: string;
  /** The records alone have it: it can only be read. */
  readonly isKept: boolean;
  readonly personPath?: string | undefined;
  readonly team?: Team | undefined;
  readonly others: readonly Case[];
  /** The earlier act of another agent because of which an act was refused, in a sentence. */
  readonly because?: string | undefined;
  readonly offered: Offered;
}

/** A case: how it stands, everything that happened to it, and what can be done about it. */
export function casePage(it: Case, context: CaseContext, pane: CasePane, view: View): Html {
  const { language, who } = view;
  const title = `${say(language, 'console.case')} ${it.id}`;
  const work = html`<header class="session-head"><h1>${say(language, 'console.case')} ${code(it.id)}</h1>
${context.workPath && html`<p><a href="${context.workPath}">${say(language, workKey(it.kind))}</a></p>`}</header>
${flash(view, context.because)}
<div class="panel"><dl class="rows">
${row('console.caseKind', say(language, keyIn('case', it.kind)), view)}
${row('console.state', caseState(it, view), view)}
${(it.labels ?? []).length > 0 && row('console.labels', labelsPart(it, context.offered, view, form), view)}
${it.wallet && row('console.wallet', phone(it.wallet, view), view)}
${it.about && row('console.stands', placePart(it.about, view), view)}
${row('console.caseOwner', html`<bdi>${it.owner?.name ?? say(language, 'console.caseNobody')}</bdi>`, view)}
${context.team && row('console.team', html`<bdi>${context.team.name}</bdi>`, view)}
${row('console.caseDue', duePart(it, view), view)}
${it.rating !== undefined && row('console.caseRating', wordFor(language, 'caseRating', `${it.rating}`), view)}
</dl>${context.isKept ? html`<p class="hint">${say(language, 'console.caseKept')}</p>` : may(who.role, 'workCases') && actsPart(it, context, view)}
<h2>${say(language, 'console.caseSteps')}</h2>
<ol class="steps">${it.steps.map((step) => html`<li class="${step.what}">${stepPart(step, context.offered, view)}</li>`)}</ol></div>`;
  return deskPage({ title, pane, work, person: it.wallet && personSlot(context.personPath, view) }, view);
}

function workKey(kind: CaseKind): ConsoleKey {
  return kind === 'asked' || kind === 'stuck' ? 'console.caseWork' : keyIn('caseWork', kind);
}

function stepPart({ at, what, by, note, from }: CaseStep, offered: Offered, { language }: View): Html {
  const { labels, agents } = offered;
  const rating = what === 'rated' ? wordFor(language, 'caseRating', note ?? '') : undefined;
  const label = /labelled$/.test(what) ? labels.find(({ id }) => id === note)?.names[language] : undefined;
  const until = what === 'snoozed' ? snoozedWords(note, language) : undefined;
  const words = rating ?? label ?? until ?? note;
  const before = from && { name: agents.find(({ id }) => id === from)?.name ?? from };
  return html`${timeOf(at)} <b>${wordFor(language, 'caseStep', what)}</b>${by && html` · <bdi>${by}</bdi>`}${words && html` · <span dir="auto">${what === 'note' ? noteText(words, offered) : words}</span>`}${before && html` ${say(language, 'console.caseStepFrom', { agent: before })}`}`;
}

/** The end of a snooze, as its step has it. Steps written by an earlier release do not name it. */
function snoozedWords(until: string | undefined, language: Language): string | undefined {
  if (!until) return undefined;
  const words = until === 'customer' ? say(language, 'console.snoozeCustomer') : moment(Number(until));
  return `${say(language, 'console.caseSnoozeUntil')} ${words}`;
}

/** The possible owners of cases: teams, then agents. */
export function ownerOptions(
  { teams, agents }: Pick<Offered, 'teams' | 'agents'>,
  { language, who }: Pick<View, 'language' | 'who'>,
  tried: string = who.id,
): Html {
  const group = (key: ConsoleKey, options: Html[]) =>
    html`${options.length > 0 && html`<optgroup label="${say(language, key)}">${options}</optgroup>`}`;
  const ofTeams = teams.map(
    ({ id, name }) =>
      html`<option value="${TEAM_PREFIX}${id}" ${`${TEAM_PREFIX}${id}` === tried ? 'selected' : ''}>${name}</option>`,
  );
  const ofAgents = agents.map(
    ({ id, name }) => html`<option value="${id}" ${id === tried ? 'selected' : ''}>${name}</option>`,
  );
  return html`${group('console.teams', ofTeams)}${group('console.caseOwners', ofAgents)}`;
}

/** Those of all to whom a case can be given: not who has it already. */
function receiversOf(it: Case, { teams, agents }: Offered): Pick<Offered, 'teams' | 'agents'> {
  const team = teamOf(it, teams);
  return {
    teams: teams.filter(({ id }) => id !== team?.id || it.owner !== undefined),
    agents: agents.filter(({ id }) => id !== it.owner?.id),
  };
}

function actsPart(it: Case, { others, offered }: CaseContext, view: View): Html {
  const { language, who } = view;
  const path = `/cases/${it.id}`;
  const act = (name: string, key: ConsoleKey) =>
    form(`${path}/${name}`, view)`<button>${say(language, key)}</button>`;
  if (it.state === 'closed')
    return html`<div class="acts">${it.end !== 'merged' && act('reopen', 'console.caseReopen')}</div>`;
  const mayChange = mayHandle(it, who);
  const cases = others.map(({ id, kind }) => [id, `${id} · ${say(language, keyIn('case', kind))}`] as const);
  return html`<div class="acts">
${!it.owner && act('take', 'console.caseTake')}
${mayChange && (isPutOff(it, view) ? act('go-on', 'console.caseGoOn') : act('wait', 'console.caseWait'))}
${mayChange && (it.isUrgent ? act('not-urgent', 'console.caseNotUrgent') : act('urgent', 'console.caseSetUrgent'))}</div>
<div class="acts">${
    mayChange &&
    others.length > 0 &&
    form(
      `${path}/merge`,
      view,
    )`<div class="row">${choice(say(language, 'console.caseMerge'), 'into', cases, undefined)}<button>${say(language, 'console.caseMerge')}</button></div>`
  }</div><div class="acts handling">${handlingForms(it, path, offered, view, form)}</div>`;
}
