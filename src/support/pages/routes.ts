import { Hono } from 'hono';
import type { Guarded } from '../access/guard.ts';
import { supportFiles } from '../public.ts';
import { caseRoutes } from './case-routes.ts';
import { figuresRoutes } from './figures-routes.ts';
import { filterRoutes } from './filter-routes.ts';
import { floatCardRoutes } from './float-card-routes.ts';
import { freezeRoutes } from './freeze-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { listRoutes } from './list-routes.ts';
import { machineRoutes } from './machine-routes.ts';
import { macroRoutes } from './macro-routes.ts';
import { createTools, type PagesOptions } from './options.ts';
import { organisationRoutes } from './organisation-routes.ts';
import { paymentRoutes } from './payment-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { personRoutes } from './person-routes.ts';
import { principalRoutes } from './principal-routes.ts';
import { rulesRoutes } from './rules-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export type Pages = ReturnType<typeof pages>;

/** The console's pages of sessions, payments and figures. Nothing is read before the first agent comes. */
export function pages(options: PagesOptions) {
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
    .route('/', rulesRoutes(tools))
    .route('/', freezeRoutes(tools))
    .route('/', personRoutes(tools))
    .route('/', paymentRoutes(tools))
    .route('/', webhookRoutes(tools))
    .route('/', principalRoutes(tools))
    .route('/', floatCardRoutes(tools))
    .route('/', payoutRoutes(tools))
    .route('/', figuresRoutes(tools))
    .route('/', machineRoutes(tools));
  return {
    /** To be mounted behind the guard. */
    routes,
    left: tools.presence.left,
    /** Ends what is live, so that the server can stop. */
    async close(): Promise<void> {
      tools.streams.close();
      await tools.live.close();
    },
  };
}
