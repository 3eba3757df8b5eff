import { type Context, type Handler, Hono } from 'hono';
import { z } from 'zod';
import { centimes } from '../../wallet/money.ts';
import type { Core, Tenant } from '../core/core.ts';
import { carryOut, isRefusal } from '../core/refusal.ts';
import { findCustomer } from '../customers/customer.ts';
import { modulesOf, modulesOrder, reordered } from '../door/modules.ts';
import { partnerApi } from '../door/partner-api.ts';
import type { Logged } from '../door/request-log.ts';
import { merchantFile } from '../kyc/documents.ts';
import { floatOf, setFloat } from '../ledger/funding.ts';
import { executed } from '../operations/operation.ts';
import { changePartner, ownPartner } from '../partners/partners.ts';
import { referenceRoutes } from '../references/desk.ts';
import { canRepeat, repeated } from './again.ts';
import { accountsOf, operationFile, operationsOf } from './books.ts';
import { scopes, webhookKey, webhookUrl } from './common-routes.ts';
import { curlOf } from './curl.ts';
import type { DeskDeps } from './deps.ts';
import { notFound, ordered } from './orders.ts';
import { walletFile, walletsOf } from './wallets.ts';
import {
  actOnWebhook,
  attemptsOf,
  deliveriesOf,
  findDelivery,
  forgery,
  forgeWebhook,
  webhookAct,
} from './webhook-acts.ts';

const FLOAT_MAX_CENTIMES = 1_000_000_000_00;
/** Without `code`: the principal agent's. */
const floatOrder = z.strictObject({
  code: z.string().optional(),
  centimes: z.int().min(0).max(FLOAT_MAX_CENTIMES),
});
const partnerOrder = z.strictObject({ scopes: scopes.optional(), webhookUrl, webhookKey });

/** Calls about what is one partner's own. */
export function partnerRoutes(deps: DeskDeps): Hono {
  const { core, due } = deps;
  return new Hono()
    .route('/', ownRoutes(core))
    .route('/', walletRoutes(core))
    .route('/', ledgerRoutes(core))
    .route('/', requestRoutes(deps))
    .route('/', webhookRoutes(deps))
    .route('/', referenceRoutes(core, due));
}

type Answer = (tenant: Tenant, c: Context) => Response | Promise<Response>;

/** Answers for the partner of this key. */
function forPartner(core: Core, answer: Answer): Handler {
  return (c) => answer(ownPartner(core), c);
}

/** As `forPartner`, with an order that the body holds. */
function withOrder<Schema extends z.ZodType>(
  core: Core,
  schema: Schema,
  answer: (tenant: Tenant, order: z.output<Schema>, c: Context) => Response,
): Handler {
  return forPartner(core, async (tenant, c) => {
    const order = await ordered(c, schema);
    return order instanceof Response ? order : answer(tenant, order, c);
  });
}

/** The partner itself, its modules and its test float. */
function ownRoutes(core: Core): Hono {
  const shown = () => {
    const { modules, ...tenant } = ownPartner(core);
    return { ...tenant, id: core.partner, modules: modulesOf({ modules }) };
  };
  const change = withOrder(core, partnerOrder, (tenant, order, c) => {
    changePartner(core, tenant, order);
    return c.json(shown());
  });
  const changeModules = withOrder(core, modulesOrder, (tenant, order, c) => {
    changePartner(core, tenant, { modules: reordered(tenant, order) });
    return c.json(shown().modules);
  });
  const changeFloat = withOrder(core, floatOrder, (tenant, { code, centimes: to }, c) => {
    const set = carryOut(core.db, () => setFloat(core, tenant, centimes(to), code));
    return isRefusal(set) ? notFound(c, 'agent') : c.json({ centimes: set });
  });
  const float = forPartner(core, (tenant, c) => {
    const held = carryOut(core.db, () => floatOf(core, tenant, c.req.query('code')));
    return isRefusal(held) ? notFound(c, 'agent') : c.json({ centimes: held });
  });
  const partner = forPartner(core, (_, c) => c.json(shown()));
  const modules = forPartner(core, (tenant, c) => c.json(modulesOf(tenant)));
  const app = new Hono();
  app.get('/partner', partner).post(change);
  app.get('/modules', modules).post(changeModules);
  app.get('/float', float).post(changeFloat);
  return app;
}

