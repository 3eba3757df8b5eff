import { html } from 'hono/html';
import { CASE_KINDS, type CaseOwner } from '../../conversation/cases/case.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import {
  ANSWER_MAX_CHARACTERS,
  cannedFor,
  VALUES,
  WORD_MAX_CHARACTERS,
  type WrittenAnswer,
} from '../answers.ts';
import { LABEL_COLOURS, LABEL_NAME_MAX_CHARACTERS, type Label, offeredLabels } from '../labels.ts';
import { type Html, LANGUAGE_NAMES, layout } from '../layout.ts';
import { actsOf, MACRO_NAME_MAX_CHARACTERS, type Macro, type MacroAct } from '../macros.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import { SNOOZES } from '../snooze.ts';
import { TEAM_NAME_MAX_CHARACTERS, type Team } from '../teams.ts';
import { valueInWords } from './case.ts';
import type { Offered } from './options.ts';
import { choice, code, flash, labelPart, liveForm, MACRO_ACT_NAMES, type View } from './parts.ts';
import { type Assigning, rulesPart } from './rules.ts';
import { CASE_NOTE } from './words.ts';

const OPTION_MAX_CHARACTERS = 60;

/** The settings that supervisors make for all agents: teams and their kinds of cases, and the texts on offer. */
export function organisationPage(offered: Offered, assigning: Assigning, view: View): Html {
  const { language } = view;
  const { teams, answers, labels, macros, agents } = offered;
  const text = (key: ConsoleKey) => say(language, key);
  const values = VALUES.map((name) => html`${code(`{{${name}}}`)} ${text(keyIn('answerValue', name))}`);
  const body = html`<h1>${text('console.organisation')}</h1>
${flash(view)}
<section class="panel" aria-labelledby="h-teams"><h2 id="h-teams">${text('console.teams')}</h2>
${teams.length === 0 && html`<p class="empty">${text('console.teamNone')}</p>`}
${teams.map((team) => entry(html`<b><bdi>${team.name}</bdi></b> <span class="hint">${membersOf(team, agents)}</span>`, html`${teamForm(team, agents, view)}${removal('teams', team.id, view)}`))}
${entry(text('console.teamNew'), teamForm(undefined, agents, view))}</section>
${rulesPart(assigning, agents, view)}
<section class="panel" aria-labelledby="h-labels"><h2 id="h-labels">${text('console.labels')}</h2>
<p class="hint">${text('console.labelHint')}</p>
${labels.length === 0 && html`<p class="empty">${text('console.labelNone')}</p>`}
${labels.map((label) => entry(html`${labelPart(label, view)}${label.isRemoved && html` <span class="hint">${text('console.labelRemoved')}</span>`}`, html`${labelForm(label, view)}${!label.isRemoved && removal('labels', label.id, view)}`))}
${entry(text('console.labelNew'), labelForm(undefined, view))}</section>
<section class="panel" aria-labelledby="h-answers"><h2 id="h-answers">${text('console.answers')}</h2>
<p class="hint">${text('console.answerHint')} ${values.map((each, i) => html`${i > 0 && ' · '}${each}`)}</p>
${answers.length === 0 && html`<p class="empty">${text('console.answerNone')}</p>`}
${answers.map((answer) => entry(html`<b>/${answer.words[language]}</b> <span class="hint">${answer.texts[language]}</span>`, html`${answerForm(answer, view)}${removal('answers', answer.id, view)}`))}
${entry(text('console.answerNew'), answerForm(undefined, view))}</section>
<section class="panel" aria-labelledby="h-macros"><h2 id="h-macros">${text('console.macros')}</h2>
<p class="hint">${text('console.macroHint')}</p>
${macros.length === 0 && html`<p class="empty">${text('console.macroNone')}</p>`}
${macros.map((macro) =>
  entry(
    html`<b><bdi>${macro.name}</bdi></b> <span class="hint">${actsOf(macro)
      .map(
        ([act, value]) =>
          `${text(MACRO_ACT_NAMES[act])} – ${valueInWords(act, value, {}, offered, view) ?? text('console.macroGone')}`,
      )
      .join(' · ')}</span>`,
    html`${macroForm(macro, offered, view)}${removal('macros', macro.id, view)}`,
  ),
)}
${entry(text('console.macroNew'), macroForm(undefined, offered, view))}</section>`;
  return layout(view, text('console.organisation'), 'organisation')`${body}`;
}

function membersOf({ members }: Team, agents: readonly CaseOwner[]): string {
  return members.map((member) => agents.find(({ id }) => id === member)?.name ?? member).join(', ');
}

function entry(summary: Html | string, body: Html): Html {
  return html`<details class="entry"><summary>${summary}</summary>${body}</details>`;
}

function idField(it: { readonly id: string } | undefined): Html {
  return html`${it && html`<input type="hidden" name="id" value="${it.id}">`}`;
}

function saveButton({ language }: View): Html {
  return html`<button class="main">${say(language, 'console.save')}</button>`;
}

/** A removal affects all agents, so it asks for a confirmation. */
function removal(of: 'teams' | 'answers' | 'labels' | 'macros', id: string, view: View): Html {
  const { language } = view;
  return html`<details class="sure"><summary>${say(language, 'console.removeIt')}</summary>${liveForm(`/organisation/${of}/remove`, view)`${idField({ id })}<button class="danger">${say(language, 'console.removeSure')}</button>`}</details>`;
}

