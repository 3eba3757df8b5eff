import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { type Case, isSnoozed } from '../../conversation/cases/case.ts';
import type { CaseChoice } from '../../conversation/cases/choice.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { type CaseListName, listWithWork, type Seen, SHOWN } from '../case-list.ts';
import type { Filter } from '../filters.ts';
import type { Html } from '../layout.ts';
import { sightOf } from '../masks.ts';
import { viewOf } from './answer.ts';
import { choiceIn, chosenOf, pageIn, queryOf } from './case-selection.ts';
import type { CasePane } from './desk-page.ts';
import {
  CASES_SHOWN_MAX,
  casePane,
  casesPart,
  type Flash,
  type InboxState,
  type NamedFilter,
  type Opened,
  seenBy,
  wholePane,
} from './inbox.ts';
import { peopleNow } from './list-routes.ts';
import type { Tools } from './options.ts';
import type { View } from './parts.ts';

type Ctx = Context<Guarded>;
type Query = Readonly<Record<string, string>>;

/** Keeps the list that an agent has chosen, for the pages that show it beside something else. It names nobody. */
const CHOSEN_COOKIE = 'wasl-list';

/** The list that a query asks for, with its cases. One that names none gets the first one in which something is to be done. */
async function readInbox(tools: Tools, query: Query, view: View): Promise<[InboxState, Opened]> {
  const { desk, presence, duty, teams, labels, filters, live, lastWords } = tools;
  const { id } = view.who;
  await live.watching();
  const [present, away, theTeams, theLabels, shared, own] = await Promise.all([
    presence.all(),
    duty.away.seen(),
    teams.seen(),
    labels.seen(),
    filters.of().seen(),
    filters.of(id).seen(),
  ]);
  const saved = [...shared.map((each) => named(each, true)), ...own.map((each) => named(each, false))];
  const sight = sightOf(view.who);
  const found = await listIn(desk, query, saved, seenBy({ teams: theTeams }, view)).catch(whenAway);
  const { opened = openedBy(query, {}), ...list } = found ?? NOTHING;
  const { at } = query;
  const isElsewhere = found && at !== undefined && !found.cases.some(({ id }) => id === at);
  const state = {
    ...list,
    ...(isElsewhere && { inHand: await desk.cases.find(at) }),
    ...(!found && { instead: await peopleNow(tools, view) }),
    present,
    away: new Set(away.map((each) => each.id)),
    lastWords: async ({ address }: Case) => address && lastWords.of(address, sight),
    teams: theTeams,
    labels: theLabels,
    filters: saved,
  };
  return [state, opened];
}

const NOTHING = {
  cases: [],
  counts: countsFrom([]),
  savedCounts: [],
  opened: undefined,
};

function countsFrom(counts: readonly number[]): InboxState['counts'] {
  const all = SHOWN.map((each, i) => [each, counts[i] ?? 0] as const);
  return Object.fromEntries(all) as Record<CaseListName, number>;
}

async function listIn({ cases }: Tools['desk'], query: Query, saved: readonly NamedFilter[], seen: Seen) {
  const asked = chosenOf(query);
  const lists = SHOWN.map((shown) => choiceIn({ ...asked, shown }, seen));
  const rowsOf = ({ chosen, page }: Opened) => {
    const part = { sort: chosen.sort, from: (page - 1) * CASES_SHOWN_MAX, limit: CASES_SHOWN_MAX };
    return cases.list(choiceIn(chosen, seen), part);
  };
  // A list has work or not: that is known once they are counted.
  const [all, asIs] = await Promise.all([
    cases.counts([...lists, ...saved.map(({ chosen }) => choiceIn(chosen, seen))]),
    query.show === undefined ? undefined : rowsOf(openedBy(query, {})),
  ]);
  const counts = countsFrom(all);
  const opened = openedBy(query, counts);
  // Where the list has become shorter meanwhile, its last page.
  const last = Math.max(1, Math.ceil(counts[opened.chosen.shown] / CASES_SHOWN_MAX));
  const here = { ...opened, page: Math.min(opened.page, last) };
  const rows = asIs && here.page === opened.page ? asIs : await rowsOf(here);
  return { cases: rows, counts, savedCounts: all.slice(SHOWN.length), opened: here };
}

