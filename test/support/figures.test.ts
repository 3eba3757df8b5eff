import { beforeAll, describe, expect, test } from 'vitest';
import type { Case } from '../../src/conversation/cases/case.ts';
import { caseUpdate } from '../../src/conversation/cases/update.ts';
import { chartOf } from '../../src/conversation/desk/chart-of.ts';
import type { Records } from '../../src/records/records.ts';
import { rowOf } from '../../src/records/rows.ts';
import { openSqliteRecords } from '../../src/records/sqlite.ts';
import { createDiagrams } from '../../src/support/diagram.ts';
import { conversationsIn, isIn, paymentsIn, statesIn, timesIn } from '../../src/support/figures.ts';
import { spansOf } from '../../src/support/spans.ts';
import { dayBegins, dayEnds } from '../../src/support/times.ts';
import { createWorld, HOUR_MS } from '../kit/world.ts';
import { theOffice } from './office.ts';
import { wordsOf } from './pages/fixtures.ts';
import { called } from './records.ts';

test('figures count the conversations that were completed and given up, by state', async () => {
  const world = await createWorld({ records: 'sqlite' });
  try {
    const from = world.clock.now() - HOUR_MS;
    const [fatima, youssef] = [world.customer({ language: 'ar' }), world.customer({ language: 'fr' })];
    await fatima.isAtMenu();
    await fatima.chooses('transfer').says('0655000000').says('200').enters();
    await world.passes(5_000);
    await youssef.isAtMenu();
    await youssef.chooses('transfer').says('0655000000').says('00');
    await world.recording.recorder.drain();
    const tallies = await world.records.tallies(from, world.clock.now() + 2 * HOUR_MS);
    const transfer = conversationsIn(tallies, chartOf).find(({ machine }) => machine === 'transfer');
    expect(transfer).toMatchObject({ machine: 'transfer', started: 2, completed: 1, dropped: 1 });
    expect(transfer?.stopped).toMatchObject([{ state: 'askingAmount', dropped: 1 }]);
    const dropped = statesIn(tallies, 'transfer', chartOf('transfer')).filter((state) => state.dropped > 0);
    expect(dropped).toMatchObject([{ state: 'askingAmount', visits: 2, dropped: 1 }]);
    expect(paymentsIn(tallies)).toEqual([{ kind: 'transfer', state: 'succeeded', count: 1 }]);
    const [times] = timesIn(tallies, 'took');
    expect([times?.name, [...(times?.within.values() ?? [])]]).toEqual(['transfer', [1]]);
    const inFrench = conversationsIn(tallies.filter(isIn({ language: 'fr' })), chartOf);
    expect(inFrench.find(({ machine }) => machine === 'transfer')?.started).toBe(1);
    expect(tallies.filter(isIn({ channel: 'telegram' }))).toEqual([]);
  } finally {
    await world.close();
  }
});

test('figures count conversations by way of help and of another language, and registrations', async () => {
  const world = await createWorld({ records: 'sqlite' });
  try {
    // Around noon: today's begin again at midnight.
    world.clock.ahead += ((36 - new Date(world.clock.now()).getUTCHours()) % 24) * HOUR_MS;
    const from = world.clock.now() - HOUR_MS;
    const [fatima, youssef, salma] = [world.customer(), world.customer({ language: 'fr' }), world.customer()];
    const [newcomer, other] = [world.stranger(), world.stranger()];
    // A registration is given up, from its first question and from a later one, and one goes by way of help.
    await newcomer.arrives().chooses('agree').says('Salma').dials();
    await other.arrives().chooses('agree').goes('help').goes('back');
    // One customer goes back from the help, another one leaves there.
    await fatima.isAtMenu().chooses('transfer').says('0655000000').goes('help').goes('back').says('10');
    await fatima.enters();
    await youssef.isAtMenu().chooses('transfer').says('0655000000').goes('help').goes('menu');
    // The language is chosen on the way.
    await salma.isAtMenu().chooses('transfer').says('0655000000').goes('language').chooses('en').goes('menu');
    await world.passes(3 * HOUR_MS);
    await world.recording.recorder.drain();
    const tallies = await world.records.tallies(from, world.clock.now() + 2 * HOUR_MS);
    const byName = (all: readonly { readonly machine: string }[]) =>
      all.toSorted((a, b) => a.machine.localeCompare(b.machine));
    expect(byName(conversationsIn(tallies, chartOf))).toMatchObject([
      { machine: 'consent', started: 2, completed: 2, dropped: 0 },
      { machine: 'onboarding', started: 2, completed: 0, dropped: 2 },
      { machine: 'transfer', started: 3, completed: 1, dropped: 2 },
    ]);
  } finally {
    await world.close();
  }
});

