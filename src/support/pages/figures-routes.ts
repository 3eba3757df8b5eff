import { type Context, Hono } from 'hono';
import { LANGUAGES } from '../../conversation/incoming.ts';
import type { Records } from '../../records/records.ts';
import type { Guarded } from '../access/guard.ts';
import { may } from '../access/roles.ts';
import { csvLine, download } from '../csv.ts';
import { isIn, statesIn } from '../figures.ts';
import { sightOf } from '../masks.ts';
import { stepName } from '../names.ts';
import { dayBegins, dayEnds, dayOf } from '../times.ts';
import { notFound } from './answer.ts';
import { type Asked, figuresPage, machinePage, queryOf } from './figures.ts';
import { type Counted, TABLES, type TableName, tableOf } from './figures-tables.ts';
import type { Tools } from './options.ts';
import { CHANNEL_NAMES, type View } from './parts.ts';

/** Where figures are kept. */
export type FigureSource = Pick<Records, 'tallies' | 'agentTallies'>;

/** Without a choice of days, so many of them up to today. */
const DAYS = 7;
const DAY_MS = 24 * 3_600_000;
const NOTHING: Counted = { tallies: [], agents: [] };

type Ctx = Context<Guarded>;

/** Figures of any days, from the records: what is read is counted already, however long the time. */
export function figuresRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/figures', (c) => figures(tools, c));
  app.get('/figures/csv/:table', (c) => save(tools, c));
  app.get('/figures/machines/:machine', (c) => machine(tools, c));
  return app;
}

async function figures(tools: Tools, c: Ctx): Promise<Response> {
  const asked = askedIn(tools, c);
  const counted = await read(tools, c, asked);
  const { language } = c.var;
  const tables = TABLES.filter((name) => name !== 'states' && isFor(c, name)).map((name) =>
    tableOf(name, counted, tools, language, queryOf(asked)),
  );
  return c.html(figuresPage(tables, asked, viewOf(tools, c)));
}

async function save(tools: Tools, c: Ctx): Promise<Response> {
  const name = TABLES.find((each) => each === c.req.param('table'));
  if (!name || !isFor(c, name)) return notFound(c);
  const asked = askedIn(tools, c);
  const { heads, rows } = tableOf(name, await read(tools, c, asked), tools, c.var.language);
  return download(
    `wasl-${name}-${asked.from}-${asked.to}.csv`,
    'text/csv',
    (async function* () {
      yield csvLine(heads.map(([head]) => head));
      for (const cells of rows) yield csvLine(cells.map(({ value }) => value));
    })(),
  );
}

async function machine(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, live, diagrams, now } = tools;
  const name = c.req.param('machine') ?? '';
  const chart = desk.chart(name);
  if (!chart) return notFound(c);
  const asked = askedIn(tools, c);
  await live.ready();
  const there = live.board.counts(now());
  const { tallies } = await read(tools, c, asked);
  const counted = statesIn(tallies, name, chart);
  const states = chart.states
    .filter(({ does }) => does === 'asks' || does === 'ends')
    .map(({ name: state }) => state)
    .concat(counted.map(({ state }) => state));
  const shown = [...new Set(states)].map((state) => {
    const { visits = 0, dropped = 0 } = counted.find((each) => each.state === state) ?? {};
    return { state, visits, dropped, now: there.get(`${name}.${state}`) ?? 0 };
  });
  const { language } = c.var;
  const labels = new Map(
    shown.map(({ state, visits, dropped, now: count }) => [
      state,
      {
        lines: [stepName(`${name}.${state}`, language) || state, `${visits} · −${dropped} · ${count}`],
        heat: visits > 0 ? dropped / visits : 0,
      },
    ]),
  );
  const svg = await diagrams.count(name, labels);
  return c.html(machinePage(name, { states: shown, svg }, asked, viewOf(tools, c)));
}

/** What colleagues did is for those who see the audit. */
function isFor(c: Ctx, name: TableName): boolean {
  return name !== 'agents' || may(c.var.who.role, 'seeAudit');
}

async function read(
  { figures: source }: Tools,
  c: Ctx,
  { from, to, channel, speaks }: Asked,
): Promise<Counted> {
  const [begins = 0, ends = 0] = [dayBegins(from), dayEnds(to)];
  if (!source) return NOTHING;
  const [tallies, agents] = await Promise.all([
    source.tallies(begins, ends),
    isFor(c, 'agents') ? source.agentTallies(begins, ends) : [],
  ]);
  return { tallies: tallies.filter(isIn({ channel, language: speaks })), agents };
}

/** Only what could have been chosen counts. */
function askedIn({ now }: Tools, c: Ctx): Asked {
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

function viewOf({ now }: Tools, c: Ctx): View {
  const { who, language } = c.var;
  return { who, language, now: now(), sight: sightOf(who.role) };
}
