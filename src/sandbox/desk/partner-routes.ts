import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { centimes } from '../../wallet/money.ts';
import type { Core } from '../core/core.ts';
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
import { type DeskDeps, notFound, ordered } from './deps.ts';
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

/** The partner itself, its modules and its test float. */
function ownRoutes(core: Core): Hono {
  const own = () => ownPartner(core);
  const shown = () => ({ ...own(), id: core.partner, modules: modulesOf(own()) });
  return new Hono()
    .get('/partner', (c) => c.json(shown()))
    .post('/partner', async (c) => {
      const order = await ordered(c, partnerOrder);
      changePartner(core, own(), order);
      return c.json(shown());
    })
    .get('/modules', (c) => c.json(modulesOf(own())))
    .post('/modules', async (c) => {
      const order = await ordered(c, modulesOrder);
      changePartner(core, own(), { modules: reordered(own(), order) });
      return c.json(modulesOf(own()));
    })
    .get('/float', (c) => {
      const held = carryOut(core.db, () => floatOf(core, own(), c.req.query('code')));
      return isRefusal(held) ? notFound(c, 'agent') : c.json({ centimes: held });
    })
    .post('/float', async (c) => {
      const { code, centimes: to } = await ordered(c, floatOrder);
      const held = carryOut(core.db, () => setFloat(core, own(), centimes(to), code));
      return isRefusal(held) ? notFound(c, 'agent') : c.json({ centimes: held });
    });
}

function walletRoutes(core: Core): Hono {
  const own = () => ownPartner(core);
  return new Hono()
    .get('/wallets', (c) => c.json(walletsOf(core, own(), c.req.query('search'))))
    .get('/wallets/:wallet', (c) => {
      const wallet = walletFile(core, own(), c.req.param('wallet'));
      return wallet ? c.json(wallet) : notFound(c, 'wallet');
    })
    .get('/documents', (c) => {
      const merchant = findCustomer(core, own(), c.req.query('phone') ?? '');
      return c.json(merchant ? merchantFile(core, merchant) : null);
    })
    .get('/sms', (c) => {
      const sql =
        'SELECT id, phone, text, at FROM messages WHERE tenant = ? AND phone LIKE ? ORDER BY id DESC';
      return c.json(core.db.all(sql, own().id, c.req.query('phone') ?? '%'));
    });
}

function ledgerRoutes(core: Core): Hono {
  const own = () => ownPartner(core);
  return new Hono()
    .get('/ledger', (c) => c.json(core.ledger.check()))
    .get('/accounts', (c) => c.json(accountsOf(core, own())))
    .get('/operations', (c) => c.json(operationsOf(core, own(), c.req.query('search'))))
    .get('/operations/:id', (c) => {
      const found = operationFile(core, own(), idIn(c));
      return found ? c.json(found) : notFound(c, 'operation');
    })
    .get('/executions', (c) => c.json(executed(core, c.req.query('requestId'), own().id)));
}

function requestRoutes(deps: DeskDeps): Hono {
  const { core, log } = deps;
  const api = partnerApi(deps);
  const origin = (c: Context) => new URL(c.req.url).origin;
  const withCurl = (c: Context, each: Logged) => ({ ...each, curl: curlOf(each, origin(c)) });
  const find = (c: Context) => log.entries().find(({ id }) => id === idIn(c));
  return new Hono()
    .get('/requests', (c) => {
      const { path = '', method, operation, status } = c.req.query();
      const isMeant = (each: Logged) =>
        each.path.startsWith(path) &&
        each.method === (method?.toUpperCase() ?? each.method) &&
        each.operation === (operation ?? each.operation) &&
        String(each.status) === (status ?? String(each.status));
      const meant = log.entries().filter(isMeant);
      return c.json(meant.map((each) => withCurl(c, each)));
    })
    .get('/requests/:id', (c) => {
      const found = find(c);
      return found ? c.json(withCurl(c, found)) : notFound(c, 'request');
    })
    .post('/requests/:id/again', async (c) => {
      const found = find(c);
      if (!found) return notFound(c, 'request');
      if (!canRepeat(found)) return c.json({ message: 'Its secrets or files are not kept. Use curl' }, 409);
      const { status } = await api.fetch(repeated(found, ownPartner(core).apiKey, origin(c)), c.env);
      return c.json({ status });
    });
}

function webhookRoutes({ core, due }: DeskDeps): Hono {
  const own = () => ownPartner(core);
  const find = (c: Context) => findDelivery(core, own(), idIn(c));
  return new Hono()
    .get('/webhooks', (c) => c.json(deliveriesOf(core, own())))
    .post('/webhooks', async (c) => {
      const order = await ordered(c, forgery);
      const forged = forgeWebhook(core, own(), order);
      due.wake();
      return c.json(forged, 201);
    })
    .get('/webhooks/:id', (c) => {
      const delivery = find(c);
      return delivery ? c.json({ ...delivery, tries: attemptsOf(core, delivery) }) : notFound(c, 'webhook');
    })
    .post('/webhooks/:id', async (c) => {
      const order = await ordered(c, webhookAct);
      const delivery = find(c);
      if (!delivery) return notFound(c, 'webhook');
      const changed = actOnWebhook(core, own(), delivery, order);
      if (!changed) return c.json({ message: 'It is not waiting any more' }, 409);
      due.wake();
      return c.json(changed);
    });
}

/** The id in the path; 0, which is nobody's, where it is no number. */
function idIn(c: Context): number {
  return Number(c.req.param('id')) || 0;
}