function walletRoutes(core: Core): Hono {
  const list = forPartner(core, (tenant, c) => c.json(walletsOf(core, tenant, c.req.query('search'))));
  const read = forPartner(core, (tenant, c) => {
    const wallet = walletFile(core, tenant, c.req.param('wallet') ?? '');
    return wallet ? c.json(wallet) : notFound(c, 'wallet');
  });
  const documents = forPartner(core, (tenant, c) => {
    const merchant = findCustomer(core, tenant, c.req.query('phone') ?? '');
    return c.json(merchant ? merchantFile(core, merchant) : null);
  });
  const sms = forPartner(core, (tenant, c) => {
    const sql = 'SELECT id, phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id DESC';
    return c.json(core.db.all(sql, tenant.id, c.req.query('phone') ?? '%'));
  });
  return new Hono()
    .get('/wallets', list)
    .get('/wallets/:wallet', read)
    .get('/documents', documents)
    .get('/sms', sms);
}

function ledgerRoutes(core: Core): Hono {
  const accounts = forPartner(core, (tenant, c) => c.json(accountsOf(core, tenant)));
  const operations = forPartner(core, (tenant, c) =>
    c.json(operationsOf(core, tenant, c.req.query('search'))),
  );
  const operation = forPartner(core, (tenant, c) => {
    const found = operationFile(core, tenant, idIn(c));
    return found ? c.json(found) : notFound(c, 'operation');
  });
  const executions = forPartner(core, (tenant, c) =>
    c.json(executed(core, c.req.query('requestId'), tenant.id)),
  );
  return new Hono()
    .get('/ledger', (c) => c.json(core.ledger.check()))
    .get('/accounts', accounts)
    .get('/operations', operations)
    .get('/operations/:id', operation)
    .get('/executions', executions);
}

function requestRoutes(deps: DeskDeps): Hono {
  const { core, log } = deps;
  const api = partnerApi(deps);
  const withCurl = (c: Context, each: Logged) => {
    return { ...each, curl: curlOf(each, new URL(c.req.url).origin) };
  };
  const list = forPartner(core, (_, c) => {
    const { path = '', method, operation, status } = c.req.query();
    const isMeant = (each: Logged) =>
      each.path.startsWith(path) &&
      each.method === (method?.toUpperCase() ?? each.method) &&
      each.operation === (operation ?? each.operation) &&
      String(each.status) === (status ?? String(each.status));
    return c.json(
      log
        .entries()
        .filter(isMeant)
        .map((each) => withCurl(c, each)),
    );
  });
  const find = (c: Context) => log.entries().find(({ id }) => id === Number(c.req.param('id')));
  const read = forPartner(core, (_, c) => {
    const found = find(c);
    return found ? c.json(withCurl(c, found)) : notFound(c, 'request');
  });
  const again = forPartner(core, async ({ apiKey }, c) => {
    const found = find(c);
    if (!found) return notFound(c, 'request');
    if (!canRepeat(found)) return c.json({ message: 'Its secrets or files are not kept. Use curl' }, 409);
    const { status } = await api.fetch(repeated(found, apiKey, new URL(c.req.url).origin), c.env);
    return c.json({ status });
  });
  return new Hono().get('/requests', list).get('/requests/:id', read).post('/requests/:id/again', again);
}

function webhookRoutes({ core, due }: DeskDeps): Hono {
  const list = forPartner(core, (tenant, c) => c.json(deliveriesOf(core, tenant)));
  const read = forPartner(core, (tenant, c) => {
    const delivery = findDelivery(core, tenant, idIn(c));
    if (!delivery) return notFound(c, 'webhook');
    return c.json({ ...delivery, tries: attemptsOf(core, delivery) });
  });
  const act = withOrder(core, webhookAct, (tenant, order, c) => {
    const delivery = findDelivery(core, tenant, idIn(c));
    if (!delivery) return notFound(c, 'webhook');
    const changed = actOnWebhook(core, tenant, delivery, order);
    if (!changed) return c.json({ message: 'It is not waiting any more' }, 409);
    due.wake();
    return c.json(changed);
  });
  const forge = withOrder(core, forgery, (tenant, order, c) => {
    const forged = forgeWebhook(core, tenant, order);
    due.wake();
    return c.json(forged, 201);
  });
  const app = new Hono();
  app.get('/webhooks', list).post(forge);
  app.get('/webhooks/:id', read).post(act);
  return app;
}

/** The id in the path; 0, which is nobody's, where it is no number. */
function idIn(c: Context): number {
  return Number(c.req.param('id')) || 0;
}
