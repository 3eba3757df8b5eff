import { type Context, Hono } from 'hono';
import { LANGUAGES } from '../../conversation/incoming.ts';
import type { Guarded } from '../access/guard.ts';
import { sightOf } from '../masks.ts';
import { supportFiles } from '../public.ts';
import type { Slice } from '../stats.ts';
import { notFound } from './answer.ts';
import { caseRoutes } from './case-routes.ts';
import { figuresRoutes } from './figures-routes.ts';
import { filterRoutes } from './filter-routes.ts';
import { floatCardRoutes } from './float-card-routes.ts';
import { freezeRoutes } from './freeze-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { listRoutes } from './list-routes.ts';
import { machineRoutes } from './machine-routes.ts';
import { macroRoutes } from './macro-routes.ts';
import { createTools, type PagesOptions, type Tools } from './options.ts';
import { organisationRoutes } from './organisation-routes.ts';
import { CHANNEL_NAMES } from './parts.ts';
import { paymentRoutes } from './payment-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { personRoutes } from './person-routes.ts';
import { principalRoutes } from './principal-routes.ts';
import { saveTable } from './save.ts';
import { sessionRoutes } from './session-routes.ts';
import { statsPage } from './stats.ts';
import { todayLines } from './today-tables.ts';
import { webhookRoutes } from './webhook-routes.ts';

export interface Pages {
  /** To be mounted behind the guard. */
  readonly routes: Hono<Guarded>;
  /** Ends what is live, so that the server can stop. */
  close(): Promise<void>;
}

/** The console's pages of sessions, payments and figures. Nothing is read before the first agent comes. */
export function pages(options: PagesOptions): Pages {
  const tools = createTools(options);
  const routes = new Hono<Guarded>()
    .route('/public', supportFiles())
    .route('/', listRoutes(tools))
    .route('/', sessionRoutes(tools))
    .route('/', inboxRoutes(tools))
    .route('/', filterRoutes(tools))
    .route('/', caseRoutes(tools))
    .route('/', macroRoutes(tools))
    .route('/', organisationRoutes(tools))
    .route('/', freezeRoutes(tools))
    .route('/', personRoutes(tools))
    .route('/', paymentRoutes(tools))
    .route('/', webhookRoutes(tools))
    .route('/', principalRoutes(tools))
    .route('/', floatCardRoutes(tools))
    .route('/', payoutRoutes(tools))
    .route('/', statsRoutes(tools))
    .route('/', figuresRoutes(tools))
    .route('/', machineRoutes(tools));
  return {
    routes,
    async close() {
      tools.streams.close();
      await tools.live.close();
    },
  };
}

function statsRoutes(tools: Tools): Hono<Guarded> {
  return new Hono<Guarded>()
    .get('/today', (c) => today(tools, c))
    .get('/today/csv/:table', (c) => saveToday(tools, c, c.req.param('table')));
}

async function today({ live, now }: Tools, c: Context<Guarded>): Promise<Response> {
  await live.watching();
  const { who, language } = c.var;
  const { place } = c.req.query();
  const rows = place ? live.stats.recent(place).flatMap((address) => live.board.row(address) ?? []) : [];
  const shown = place ? { place, rows } : undefined;
  return c.html(statsPage(live, sliceIn(c), shown, { who, language, now: now(), sight: sightOf(who.role) }));
}

/** A file is no page that fills: it is made once everything is known. */
async function saveToday(tools: Tools, c: Context<Guarded>, table: string): Promise<Response> {
  const { live } = tools;
  await live.ready();
  const slice = sliceIn(c);
  const lines = todayLines(table, live.stats, slice);
  if (!lines) return notFound(c);
  return saveTable(tools, c, { name: table, of: Object.values(slice).join(' ') }, lines);
}

/** Only what could have been chosen counts. */
function sliceIn(c: Context): Slice {
  const { channel, speaks } = c.req.query();
  return {
    channel: (Object.keys(CHANNEL_NAMES) as (keyof typeof CHANNEL_NAMES)[]).find((each) => each === channel),
    language: LANGUAGES.find((each) => each === speaks),
  };
}
