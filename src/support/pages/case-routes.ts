import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { Case, CaseOwner, Handler } from '../../conversation/cases/case.ts';
import { type CaseActed, type Cases, isSameCustomer, SNOOZE_MAX_MS } from '../../conversation/cases/cases.ts';
import type { Acted } from '../../conversation/desk/desk.ts';
import { LANGUAGES } from '../../conversation/incoming.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded, Who } from '../access/guard.ts';
import { cannedFor, type WrittenAnswer } from '../answers.ts';
import type { Audited, End } from '../audit/deeds.ts';
import { isForThem, isWithin, type Narrowed, type Seen, SHOWN } from '../case-list.ts';
import { csvLine, download } from '../csv.ts';
import { type Filter, wrongIn } from '../filters.ts';
import { actsOf, type MacroAct } from '../macros.ts';
import { sightOf } from '../masks.ts';
import { namedIn, namesNobody } from '../mentions.ts';
import { snoozedUntil } from '../snooze.ts';
import { teamOf } from '../teams.ts';
import { REASON_MIN_CHARACTERS } from './acts.ts';
import { answer, notFound } from './answer.ts';
import {
  CLOSE_NOTE_MAX_CHARACTERS,
  casePage,
  handlerOf,
  KIND_NAMES,
  macroRead,
  mayHandle,
  TEAM_PREFIX,
} from './case.ts';
import {
  CASES_SHOWN_MAX,
  type Chosen,
  casesPart,
  type InboxState,
  inboxLines,
  inboxPage,
  type NamedFilter,
  newsCount,
  queryOf,
  shownOf,
} from './inbox.ts';
import { noticed, type Tools } from './options.ts';
import { isSaid, type Said, type View } from './parts.ts';
import { shortReference } from './payment.ts';
import { personPath } from './person-routes.ts';

const GAP_MS = 500;
const EVERY_MS = 2_000;
const WHAT_MAX_CHARACTERS = 80;
const CASE_ID = /^c-[\da-z]{7}$/;

type Ctx = Context<Guarded>;
type Form = Readonly<Record<string, unknown>>;
type CaseSaid = CaseActed | 'badTime' | 'noReason' | 'toldNobody';
type Run = (cases: Cases, it: Case, who: Who, form: Form, tools: Tools) => Promise<CaseSaid>;

/** What an agent can do about a case: the end of its path, its name in the audit, and what it does. */
const ACTS: readonly (readonly [path: string, act: Audited, run: Run])[] = [
  ['take', 'nextCase', (cases, { id }, who) => cases.assign(id, ownerOf(who), handlerOf(who))],
  ['give', 'giveCase', (cases, it, who, { to }, tools) => give(cases, it, who, String(to ?? ''), tools)],
  ['wait', 'changeCase', (cases, { id }, who) => cases.setWaiting(id, true, handlerOf(who))],
  ['go-on', 'changeCase', (cases, { id }, who) => cases.setWaiting(id, false, handlerOf(who))],
  ['urgent', 'changeCase', (cases, { id }, who) => cases.setUrgent(id, true, handlerOf(who))],
  ['not-urgent', 'changeCase', (cases, { id }, who) => cases.setUrgent(id, false, handlerOf(who))],
  ['label', 'labelCase', (cases, it, who, { label }, tools) => relabel(cases, it, who, label, true, tools)],
  [
    'unlabel',
    'labelCase',
    (cases, it, who, { label }, tools) => relabel(cases, it, who, label, false, tools),
  ],
  ['note', 'addNote', (cases, it, who, { text }, tools) => note(cases, it, who, String(text ?? ''), tools)],
  ['snooze', 'snoozeCase', (_, { id }, who, form, tools) => snooze(tools, id, who, form)],
  [
    'merge',
    'mergeCase',
    (cases, { id }, who, { into }) => cases.merge(id, String(into ?? ''), handlerOf(who)),
  ],
  [
    'close',
    'closeCase',
    (_, { id }, who, { note }, { desk }) => desk.closeCase(id, closing(who), noteIn(note)),
  ],
  ['reopen', 'reopenCase', (cases, { id }, who) => cases.reopen(id, who.id)],
];

/** What is done about many at once, and the fields that it needs. */
const BULK: Readonly<Record<string, readonly string[]>> = {
  give: ['to'],
  snooze: ['for', 'at'],
  'go-on': [],
  label: ['label'],
  unlabel: ['label'],
  close: ['note'],
};

