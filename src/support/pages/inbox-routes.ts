import { type Context, Hono } from 'hono';
import type { Case } from '../../conversation/cases/case.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Audited } from '../audit/deeds.ts';
import { choiceForThem, choiceOf, choiceWithin, isNewCase, type Seen } from '../case-list.ts';
import { say } from '../sentences.ts';
import { answer, audited, viewOf } from './answer.ts';
import { CASE_ACTS, done, endOf, type Form, ownerOf, type Ran, workPath } from './case-acts.ts';
import { casesNow, keptQuery, paneAlone } from './case-pane.ts';
import { type Chosen, choiceIn, chosenOf, narrowedIn, pageIn, queryOf } from './case-selection.ts';
import { deskPage } from './desk-page.ts';
import { beforeSentence, nameOf } from './earlier-step.ts';
import { CASES_SHOWN_MAX, inboxLines, newCaseCount, type RefusedCase, seenBy } from './inbox.ts';
import { macroIn, runMacro } from './macro-routes.ts';
import type { Offered, Tools } from './options.ts';
import { isGood, isSaid, sentence, type View } from './parts.ts';
import { saveTable } from './save.ts';

const GAP_MS = 500;
const EVERY_MS = 2_000;
const CASE_ID = /^c-[\da-z]{7}$/;
/** A case about which something was refused, why, and the step of somebody else that was there before: `c-4k7m2qd:notNow:closed.1795392000000`. */
const REFUSED = /^(?<id>c-[\da-z]{7})(?::(?<said>[\w-]+))?(?::(?<step>\w+\.\d+))?$/;

type Ctx = Context<Guarded>;

/** The acts on many cases at once, and the fields that they need. */
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
  app.get('/inbox/news', (c) => sendNewCaseCount(tools, c));
  app.get('/inbox/csv', (c) => inboxCsv(tools, c));
  app.post('/inbox/next', (c) => next(tools, c));
  app.post('/inbox/bulk', (c) => bulk(tools, c));
  app.post('/inbox/read', (c) => read(tools, c));
  return app;
}

async function inbox(tools: Tools, c: Ctx): Promise<Response> {
  const { not = '', did, to, for: until, at, onto, macro } = c.req.query();
  const view = viewOf(tools, c);
  const offered = await tools.offered();
  const named = not.split(',').slice(0, CASES_SHOWN_MAX);
  const refused = await Promise.all(named.map((each) => refusedIn(tools, each, offered, view)));
  const tried = { act: did, to, for: until, at, label: onto, macro };
  const flash = { not: refused.flat(), tried };
  const title = say(view.language, 'console.inbox');
  return c.html(deskPage({ title, pane: await paneAlone(tools, c, flash) }, view));
}

/** A case about which an act was refused, with the reason, as an address has it. Undefined for anything else. */
async function refusedIn(
  { desk }: Tools,
  text: string,
  offered: Offered,
  view: View,
): Promise<readonly RefusedCase[]> {
  const { id = '', said, step } = REFUSED.exec(text)?.groups ?? {};
  if (id === '') return [];
  if (!isSaid(said)) return [{ id }];
  const it = step === undefined ? undefined : await desk.cases.find(id);
  const because = it && beforeSentence(it, step, offered, view);
  return [{ id, why: sentence(said, view.language, because) }];
}

async function sendNewCaseCount(tools: Tools, c: Ctx): Promise<Response> {
  const { cases } = tools.desk;
  const view = viewOf(tools, c);
  const seen = seenBy({ teams: await tools.teams.seen() }, view);
  const lists = [choiceOf('mine', seen), { naming: seen.agent }].map((choice) => cases.list(choice));
  const found = await Promise.all([
    Promise.all(lists),
    cases.counts([{ ...choiceOf('unassigned', seen), and: choiceForThem(seen) }]),
  ]).catch(whenAway);
  const [theirs = [], [free = 0] = []] = found ?? [];
  const news = new Set(theirs.flat().flatMap((it) => (isNewCase(it, seen) ? it.id : [])));
  return c.html(newCaseCount(news.size, free, view));
}

async function inboxLive(tools: Tools, c: Ctx): Promise<Response> {
  const { caseNews, streams } = tools;
  return streams.open(c, {
    gapMs: GAP_MS,
    everyMs: EVERY_MS,
    follow: (changed) => caseNews.onChange(changed),
    render: async () => ({ cases: String(await casesNow(tools, c)) }),
  });
}

/** The list that is shown, masked as it is on the page. */
async function inboxCsv(tools: Tools, c: Ctx): Promise<Response> {
  const view = viewOf(tools, c);
  const [teams, labels] = await Promise.all([tools.teams.seen(), tools.labels.seen()]);
  const chosen = chosenIn(c);
  const cases = await tools.desk.cases.list(choiceIn(chosen, seenBy({ teams }, view)), { sort: chosen.sort });
  const lines = inboxLines(cases, { teams, labels }, view);
  return saveTable(tools, c, { name: 'inbox', of: queryOf(chosen) }, lines);
}

