import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Case } from '../../conversation/cases/case.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { isShown, listWithWork } from '../case-list.ts';
import type { Filter } from '../filters.ts';
import type { Html } from '../layout.ts';
import { sightOf } from '../masks.ts';
import { viewOf } from './answer.ts';
import { chosenOf, pageIn, queryOf } from './case-selection.ts';
import type { CasePane } from './desk-page.ts';
import {
  casePane,
  casesPart,
  type Flash,
  type InboxState,
  type NamedFilter,
  type Opened,
  seenBy,
  selectedCases,
  wholePane,
} from './inbox.ts';
import { peopleNow } from './list-routes.ts';
import type { Tools } from './options.ts';
import type { View } from './parts.ts';

type Ctx = Context<Guarded>;
type Query = Readonly<Record<string, string>>;

/** Keeps the list that an agent has chosen, for the pages that show it beside something else. It names nobody. */
const CHOSEN_COOKIE = 'wasl-list';

/** The data of which every list of cases shows a part. */
export async function readInbox(tools: Tools, view: View): Promise<InboxState> {
  const { caseList, presence, teams, labels, filters, live, lastWords } = tools;
  const { id } = view.who;
  await live.watching();
  const [cases, present, theTeams, theLabels, shared, own] = await Promise.all([
    caseList.read().catch(unlessAway),
    presence.all(),
    teams.seen(),
    labels.seen(),
    filters.of().seen(),
    filters.of(id).seen(),
  ]);
  const sight = sightOf(view.who);
  return {
    cases: cases ?? [],
    ...(!cases && { instead: await peopleNow(tools, view) }),
    present,
    lastWords: async ({ address }) => address && lastWords.of(address, sight),
    teams: theTeams,
    labels: theLabels,
    filters: [...shared.map((each) => named(each, true)), ...own.map((each) => named(each, false))],
  };
}

/** Nothing while the records are away. */
function unlessAway(error: Error): undefined {
  if (error.name !== 'RecordsDown') throw error;
}

function named({ id, name, query }: Filter, isShared: boolean): NamedFilter {
  return { id, name, isShared, chosen: chosenOf(Object.fromEntries(new URLSearchParams(query))) };
}

/** The list that a query asks for. One that names none gets the first one in which something is to be done. */
function openedBy(query: Query, state: InboxState, view: View): Opened {
  const { at } = query;
  const chosen = chosenOf(query);
  const shown = query.show === undefined ? listWithWork(state.cases, seenBy(state, view)) : chosen.shown;
  return { chosen: { ...chosen, shown }, page: pageIn(query), isBeside: query.beside !== undefined, at };
}

/** The list that the agent has chosen last, in this browser. */
export function keptQuery(c: Ctx): Query {
  return Object.fromEntries(new URLSearchParams(getCookie(c, CHOSEN_COOKIE) ?? ''));
}

function queryFor({ chosen, page, isBeside, at }: Opened): string {
  const more = [page > 1 && `&page=${page}`, isBeside && '&beside=1', at !== undefined && `&at=${at}`];
  return `${queryOf(chosen)}${more.filter(Boolean).join('')}`;
}

/** The list beside something that is open. @param at the case that is open */
export async function paneBeside(tools: Tools, c: Ctx, at: string | undefined): Promise<CasePane> {
  const view = viewOf(c, tools.now());
  const state = await readInbox(tools, view);
  const opened = { ...openedBy(keptQuery(c), state, view), isBeside: true, at };
  return { html: casePane(state, opened, view), query: queryFor(opened) };
}

/** The list by itself. It is the one that other pages show from now on. */
export async function paneAlone(tools: Tools, c: Ctx, flash: Flash): Promise<CasePane> {
  const view = viewOf(c, tools.now());
  const [state, offered] = await Promise.all([readInbox(tools, view), tools.offered()]);
  const opened = { ...openedBy(c.req.query(), state, view), isBeside: false, at: undefined };
  const query = queryFor(opened);
  setCookie(c, CHOSEN_COOKIE, query, { path: BASE, httpOnly: true, sameSite: 'Strict' });
  return { html: wholePane(state, offered, opened, flash, view), query };
}

/** The list as it is now, for the stream of a page. */
export async function casesNow(tools: Tools, c: Ctx): Promise<Html> {
  const view = viewOf(c, tools.now());
  const state = await readInbox(tools, view);
  return casesPart(state, openedBy(c.req.query(), state, view), view);
}

/**
 * The case after another one in the list that the agent has chosen, among those that they can go on with: their own, and
 * those of nobody, that wait for an answer now. Undefined where there is no other one, or the records are away.
 */
export async function caseAfter(tools: Tools, c: Ctx, id: string): Promise<Case | undefined> {
  const view = viewOf(c, tools.now());
  const [cases, teams] = await Promise.all([tools.caseList.read().catch(unlessAway), tools.teams.seen()]);
  if (!cases) return undefined;
  const state = { cases, teams };
  const seen = seenBy(state, view);
  const query = keptQuery(c);
  const shown = query.show ?? listWithWork(cases, seen);
  const rows = selectedCases(state, chosenOf({ ...query, shown, show: shown }), view);
  const at = rows.findIndex((each) => each.id === id);
  const isTheirTurn = (it: Case) =>
    it.id !== id && (isShown(it, 'mine', seen) || isShown(it, 'unassigned', seen));
  return rows.find((each, i) => i > at && isTheirTurn(each)) ?? rows.find(isTheirTurn);
}