/** Cases, and the inbox in which agents work through them. */
export function caseRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/inbox', (c) => inbox(tools, c));
  app.get('/inbox/live', (c) => inboxLive(tools, c));
  app.get('/inbox/news', (c) => news(tools, c));
  app.get('/inbox/csv', (c) => inboxCsv(tools, c));
  app.post('/inbox/next', (c) => next(tools, c));
  app.post('/inbox/bulk', (c) => bulk(tools, c));
  for (const whose of ['', '/shared']) {
    app.post(`/inbox/filters${whose}`, (c) => saveFilter(tools, c, whose !== ''));
    app.post(`/inbox/filters${whose}/remove`, (c) => removeFilter(tools, c, whose !== ''));
  }
  app.post('/presence', (c) => isHere(tools, c));
  app.get('/cases/:id', (c) => see(tools, c));
  app.get('/cases/:id/work', (c) => work(tools, c));
  app.post('/cases/:id/macro', (c) => macro(tools, c));
  for (const [path, name, run] of ACTS) app.post(`/cases/:id/${path}`, (c) => act(tools, c, name, path, run));
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

/** What the inbox is narrowed to, under a name of an agent's, or for all. */
async function saveFilter({ audit, filters }: Tools, c: Ctx, isShared: boolean): Promise<Response> {
  const { who } = c.var;
  const fields = await c.req.parseBody();
  const [id, query] = [randomUUID().slice(0, 8), queryOf(chosenOf(fields))];
  const name = typeof fields.name === 'string' ? fields.name.trim().slice(0, 100) : '';
  const what = `${isShared ? 'for all: ' : ''}${name}: ${query}`.slice(0, 200);
  await audit.append({ who: who.id, act: 'writeFilter', on: id, what });
  const filter = { id, name, query };
  const book = filters.of(isShared ? undefined : who.id);
  return answer(c, await book.put(filter, (others) => wrongIn(filter, others)), `${BASE}/inbox?${query}`);
}