/** Does the same about the chosen cases, one after the other: each is in the audit, with how it ended. */
async function bulk(tools: Tools, c: Ctx): Promise<Response> {
  const { audit, caseNews, queue, desk } = tools;
  const form = await c.req.parseBody({ all: true });
  const chosen = [form.id].flat().filter((id) => typeof id === 'string' && CASE_ID.test(id)) as string[];
  const ids = new Set(chosen.slice(0, CASES_SHOWN_MAX));
  const { act: did, to, for: until, at, label, macro } = form;
  const kept = Object.entries({ did, to, for: until, at, onto: label, macro }).filter(
    ([, value]) => typeof value === 'string',
  );
  const page = pageIn(form);
  const list = `${BASE}/inbox?${queryOf(chosenOf(form))}${page > 1 ? `&page=${page}` : ''}`;
  // A refused act can be tried again with the same choices. Typed text stays out of addresses, which are logged.
  const back = `${list}&${new URLSearchParams(kept as [string, string][])}`;
  const run = await runOf(tools, c, form);
  if (!run || ids.size === 0) return answer(c, 'noneChosen', back);
  if (did === 'macro' && macro === undefined)
    return answer(c, 'noMacro', `${back}&not=${[...ids].join(',')}`);
  // Those about which it was refused stay chosen, each with the reason.
  const refused = new Map<string, Ran>();
  for (const id of ids) {
    // A hundred acts take a while. An agent who is shut out meanwhile does no more of them.
    if (!(await tools.isStillIn(c.var.who))) return c.text('sign in\n', 401);
    const it = await desk.cases.find(id);
    const ran = it ? await audit.part(() => run.on(it), endOf) : ({ said: 'notFound' } as const);
    if (!isGood(ran.said)) refused.set(id, ran);
  }
  queue.expire();
  caseNews.expire();
  if (refused.size === 0) return answer(c, `done-${run.name}-${ids.size}`, list);
  const [first = 'done', ...others] = new Set([...refused.values()].map(({ said }) => said));
  const isOne = refused.size === ids.size && others.length === 0;
  const said = isOne ? first : refused.size === ids.size ? 'allNot' : 'someNot';
  const not = [...refused].map(([id, { said, before }]) =>
    [id, said, before && nameOf(before)].filter(Boolean).join(':'),
  );
  const query = new URLSearchParams({ said, not: not.join(',') });
  return c.redirect(`${back}&${query}`, 303);
}

/** An act on each of several cases. `name`: as the audit and the agent call it. */
interface BulkRun {
  readonly name: Audited;
  readonly on: (it: Case) => Promise<Ran>;
}

/** The act that a form asks for on each of its cases. Undefined where it asks for none. */
async function runOf(tools: Tools, c: Ctx, form: Form): Promise<BulkRun | undefined> {
  if (form.act === 'macro') {
    const offered = await tools.offered();
    const chosen = macroIn(form, LANGUAGES, offered, c);
    return { name: 'runMacro', on: (it) => runMacro(tools, c, it, chosen, offered) };
  }
  const row = CASE_ACTS.find(([path]) => path === form.act && Object.hasOwn(BULK, path));
  const fields = Object.fromEntries((BULK[row?.[0] ?? ''] ?? []).map((field) => [field, form[field]]));
  return row && { name: row[1], on: (it) => done(tools, c.var.who, it, row, fields) };
}

/** Takes the case that is due first, and leads to where it is worked on. */
async function next(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, caseNews, teams, now } = tools;
  const { who } = c.var;
  await audited(tools, c, 'nextCase');
  const form = await c.req.parseBody();
  // A page without the list sends no filters: those of the list that was chosen last go on.
  const narrowed = narrowedIn(form.speaks === undefined ? keptQuery(c) : form);
  const seen: Seen = { agent: who.id, teams: await teams.seen(), now: now() };
  const meant = choiceWithin(narrowed, seen.teams);
  // Those of other teams only once there is none of theirs: nothing is left lying because a team is away.
  const ours = await desk.cases.next(ownerOf(who), { ...choiceForThem(seen), and: meant });
  const it = ours ?? (await desk.cases.next(ownerOf(who), meant));
  caseNews.expire();
  if (!it)
    return c.redirect(`${BASE}/inbox?${queryOf({ shown: 'unassigned', ...narrowed })}&said=noCase`, 303);
  // The case that is due first is known once the agent has it.
  await audited(tools, c, 'nextCase', { on: it.id, about: it.wallet });
  return c.redirect(workPath(tools, it), 303);
}

/** Mentions that somebody has read without opening the case: the one that is named, else all that their list shows. It is no act about a case. */
async function read({ desk, caseNews, teams }: Tools, c: Ctx): Promise<Response> {
  const { id: agent } = c.var.who;
  const form = await c.req.parseBody();
  const narrowed = narrowedIn(form);
  const within = choiceWithin(narrowed, await teams.seen());
  const named = await desk.cases.list({ naming: agent, ...(typeof form.id !== 'string' && { and: within }) });
  const chosen = named.filter(
    ({ id, mentions }) => mentions?.[agent] === true && (typeof form.id !== 'string' || form.id === id),
  );
  for (const { id } of chosen) await desk.cases.looked(id, agent);
  caseNews.expire();
  return answer(c, 'done', `${BASE}/inbox?${queryOf({ shown: 'mentions', ...narrowed })}`);
}

/** Only what could have been chosen counts. */
function chosenIn(c: Ctx): Chosen {
  return chosenOf(c.req.query());
}
