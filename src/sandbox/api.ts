import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { API, API_HEADERS, type ApiName } from '../wallet/contract/api.ts';
import type { Endpoint } from '../wallet/contract/endpoint.ts';
import {
  type Core,
  type Handlers,
  isRefusal,
  type Refusal,
  type Request,
  type Tenant,
  toBusinessError,
} from './core.ts';
import { MAGIC } from './magic.ts';
import { parse, type RawRequest } from './parse.ts';

const BODY_BYTES_MAX = 64 * 1024;

/** Only present behind a real socket; a test that calls the app in process has none. */
interface NodeBindings {
  readonly outgoing?: { destroy(): void };
}

/**
 * Serves every operation of the contract the same way: key and scope, parameters, one transaction, envelope.
 * @param wake called when a request may have left something to do later
 */
export function partnerApi(core: Core, handlers: Handlers<ApiName>, wake: () => void): Hono {
  const app = new Hono();
  // Fixed paths before those with parameters: /api/operations/all is no operation's id.
  const endpoints = Object.entries(API).sort(
    ([, a], [, b]) => Number(a.path.includes('{')) - Number(b.path.includes('{')),
  );

  app.use('/api/*', async (c, next) => {
    const requestId = c.req.header(API_HEADERS.requestId);
    if (requestId) c.header(API_HEADERS.requestId, requestId);
    await next();
  });
  app.use('/api/*', bodyLimit({ maxSize: BODY_BYTES_MAX }));
  for (const [name, endpoint] of endpoints) {
    const handle = handlers[name as ApiName] as (request: Request) => unknown;
    app.on(endpoint.method, endpoint.path.replace(/\{(\w+)\}/g, ':$1'), (c) => serve(c, endpoint, handle));
  }

  async function serve(
    c: Context,
    endpoint: Endpoint,
    handle: (request: Request) => unknown,
  ): Promise<Response> {
    const tenant = admitted(c, endpoint);
    if (tenant instanceof Response) return tenant;
    const parsed = parse(endpoint, await rawRequest(c, endpoint));
    if (isRefusal(parsed)) return refused(c, parsed);
    const requestId = c.req.header(API_HEADERS.requestId) ?? '';
    const answer = core.db.transaction(() => handle({ tenant, requestId, ...parsed }));
    if (isRefusal(answer)) return refused(c, answer);
    if (endpoint.method !== 'GET') wake();
    if (losesAnswer(endpoint, parsed.body)) return hangUp(c);
    return c.json(endpoint.envelope ? { data: answer } : (answer as object), endpoint.status as 200);
  }

  /** Whose key it is; 401 for nobody's, 403 for one that may not do this. */
  function admitted(c: Context, { scope }: Endpoint): Tenant | Response {
    const tenant = core.db.get<Tenant>(
      'SELECT * FROM tenants WHERE apiKey = ?',
      c.req.header(API_HEADERS.key) ?? '',
    );
    if (!tenant) return c.json({ message: 'API key not authorized' }, 401);
    return allows(tenant, scope) ? tenant : c.json({ message: `The key lacks the scope ${scope}` }, 403);
  }

  return app;
}

function allows({ scopes }: Tenant, scope: string): boolean {
  return scopes.split(' ').some((each) => each === '*' || each === scope);
}

async function rawRequest(c: Context, endpoint: Endpoint): Promise<RawRequest> {
  const text = endpoint.method === 'GET' ? '' : await c.req.text();
  return { params: c.req.param(), query: new URL(c.req.url).searchParams, body: jsonObject(text) };
}

/** No body is an empty one. */
function jsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function refused(c: Context, refusal: Refusal): Response {
  const { status, body } = toBusinessError(refusal);
  return c.json(body, status);
}

function losesAnswer(endpoint: Endpoint, body: Record<string, unknown>): boolean {
  return endpoint === API.executeTransfer && body.RecipientPhoneNumber === MAGIC.answerLost;
}

/** The request was carried out, and the connection breaks. In process, where there is none, a 500. */
function hangUp(c: Context): Response {
  const { outgoing } = (c.env ?? {}) as NodeBindings;
  if (!outgoing) return c.body(null, 500);
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
