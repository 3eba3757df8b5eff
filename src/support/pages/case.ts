import { html } from 'hono/html';
import type {
  Case,
  CaseEnd,
  CaseKind,
  CaseOwner,
  CaseState,
  CaseStep,
  CaseStepKind,
} from '../../conversation/cases/case.ts';
import { BASE } from '../access/endpoints.ts';
import { may } from '../access/roles.ts';
import { type Html, layout } from '../layout.ts';
import { type ConsoleKey, say } from '../sentences.ts';
import {
  code,
  flash,
  form,
  left,
  liveForm,
  phone,
  placePart,
  type Said,
  since,
  timeOf,
  type View,
} from './parts.ts';

export const CLOSE_NOTE_MAX_CHARACTERS = 500;

export const KIND_NAMES: Readonly<Record<CaseKind, ConsoleKey>> = {
  asked: 'console.caseAsked',
  stuck: 'console.caseStuck',
  payment: 'console.casePayment',
  webhook: 'console.caseWebhook',
};
const STATE_NAMES: Readonly<Record<CaseState, ConsoleKey>> = {
  open: 'console.caseOpen',
  waiting: 'console.caseWaiting',
  closed: 'console.caseClosed',
};
const END_NAMES: Readonly<Record<CaseEnd, ConsoleKey>> = {
  solved: 'console.caseEndSolved',
  byCustomer: 'console.caseEndByCustomer',
  byItself: 'console.caseEndByItself',
  merged: 'console.caseEndMerged',
};
const STEP_NAMES: Readonly<Record<CaseStepKind, ConsoleKey>> = {
  opened: 'console.caseStepOpened',
  askedAgain: 'console.caseStepAskedAgain',
  assigned: 'console.caseStepAssigned',
  answered: 'console.caseStepAnswered',
  customerWrote: 'console.caseStepCustomerWrote',
  waiting: 'console.caseStepWaiting',
  goesOn: 'console.caseStepGoesOn',
  urgent: 'console.caseStepUrgent',
  notUrgent: 'console.caseStepNotUrgent',
  breached: 'console.caseStepBreached',
  merged: 'console.caseStepMerged',
  closed: 'console.caseStepClosed',
  reopened: 'console.caseStepReopened',
  rated: 'console.caseStepRated',
};
const RATINGS: Readonly<Record<string, ConsoleKey>> = {
  1: 'console.caseRating1',
  2: 'console.caseRating2',
  3: 'console.caseRating3',
};
const WORK: Readonly<Record<CaseKind, ConsoleKey>> = {
  asked: 'console.caseWork',
  stuck: 'console.caseWork',
  payment: 'console.caseWorkPayment',
  webhook: 'console.caseWorkWebhook',
};

/** How a case stands, in a word or two. */
export function caseState(it: Case, { language }: Pick<View, 'language'>): Html {
  const look = it.state === 'closed' ? '' : it.state === 'waiting' ? 'good' : 'busy';
  return html`<span class="badge ${look}">${say(language, STATE_NAMES[it.state])}</span>${
    it.end && html` <span class="hint">${say(language, END_NAMES[it.end])}</span>`
  }${it.isUrgent && html` <span class="badge bad">${say(language, 'console.caseUrgent')}</span>`}`;
}

/** How long there is left, or how late it is; the page's script goes on with it. */
export function duePart({ due, state }: Case, view: View): Html {
  const { language, now } = view;
  if (state === 'closed') return html``;
  return due > now
    ? html`${say(language, 'console.caseDueIn')} ${left(due, view)}`
    : html`<span class="badge bad">${say(language, 'console.caseLate')} ${since(due, view)}</span>`;
}

/** The case that a page is about, in a line, with what is done about one most of all. */
export function caseBar(it: Case | undefined, view: View): Html {
  if (!it) return html``;
  const { language, who } = view;
  const path = `/cases/${it.id}`;
  const act = (name: string, key: ConsoleKey) =>
    liveForm(`${path}/${name}`, view, html`<button class="small">${say(language, key)}</button>`);
  const isMine = it.owner?.id === who.id;
  return html`<section class="panel wide case-bar" aria-label="${say(language, 'console.case')}">
<p><a href="${BASE}${path}">${say(language, 'console.case')} ${code(it.id)}</a> · ${say(language, KIND_NAMES[it.kind])} ${caseState(it, view)} ${duePart(it, view)} · ${say(language, 'console.caseOwner')} <b>${it.owner?.name ?? say(language, 'console.caseNobody')}</b></p>
${
  may(who.role, 'workCases') &&
  it.state !== 'closed' &&
  html`<div class="acts">${!it.owner && act('take', 'console.caseTake')}
${isMine && it.state === 'open' && act('wait', 'console.caseWait')}
${it.state === 'waiting' && act('go-on', 'console.caseGoOn')}
${closeForm(path, view, liveForm)}</div>`
}</section>`;
}

