import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { CASE_KINDS } from '../../conversation/cases/case.ts';
import { LANGUAGES, type Language } from '../../conversation/incoming.ts';
import type { Guarded } from '../access/guard.ts';
import { type WrittenAnswer, wrongIn as wrongInAnswer } from '../answers.ts';
import type { Audited } from '../audit/deeds.ts';
import { LABEL_COLOURS, type Label, wrongIn as wrongInLabel } from '../labels.ts';
import { MACRO_ACTS, type Macro, type MacroAct, wrongIn as wrongInMacro } from '../macros.ts';
import { type Team, wrongIn as wrongInTeam } from '../teams.ts';
import { answer, audited, saysOn, viewOf } from './answer.ts';
import { valueInWords } from './case.ts';
import { rulesIn, type Tools } from './options.ts';
import { ORGANISATION, organisationPage } from './organisation.ts';
import { isGood, type Said } from './parts.ts';

/** The part of a form that is written down in the audit. */
const NAMED_MAX_CHARACTERS = 200;
const ID_CHARACTERS = 8;

const WRITES = { teams: writeTeam, labels: writeLabel, macros: writeMacro, answers: writeAnswer };
const REMOVED = {
  ...({ teams: 'removeTeam', labels: 'removeLabel' } as const),
  ...({ macros: 'removeMacro', answers: 'removeAnswer' } as const),
};

type Ctx = Context<Guarded>;
type Form = Readonly<Record<string, unknown>>;

/** Teams, labels, canned answers and macros, which supervisors arrange for everybody. */
export function organisationRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/organisation', (c) => page(tools, c));
  for (const of of Object.keys(WRITES) as (keyof typeof WRITES)[]) {
    app.post(`/organisation/${of}`, (c) => WRITES[of](tools, c));
    app.post(`/organisation/${of}/remove`, (c) => remove(tools, c, of));
  }
  return app;
}

async function page(tools: Tools, c: Ctx): Promise<Response> {
  const { labels, teams, answers, macros, agents, duty } = tools;
  const everybody = await agents();
  // It says that SQL is away, and does not show a list of before.
  const choices = {
    labels: await labels.all(),
    teams: await teams.all(),
    answers: await answers.all(),
    macros: await macros.all(),
    agents: everybody,
  };
  const [rules, skills, away] = await Promise.all([rulesIn(duty), duty.skills.all(), duty.away.all()]);
  return c.html(organisationPage(choices, { rules, skills, away }, viewOf(tools, c)));
}

async function writeTeam(tools: Tools, c: Ctx): Promise<Response> {
  const form = await c.req.parseBody({ all: true });
  const agents = await tools.agents();
  const [members, kinds] = [valuesOf(form, 'member'), valuesOf(form, 'kind')];
  const it: Team = {
    id: idIn(form),
    name: textIn(form, 'name'),
    members: agents.flatMap(({ id }) => (members.includes(id) ? [id] : [])),
    kinds: CASE_KINDS.filter((kind) => kinds.includes(kind)),
  };
  await written(tools, c, 'writeTeam', it.id, `${it.name}: ${[...it.members, ...it.kinds].join(' ')}`);
  return done(c, await tools.teams.put(it, (others) => wrongInTeam(it, others)));
}

async function writeAnswer(tools: Tools, c: Ctx): Promise<Response> {
  const form = await c.req.parseBody();
  const it: WrittenAnswer = { id: idIn(form), words: inEach(form, 'word'), texts: inEach(form, 'text') };
  const [what, why] = [Object.values(it.words).join(' '), Object.values(it.texts).join('\n')];
  await written(tools, c, 'writeAnswer', it.id, what, why);
  return done(c, await tools.answers.put(it, (others) => wrongInAnswer(it, others, tools.hosts ?? [])));
}

async function writeLabel(tools: Tools, c: Ctx): Promise<Response> {
  const form = await c.req.parseBody();
  const colour = LABEL_COLOURS.find((each) => each === form.colour) ?? ('' as Label['colour']);
  const it: Label = { id: idIn(form), names: inEach(form, 'name'), colour };
  await written(tools, c, 'writeLabel', it.id, [...Object.values(it.names), colour].join(' '));
  return done(c, await tools.labels.put(it, (others) => wrongInLabel(it, others)));
}

async function writeMacro(tools: Tools, c: Ctx): Promise<Response> {
  const form = await c.req.parseBody();
  const acts = MACRO_ACTS.map((act) => [act, textIn(form, act)] as const).filter(([, value]) => value);
  const it: Macro = { id: idIn(form), name: textIn(form, 'name'), ...Object.fromEntries(acts) };
  const what = acts.map((each) => each.join(' ')).join(', ');
  await written(tools, c, 'writeMacro', it.id, `${it.name}: ${what}`);
  const offered = await tools.offered();
  const isThere = (act: MacroAct, value: string) =>
    valueInWords(act, value, {}, offered, c.var) !== undefined;
  return done(c, await tools.macros.put(it, (others) => wrongInMacro(it, others, isThere)));
}

async function remove(tools: Tools, c: Ctx, of: keyof typeof REMOVED): Promise<Response> {
  const id = idIn(await c.req.parseBody());
  await written(tools, c, REMOVED[of], id);
  // No other case can get a label. Cases that have it and the figures go on naming it.
  const isLabel = of === 'labels';
  return done(
    c,
    await (isLabel ? tools.labels.edit(id, (it) => ({ ...it, isRemoved: true })) : tools[of].remove(id)),
  );
}

function written(tools: Tools, c: Ctx, act: Audited, on: string, what = '', why = ''): Promise<void> {
  return audited(tools, c, act, { on, what: what.slice(0, NAMED_MAX_CHARACTERS), why });
}

function inEach(form: Form, name: string): Readonly<Record<Language, string>> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, textIn(form, `${name}-${language}`)]),
  ) as Record<Language, string>;
}

/** A refusal is said beside the form, which keeps the typed text. After a success the page is another one. */
export function done(c: Ctx, said: Said): Response | Promise<Response> {
  return (isGood(said) ? saysOn : answer)(c, said, ORGANISATION);
}

/** The id of the changed thing. A new thing gets a new one. */
function idIn({ id }: Form): string {
  return typeof id === 'string' && /^[\da-f]{8}$/.test(id) ? id : randomUUID().slice(0, ID_CHARACTERS);
}

function textIn(form: Form, name: string): string {
  const value = form[name];
  // So long that what is too long is refused, and never cut.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim().slice(0, 2_000) : '';
}

function valuesOf(form: Form, name: string): readonly unknown[] {
  return [form[name] ?? []].flat();
}
