import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { API, API_HEADERS, type ApiName } from '../wallet/contract/api.ts';
import type { Endpoint } from '../wallet/contract/endpoint.ts';
import { spoilt, turnedAway } from './answer-faults.ts';
import {
  type Core,
  type Handlers,
  isRefusal,
  type Refusal,
  type Request,
  type Tenant,
  toBusinessError,
} from './core.ts';
import type { DueWork } from './due.ts';
import type { Faults } from './fault-control.ts';
import { notEnabled } from './modules.ts';
import { parse, type RawRequest } from './parse.ts';

const BODY_BYTES_MAX = 64 * 1024;

/** Serves every operation of the contract the same way: key and scope, parameters, one transaction, envelope. */
export function partnerApi(
  core: Core,
  handlers: Handlers<ApiName>,
  faults: Pick<Faults, 'strike'>,
  due: Pick<DueWork, 'wake' | 'settle'>,
): Hono {
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
  const limit = bodyLimit({ maxSize: BODY_BYTES_MAX });
  app.use('/api/*', (c, next) => {
    // To look at the body itself costs a tenth of the request; a length that is announced says as much.
    const short = c.req.method === 'GET' || Number(c.req.header('content-length')) <= BODY_BYTES_MAX;
    return short ? next() : limit(c, next);
  });
  for (const [name, endpoint] of endpoints) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
    app.on(endpoint.method, path, (c) => serve(c, name as ApiName, endpoint));
  }

  async function serve(c: Context, name: ApiName, endpoint: Endpoint): Promise<Response> {
    const tenant = admitted(c, endpoint);
    if (tenant instanceof Response) return tenant;
    const absent = notEnabled(c, tenant, name);
    if (absent) return absent;
    const parsed = parse(endpoint, await rawRequest(c, endpoint));
    if (isRefusal(parsed)) return refused(c, parsed);
    const requestId = c.req.header(API_HEADERS.requestId) ?? '';
    const struck = faults.strike(name, parsed.body);
    const away = turnedAway(c, struck);
    if (away) return away;
    const handle = handlers[name] as (request: Request) => unknown;
    const answer = core.db.transaction(() => handle({ tenant, requestId, struck, ...parsed }));
    if (endpoint.method !== 'GET') due.wake();
    if ('webhookEarly' in struck) await due.settle();
    return spoilt(c, struck, isRefusal(answer) ? refused(c, answer) : granted(c, endpoint, answer));
  }

  /** Whose key it is; 401 for nobody's, 403 for one that may not do this. */
  function admitted(c: Context, { scope }: Endpoint): Tenant | Response {
    const key = c.req.header(API_HEADERS.key) ?? '';
    const tenant = core.db.lasting<Tenant>('SELECT * FROM tenants WHERE apiKey = ?', key);
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

/** In an envelope or at the root; a file as it is, nothing as a 204. */
function granted(c: Context, endpoint: Endpoint, answer: unknown): Response {
  if (answer === null || answer === undefined) {
    if (endpoint.none === undefined) throw new Error(`${endpoint.path} has no answer`);
    return c.body(null, 204);
  }
  if (endpoint.binary) {
    const { type, bytes } = answer as { type: string; bytes: Uint8Array<ArrayBuffer> };
    return c.body(bytes, 200, { 'content-type': type });
  }
  return c.json(endpoint.envelope ? { data: answer } : (answer as object), endpoint.status as 200);
}
