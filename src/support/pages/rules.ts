import { html } from 'hono/html';
import { CASE_KINDS, type CaseOwner } from '../../conversation/cases/case.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { CAPACITY_MAX, MINUTES_MAX, type Rules, type Skills } from '../assignment.ts';
import { type Html, LANGUAGE_NAMES } from '../layout.ts';
import { type ConsoleKey, keyIn, say } from '../sentences.ts';
import { liveForm, type View } from './parts.ts';

export interface Assigning {
  readonly rules: Rules;
  readonly skills: readonly Skills[];
  readonly away: readonly { readonly id: string }[];
}

/** The section of the page of teams that has the rules, and the skills of each agent. */
export function rulesPart(
  { rules, skills, away }: Assigning,
  agents: readonly CaseOwner[],
  view: View,
): Html {
  const text = (key: ConsoleKey) => say(view.language, key);
  const minutes = { min: 0, max: MINUTES_MAX };
  const targets = CASE_KINDS.map((kind) =>
    numberField(`target-${kind}`, text(keyIn('case', kind)), rules.targets[kind], minutes),
  );
  const save = html`<button class="main">${text('console.save')}</button>`;
  const one = ({ id, name }: CaseOwner) =>
    html`<details class="entry"><summary><b><bdi>${name}</bdi></b> <span class="hint">${summaryOf(
      skills.find((each) => each.id === id),
      rules,
      view,
    )}</span> ${away.some((each) => each.id === id) && html`<span class="badge">${text('console.awayIs')}</span>`}</summary>${liveForm(
      '/organisation/skills',
      view,
    )`<input type="hidden" name="id" value="${id}">${skillFields(
      skills.find((each) => each.id === id),
      view,
    )}${save}`}</details>`;
  return html`<section class="panel" aria-labelledby="h-rules"><h2 id="h-rules">${text('console.assignment')}</h2>
<p class="hint">${text('console.rulesHint')}</p>
${liveForm(
  '/organisation/rules',
  view,
)`<label class="check"><input type="checkbox" name="on" value="yes" ${rules.isOn ? 'checked' : ''}> ${text('console.rulesOn')}</label>
<div class="row">${numberField('capacity', text('console.rulesCapacity'), rules.capacity, { min: 1, max: CAPACITY_MAX })}
${numberField('silent', text('console.rulesSilent'), rules.silentMinutes, minutes)}</div>
<fieldset><legend>${text('console.rulesTargets')}</legend><div class="row">${targets}</div></fieldset>${save}`}
<h3>${text('console.skills')}</h3>${agents.map(one)}</section>`;
}

/** The cases that an agent takes, in a line: languages, and how many at once. */
function summaryOf(skills: Skills | undefined, rules: Rules, { language }: View): string {
  const { languages = [], capacity = rules.capacity } = skills ?? {};
  const names = languages.map((each) => LANGUAGE_NAMES[each]).join(', ');
  return `${names || say(language, 'console.skillsAll')} · ${say(language, 'console.skillsAtOnce', { count: { count: capacity } })}`;
}

function skillFields(skills: Skills | undefined, { language }: View): Html {
  const languages = LANGUAGES.map(
    (each) =>
      html`<label><input type="checkbox" name="language" value="${each}" ${skills?.languages.includes(each) ? 'checked' : ''}> <bdi lang="${each}">${LANGUAGE_NAMES[each]}</bdi></label>`,
  );
  return html`<fieldset class="choice"><legend>${say(language, 'console.skillsLanguages')}</legend>${languages}</fieldset>
${numberField('capacity', say(language, 'console.skillsCapacity'), skills?.capacity, { min: 0, max: CAPACITY_MAX })}`;
}

function numberField(
  name: string,
  label: string,
  value: number | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): Html {
  return html`<label>${label}<input type="number" name="${name}" value="${value ?? ''}" min="${min}" max="${max}" dir="ltr"></label>`;
}

/** The agent's own switch in the bar of every page. */
export function awayPart(isAway: boolean, view: Pick<View, 'who' | 'language'>): Html {
  const { who, language } = view;
  const label = say(language, isAway ? 'console.awayEnd' : 'console.awayBegin');
  return html`<form method="post" action="/support/away" hx-post="/support/away" hx-target="closest .away"><input type="hidden" name="csrf" value="${who.csrf}"><input type="hidden" name="away" value="${isAway ? 'no' : 'yes'}"><button class="quiet" title="${say(language, 'console.awayHint')}">${label}</button></form>`;
}