test('a customer who goes on with a conversation that broke off came back, and one who leaves it did not', async () => {
  const world = await createWorld({ records: 'sqlite' });
  try {
    const from = world.clock.now() - HOUR_MS;
    const [fatima, youssef] = [world.customer(), world.customer()];
    for (const each of [fatima, youssef])
      await each.isAtMenu().chooses('transfer').says('0655000000').dials();
    await fatima.chooses('continue').dials().chooses('continue').says('20').enters();
    await youssef.chooses('leave');
    await world.recording.recorder.drain();
    const tallies = await world.records.tallies(from, world.clock.now() + 2 * HOUR_MS);
    const transfer = conversationsIn(tallies, chartOf).find(({ machine }) => machine === 'transfer');
    expect(transfer).toMatchObject({ started: 2, completed: 1, back: 2, dropped: 1 });
    expect(transfer?.stopped).toMatchObject([{ state: 'askingAmount', dropped: 1 }]);
  } finally {
    await world.close();
  }
});

test('figures show the ends of cases, their times and their ratings', async () => {
  const world = await createWorld({ records: 'sqlite' });
  try {
    const { desk } = world.engine;
    const nadia = { id: 'nadia', name: 'Nadia' };
    const from = world.clock.now() - HOUR_MS;
    const counted = async (channel = '') => {
      await world.recording.recorder.drain();
      const asked = [from, world.clock.now() + 2 * HOUR_MS, { channel }] as const;
      const [cases, labels] = [world.records.reports('kind', ...asked), world.records.labels(...asked)];
      return { cases: await cases, labels: await labels };
    };
    const [fatima, youssef] = [world.customer({ channel: 'web' }), world.customer({ language: 'fr' })];
    const before = world.clock.now();
    for (const each of [fatima, youssef])
      await each.isAtMenu().asksForAdviser().sees('help.asked').chooses('continue');
    await world.passes(60_000);
    await desk.takeOver(fatima.address, nadia);
    await desk.write(fatima.address, nadia, 'Voilà.');
    const answered = world.clock.now();
    await world.passes(60_000);
    await desk.handBack(fatima.address, nadia);
    await fatima.hears('rating.ask').opens().chooses('good').sees('menu.choose');
    const [waiting] = await desk.cases.list();
    const id = waiting?.id ?? '';
    await desk.cases.label(id, ['1a2b3c4d', '99999999'], true, 'nadia');
    await desk.closeCase(id, nadia);
    const first = await counted();
    const ratedGood = { good: 1, fair: 0, poor: 0 };
    expect(first.cases).toMatchObject([
      { who: 'asked', closed: 2, solved: 2, byCustomer: 1, late: 0, ...ratedGood },
    ]);
    // From the moment at which they asked, which is a little after the first of ours, however slow the machine is.
    const isWithin = (ms: number | null | undefined, least: number, most: number) => {
      expect(ms).toBeGreaterThanOrEqual(least);
      expect(ms).toBeLessThanOrEqual(most);
    };
    isWithin(first.cases[0]?.firstAnswerMs, 60_000, answered - before);
    isWithin(first.cases[0]?.resolutionMs, 120_000, world.clock.now() - before);
    expect(await counted('web')).toMatchObject({ cases: [{ closed: 1 }], labels: [] });
    expect(first.labels).toEqual(['1a2b3c4d', '99999999'].map((label) => ({ label, n: 1 })));

    await youssef.dials().sees('rating.ask').chooses('not-yet').sees('menu.choose');
    expect(await counted(), 'opened again').toMatchObject({
      cases: [{ closed: 1, byCustomer: 1 }],
      labels: [],
    });
    await desk.cases.label(id, ['99999999'], false, 'nadia');
    await world.passes(16 * 60_000);
    await desk.cases.hear([
      caseUpdate(world.clock.now(), { what: 'answered', address: youssef.address, by: nadia }),
    ]);
    await desk.closeCase(id, nadia);
    await youssef.dials().sees('rating.ask').chooses('poor').sees('menu.choose');
    expect(await counted(), 'and closed for good: once').toEqual({
      cases: [expect.objectContaining({ closed: 2, byCustomer: 1, late: 1, good: 1, fair: 0, poor: 1 })],
      labels: [{ label: '1a2b3c4d', n: 1 }],
    });
  } finally {
    await world.close();
  }
});