function closeForm(path: string, view: View, as: typeof form): Html {
  const { language } = view;
  return html`<details class="reveal close"><summary>${say(language, 'console.caseClose')}</summary>${as(
    `${path}/close`,
    view,
    html`<label class="wide">${say(language, 'console.caseCloseNote')}<input name="note" maxlength="${CLOSE_NOTE_MAX_CHARACTERS}" dir="auto" autocomplete="off"></label>
<p class="hint">${say(language, 'console.caseCloseHint')}</p><button class="main">${say(language, 'console.caseClose')}</button>`,
  )}</details>`;
}

/** What the page of a case shows besides the case. */
interface CaseContext {
  /** Where it is worked on. */
  readonly workPath: string;
  readonly personPath?: string | undefined;
  /** Whom it can be given to. */
  readonly agents: readonly CaseOwner[];
  /** Others about the same customer. */
  readonly others: readonly Case[];
}

/** A case: how it stands, everything that happened to it, and what can be done about it. */
export function casePage(it: Case, context: CaseContext, said: Said | undefined, view: View): Html {
  const { language, who } = view;
  const title = `${say(language, 'console.case')} ${it.id}`;
  const row = (key: ConsoleKey, value: Html | string) =>
    html`<div><dt>${say(language, key)}</dt><dd>${value}</dd></div>`;
  const rating = RATINGS[String(it.rating)];
  const body = html`<div class="narrow"><h1>${say(language, 'console.case')} ${code(it.id)}</h1>
<p><a href="${context.workPath}">${say(language, WORK[it.kind])}</a>${context.personPath && html` · <a href="${context.personPath}">${say(language, 'console.personTo')}</a>`}</p>
${flash(said, language)}
<div class="panel"><dl class="rows">
${row('console.caseKind', say(language, KIND_NAMES[it.kind]))}
${row('console.state', caseState(it, view))}
${it.wallet && row('console.wallet', phone(it.wallet, view))}
${it.about && row('console.stands', placePart(it.about, view))}
${row('console.caseOwner', it.owner?.name ?? say(language, 'console.caseNobody'))}
${row('console.caseDue', duePart(it, view))}
${rating && row('console.caseRating', say(language, rating))}
</dl>${may(who.role, 'workCases') && actsPart(it, context, view)}
<h2>${say(language, 'console.caseSteps')}</h2>
<ol class="steps">${it.steps.map((step) => html`<li>${stepPart(step, view)}</li>`)}</ol></div></div>`;
  return layout({ title, language, who, at: 'inbox', body });
}

function stepPart({ at, what, by, note }: CaseStep, { language }: View): Html {
  const name = STEP_NAMES[what];
  const rating = what === 'rated' ? RATINGS[note ?? ''] : undefined;
  const words = rating ? say(language, rating) : note;
  return html`${timeOf(at)} <b>${name ? say(language, name) : what}</b>${by && html` · <bdi>${by}</bdi>`}${words && html` · <span dir="auto">${words}</span>`}`;
}

function actsPart(it: Case, { agents, others }: CaseContext, view: View): Html {
  const { language, who } = view;
  const path = `/cases/${it.id}`;
  const act = (name: string, key: ConsoleKey) =>
    form(`${path}/${name}`, view, html`<button>${say(language, key)}</button>`);
  if (it.state === 'closed')
    return html`<div class="acts">${it.end !== 'merged' && act('reopen', 'console.caseReopen')}</div>`;
  const mayGive = !it.owner || it.owner.id === who.id || may(who.role, 'takeFrom');
  const choice = (
    name: string,
    key: ConsoleKey,
    options: readonly (readonly [value: string, label: string])[],
  ) =>
    html`<label>${say(language, key)}<select name="${name}">${options.map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select></label>`;
  return html`<div class="acts">
${!it.owner && act('take', 'console.caseTake')}
${it.state === 'open' ? act('wait', 'console.caseWait') : act('go-on', 'console.caseGoOn')}
${it.isUrgent ? act('not-urgent', 'console.caseNotUrgent') : act('urgent', 'console.caseSetUrgent')}</div>
<div class="acts">${
    mayGive &&
    agents.length > 0 &&
    form(
      `${path}/give`,
      view,
      html`<div class="row">${choice(
        'to',
        'console.caseGive',
        agents.map(({ id, name }) => [id, name]),
      )}<button>${say(language, 'console.caseGive')}</button></div>`,
    )
  }${
    others.length > 0 &&
    form(
      `${path}/merge`,
      view,
      html`<div class="row">${choice(
        'into',
        'console.caseMerge',
        others.map(({ id, kind }) => [id, `${id} · ${say(language, KIND_NAMES[kind])}`]),
      )}<button>${say(language, 'console.caseMerge')}</button></div>`,
    )
  }</div>${closeForm(path, view, form)}`;
}
