import { html } from 'hono/html';
import { upcomingOf } from '../books.ts';
import { at, type Visit } from './frame.ts';
import { act, badge, field, file, form, type Html, live, panel, table, when } from './parts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS: readonly (readonly [label: string, ms: number])[] = [
  ['1 s', 1_000],
  ['10 s', 10_000],
  ['1 min', MINUTE_MS],
  ['10 min', 10 * MINUTE_MS],
  ['1 h', HOUR_MS],
  ['6 h', 6 * HOUR_MS],
  ['24 h', 24 * HOUR_MS],
  ['72 h', 72 * HOUR_MS],
];

/** The clock of this key, what is due, and its state as a whole. */
export function timePage(visit: Visit): Html {
  const { deps, tenant } = visit;
  const { clock } = deps.core;
  const isFrozen = clock.isFrozen();
  const next = upcomingOf(deps.core, tenant);
  return html`${panel(
    'Clock',
    html`${live(
      'clock',
      html`<p class="time">${when(clock.now())} <span class="zone">UTC</span> ${isFrozen ? badge('frozen', 'wait') : badge('running', 'good')}</p>
<div class="acts">${
        isFrozen
          ? act('Run', 'POST /sandbox/clock', { frozen: false }, { quiet: false })
          : act('Freeze', 'POST /sandbox/clock', { frozen: true }, { quiet: false })
      }${STEPS.map(([label, ms]) => act(`+ ${label}`, 'POST /sandbox/clock', { advanceMs: ms }))}</div>`,
    )}`,
    'Everything that falls due on the way happens, in its order: settlements, webhooks and their retries.',
  )}
${live(
  'next',
  panel(
    'Due next',
    table(
      ['What', 'When'],
      next.map((each) => [
        html`<a href="${at(visit, `${each.kind}/${each.id}`)}">${each.what}</a>`,
        when(each.at),
      ]),
      'Nothing waits.',
    ),
  ),
)}
${snapshotsPanel(visit)}
${recorderPanel(visit)}
${panel(
  'Scenario',
  html`<form data-call="POST /sandbox/scenario" data-confirm="The key begins again as the file says. Go on?">
${file('Scenario file', 'file', '.json')}<button class="main">Begin with it</button></form>`,
  html`Customers, balances, contracts, faults, a clock and webhooks to begin with, and requests to play. See the package’s page for
an example.`,
)}
${panel(
  'Reset',
  html`<form data-call="POST /sandbox/reset" data-confirm="All data of this key go. Reset it?">
${field('Seed', 'seed', { hint: 'Same seed and same requests: same ids, codes and references. Empty: a new one.' })}
${field('Freeze the clock at', 'frozenAt', { hint: 'As 2026-11-20T10:00:00Z. Empty: the time of day.' })}
<button class="danger">Reset</button></form>`,
  'Back to the seeded customers. Snapshots stay, and other keys notice nothing.',
)}`;
}

function recorderPanel({ deps }: Visit): Html {
  const played = deps.recorder.scenario();
  const state = played
    ? html`<p>${badge('recording', 'bad')} ${played.steps?.length ?? 0} requests so far</p><div class="acts"><a class="button" href="/sandbox/recording?partner=${deps.id}" download="scenario.json">Download the scenario</a>${act('Stop', 'DELETE /sandbox/recording')}</div>`
    : html`<div class="acts">${act('Begin again and record', 'POST /sandbox/recording', {}, { confirm: 'All data of this key go, and recording begins. Go on?' })}</div>`;
  return panel(
    'Recorder',
    live('recorder', state),
    'Every call of the API, every act at this desk and every answer on a page of 3D Secure becomes a step. Play the file anywhere: it leads to the same state.',
  );
}

/** The key as a whole, kept under names and as files. */
function snapshotsPanel({ deps }: Visit): Html {
  const saved = deps.snapshots.list();
  return panel(
    'Snapshots',
    html`${form('POST /sandbox/snapshots', 'Save', field('Name', 'name', { required: true, hint: 'Letters, digits, - and _. A snapshot of the same name is replaced.' }))}
<form data-call="PUT /sandbox/snapshots/">${file('Load a file', 'file', '.db')}<button>Load</button></form>
${live(
  'snapshots',
  table(
    ['Name', 'Saved', 'Size', 'Do'],
    saved.map((each) => [
      each.name,
      when(each.savedAt),
      `${Math.ceil(each.bytes / 1024)} KB`,
      html`<div class="acts"><a class="button" href="/sandbox/snapshots/${each.name}?partner=${deps.id}" download>Download</a>${act('Restore', `POST /sandbox/snapshots/${each.name}/restore`, {}, { confirm: `Everything becomes as it was in ${each.name}. Restore it?` })}${act('Delete', `DELETE /sandbox/snapshots/${each.name}`, {}, { confirm: `Delete ${each.name}?` })}</div>`,
    ]),
    'No snapshot yet.',
  ),
)}`,
    html`All data of this key, with its clock, faults and settings. A downloaded one can be loaded into any key: its name is that of the
file.`,
  );
}
