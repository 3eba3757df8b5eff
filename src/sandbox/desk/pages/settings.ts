import { html } from 'hono/html';
import { centimes, toDecimal } from '../../../wallet/money.ts';
import { READINGS, type Reading, type ReadingName } from '../../core/readings.ts';
import { NUMBER_SETTINGS } from '../../core/settings.ts';
import { MODULES, modulesOf } from '../../door/modules.ts';
import { floatOf } from '../../ledger/funding.ts';
import { at, type Visit } from './frame.ts';
import { act, badge, choice, field, form, type Html, live, money, panel, table } from './parts.ts';

const UNITS = [
  [24 * 3_600_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1_000, 'seconds'],
] as const;

/** `604800000` as a reader takes it in: `7 days`. */
function spoken(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms > each) ?? [1, 'ms'];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
}

export function settingsPage(visit: Visit): Html {
  return html`${modulesPanel(visit)}
${webhooksPanel(visit)}
${floatPanel(visit)}
${partnersPanel(visit)}
${readingsPanel(visit)}
${strictPanel(visit)}
${settingsPanel(visit)}`;
}

function modulesPanel({ tenant }: Visit): Html {
  const modules = modulesOf(tenant);
  const rows = MODULES.map((name) => [
    name,
    modules[name] ? badge('enabled', 'good') : badge('not enabled', 'wait'),
    act(modules[name] ? 'Switch off' : 'Switch on', 'POST /sandbox/modules', { [name]: !modules[name] }),
  ]);
  const about = 'Of this partner. What is not enabled answers as the document says.';
  return live('modules', panel('Modules', table(['Module', 'State', 'Do'], rows, ''), about));
}

function webhooksPanel({ tenant }: Visit): Html {
  return panel(
    'Webhooks',
    form('POST /sandbox/partner', 'Save', [
      field('Address', 'webhookUrl', {
        value: tenant.webhookUrl ?? '',
        hint: 'Where events of this partner go. Empty: nowhere, and none are written.',
      }),
      field('Key', 'webhookKey', { value: tenant.webhookKey ?? '', hint: 'What they carry as X-Api-Key.' }),
    ]),
  );
}

function floatPanel({ deps, tenant }: Visit): Html {
  const float = floatOf(deps.core, tenant);
  return live(
    'float',
    panel(
      'Test float',
      html`<p class="time">${money(toDecimal(float))} DH</p><div class="acts">${act('Empty it', 'POST /sandbox/float', { centimes: 0 })}${act('Fill it up', 'POST /sandbox/float', { centimes: centimes(100_000_00) })}</div>`,
      'Of this partner’s principal agent. Without any, debits are refused with 90100.',
    ),
  );
}

function partnersPanel(visit: Visit): Html {
  const rows = visit.deps.keys
    .list()
    .map((each) => [
      html`<a href="${at({ deps: each }, 'settings')}">${each.apiKey}</a>`,
      html`<code>${each.scopes}</code>`,
      each.modules.replaceAll(' ', ', ') || 'none',
      each.webhookUrl ?? '–',
    ]);
  const create = form('POST /sandbox/partners', 'Create a key', [
    field('Key', 'apiKey', { hint: 'At least 8 letters, digits, - and _. Empty: one is made.' }),
    field('Scopes', 'scopes', { value: '*', hint: 'Separated by spaces; * is all.' }),
    html`<fieldset><legend>Modules</legend>${MODULES.map((name) => html`<label class="tick"><input type="checkbox" name="modules" value="${name}" checked> ${name}</label>`)}</fieldset>`,
    field('Webhooks to', 'webhookUrl'),
    field('With the key', 'webhookKey'),
  ]);
  return panel(
    'Partners and keys',
    html`${live('partners', table(['Key', 'Scopes', 'Modules', 'Webhooks'], rows, ''))}
${create}`,
    'Each key is a partner with wallets of its own; none sees what another does.',
  );
}

/** One field for each place where v2.3 can be read otherwise, folded, and above them those that are read otherwise now. */
function readingsPanel({ deps }: Visit): Html {
  const settings = deps.settings.all();
  const all = Object.entries(READINGS) as [ReadingName, Reading][];
  const fields = all.map(([name, { question, of, values }]) =>
    choice(`${of} (question ${question})`, name, Object.entries(values), settings[name]),
  );
  const changed = all
    .filter(([name, { values }]) => Object.keys(values)[0] !== settings[name])
    .map(([name, { of, values }]) => html`<li>${of} ${values[settings[name]]}</li>`);
  return panel(
    'Where the document is silent',
    html`${live('readings', changed.length > 0 ? html`<ul>${changed}</ul>` : html`<p>Nothing is read otherwise now.</p>`)}
<details><summary>All ${fields.length} readings</summary>${form('POST /sandbox/settings', 'Save the readings', fields)}</details>`,
    'Production may read v2.3 otherwise than this sandbox. Meet the other reading here first. The numbers are those of the list of open questions.',
  );
}

function strictPanel({ deps, origin }: Visit): Html {
  const { strict, host } = deps.settings.all();
  const about = html`Refuses what a lenient server overlooks: a body that does not say its <code>Content-Type</code>, a field
that v2.3 does not have, and another <code>Host</code> than the one below.`;
  return panel(
    'Strict mode',
    html`${live('strict', html`<p>${strict ? badge('strict', 'good') : badge('lenient', 'wait')}</p><div class="acts">${act(strict ? 'Be lenient' : 'Be strict', 'POST /sandbox/settings', { strict: !strict })}</div>`)}
${form('POST /sandbox/settings', 'Save the host', field('Host', 'host', { value: host, hint: `As ${new URL(origin).host}. Empty: any.` }))}`,
    about,
  );
}

function settingsPanel({ deps }: Visit): Html {
  const settings = deps.settings.all();
  const networks = [
    ['up', 'is up'],
    ['down', 'is down: 908'],
  ] as const;
  return panel(
    'Settings',
    form('POST /sandbox/settings', 'Save', [
      choice('The bill network', 'billNetwork', networks, settings.billNetwork),
      ...NUMBER_SETTINGS.map(([name, label]) => {
        const value = Number(settings[name]);
        return field(label, name, {
          type: 'number',
          value,
          ...(name.endsWith('Ms') && { hint: spoken(value) }),
        });
      }),
    ]),
    'Of this key alone, until a reset or a restart. None of these values is in the document.',
  );
}
