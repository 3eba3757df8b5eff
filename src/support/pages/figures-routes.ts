import { type Context, Hono } from 'hono';
import { CASE_KINDS } from '../../conversation/cases/case.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import type { Records, Tally } from '../../records/records.ts';
import type { Guarded } from '../access/guard.ts';
import { may } from '../access/roles.ts';
import { PASSAGES } from '../arrivals.ts';
import { isIn } from '../figures.ts';
import { spansOf } from '../spans.ts';
import { dayBegins, dayEnds, dayOf } from '../times.ts';
import { NotThere, viewOf } from './answer.ts';
import { type Asked, figuresPage, queryOf } from './figures.ts';
import { type Counted, TABLES, type TableName, tableOf } from './figures-tables.ts';
import { rulesIn, type Tools } from './options.ts';
import { CHANNEL_NAMES } from './parts.ts';
import { NO_REPORTS, REPORTS, type Reported } from './report-tables.ts';
import { saveTable } from './save.ts';

export type FigureSource = Pick<
  Records,
  'tallies' | 'tallyDays' | 'agentTallies' | 'reports' | 'levels' | 'labels'
>;

/** Without a choice of days, so many of them up to today. */
const DAYS = 7;
const DAY_MS = 24 * 3_600_000;

const MINUTE_MS = 60_000;
const NOTHING: Counted = {
  ...{ tallies: [], agents: [], cases: [], labelled: [], labels: [], reported: NO_REPORTS },
  daily: { tallies: [], spans: { days: 1, all: [] } },
};

type Ctx = Context<Guarded>;

/** Figures of any days, from the records: what is read is counted already, however long the time. */
export function figuresRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/figures', (c) => figures(tools, c, askedIn(tools, c), 'figures'));
  app.get('/today', (c) => figures(tools, c, todayIn(tools, c), 'today'));
  app.get('/reports', (c) => reports(tools, c));
  app.get('/figures/csv/:table', (c) => save(tools, c));
  return app;
}

async function figures(tools: Tools, c: Ctx, asked: Asked, at: 'figures' | 'today'): Promise<Response> {
  const counted = await read(tools, c, asked);
  const { language } = c.var;
  const links = may(c.var.who.role, 'seeMachines') ? queryOf(asked) : undefined;
  // States are many: they are shown of one day, and saved of any.
  const isShown = (name: TableName) => !isReport(name) && (name !== 'states' || at === 'today');
  const tables = TABLES.filter((name) => isShown(name) && isFor(c, name))
    .map((name) => tableOf(name, counted, tools, language, links))
    .filter(({ chart }) => !chart || at === 'figures');
  return c.html(figuresPage(tables, asked, at, viewOf(tools, c)));
}

/** Shows the work of each agent and team on some days, and the share of the cases that was answered in time. */
async function reports(tools: Tools, c: Ctx): Promise<Response> {
  const asked = { ...askedIn(tools, c), channel: '', speaks: '' };
  const counted = { ...NOTHING, reported: await readReports(tools, asked) };
  const tables = REPORTS.map((name) => tableOf(name, counted, tools, c.var.language));
  return c.html(figuresPage(tables, asked, 'reports', viewOf(tools, c)));
}

async function readReports({ records, duty, teams, agents }: Tools, asked: Asked): Promise<Reported> {
  const [begins = 0, ends = 0] = [dayBegins(asked.from), dayEnds(asked.to)];
  const minutes = (await rulesIn(duty)).targets;
  const targets = Object.fromEntries(CASE_KINDS.map((kind) => [kind, (minutes[kind] ?? 0) * MINUTE_MS]));
  const reported = { ...NO_REPORTS, targets: targets as Reported['targets'] };
  const names = new Map([...(await agents()), ...(await teams.all())].map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const [agent, team, levels] = await Promise.all([
    records.reports('agent', begins, ends),
    records.reports('team', begins, ends),
    records.levels(begins, ends, reported.targets),
  ]);
  return { ...reported, nameOf, agent, team, levels };
}

function isReport(name: TableName): name is (typeof REPORTS)[number] {
  return (REPORTS as readonly string[]).includes(name);
}

function todayIn(tools: Tools, c: Ctx): Asked {
  const today = dayOf(tools.now());
  return { ...askedIn(tools, c), from: today, to: today };
}

async function save(tools: Tools, c: Ctx): Promise<Response> {
  const name = TABLES.find((each) => each === c.req.param('table'));
  if (!name || !isFor(c, name)) throw new NotThere();
  const asked = askedIn(tools, c);
  const counted = isReport(name)
    ? { ...NOTHING, reported: await readReports(tools, asked) }
    : await read(tools, c, asked);
  const { heads, rows } = tableOf(name, counted, tools, c.var.language);
  // A file has times as numbers.
  const lines = [
    heads.map(([head, shown]) => (/Ms$/.test(head) ? `${shown} (ms)` : shown)),
    ...rows.map((cells) => cells.map(({ value }) => value)),
  ];
  return saveTable(tools, c, { name, of: queryOf(asked), days: `${asked.from}-${asked.to}` }, lines);
}

/** Only agents who may see the audit see the work of colleagues. */
function isFor(c: Ctx, name: TableName): boolean {
  return (name !== 'agents' && !isReport(name)) || may(c.var.who.role, 'seeAudit');
}

async function read(tools: Tools, c: Ctx, asked: Asked): Promise<Counted> {
  const [begins = 0, ends = 0] = [dayBegins(asked.from), dayEnds(asked.to)];
  const agents = isFor(c, 'agents') ? await tools.records.agentTallies(begins, ends) : [];
  const days = await tools.records.tallyDays(begins, ends, [...PASSAGES]);
  const slice = { channel: asked.channel, language: asked.speaks };
  const daily = {
    tallies: days.filter(isIn(slice)),
    spans: spansOf(asked.from, asked.to),
  };
  const [tallies, cases, labelled, labels] = await Promise.all([
    readTallies(tools, asked),
    tools.records.reports('kind', begins, ends, slice),
    tools.records.labels(begins, ends, slice),
    tools.labels.all(),
  ]);
  return { ...NOTHING, tallies, agents, daily, cases, labelled, labels };
}

/** The counts of these days, on this channel and in this language. */
export async function readTallies(
  { records }: Tools,
  { from, to, channel, speaks }: Asked,
): Promise<readonly Tally[]> {
  const tallies = await records.tallies(dayBegins(from) ?? 0, dayEnds(to) ?? 0);
  return tallies.filter(isIn({ channel, language: speaks }));
}

/** The figures that are asked for. Values that could not have been chosen are ignored. */
export function askedIn({ now }: Tools, c: Ctx): Asked {
  const { from = '', to = '', channel = '', speaks = '' } = c.req.query();
  const until = dayBegins(to) === undefined ? dayOf(now()) : to;
  const earlier = dayOf((dayBegins(until) ?? 0) - (DAYS - 1.5) * DAY_MS);
  return {
    from: dayBegins(from) === undefined ? earlier : from,
    to: until,
    channel: Object.hasOwn(CHANNEL_NAMES, channel) ? channel : '',
    speaks: LANGUAGES.find((each) => each === speaks) ?? '',
  };
}