async function removeFilter({ audit, filters }: Tools, c: Ctx, isShared: boolean): Promise<Response> {
  const { who } = c.var;
  const fields = await c.req.parseBody();
  const id = idIn(fields.id) ?? '';
  await audit.append({ who: who.id, act: 'removeFilter', on: id, ...(isShared && { what: 'for all' }) });
  const removed = await filters.of(isShared ? undefined : who.id).remove(id);
  return answer(c, removed, `${BASE}/inbox?${queryOf(chosenOf(fields))}`);
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
  const row = ACTS.find(([path]) => path === form.act && Object.hasOwn(BULK, path));
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

function endOf(acted: CaseSaid | Acted): End {
  return acted === 'done' || acted === 'toldNobody' ? { end: 'done' } : { end: 'refused', endWhy: acted };
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

async function isHere({ presence }: Tools, c: Ctx): Promise<Response> {
  const { where, writing } = await c.req.parseBody();
  const { id, name } = c.var.who;
  await presence.isHere(
    { id, name },
    typeof where === 'string' && where !== '' ? where : undefined,
    writing === 'yes',
  );
  return c.body(null, 204);
}

async function see(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, audit, caseList, agents, teams, now } = tools;
  const { who } = c.var;
  const it = await desk.cases.find(c.req.param('id') ?? '');
  if (!it) return notFound(c);
  await audit.append({ who: who.id, act: 'seeCase', on: it.id, ...aboutOf(it) });
  await noticed(tools, it, who);
  const [all, everybody, theTeams, offered] = await Promise.all([
    caseList.read(),
    agents(),
    teams.all(),
    tools.offered(),
  ]);
  const team = teamOf(it, theTeams);
  const context = {
    workPath: workPath(tools, it),
    ...(it.wallet && { personPath: personPath(tools, it.wallet) }),
    agents: everybody.filter(({ id }) => id !== it.owner?.id),
    teams: theTeams.filter(({ id }) => id !== team?.id || it.owner !== undefined),
    team,
    offered,
    others: all.filter((other) => other.id !== it.id && isSameCustomer(it, other)),
  };
  const said = c.req.query('said');
  return c.html(casePage(it, context, isSaid(said) ? said : undefined, viewOf(c, now())));
}

/** From a list to where a case is worked on: a session, a payment or a webhook has pages of their own. */
async function work(tools: Tools, c: Ctx): Promise<Response> {
  const it = await tools.desk.cases.find(c.req.param('id') ?? '');
  return it ? c.redirect(workPath(tools, it), 303) : notFound(c);
}

function workPath({ ids }: Pick<Tools, 'ids'>, { id, kind, subject, address }: Case): string {
  switch (kind) {
    case 'payment':
      return `${BASE}/payments/${subject}`;
    case 'webhook':
      return `${BASE}/webhooks/${encodeURIComponent(subject)}`;
    case 'asked':
    case 'stuck':
      return address ? `${BASE}/sessions/${ids.idOf(address)}` : `${BASE}/cases/${id}`;
  }
}

/** One act about a case. It is in the audit before it is done. */
async function act(tools: Tools, c: Ctx, name: Audited, path: string, run: Run): Promise<Response> {
  const { desk, caseList } = tools;
  const it = await desk.cases.find(c.req.param('id') ?? '');
  if (!it) return notFound(c);
  const acted = await done(tools, c.var.who, it, name, path, run, await c.req.parseBody({ all: true }));
  caseList.expire();
  return answer(c, acted, `${BASE}/cases/${it.id}`);
}

/**
 * Does what a macro does, one act after the other, each in the audit with how it ended, until one is refused: that is said. Only what
 * the agent has read, and only about a case that they may change: else nothing is done.
 */
async function macro(tools: Tools, c: Ctx): Promise<Response> {
  const { desk, audit, caseList, queue } = tools;
  const [id, form, offered] = [c.req.param('id') ?? '', await c.req.parseBody(), await tools.offered()];
  const [macroId, read] = [String(form.macro).split(':')[0], form.macro];
  const [it, chosen] = [await desk.cases.find(id), offered.macros.find((each) => each.id === macroId)];
  if (!it) return notFound(c);
  const back = `${BASE}/cases/${it.id}`;
  if (!chosen) return answer(c, 'notFound', back);
  if (it.state === 'closed') return answer(c, 'notNow', back);
  if (!mayHandle(it, c.var.who)) return answer(c, 'owned', back);
  if (read !== macroRead(chosen, it, offered, c.var))
    return shownAnew(c, 'macroChanged', workPath(tools, it));
  let said: Said = 'done';
  for (const [name, value] of actsOf(chosen)) {
    // As the act before has left it.
    const now = (await desk.cases.find(id)) ?? it;
    const acted = await audit.part(() => actOf(tools, c, now, name, value, offered.answers), endOf);
    if (acted === 'done') continue;
    said = `stopped-${name}-${acted}`;
    break;
  }
  queue.expire();
  caseList.expire();
  return answer(c, said, back);
}

/** What the page shows is no longer so: it is shown again as it is, with the reason, also where a script has sent the form. */
function shownAnew(c: Ctx, said: Said, path: string): Response | Promise<Response> {
  if (!c.req.header('hx-request')) return answer(c, said, path);
  c.set('refusal', said);
  c.header('hx-redirect', `${path}?said=${said}`);
  return c.body(null, 204);
}

/** One act of a macro. What is so already has nothing left to do. */
async function actOf(
  tools: Tools,
  c: Ctx,
  it: Case,
  name: MacroAct,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<CaseSaid | Acted> {
  const { who } = c.var;
  const byHand = (fields: Form) => {
    const row = ACTS.find(([path]) => path === name);
    return row ? done(tools, who, it, row[1], name, row[2], fields) : ('notFound' as const);
  };
  switch (name) {
    case 'answer':
      return writeAnswer(tools, c, it, value, answers);
    case 'label':
      return it.labels?.includes(value) ? 'done' : byHand({ label: value });
    case 'give':
      return it.team === value && !it.owner ? 'done' : byHand({ to: `${TEAM_PREFIX}${value}` });
    case 'snooze':
      return byHand({ for: value });
    case 'close': {
      // Whoever closes a case is through with its conversation; whoever may not, keeps it.
      const closed = await byHand({ note: value });
      return closed === 'done' ? ((await handsBack(tools, who, it)) ?? 'done') : closed;
    }
  }
}

/** A canned answer, to the customer whom a case is about. */
async function writeAnswer(
  { desk, audit }: Tools,
  c: Ctx,
  { address, wallet, language }: Case,
  value: string,
  answers: readonly WrittenAnswer[],
): Promise<CaseSaid | Acted> {
  const { who, language: own } = c.var;
  const [newest] = wallet ? await desk.payments(wallet, 1) : [];
  const values = { agent: who.name, reference: newest && shortReference(newest) };
  const choices = cannedFor(answers, language ?? own, own, values);
  const text = choices.find(({ id }) => id === value)?.text;
  if (!address || text === undefined) return 'notFound';
  await audit.append({ who: who.id, act: 'write', on: address, ...(wallet && { about: wallet }) });
  return desk.write(address, ownerOf(who), text);
}

/** Gives back a conversation that the agent has. Undefined where there is nothing more to say of that. */
async function handsBack(
  { desk, audit }: Tools,
  who: Who,
  { address, wallet }: Case,
): Promise<Acted | undefined> {
  const session = address && (await desk.session(address));
  if (!address || (session ? session.owner?.id : undefined) !== who.id) return undefined;
  await audit.append({ who: who.id, act: 'handBack', on: address, ...(wallet && { about: wallet }) });
  const isBack = await desk.handBack(address, ownerOf(who));
  return isBack === 'done' ? undefined : isBack;
}

async function done(
  tools: Tools,
  who: Who,
  it: Case,
  name: Audited,
  path: string,
  run: Run,
  form: Form,
): Promise<CaseSaid> {
  const { desk, audit } = tools;
  await audit.append({ who: who.id, act: name, on: it.id, ...aboutOf(it), ...whatIn(path, form) });
  return run(desk.cases, it, who, form, tools);
}

async function give(cases: Cases, { id }: Case, who: Who, to: string, tools: Tools): Promise<CaseActed> {
  const { agents, teams } = tools;
  if (to.startsWith(TEAM_PREFIX)) {
    const team = (await teams.all()).find((each) => `${TEAM_PREFIX}${each.id}` === to);
    return team ? cases.toTeam(id, team, handlerOf(who)) : 'notFound';
  }
  const agent = (await agents()).find((each) => each.id === to);
  return agent ? cases.assign(id, agent, handlerOf(who)) : 'notFound';
}

async function note(
  cases: Cases,
  { id }: Case,
  who: Who,
  text: string,
  { agents }: Tools,
): Promise<CaseSaid> {
  const everybody = await agents();
  const noted = await cases.note(id, who.id, text, namedIn(text, everybody));
  return noted === 'done' && namesNobody(text, everybody) ? 'toldNobody' : noted;
}

/** Only labels that there are; one that was removed can still be taken off. */
async function relabel(
  cases: Cases,
  { id }: Case,
  who: Who,
  label: unknown,
  isOn: boolean,
  { labels }: Tools,
): Promise<CaseActed> {
  const asked = [label ?? []].flat();
  const known = (await labels.all()).filter((each) => asked.includes(each.id) && !(isOn && each.isRemoved));
  return known.length === 0
    ? 'notFound'
    : cases.label(
        id,
        known.map((each) => each.id),
        isOn,
        who.id,
      );
}

async function snooze(
  { desk, now }: Tools,
  id: string,
  who: Who,
  form: Form,
): Promise<CaseActed | 'badTime'> {
  const until = snoozedUntil(form, now(), (at) => desk.cases.opensAt(at)) ?? 0;
  const isInTime = until === 'customer' || (until > now() && until <= now() + SNOOZE_MAX_MS);
  return isInTime ? desk.snoozeCase(id, until, handlerOf(who)) : 'badTime';
}

/** Whose case it is, for the audit. */
function aboutOf({ wallet }: Case): { readonly about?: string } {
  return wallet ? { about: wallet } : {};
}

/** What exactly is done about a case, for the audit: whom it is given to, into which one it goes, until when it is put off, which labels. */
function whatIn(path: string, form: Form): { readonly what: string; readonly why?: string } {
  const { to, into, at, for: until, label, note } = form;
  const other = [to, into, at, until, [label ?? []].flat().join(' ')].find(
    (each) => typeof each === 'string' && each !== '',
  );
  const why = noteIn(note).trim();
  return { what: [path, other].filter(Boolean).join(' ').slice(0, WHAT_MAX_CHARACTERS), ...(why && { why }) };
}

function noteIn(note: unknown): string {
  return typeof note === 'string' ? note.slice(0, CLOSE_NOTE_MAX_CHARACTERS) : '';
}

function ownerOf({ id, name }: Who): CaseOwner {
  return { id, name };
}

/** Whoever closes a case is also the one who asks its customer how it was. */
function closing(who: Who): CaseOwner & Handler {
  return { ...ownerOf(who), ...handlerOf(who) };
}

function viewOf(c: Ctx, now: number): View {
  const { who, language } = c.var;
  return { who, language, now, sight: sightOf(who.role) };
}

/** Only what could have been chosen counts. */
function chosenIn(c: Ctx): Chosen {
  return chosenOf(c.req.query());
}

function chosenOf(form: Form): Chosen {
  return { shown: SHOWN.find((each) => each === form.show) ?? 'mine', ...narrowedIn(form) };
}

function narrowedIn({ speaks, kind, team, label }: Form): Narrowed {
  return {
    language: LANGUAGES.find((each) => each === speaks),
    team: idIn(team),
    label: idIn(label),
    kind: (Object.keys(KIND_NAMES) as (keyof typeof KIND_NAMES)[]).find((each) => each === kind),
  };
}

/** Of a team, a label or a filter. */
function idIn(id: unknown): string | undefined {
  return typeof id === 'string' && /^[\da-f]{8}$/.test(id) ? id : undefined;
}