/** An office whose records have two conversations and a payment. */
function anOfficeWithFigures() {
  let records: Records;
  const office = theOffice({
    records: async (directory) => {
      records = await openSqliteRecords(directory);
      return records;
    },
  });
  beforeAll(async () => {
    const at = office.clock.now();
    const ways = [
      ['', 'transfer.askingRecipient'],
      ['transfer.askingRecipient', 'transfer.askingAmount'],
      ['transfer.askingAmount', ''],
    ];
    const events = ways.flatMap(([from, to], i) =>
      ['ussd:+212612345678', 'web:one'].map((address, j) => {
        const language = j ? 'ar' : 'fr';
        const record = JSON.stringify({ at, address, language, from, to, event: { kind: 'time' } });
        return rowOf(j, { id: `${i + 1}`, record });
      }),
    );
    const ran = [called('preview', { kind: 'refused', code: '20005' })];
    const webhook = { at, address: 'ussd:+212612345678', language: 'fr', ran, lagMs: 2_000 };
    events.push(rowOf(2, { id: '1', record: JSON.stringify(webhook) }));
    const id = '11111111-0000-4000-8000-000000000001';
    const audit = [[at + 7_000, 'succeeded', '']];
    const document = JSON.stringify({ order: { kind: 'transfer' }, address: 'web:one', audit });
    const paid = {
      wallet: '+212612345678',
      sentAt: at,
      state: 'succeeded',
      steps: 1,
      names: [],
      lookAt: null,
    };
    await records.record({ events, payments: [{ id, ...paid, document }], cursors: [] });
  });
  /** Two cases of Sabah's, one of them of a team, which were answered after 5 and 55 minutes. */
  const closesCases = () => {
    const closedAt = office.clock.now();
    const openedAt = closedAt - HOUR_MS;
    const it: Omit<Case, 'id' | 'subject'> = {
      ...{ kind: 'asked', state: 'closed', due: closedAt, openedAt, closedAt, end: 'solved', steps: [] },
      owner: { id: 'sabah', name: 'Sabah' },
    };
    return records.cases.write(function* (tx) {
      yield* tx.add({
        ...it,
        id: 'c-1',
        subject: '1',
        team: 't1',
        firstAnswerAt: openedAt + HOUR_MS / 12,
        rating: 1,
      });
      yield* tx.add({ ...it, id: 'c-2', subject: '2', rating: 3 });
    });
  };
  return { office, closesCases };
}

/** The rows of a table of the page, as text. */
function rows(page: string, table: string): string[] {
  const section = page.split(`id="h-${table}"`)[1]?.split('</section>')[0] ?? '';
  return [...section.matchAll(/<tr>\s*<td[\s\S]*?<\/tr>/g)].map(([row]) => wordsOf(row).trim());
}

