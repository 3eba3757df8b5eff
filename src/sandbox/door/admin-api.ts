import { Hono } from 'hono';
import { pageOrigin } from '../../http/origin.ts';
import { commonRoutes } from '../desk/common-routes.ts';
import type { DeskDeps } from '../desk/deps.ts';
import { deskPages } from '../desk/pages.ts';
import { partnerRoutes } from '../desk/partner-routes.ts';

/**
 * The interface for the desk, the simulator and tests: its pages, and one call for each of their acts. It is not part of the
 * Partner API, and no key protects it.
 */
export function adminApi(deps: DeskDeps): Hono {
  const app = new Hono();

  // A page of some other site that happens to be open in the same browser must not push buttons here.
  app.use('/sandbox/*', async (c, next) =>
    pageOrigin(c) === 'foreign' ? c.json({ message: 'Not from another site' }, 403) : next(),
  );
  app.route('/sandbox', commonRoutes(deps));
  app.route('/sandbox', partnerRoutes(deps));
  app.route('/', deskPages(deps));
  return app;
}
