import { type Context, Hono } from 'hono';
import { BASE } from '../access/endpoints.ts';
import type { Guarded, Who } from '../access/guard.ts';
import { isForThem, isWithin, type Seen } from '../case-list.ts';
import { csvLine, download } from '../csv.ts';
import type { Filter } from '../filters.ts';
import { REASON_MIN_CHARACTERS } from './acts.ts';
import { answer, viewOf } from './answer.ts';
import { CASE_ACTS, type CaseSaid, done, endOf, noteIn, ownerOf, workPath } from './case-acts.ts';
import { type Chosen, chosenOf, narrowedIn, queryOf } from './chosen.ts';
import {
  CASES_SHOWN_MAX,
  casesPart,
  type InboxState,
  inboxLines,
  inboxPage,
  type NamedFilter,
  newsCount,
  shownOf,
} from './inbox.ts';
import type { Tools } from './options.ts';
import { isSaid } from './parts.ts';

const GAP_MS = 500;
const EVERY_MS = 2_000;
const CASE_ID = /^c-[\da-z]{7}$/;

type Ctx = Context<Guarded>;

/** What is done about many at once, and the fields that it needs. */
const BULK: Readonly<Record<string, readonly string[]>> = {
  give: ['to'],
  snooze: ['for', 'at'],
  'go-on': [],
  label: ['label'],
  unlabel: ['label'],
  close: ['note'],
};

/** The inbox, in which agents work through cases. */
export function inboxRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/inbox', (c) => inbox(tools, c));
  app.get('/inbox/live', (c) => inboxLive(tools, c));
  app.get('/inbox/news', (c) => news(tools, c));
  app.get('/inbox/csv', (c) => inboxCsv(tools, c));
  app.post('/inbox/next', (c) => next(tools, c));
  app.post('/inbox/bulk', (c) => bulk(tools, c));
  return app;
}

async function inbox(tools: Tools, c: Ctx): Promise<Response> {
  const { said, not = '', did, to, for: until, at, onto } = c.req.query();
  const view = viewOf(c, tools.now());
  const [state, everybody] = await Promise.all([readInbox(tools, c.var.who), tools.agents()]);
  const flash = {
    said: isSaid(said) ? said : undefined,
    not: not.split(',').filter((id) => CASE_ID.test(id)),
    tried: { act: did, to, for: until, at, label: onto },
  };
  return c.html(inboxPage(state, everybody, chosenIn(c), flash, view));
}

/** What every page of the inbox shows a part of. */
async function readInbox(
  { caseList, presence, teams, labels, filters }: Tools,
  { id }: Who,
): Promise<InboxState> {
  const [cases, present, theTeams, theLabels, shared, own] = await Promise.all([
    caseList.read(),
    presence.all(),
    teams.all(),
    labels.all(),
    filters.of().all(),
    filters.of(id).all(),
  ]);
  return {
    cases,
    present,
    teams: theTeams,
    labels: theLabels,
    filters: [...shared.map((each) => named(each, true)), ...own.map((each) => named(each, false))],
  };
}

function named({ id, name, query }: Filter, isShared: boolean): NamedFilter {
  return { id, name, isShared, chosen: chosenOf(Object.fromEntries(new URLSearchParams(query))) };
}

async function news(tools: Tools, c: Ctx): Promise<Response> {
  return c.html(newsCount(await readInbox(tools, c.var.who), { ...c.var, now: tools.now() }));
}

async function inboxLive(tools: Tools, c: Ctx): Promise<Response> {
  const { caseList, streams, now } = tools;
  const chosen = chosenIn(c);
  return streams.open(c, {
    gapMs: GAP_MS,
    everyMs: EVERY_MS,
    follow: (changed) => caseList.onChange(changed),
    async render() {
      return { cases: String(await casesPart(await readInbox(tools, c.var.who), chosen, viewOf(c, now()))) };
    },
  });
}

/** The list that is shown, masked as it is on the page. */
async function inboxCsv(tools: Tools, c: Ctx): Promise<Response> {
  const view = viewOf(c, tools.now());
  const state = await readInbox(tools, c.var.who);
  const shown = shownOf(state, chosenIn(c), view);
  return download(
    'inbox.csv',
    'text/csv',
    (async function* () {
      for (const line of inboxLines(shown, state, view)) yield csvLine(line);
    })(),
  );
}

/** Does the same about the chosen cases, one after the other: each is in the audit, with how it ended. */
async function bulk(tools: Tools, c: Ctx): Promise<Response> {
  const { audit, caseList, desk } = tools;
  const { who } = c.var;
  const form = await c.req.parseBody({ all: true });
  const row = CASE_ACTS.find(([path]) => path === form.act && Object.hasOwn(BULK, path));
  const ids = new Set([form.id].flat().filter((id) => typeof id === 'string' && CASE_ID.test(id)));
  const { act: did, to, for: until, at, label } = form;
  const kept = Object.entries({ did, to, for: until, at, onto: label }).filter(
    ([, value]) => typeof value === 'string',
  );
  const list = `${BASE}/inbox?${queryOf(chosenOf(form))}`;
  // What was refused can be tried again as it was chosen; what was typed stays out of addresses, which are logged.
  const back = `${list}&${new URLSearchParams(kept as [string, string][])}`;
  if (!row || ids.size === 0) return answer(c, 'noneChosen', back);
  const [path, name, run] = row;
  const fields = Object.fromEntries((BULK[path] ?? []).map((field) => [field, form[field]]));
  if (path === 'close' && noteIn(fields.note).trim().length < REASON_MIN_CHARACTERS)
    return answer(c, 'noReason', `${back}&not=${[...ids].join(',')}`);
  // Those that have not changed stay chosen.
  const refused = new Map<string, CaseSaid>();
  for (const id of [...ids].slice(0, CASES_SHOWN_MAX) as string[]) {
    const it = await desk.cases.find(id);
    const acted = it
      ? await audit.part(() => done(tools, who, it, name, path, run, fields), endOf)
      : ('notFound' as const);
    if (acted !== 'done') refused.set(id, acted);
  }
  caseList.expire();
  const [first = 'done', ...others] = new Set(refused.values());
  const isNone = refused.size === ids.size && others.length === 0;
  const said = refused.size === 0 || isNone ? first : 'someNot';
  const next = refused.size === 0 ? list : back;
  return c.redirect(`${next}&${new URLSearchParams({ said, not: [...refused.keys()].join(',') })}`, 303);
}

/** Takes the case that is due first, and leads to where it is worked on. */
async function next(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, audit, caseList, teams, now } = tools;
  const { who } = c.var;
  await audit.append({ who: who.id, act: 'nextCase' });
  const narrowed = narrowedIn(await c.req.parseBody());
  const seen: Seen = { agent: who.id, teams: await teams.all(), now: now() };
  const isMeant = isWithin(narrowed, seen.teams);
  // Those of other teams only once there is none of theirs: nothing is left lying because a team is away.
  const ours = await desk.cases.next(ownerOf(who), (each) => isMeant(each) && isForThem(each, seen));
  const it = ours ?? (await desk.cases.next(ownerOf(who), isMeant));
  caseList.expire();
  if (!it)
    return c.redirect(`${BASE}/inbox?${queryOf({ shown: 'unassigned', ...narrowed })}&said=noCase`, 303);
  return c.redirect(workPath(tools, it), 303);
}

/** Only what could have been chosen counts. */
function chosenIn(c: Ctx): Chosen {
  return chosenOf(c.req.query());
}