describe('the page of figures', () => {
  const { office } = anOfficeWithFigures();

  test('shows conversations, channels, payments and agents of the requested days', async () => {
    const sara = await office.staff('sara', 'supervisor');
    // As a worker does every few seconds.
    await sara.text('/support/audit');
    const page = await sara.text('/support/figures');
    expect(rows(page, 'conversations')).toEqual(['Money transfer 2 0 2 0 %']);
    expect(rows(page, 'beginnings')).toEqual(['USSD Français 1', 'Web العربية 1']);
    expect(rows(page, 'payments')).toEqual([expect.stringMatching(/^Money transfer .+ 1$/)]);
    expect(rows(page, 'times')).toEqual(['Money transfer 1 0 0 0 0 0 7 sec']);
    expect(rows(page, 'agents').join()).toContain('Account created');
    expect(rows(await sara.text('/support/figures?channel=web'), 'conversations')).toEqual([
      'Money transfer 1 0 1 0 %',
    ]);
    expect(rows(await sara.text('/support/figures?speaks=en'), 'conversations')).toEqual([]);
    expect(rows(await sara.text('/support/figures?from=2020-01-01&to=2020-12-31'), 'conversations')).toEqual(
      [],
    );
    expect(
      rows(await sara.text('/support/figures?from=yesterday&to=2026-02-31'), 'conversations'),
    ).toHaveLength(1);
  });

  test('has a row for each day, from which the curves are drawn', async () => {
    const sara = await office.staff('salma', 'supervisor');
    const page = await sara.text('/support/figures');
    expect(rows(page, 'conversationsByDay')).toHaveLength(7);
    expect(rows(page, 'conversationsByDay').at(-1)).toMatch(/^\d\d\/\d\d\/\d{4} 1 1 0 0$/);
    expect(rows(page, 'paymentsByDay').at(-1)).toMatch(/ 1 0 0 0$/);
    expect(rows(page, 'casesByDay'), 'nothing is to be drawn').toEqual([]);
    expect(page).toMatch(
      /<div class="chart" data-chart="bars" aria-hidden="true" hidden><\/div>\s*<details[^>]* open>/,
    );
    expect(rows(await sara.text('/support/figures?speaks=ar'), 'conversationsByDay').at(-1)).toMatch(
      / 0 1 0 0$/,
    );
    const csv = await (await sara.get('/support/figures/csv/conversationsByDay')).text();
    expect(csv.split('\r\n')[0]).toBe('Days,USSD,Web,Telegram,WhatsApp');
    expect(csv).toMatch(/\r\n\d{4}-\d\d-\d\d,1,1,0,0\r\n$/);
    for (const name of ['uPlot.iife.min.js', 'uPlot.min.css', 'charts.js', 'charts.css'])
      expect((await sara.get(`/support/public/${name}`)).status).toBe(200);
  });

  test('of today shows each state too, and leads to who is there now', async () => {
    const sara = await office.staff('sofia', 'supervisor');
    const page = await sara.text('/support/today');
    expect(rows(page, 'conversations')).toEqual(['Money transfer 2 0 2 0 %']);
    expect(rows(page, 'states')[1]).toMatch(/^Money transfer asking the amount 2 2/);
    expect(page).toContain('href="/support?place=transfer.askingAmount"');
    expect(rows(page, 'failures')).toEqual(['Payment preview refused 20005 1']);
    expect(rows(page, 'webhooks')).toEqual(['1 1 0 0 0 0 0 2 sec']);
    expect(rows(await sara.text('/support/today?channel=web'), 'failures')).toEqual([]);
    expect(page).not.toContain('data-chart');
  });

  test('shows the acts of agents to supervisors only', async () => {
    const nadia = await office.staff('nadia', 'agent');
    expect(await nadia.text('/support/figures')).not.toContain('id="h-agents"');
    expect((await nadia.get('/support/figures/csv/agents')).status).toBe(404);
    expect((await nadia.get('/support/figures/csv/payments')).status).toBe(200);
  });

  test('saves every table as a file', async () => {
    const sara = await office.staff('samia', 'supervisor');
    const csv = async (name: string) =>
      (await (await sara.get(`/support/figures/csv/${name}`)).text()).split('\r\n');
    expect(await csv('conversations')).toEqual([
      'Flow,Started,Completed,Dropped,Completion rate',
      'transfer,2,0,2,0.000',
      '',
    ]);
    expect(await csv('states')).toEqual([
      'Flow,State,Visits,Dropped,Average (ms)',
      expect.stringMatching(/^transfer,askingRecipient,2,0,/),
      'transfer,askingAmount,2,2,',
      '',
    ]);
    expect(await csv('beginnings')).toContain('web,ar,1');
    expect(await csv('payments')).toContain('transfer,succeeded,1');
    expect((await csv('times'))[1]).toBe('transfer,1,0,0,0,0,0,7000');
    expect((await csv('agents'))[0]).toBe('Account,Act,Outcome,Count');
    expect((await csv('cases'))[0]).toBe(
      'Reason,Closed,Solved,Closed by the customer,Not needed any more,Merged into another,Late,First answer (average) (ms),Resolution (average) (ms)',
    );
    expect((await csv('ratings'))[0]).toBe('Reason,Good,Fair,Poor,Share of “good”');
    expect((await sara.get('/support/figures/csv/everything')).status).toBe(404);
  });

  test('shows the figures of a conversation on its diagram, to supervisors only', async () => {
    const sara = await office.staff('sonia', 'supervisor');
    const page = await sara.text('/support/machines/transfer?at=askingRecipient');
    expect(page).toMatch(/id="s_askingAmount" class="[^"]*hot3/);
    expect(page).toMatch(/id="s_askingRecipient" class="[^"]*now/);
    expect(page, 'the stream marks it, too').toMatch(/sse-connect="[^"]*&amp;at=askingRecipient"/);
    expect(page).toContain('2 · −2 · 0');
    expect(page).toContain('asking the amount');
    expect(await sara.text('/support/machines')).toContain('/support/machines/transfer');
    expect((await sara.get('/support/machines/nothing')).status).toBe(404);
    const nadia = await office.staff('nawal', 'agent');
    expect((await nadia.get('/support/machines/transfer')).status).toBe(403);
    expect(await nadia.text('/support/figures')).not.toContain('href="/support/machines');
  });
});

test('a diagram with figures has no style and no markup from outside', async () => {
  const lines = ['<script>"\\', '1'];
  const svg = await createDiagrams(chartOf).draw(
    'transfer',
    new Map([['askingAmount', { lines, heat: 0.1 }]]),
  );
  expect(svg).toMatch(/id="s_askingAmount" class="[^"]*hot1/);
  expect(svg).not.toMatch(/<script| style=| fill=|<title/);
});

