import { type Context, Hono } from 'hono';
import type { Found } from '../../conversation/desk/desk.ts';
import { whenAway } from '../../conversation/desk/reading.ts';
import { type Address, LANGUAGES } from '../../conversation/incoming.ts';
import { wordsSearched } from '../../wallet/name-words.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Filter } from '../board.ts';
import { texts } from '../form.ts';
import { type Html, SEARCHED_MAX_CHARACTERS } from '../layout.ts';
import { QUEUE_MAX } from '../queue.ts';
import { answer, audited, viewOf } from './answer.ts';
import { nowPart } from './current-load.ts';
import { filterPart, LISTED_BUSY_MAX, LISTED_MAX, listPage, rowsPart, WAITS } from './list.ts';
import type { Tools } from './options.ts';
import { CHANNEL_NAMES, type View } from './parts.ts';
import { personPath } from './person.ts';
import { peoplePart } from './queue.ts';
import { type FoundLine, foundPage, NAMED_MAX } from './search-results.ts';

/** The list is rendered at most once a second, and looks at the queue every few seconds. */
const GAP_MS = 1_000;
const EVERY_MS = 5_000;
/** Above this many turns a second, the rows are drawn no faster than people can read them. Figures go on by the second. */
const BUSY_PER_SECOND = 20;
const ROWS_PACE_SECONDS = 5;
/** A case, an operation's number, our own reference as customers read it, or the whole of it. */
const REFERENCE = /^(?:c-[\da-z]{7}|\d{1,12}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{8})$/i;
/** The name of a case, which agents also say without its beginning. */
const CASE = /^(?:c-)?[2-9a-z]{7}$/i;
/** Other ids, made by the wallet: letters and digits. A number alone may be a PIN or a card, and a name has no digits. */
const OTHER_ID = /^(?=.*[a-z])(?=.*\d)[\w.:-]+$/i;

type Ctx = Context<Guarded>;

/** Everybody who is talking to Wasl now, who needs a person first, and the search. */
export function listRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/', (c) => list(tools, c));
  app.get('/live', (c) => liveList(tools, c));
  app.post('/search', (c) => search(tools, c));
  return app;
}

async function list(tools: Tools, c: Ctx): Promise<Response> {
  const { live } = tools;
  await live.watching();
  const filter = filterIn(c);
  const view = viewOf(tools, c);
  const parts = { ...(await render(tools, view)), sessions: sessionsPart(tools, filter, view) };
  const page = {
    ...parts,
    filter: filterPart(filter, live.board.places(), view),
    query: queryOf(filter),
  };
  return c.html(listPage(page, view));
}

async function liveList(tools: Tools, c: Ctx): Promise<Response> {
  const { live, streams } = tools;
  await live.watching();
  const filter = filterIn(c);
  let drawn: { readonly at: number; readonly sessions: string } | undefined;
  return streams.open(c, {
    gapMs: GAP_MS,
    everyMs: EVERY_MS,
    follow: (changed) => live.onChange(changed),
    async render() {
      const view = viewOf(tools, c);
      const { people, figures } = await render(tools, view);
      if (!drawn || !isBusy(tools, view) || view.now - drawn.at >= ROWS_PACE_SECONDS * 1_000)
        drawn = { at: view.now, sessions: String(await sessionsPart(tools, filter, view)) };
      return { people: String(await people), figures: String(await figures), sessions: drawn.sessions };
    },
  });
}

async function search(tools: Tools, c: Ctx): Promise<Response> {
  const text = ((await texts(c)).q ?? '').trim().slice(0, SEARCHED_MAX_CHARACTERS);
  const wallet = readPhone(text);
  const reference = wallet ? undefined : REFERENCE.exec(text.replace(/\s/g, ''))?.[0];
  const asked = wallet ?? reference;
  const other = asked ? undefined : OTHER_ID.exec(text)?.[0];
  // Other text, typed or pasted by mistake, is not recorded. Of a name or another id, the audit says only that it was
  // one.
  const isName = !asked && wordsSearched(text).length > 0;
  await audited(tools, c, 'search', { on: asked, about: wallet, what: isName ? 'name' : other && 'id' });
  if (!(await tools.searches.reveal(c.var.who.id, 'search'))) return answer(c, 'tooMany', BASE);
  const isWhole = await tools.recordsAnswer();
  const named = wallet ? [wallet] : isWhole ? await tools.names.find(text, NAMED_MAX + 1) : [];
  const things = wallet ? [] : await thingsFound(tools, text, reference ?? other);
  const found = [...things, ...(await peopleFound(tools, named.slice(0, NAMED_MAX)))];
  const [only, another] = found;
  if (only && !another) return c.redirect(only.path, 303);
  // An empty result is an answer, and refuses nothing.
  return c.html(
    foundPage(found, { hasMore: named.length > NAMED_MAX, isWhole }, viewOf(tools, c), tools.renderer),
  );
}

