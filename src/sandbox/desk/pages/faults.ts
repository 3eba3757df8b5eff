import { html } from 'hono/html';
import { FAULT_NAMES, FAULTS, type FaultName, MONEY, struckOperation } from '../../faults/faults.ts';
import { MAGIC } from '../../faults/magic.ts';
import type { Visit } from './frame.ts';
import { act, choice, field, form, type Html, live, panel, table } from './parts.ts';

const STRIKES = {
  request: 'before it is carried out',
  answer: 'its answer',
  operation: 'what comes of it',
} as const;

export function faultsPage(visit: Visit): Html {
  return html`<p class="lead">What goes wrong on purpose, once or until it is cleared, for this key alone. Paying the number
beside a fault strikes that payment alone.</p>
${live('set', setPanel(visit))}
${newPanel()}
${panel('All of them', table(['Fault', 'What happens', 'Strikes', 'Number', 'Do'], FAULT_NAMES.map(row), ''))}`;
}

function setPanel({ deps }: Visit): Html {
  const set = deps.faults.list();
  const clearAll = html`<div class="acts">${act('Clear all', 'DELETE /sandbox/faults')}</div>`;
  const rows = set.map((each) => [
    each.name,
    each.operation === MONEY ? 'all that moves money' : (each.operation ?? 'everything it can'),
    `${Math.round(each.probability * 100)} %`,
    each.count ?? 'until cleared',
    `${each.struck} of ${each.met}`,
    act('Clear', `DELETE /sandbox/faults?name=${each.name}`),
  ]);
  const titles = ['Fault', 'On', 'Of all it could', 'Left', 'Struck', 'Do'];
  return panel(
    'Set now',
    html`${table(titles, rows, 'No fault is set: the wallet works well.')}${set.length > 1 ? clearAll : ''}`,
  );
}

/** The form that sets one. */
function newPanel(): Html {
  const faults = FAULT_NAMES.map((name) => [name, `${name}: ${FAULTS[name].means}`] as const);
  const operations = struckOperation.options.slice(1).map((name) => [name, name] as const);
  const seedDecides = 'The seed decides which.';
  return panel(
    'Set one',
    form('POST /sandbox/faults', 'Set it', [
      choice('Fault', 'name', faults, 'answerLost'),
      choice('On', 'operation', [['', 'every operation'], [MONEY, 'all that moves money'], ...operations]),
      field('How many times', 'count', { type: 'number', value: 1, hint: 'Empty: until it is cleared.' }),
      field('Of all it could, from 0 to 1', 'probability', { type: 'number', value: 1, hint: seedDecides }),
      field('Error code', 'code', { type: 'number', hint: 'Of refused alone, such as 90014.' }),
      field('Delay, ms', 'delayMs', { type: 'number', hint: 'Empty: as the fault has it.' }),
    ]),
  );
}

function row(name: FaultName) {
  return [
    html`<code>${name}</code>`,
    FAULTS[name].means,
    STRIKES[FAULTS[name].strikes],
    name === 'refused' ? '–' : html`<code>${MAGIC[name]}</code>`,
    name === 'refused'
      ? 'With its code, above'
      : html`<div class="acts">${act('Once', 'POST /sandbox/faults', { name, count: 1 })}${act('Always', 'POST /sandbox/faults', { name })}</div>`,
  ];
}
