import { type Context, Hono } from 'hono';
import type { Tally } from '../../records/records.ts';
import type { Guarded } from '../access/guard.ts';
import { conversationsIn, statesIn } from '../figures.ts';
import { stepName } from '../names.ts';
import { found, viewOf } from './answer.ts';
import { askedIn, readTallies } from './figures-routes.ts';
import { type Funnel, type Known, machinePage, machinesPage, type StateNow, statesPart } from './machines.ts';
import type { Tools } from './options.ts';
import type { View } from './parts.ts';

/**
 * The shortest time between two drawings of the customers' positions, and the time after which the counts are read
 * again.
 */
const GAP_MS = 1_000;
const EVERY_MS = 5_000;
const COUNTED_MS = 60_000;

type Ctx = Context<Guarded>;

/** Conversations as diagrams, for who answers for them: what was counted in any days, and who is where now. */
export function machineRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/machines', (c) => all(tools, c));
  app.get('/machines/:machine', (c) => one(tools, c));
  app.get('/machines/:machine/live', (c) => oneLive(tools, c));
  return app;
}

async function all(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, live, now } = tools;
  await live.watching();
  const there = new Map<string, number>();
  for (const [place, count] of live.board.counts(now())) {
    const [machine = ''] = place.split('.');
    there.set(machine, (there.get(machine) ?? 0) + count);
  }
  const asked = askedIn(tools, c);
  const counted = conversationsIn(await readTallies(tools, asked), (machine) => desk.chart(machine));
  const funnelOf = (machine: string): Funnel => ({
    machine,
    figures: counted.find((each) => each.machine === machine && each.started > 0),
    now: there.get(machine) ?? 0,
  });
  // Those that were begun come first, the most frequent before the others.
  const machines = new Set([...counted.map(({ machine }) => machine), ...desk.machines()]);
  const known = [...machines].filter((machine) => desk.chart(machine));
  return c.html(machinesPage(known.map(funnelOf), asked, viewOf(tools, c), knownOf(tools)));
}

async function one(tools: Tools, c: Ctx): Promise<Response> {
  const machine = c.req.param('machine') ?? '';
  found(tools.desk.chart(machine));
  const view = viewOf(tools, c);
  await tools.live.watching();
  const parts = await partsOf(tools, c, machine, await readTallies(tools, askedIn(tools, c)), view);
  return c.html(machinePage(machine, parts, askedIn(tools, c), c.req.query('at'), view));
}

async function oneLive(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, live, streams, now } = tools;
  const machine = c.req.param('machine') ?? '';
  found(desk.chart(machine));
  await live.watching();
  let read: { readonly at: number; readonly tallies: readonly Tally[] } | undefined;
  return streams.open(c, {
    gapMs: GAP_MS,
    everyMs: EVERY_MS,
    follow: (changed) => live.onChange(changed),
    async render() {
      if (!read || now() - read.at > COUNTED_MS)
        read = { at: now(), tallies: await readTallies(tools, askedIn(tools, c)) };
      return partsOf(tools, c, machine, read.tallies, viewOf(tools, c));
    },
  });
}

function knownOf({ live, now }: Tools): Known {
  return { isPartial: live.board.isPartial(now()), isFilling: live.isFilling };
}

/** The diagram and the table below it. */
async function partsOf(
  tools: Tools,
  c: Ctx,
  machine: string,
  tallies: readonly Tally[],
  view: View,
): Promise<Readonly<Record<'diagram' | 'states', string>>> {
  const { desk, live, diagrams, now } = tools;
  const known = knownOf(tools);
  const chart = desk.chart(machine);
  const counted = statesIn(tallies, machine, chart);
  const there = live.board.counts(now());
  const waits = (chart?.states ?? []).filter(({ does }) => does === 'asks' || does === 'ends');
  const names = new Set([...waits.map(({ name }) => name), ...counted.map(({ state }) => state)]);
  const states = [...names].map((state): StateNow => {
    const { visits = 0, dropped = 0 } = counted.find((each) => each.state === state) ?? {};
    return { state, visits, dropped, now: there.get(`${machine}.${state}`) ?? 0 };
  });
  const looked = c.req.query('at');
  const drawn = states.map(({ state, visits, dropped, now: count }) => {
    const name = stepName(`${machine}.${state}`, view.language) || state;
    // Figures only where there are some: what is left is seen at once.
    const lines =
      visits || dropped || count
        ? [name, `${visits} · −${dropped} · ${known.isPartial && count > 0 ? `≥ ${count}` : count}`]
        : [name];
    const heat = visits > 0 ? dropped / visits : 0;
    return [state, { lines, heat, isBusy: count > 0, isMarked: state === looked }] as const;
  });
  const diagram = (await diagrams.draw(machine, new Map(drawn))) ?? '';
  return { diagram, states: String(await statesPart(machine, states, view, known)) };
}