/** The customers of whom anything is known. The wallet is asked about each only where there are several to tell apart. */
async function peopleFound(tools: Tools, wallets: readonly Msisdn[]): Promise<FoundLine[]> {
  const { desk } = tools;
  const found = (await Promise.all(wallets.map((wallet) => desk.person(wallet)))).filter(
    (person) => person !== undefined,
  );
  return Promise.all(
    found.map(async (person) => ({
      path: personPath(tools, person.wallet),
      person,
      details: found.length > 1 ? await desk.details(person.wallet) : undefined,
    })),
  );
}

/** The possible meanings of a reference: digits can be an operation, a bill and our own reference, of several customers. */
async function thingsFound(tools: Tools, text: string, reference: string | undefined): Promise<FoundLine[]> {
  const { desk, webhooks, ids } = tools;
  const name = CASE.exec(text)?.[0]
    .toLowerCase()
    .replace(/^(?!c-)/, 'c-');
  const it = name === undefined ? undefined : await desk.cases.find(name).catch(whenAway);
  const named = reference === undefined || reference.toLowerCase() === name ? [] : await desk.find(reference);
  const found: Found[] = it ? [{ kind: 'case', it }, ...named] : named;
  const lines = found.map((each): FoundLine => {
    if (each.kind === 'payment') return { path: `${BASE}/payments/${each.intent.id}`, intent: each.intent };
    if (each.kind === 'case') return { path: `${BASE}/cases/${each.it.id}`, it: each.it };
    const { wallet, address, at } = each.record;
    // The page of the timeline that ends with it.
    const path = wallet ? `${personPath(tools, wallet)}?before=${at + 1}` : sessionPath(ids.idOf(address));
    return { path, call: each.record };
  });
  const webhook = text === '' ? undefined : await webhooks.find(text);
  return webhook
    ? [...lines, { path: `${BASE}/webhooks/${encodeURIComponent(webhook.id)}`, webhook }]
    : lines;
}

function sessionPath(id: string): string {
  return `${BASE}/sessions/${id}`;
}

/** The customers, payments and webhooks that need an agent now, as the live store knows them. */
export async function peopleNow(
  { live, queue, ids, renderer }: Pick<Tools, 'live' | 'queue' | 'ids' | 'renderer'>,
  view: View,
): Promise<Html> {
  const stuck = live.board.stuck(view.now, QUEUE_MAX);
  /** The same name for as long as it is on the board, so that a list that has not changed is not sent again. */
  const idOf = (address: Address) => live.board.row(address)?.id ?? ids.idOf(address);
  return peoplePart({ queue: await queue.read(), stuck, idOf, renderer }, view);
}

async function render(tools: Tools, view: View) {
  const { live, spread } = tools;
  // A count of a moment ago is out of date where little happens. Where counting is expensive, it is good enough.
  if (!isBusy(tools, view)) spread.expire();
  return {
    people: await peopleNow(tools, view),
    figures: nowPart(
      {
        perSecond: live.rate.perSecond(view.now),
        spread: await spread.read(),
        isPartial: live.board.isPartial(view.now),
        isFilling: live.isFilling,
      },
      view,
    ),
  };
}

function sessionsPart(tools: Tools, filter: Filter, view: View): Html {
  const { board } = tools.live;
  const busy = isBusy(tools, view);
  const found = board.find(filter, view.now, busy ? LISTED_BUSY_MAX : LISTED_MAX);
  const pacedSeconds = busy ? ROWS_PACE_SECONDS : undefined;
  return rowsPart({ ...found, isPartial: board.isPartial(view.now), pacedSeconds }, view);
}

function isBusy({ live }: Tools, { now }: View): boolean {
  return live.rate.perSecond(now) >= BUSY_PER_SECOND;
}

/** Only what could have been chosen counts. */
function filterIn(c: Context): Filter {
  const { channel, speaks, place = '', minutes } = c.req.query();
  return {
    channel: (Object.keys(CHANNEL_NAMES) as (keyof typeof CHANNEL_NAMES)[]).find((each) => each === channel),
    language: LANGUAGES.find((each) => each === speaks),
    place: /^[a-z-]+(?:\.[A-Za-z]+)?$/.test(place) ? place : undefined,
    waitingMs: WAITS.includes(Number(minutes)) ? Number(minutes) * 60_000 : undefined,
  };
}

function queryOf({ channel, language, place, waitingMs }: Filter): string {
  return new URLSearchParams({
    ...(channel && { channel }),
    ...(language && { speaks: language }),
    ...(place && { place }),
    ...(waitingMs && { minutes: String(waitingMs / 60_000) }),
  }).toString();
}