function teamForm(team: Team | undefined, agents: readonly CaseOwner[], view: View): Html {
  const { language } = view;
  const choice = (name: string, value: string, label: string, isChosen: boolean) =>
    html`<label><input type="checkbox" name="${name}" value="${value}" ${isChosen ? 'checked' : ''}> <bdi>${label}</bdi></label>`;
  const members = agents.map(({ id, name }) =>
    choice('member', id, name, team?.members.includes(id) === true),
  );
  const kinds = CASE_KINDS.map((kind) =>
    choice('kind', kind, say(language, keyIn('case', kind)), team?.kinds.includes(kind) === true),
  );
  return liveForm(
    '/organisation/teams',
    view,
  )`${idField(team)}<label>${say(language, 'console.teamName')}<input name="name" required maxlength="${TEAM_NAME_MAX_CHARACTERS}" dir="auto" autocomplete="off" value="${team?.name ?? ''}"></label>
<fieldset class="radios"><legend>${say(language, 'console.teamMembers')}</legend>${members}</fieldset>
<fieldset class="radios"><legend>${say(language, 'console.teamKinds')}</legend>${kinds}</fieldset>
<p class="hint">${say(language, 'console.teamKindsHint')}</p>${saveButton(view)}`;
}

function labelForm(label: Label | undefined, view: View): Html {
  const { language } = view;
  const names = LANGUAGES.map(
    (each) =>
      html`<label><span lang="${each}">${LANGUAGE_NAMES[each]}</span><input name="name-${each}" required maxlength="${LABEL_NAME_MAX_CHARACTERS}" lang="${each}" dir="${each === 'ar' ? 'rtl' : 'ltr'}" autocomplete="off" value="${label?.names[each] ?? ''}"></label>`,
  );
  const colours = LABEL_COLOURS.map(
    (each, i) =>
      html`<label><input type="radio" name="colour" value="${each}" required ${each === label?.colour || (!label && i === 0) ? 'checked' : ''}> <span class="label ${each}">${say(language, keyIn('colour', each))}</span></label>`,
  );
  return liveForm('/organisation/labels', view)`${idField(label)}<div class="languages-row">${names}</div>
<fieldset class="radios in-line"><legend>${say(language, 'console.labelColour')}</legend>${colours}</fieldset>${saveButton(view)}`;
}

/** A word and a text in each language: which language is meant stands above them. */
function answerForm(answer: WrittenAnswer | undefined, view: View): Html {
  const { language } = view;
  const inEach = LANGUAGES.map((each) => {
    const direction = each === 'ar' ? 'rtl' : 'ltr';
    return html`<fieldset class="radios"><legend lang="${each}">${LANGUAGE_NAMES[each]}</legend>
<label>${say(language, 'console.answerWord')}<input name="word-${each}" required maxlength="${WORD_MAX_CHARACTERS}" lang="${each}" dir="${direction}" autocomplete="off" value="${answer?.words[each] ?? ''}"></label>
<label>${say(language, 'console.answerText')}<textarea name="text-${each}" rows="4" required maxlength="${ANSWER_MAX_CHARACTERS}" lang="${each}" dir="${direction}">${answer?.texts[each] ?? ''}</textarea></label></fieldset>`;
  });
  return liveForm(
    '/organisation/answers',
    view,
  )`${idField(answer)}<div class="languages-row">${inEach}</div>${saveButton(view)}`;
}

/** As much of an answer as tells it from others. */
function clipped(text: string): string {
  return text.length > OPTION_MAX_CHARACTERS ? `${text.slice(0, OPTION_MAX_CHARACTERS)}…` : text;
}

/** The acts of a macro, in the order in which they are done. Each is left out where nothing is chosen. */
function macroForm(macro: Macro | undefined, { teams, answers, labels }: Offered, view: View): Html {
  const { language } = view;
  const chosen = (act: MacroAct, options: readonly (readonly [value: string, label: string])[]) =>
    choice(say(language, MACRO_ACT_NAMES[act]), act, [['', '–'], ...options], macro?.[act]);
  const canned = cannedFor(answers, language, language, { agent: view.who.name, reference: '…' });
  const words = canned.map(({ id, word, text }) => [id, clipped(`/${word} · ${text}`)] as const);
  const owners = teams.map(({ id, name }) => [id, name] as const);
  const kinds = offeredLabels(labels, {}).map(({ id, names }) => [id, names[language]] as const);
  const times = SNOOZES.map((value) => [value, say(language, keyIn('snooze', value))] as const);
  return liveForm(
    '/organisation/macros',
    view,
  )`${idField(macro)}<label>${say(language, 'console.macroName')}<input name="name" required maxlength="${MACRO_NAME_MAX_CHARACTERS}" dir="auto" autocomplete="off" value="${macro?.name ?? ''}"></label>
${chosen('answer', words)}${chosen('label', kinds)}
${chosen('give', owners)}${chosen('snooze', times)}
<label>${say(language, 'console.caseClose')}<input name="close" maxlength="${CASE_NOTE.max}" dir="auto" autocomplete="off" value="${macro?.close ?? ''}" placeholder="–"></label>
<p class="hint">${say(language, 'console.macroCloseHint')}</p>${saveButton(view)}`;
}

export const ORGANISATION = `${BASE}/organisation`;
