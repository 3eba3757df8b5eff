import { Hono } from 'hono';
import { z } from 'zod';
import { FAULT_NAMES, FAULTS, type FaultName, faultOrder } from './faults.ts';
import { modulesOrder } from './modules.ts';
import { indexPage } from './page.ts';
import type { Sandbox } from './sandbox.ts';
import { SEEDED } from './seed.ts';

const ADVANCE_MAX_MS = 366 * 24 * 60 * 60_000;
const clockOrder = z.object({ advanceMs: z.int().min(0).max(ADVANCE_MAX_MS) });

/** What the simulator and tests drive the sandbox with. Not part of the Partner API, and behind no key. */
export function adminApi(sandbox: Omit<Sandbox, 'app' | 'listen' | 'close'>): Hono {
  const app = new Hono();

  // A page of some other site that happens to be open in the same browser must not push buttons here.
  app.use('/sandbox/*', async (c, next) => {
    const origin = c.req.header('origin');
    const foreign = origin !== undefined && origin !== new URL(c.req.url).origin;
    return foreign ? c.json({ message: 'Not from another site' }, 403) : next();
  });
  app.get('/', (c) => c.html(indexPage(sandbox.apiKey, new URL(c.req.url).origin)));
  app.get('/sandbox/customers', (c) =>
    c.json(SEEDED.map(({ balance, ...who }) => ({ ...who, balanceCentimes: balance }))),
  );
  app.get('/sandbox/sms', (c) => c.json(sandbox.sms(c.req.query('phone'))));
  app.get('/sandbox/ledger', (c) => c.json(sandbox.checkLedger()));
  app.get('/sandbox/webhooks', (c) => c.json(sandbox.deliveries()));
  app.get('/sandbox/clock', (c) => c.json({ now: sandbox.clock.now() }));
  app.post('/sandbox/clock', async (c) => {
    const order = clockOrder.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success)
      return c.json({ message: 'advanceMs must be a whole number of milliseconds, up to a year' }, 400);
    await sandbox.clock.advance(order.data.advanceMs);
    return c.json({ now: sandbox.clock.now() });
  });
  app.get('/sandbox/executions', (c) => c.json(sandbox.executions(c.req.query('requestId'))));
  app.get('/sandbox/faults', (c) => c.json({ faults: FAULTS, set: sandbox.faults.list() }));
  app.post('/sandbox/faults', async (c) => {
    const order = faultOrder.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return c.json({ message: z.prettifyError(order.error) }, 400);
    sandbox.faults.set(order.data);
    return c.json({ set: sandbox.faults.list() });
  });
  app.delete('/sandbox/faults', (c) => {
    const name = c.req.query('name');
    if (name !== undefined && !isFaultName(name)) return c.json({ message: 'no fault has that name' }, 400);
    sandbox.faults.clear(name);
    return c.json({ set: sandbox.faults.list() });
  });
  app.get('/sandbox/modules', (c) => c.json(sandbox.modules()));
  app.post('/sandbox/modules', async (c) => {
    const order = modulesOrder.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return c.json({ message: z.prettifyError(order.error) }, 400);
    return c.json(sandbox.setModules(order.data));
  });
  app.post('/sandbox/reset', (c) => {
    sandbox.reset();
    return c.json({ reset: true });
  });
  return app;
}

function isFaultName(name: string): name is FaultName {
  return FAULT_NAMES.some((each) => each === name);
}
