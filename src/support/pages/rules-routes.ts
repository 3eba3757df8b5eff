import { type Context, Hono } from 'hono';
import { CASE_KINDS } from '../../conversation/cases/case.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { CAPACITY_MAX, MINUTES_MAX, NO_RULES, type Rules, type Skills } from '../assignment.ts';
import { audited, isByScript } from './answer.ts';
import type { Tools } from './options.ts';
import { done } from './organisation-routes.ts';
import { awayPart } from './rules.ts';

type Ctx = Context<Guarded>;

/** How cases are assigned: the rules and skills, which supervisors set, and each agent's own breaks. */
export function rulesRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.post('/organisation/rules', (c) => writeRules(tools, c));
  app.post('/organisation/skills', (c) => writeSkills(tools, c));
  app.get('/away', async (c) => c.html(awayPart(await isAway(tools, c), c.var)));
  app.post('/away', (c) => setAway(tools, c));
  return app;
}

async function writeRules(tools: Tools, c: Ctx): Promise<Response> {
  const { on, capacity, silent, ...rest } = await c.req.parseBody();
  const targets = CASE_KINDS.map((kind) => [kind, numberIn(rest[`target-${kind}`], 0, MINUTES_MAX)] as const);
  const it: Rules = {
    id: NO_RULES.id,
    isOn: on === 'yes',
    capacity: numberIn(capacity, 1, CAPACITY_MAX) ?? Number.NaN,
    silentMinutes: numberIn(silent, 0, MINUTES_MAX) ?? Number.NaN,
    targets: Object.fromEntries(targets.map(([kind, minutes]) => [kind, minutes ?? Number.NaN])),
  };
  const numbers = [it.capacity, it.silentMinutes, ...Object.values(it.targets)];
  const what = [it.isOn ? 'on' : 'off', ...numbers].join(' ');
  await audited(tools, c, 'writeRules', { on: it.id, what });
  return done(
    c,
    numbers.some(Number.isNaN) ? 'rules' : await tools.duty.rules.put<never>(it, () => undefined),
  );
}

async function writeSkills(tools: Tools, c: Ctx): Promise<Response> {
  const { id, language, capacity } = await c.req.parseBody({ all: true });
  const agent = (await tools.agents()).find((each) => each.id === id);
  if (!agent) return done(c, 'notFound');
  const chosen = [language ?? []].flat();
  const room = numberIn(capacity, 0, CAPACITY_MAX);
  const it: Skills = {
    id: agent.id,
    languages: LANGUAGES.filter((each) => chosen.includes(each)),
    ...(room !== undefined && { capacity: room }),
  };
  const what = [...it.languages, room].join(' ').trim();
  await audited(tools, c, 'writeRules', { on: it.id, what });
  const isWrong = room === undefined && capacity !== '' && capacity !== undefined;
  return done(c, isWrong ? 'rules' : await tools.duty.skills.put<never>(it, () => undefined));
}

async function isAway({ duty: { away } }: Tools, c: Ctx): Promise<boolean> {
  return (await away.seen()).some(({ id }) => id === c.var.who.id);
}

async function setAway(tools: Tools, c: Ctx): Promise<Response> {
  const { away } = tools.duty;
  const { id } = c.var.who;
  const wants = (await c.req.parseBody()).away === 'yes';
  await audited(tools, c, 'setAway', { on: id, what: wants ? 'away' : 'back' });
  await (wants ? away.put<never>({ id }, () => undefined) : away.remove(id));
  return isByScript(c) ? c.html(awayPart(wants, c.var)) : c.redirect(`${BASE}/inbox`, 303);
}

/** A whole number within limits. Undefined for anything else. */
function numberIn(text: unknown, min: number, max: number): number | undefined {
  const number = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}