test.each([
  ['2026-11-16', '2026-11-22', 1, 7, '2026-11-22–2026-11-22'],
  ['2026-01-01', '2026-03-03', 1, 62, '2026-03-03–2026-03-03'],
  ['2026-01-01', '2026-03-04', 7, 9, '2026-02-26–2026-03-04'],
  ['2025-11-22', '2026-11-22', 7, 53, '2026-11-21–2026-11-22'],
  ['2020-01-01', '2026-11-22', 364, 7, '2025-12-24–2026-11-22'],
  ['2026-11-22', '2026-11-16', 1, 0, undefined],
])('from %s to %s a point of a curve is %i days: %i points', (from, to, days, count, last) => {
  const spans = spansOf(from, to);
  const end = spans.all.at(-1);
  expect([spans.days, spans.all.length, end && `${end.from}–${end.to}`]).toEqual([days, count, last]);
});

test.each([
  ['2026-05-22', '2026-05-21T23:00:00.000Z', '2026-05-22T23:00:00.000Z'],
  ['2026-11-22', '2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
])('the day %s begins and ends as in Morocco', (day, begins, ends) => {
  const iso = (at: number | undefined) => at !== undefined && new Date(at).toISOString();
  expect([iso(dayBegins(day)), iso(dayEnds(day))]).toEqual([begins, ends]);
});

test.each(['', 'today', '2026-13-01', '2026-02-30', '22/11/2026', '20261122', '2026-11-22T00'])(
  '%s is no day',
  (text) => {
    expect([dayBegins(text), dayEnds(text)]).toEqual([undefined, undefined]);
  },
);

describe('the page of conversations', () => {
  const { office } = anOfficeWithFigures();

  test('has a funnel for each that was begun on these days, and folds the others', async () => {
    const sara = await office.staff('safia', 'supervisor');
    const page = await sara.text('/support/machines');
    const [funnels = '', others = ''] = page.split('<details><summary>Not begun on these days: ');
    const [row = '', ...more] = [...funnels.matchAll(/<tr><td>.*?<\/tr>/gs)].map(([each]) =>
      wordsOf(each).trim(),
    );
    expect([row, more]).toEqual(['Money transfer 2 0 · 0 % 2 asking the amount 2 0 0', []]);
    expect(funnels).toContain('<progress max="1" value="1.000"');
    expect(others).toContain('/support/machines/balance?from=');
    expect(wordsOf((await sara.text('/support/machines?channel=web')).split('<tbody>')[1] ?? '')).toMatch(
      /^\s*Money transfer 1 /,
    );
    expect(await sara.text('/support/machines?from=2020-01-01&to=2020-01-02')).toContain(
      'Nothing to count yet',
    );
    const nadia = await office.staff('nisrine', 'agent');
    expect((await nadia.get('/support/machines')).status).toBe(403);
  });
});

describe('the page of reports', () => {
  const { office, closesCases } = anOfficeWithFigures();

  test('reports what each adviser and team did, and the share of cases in time, with definitions', async () => {
    const sara = await office.staff('sabah', 'supervisor');
    await sara.text('/support/audit');
    const empty = await sara.text('/support/reports?from=2020-01-01&to=2020-12-31');
    expect([rows(empty, 'byAgent'), rows(empty, 'byTeam'), rows(empty, 'levels')]).toEqual([[], [], []]);
    await closesCases();
    const page = await sara.text('/support/reports');
    expect(rows(page, 'byAgent')).toEqual(['SABAH B. 0 2 2 5 min 1 ms 1 hr 0 0 1 0 1']);
    expect(rows(page, 'byTeam')).toEqual(['t1 1 1 5 min 1 ms 1 hr 0 0 1 0 0']);
    expect(rows(page, 'levels')).toEqual(['Asked for an adviser 15 min 2 1 50 %']);
    expect(page).toContain('<dt>Handling (average)</dt><dd>while an adviser had the case');
    const csv = await (await sara.get('/support/figures/csv/levels')).text();
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'Reason,Target (ms),Cases,In time,Share in time',
      'asked,900000,2,1,0.500',
    ]);
    expect(rows(await sara.text('/support/figures'), 'byAgent'), 'they are a page of their own').toEqual([]);
    const nadia = await office.staff('nawal', 'agent');
    expect((await nadia.get('/support/reports')).status).toBe(403);
    expect((await nadia.get('/support/figures/csv/byAgent')).status).toBe(404);
  });
});