function named({ id, name, query }: Filter, isShared: boolean): NamedFilter {
  return { id, name, isShared, chosen: chosenOf(Object.fromEntries(new URLSearchParams(query))) };
}

function openedBy(query: Query, counts: Partial<InboxState['counts']>): Opened {
  const { at } = query;
  const chosen = chosenOf(query);
  const shown = query.show === undefined ? listWithWork(counts) : chosen.shown;
  const isIdle = query.show === undefined && !counts[shown];
  return {
    chosen: { ...chosen, shown },
    page: pageIn(query),
    isBeside: query.beside !== undefined,
    at,
    isIdle,
  };
}

/** The list that the agent has chosen last, in this browser. */
export function keptQuery(c: Ctx): Query {
  return Object.fromEntries(new URLSearchParams(getCookie(c, CHOSEN_COOKIE) ?? ''));
}

function queryFor({ chosen, page, isBeside, at, isIdle }: Opened): string {
  const query = new URLSearchParams(queryOf(chosen));
  // An agent who has chosen no list, and has nothing to do, gets the list in which the next case stands.
  if (isIdle) query.delete('show');
  if (page > 1) query.set('page', String(page));
  if (isBeside) query.set('beside', '1');
  if (at !== undefined) query.set('at', at);
  return query.toString();
}

/** The list beside something that is open. @param at the case that is open */
export async function paneBeside(tools: Tools, c: Ctx, at: string | undefined): Promise<CasePane> {
  const view = viewOf(tools, c);
  const [state, kept] = await readInbox(tools, { ...keptQuery(c), ...(at !== undefined && { at }) }, view);
  const opened = { ...kept, isBeside: true, at };
  return { html: casePane(state, opened, view), query: queryFor(opened) };
}

/** The list by itself. It is the one that other pages show from now on. */
export async function paneAlone(tools: Tools, c: Ctx, flash: Flash): Promise<CasePane> {
  const view = viewOf(tools, c);
  const [[state, asked], offered] = await Promise.all([
    readInbox(tools, c.req.query(), view),
    tools.offered(),
  ]);
  const opened = { ...asked, isBeside: false, at: undefined };
  const query = queryFor(opened);
  setCookie(c, CHOSEN_COOKIE, query, { path: BASE, httpOnly: true, sameSite: 'Strict' });
  return { html: wholePane(state, offered, opened, flash, view), query };
}

/** The list as it is now, for the stream of a page. */
export async function casesNow(tools: Tools, c: Ctx): Promise<Html> {
  const view = viewOf(tools, c);
  const [state, opened] = await readInbox(tools, c.req.query(), view);
  return casesPart(state, opened, view);
}

/**
 * The case after another one in the list that the agent has chosen. It is one that they can go on with: their own or nobody's, that waits for an
 * answer now. Undefined where there is no other one, or the records are away.
 */
export async function caseAfter(tools: Tools, c: Ctx, id: string): Promise<string | undefined> {
  const { desk } = tools;
  const view = viewOf(tools, c);
  const seen = seenBy({ teams: await tools.teams.seen() }, view);
  const found = await listIn(desk, keptQuery(c), [], seen).catch(whenAway);
  if (!found) return undefined;
  const { and = {}, ...list } = choiceIn(found.opened.chosen, seen);
  const goesOn: CaseChoice = { ...list, and: { stands: 'turn', owners: [seen.agent, ''], and } };
  // Those that the page lists, beginning after it. Where there is none, another page has one.
  const at = found.cases.findIndex((each) => each.id === id);
  const rows = [...found.cases.slice(at + 1), ...found.cases.slice(0, at + 1)];
  const isTheirs = ({ state, owner, ...it }: Case) =>
    state === 'open' && !isSnoozed(it, seen.now) && (!owner || owner.id === seen.agent);
  const all = [...rows.filter(isTheirs), ...(await desk.cases.list(goesOn, { limit: 2 }))];
  return all.find((each) => each.id !== id)?.id;
}
