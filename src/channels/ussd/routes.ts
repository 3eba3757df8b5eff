import { Hono } from 'hono';
import { bodyAtMost } from '../../http/body-limit.ts';
import type { UssdDialect } from './dialect.ts';
import { type Door, guard } from './door.ts';
import { GATEWAYS } from './gateways.ts';
import { createTake, type TakeOptions } from './take.ts';

/** A request is a few hundred bytes. A session of 100 long answers is 30 kB. */
const BODY_MAX_BYTES = 64 * 1024;

interface UssdOptions extends TakeOptions {
  /** The proof that a request comes from a gateway, by the gateway's name. */
  readonly door: (gateway: string) => Door;
  /** The code that customers dial, `*123#`. */
  readonly serviceCode: string;
  readonly dialects?: readonly UssdDialect[];
}

/**
 * The USSD gateways: each dialect's own routes below `/<name>`, each behind a door of its own. A request we cannot read is
 * answered 400 (403 at the door, 413 when too large). Every mistake of a customer is answered with a page.
 */
export function ussdRoutes(options: UssdOptions): Hono {
  const { dialects = GATEWAYS, serviceCode, log } = options;
  const take = createTake(options);
  const app = new Hono();
  for (const dialect of dialects) {
    const routes = new Hono();
    routes.use(guard(options.door(dialect.name)));
    routes.use(bodyAtMost(BODY_MAX_BYTES, (c) => c.text('request too large\n', 413)));
    dialect.routes(routes, { take: (request) => take(request, dialect.name), serviceCode, log });
    app.route(`/${dialect.name}`, routes);
  }
  return app;
}
