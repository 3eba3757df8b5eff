import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { centimes } from '../../wallet/money.ts';
import type { Tenant } from '../core/core.ts';
import { modulesOf, modulesOrder, reordered } from '../door/modules.ts';
import { merchantFile } from '../kyc/documents.ts';
import { floatOf, setFloat } from '../ledger/funding.ts';
import type { Delivery } from '../webhooks/webhooks.ts';
import { notFound, ordered, whoseCall } from './asked.ts';
import type { Backstage } from './backstage.ts';
import { scopes, webhookKey, webhookUrl } from './common-routes.ts';
import { curlOf } from './curl.ts';
import { forgery, webhookAct } from './webhook-acts.ts';

const FLOAT_MAX_CENTIMES = 1_000_000_000_00;
const floatOrder = z.strictObject({ centimes: z.int().min(0).max(FLOAT_MAX_CENTIMES) });
const partnerOrder = z.strictObject({ scopes: scopes.optional(), webhookUrl, webhookKey });

/** Calls about what is one partner's own. */
export function partnerRoutes(stage: Backstage): Hono {
  const { core, customers, partners, operations, due, log, wallets, books, webhooks } = stage;
  const { db, ledger } = core;
  const app = new Hono();
  /** Answers for the partner that the call is about. */
  const of = (answer: (tenant: Tenant, c: Context) => Response | Promise<Response>) => (c: Context) => {
    const tenant = whoseCall(c, partners);
    return tenant ? answer(tenant, c) : notFound(c, 'partner');
  };
  const shown = ({ id }: Tenant) => {
    const { modules, ...tenant } = partners.find(id) as Tenant;
    return { ...tenant, modules: modulesOf({ modules }) };
  };

  app.get(
    '/partner',
    of((tenant, c) => c.json(shown(tenant))),
  );
  app.post(
    '/partner',
    of(async (tenant, c) => {
      const order = await ordered(c, partnerOrder);
      if (order instanceof Response) return order;
      partners.change(tenant, order);
      return c.json(shown(tenant));
    }),
  );
  app.get(
    '/modules',
    of((tenant, c) => c.json(modulesOf(tenant))),
  );
  app.post(
    '/modules',
    of(async (tenant, c) => {
      const order = await ordered(c, modulesOrder);
      if (order instanceof Response) return order;
      partners.change(tenant, { modules: reordered(tenant, order) });
      return c.json(shown(tenant).modules);
    }),
  );
  app.get(
    '/float',
    of((tenant, c) => c.json({ centimes: floatOf(core, tenant) })),
  );
  app.post(
    '/float',
    of(async (tenant, c) => {
      const order = await ordered(c, floatOrder);
      if (order instanceof Response) return order;
      return c.json({ centimes: db.transaction(() => setFloat(core, tenant, centimes(order.centimes))) });
    }),
  );

  app.get(
    '/wallets',
    of((tenant, c) => c.json(wallets.list(tenant, c.req.query('search')))),
  );
  app.get(
    '/wallets/:wallet',
    of((tenant, c) => {
      const wallet = wallets.read(tenant, c.req.param('wallet') ?? '');
      return wallet ? c.json(wallet) : notFound(c, 'wallet');
    }),
  );
  app.get(
    '/documents',
    of((tenant, c) => {
      const merchant = customers.find(tenant, c.req.query('phone') ?? '');
      return c.json(merchant ? merchantFile(core, merchant) : null);
    }),
  );
  app.get(
    '/sms',
    of((tenant, c) => {
      const sql =
        'SELECT id, phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id DESC';
      return c.json(db.all(sql, tenant.id, c.req.query('phone') ?? '%'));
    }),
  );

  app.get('/ledger', (c) => c.json(ledger.check()));
  app.get(
    '/accounts',
    of((tenant, c) => c.json(books.accounts(tenant))),
  );
  app.get(
    '/operations',
    of((tenant, c) => c.json(books.operations(tenant, c.req.query('search')))),
  );
  app.get(
    '/operations/:id',
    of((tenant, c) => {
      const operation = books.operation(tenant, Number(c.req.param('id')) || 0);
      return operation ? c.json(operation) : notFound(c, 'operation');
    }),
  );
  app.get(
    '/executions',
    of((tenant, c) => c.json(operations.executed(c.req.query('requestId'), tenant.id))),
  );

  const withCurl = (c: Context) => (each: ReturnType<typeof log.of>[number]) => ({
    ...each,
    curl: curlOf(each, new URL(c.req.url).origin),
  });
  app.get(
    '/requests',
    of((tenant, c) => c.json(log.of(tenant.id).map(withCurl(c)))),
  );
  app.get(
    '/requests/:id',
    of((tenant, c) => {
      const found = log.of(tenant.id).find(({ id }) => id === Number(c.req.param('id')));
      return found ? c.json(withCurl(c)(found)) : notFound(c, 'request');
    }),
  );

  const withAttempts = (delivery: Delivery) => ({ ...delivery, tries: webhooks.attempts(delivery) });
  app.get(
    '/webhooks',
    of((tenant, c) => c.json(webhooks.list(tenant))),
  );
  app.get(
    '/webhooks/:id',
    of((tenant, c) => {
      const delivery = webhooks.find(tenant, Number(c.req.param('id')) || 0);
      return delivery ? c.json(withAttempts(delivery)) : notFound(c, 'webhook');
    }),
  );
  app.post(
    '/webhooks/:id',
    of(async (tenant, c) => {
      const order = await ordered(c, webhookAct);
      if (order instanceof Response) return order;
      const delivery = webhooks.find(tenant, Number(c.req.param('id')) || 0);
      if (!delivery) return notFound(c, 'webhook');
      const changed = webhooks.act(tenant, delivery, order);
      if (!changed) return c.json({ message: 'It is not waiting any more' }, 409);
      due.wake();
      return c.json(changed);
    }),
  );
  app.post(
    '/webhooks',
    of(async (tenant, c) => {
      const order = await ordered(c, forgery);
      if (order instanceof Response) return order;
      const forged = webhooks.forge(tenant, order);
      due.wake();
      return c.json(forged, 201);
    }),
  );

  return app;
}
