import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyAtMost } from '../../http/body-limit.ts';
import { parseJson } from '../../http/json.ts';
import { API, API_HEADERS, type ApiName } from '../../wallet/contract/api.ts';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import { PROBLEM_TYPE } from '../../wallet/contract/envelope.ts';
import { KYC_REQUEST_BYTES_MAX } from '../../wallet/contract/limits.ts';
import type { Core, FileToDraw, Tenant } from '../core/core.ts';
import { carryOut, errorOf, isRefusal, type Refusal, refusal } from '../core/refusal.ts';
import { faultyAnswer, insteadOfRequest } from '../faults/answer-faults.ts';
import type { Faults } from '../faults/fault-control.ts';
import { handle } from '../handlers.ts';
import { amountOfReference } from '../references/book.ts';
import type { DueWork } from '../time/due.ts';
import { asRead, errorAsRead } from './answers.ts';
import { notEnabled } from './modules.ts';
import { contentsOf, parse, type RawRequest, readForm, withoutEmptyFields } from './parse.ts';
import type { Note, RequestLog } from './request-log.ts';
import { strictly } from './strict.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** How far another clock is behind that of operations. */
const OTHER_CLOCK_MS = 90_000;
/** Notes of a request for the log, while it is served. */
interface Noted {
  Variables: { note: Note };
}
const NO_FILES: ReadonlyMap<File, Uint8Array> = new Map();

interface DoorDeps {
  readonly core: Core;
  readonly faults: Pick<Faults, 'strike'>;
  readonly due: Pick<DueWork, 'wake' | 'settle'>;
  readonly log: RequestLog;
}

/** Serves every operation of the contract the same way: key and scope, parameters, one transaction, envelope. */
export function partnerApi(deps: DoorDeps): Hono<Noted> {
  const app = new Hono<Noted>();
  app.use('/api/*', deps.log.watch, async (c, next) => {
    const requestId = c.req.header(API_HEADERS.requestId);
    if (requestId) c.header(API_HEADERS.requestId, requestId);
    // The wallet's clock, which its partners measure: not the machine's.
    const { clock, settings } = deps.core;
    const at = settings.answerDates === 'wallet' ? clock.now() : clock.now() - OTHER_CLOCK_MS;
    c.header('date', new Date(at).toUTCString());
    await next();
  });
  for (const [name, endpoint] of Object.entries(API).sort(byPath)) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
    app.on(endpoint.method, path, limited(endpoint), (c) => serve(deps, c, name as ApiName, endpoint));
  }
  app.all('/api/*', (c) => c.json({ message: noSuch(c.req.method, c.req.path) }, 404));
  return app;
}

async function serve(
  deps: DoorDeps,
  c: Context<Noted>,
  name: ApiName,
  endpoint: Endpoint,
): Promise<Response> {
  const { core, faults, due } = deps;
  const note = c.get('note');
  note.operation = name;
  const tenant = admitted(core, c, endpoint);
  if (tenant instanceof Response) return tenant;
  const absent = notEnabled(c, tenant, name);
  if (absent) return absent;
  const raw = await rawRequest(c, endpoint);
  note.body = raw.body;
  const strict = strictly(c, core.settings, endpoint, raw);
  if (strict instanceof Response) return strict;
  const asked =
    core.settings.emptyFields === 'ignored' ? { ...raw, body: withoutEmptyFields(raw.body) } : raw;
  const parsed = strict ?? parse(endpoint, asked);
  if (isRefusal(parsed)) {
    note.answer = parsed;
    return refused(core, c, endpoint, parsed);
  }
  const files = endpoint.multipart ? await contentsOf(parsed.body) : NO_FILES;
  const requestId = c.req.header(API_HEADERS.requestId) ?? '';
  const struck = faults.strike(name, parsed.body, amountOfReference(core, tenant, name, parsed.body));
  note.struck = struck;
  const error = struck.refused === undefined ? undefined : errorOf(struck.refused);
  if (error) {
    note.answer = refusal(error);
    return refused(core, c, endpoint, refusal(error));
  }
  const instead = insteadOfRequest(c, struck);
  if (instead) return instead;
  const { origin } = note.url;
  const request = { tenant, requestId, struck, origin, files, ...parsed };
  const answer = carryOut(core.db, () => handle(core, name, request as never));
  note.answer = answer;
  if (core.db.isPending()) due.wake();
  if ('webhookEarly' in struck) await due.settle();
  return faultyAnswer(
    c,
    struck,
    isRefusal(answer)
      ? refused(core, c, endpoint, answer)
      : await granted(c, endpoint, asRead(core.settings, name, endpoint, answer)),
  );
}

/** The owner of the key. 401: nobody's key. 403: a key that may not do this. */
function admitted({ db }: Core, c: Context<Noted>, { scope, problems }: Endpoint): Tenant | Response {
  const key = c.req.header(API_HEADERS.key) ?? '';
  const tenant = db.lasting<Tenant>('SELECT * FROM tenants WHERE apiKey = ?', key);
  if (!tenant && problems) return problem(c, 401, 'API key not authorized');
  if (!tenant) return c.json({ message: 'API key not authorized' }, 401);
  c.get('note').partner = tenant.id;
  return allows(tenant, scope) ? tenant : c.json({ message: `The key lacks the scope ${scope}` }, 403);
}

function allows({ scopes }: Tenant, scope: string): boolean {
  return scopes.split(' ').some((each) => each === '*' || each === scope);
}

const MISTYPED_MAX = 6;

/** Nobody knows the whole API by heart: what is missing is said with the operation that was perhaps meant. */
function noSuch(method: string, path: string): string {
  const all = Object.values(API);
  const exact = all.filter((each) => each.path === path);
  const near = all
    .map((each) => ({ each, far: distance(each.path, path) }))
    .filter(({ far }) => far > 0 && far <= MISTYPED_MAX)
    .sort((a, b) => a.far - b.far)[0]?.each;
  if (exact.length > 0)
    return `${path} is called with ${exact.map((each) => each.method).join(' or ')}, not ${method}`;
  return `The Partner API has no ${method} ${path}${near ? `. Is ${near.method} ${near.path} meant?` : ''}`;
}

/** How many letters have to be changed, added or left out (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...a].entries()) {
    const next = [n + 1];
    for (const [m, other] of [...b].entries())
      next.push(
        Math.min((next[m] ?? 0) + 1, (row[m + 1] ?? 0) + 1, (row[m] ?? 0) + Number(letter !== other)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Fixed paths before those with parameters: /api/operations/all is no operation's id. */
function byPath([, a]: readonly [string, Endpoint], [, b]: readonly [string, Endpoint]): number {
  return Number(a.path.includes('{')) - Number(b.path.includes('{'));
}

/** Turns away a body that is too long (413). */
function limited({ multipart }: Endpoint): MiddlewareHandler {
  const maxSize = multipart ? KYC_REQUEST_BYTES_MAX : BODY_BYTES_MAX;
  const message = `The body is longer than ${maxSize} bytes`;
  return bodyAtMost(maxSize, (c) => c.json({ message }, 413));
}

async function rawRequest(c: Context<Noted>, { method, multipart, body }: Endpoint): Promise<RawRequest> {
  const target = { params: c.req.param(), query: c.get('note').url.searchParams };
  if (multipart) return { ...target, body: await readForm(body, c.req) };
  return { ...target, body: jsonObject(method === 'GET' ? '' : await c.req.text()) };
}

/** No body is an empty one. */
function jsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function refused({ settings }: Core, c: Context, { problems }: Endpoint, why: Refusal): Response {
  const { status, body } = errorAsRead(settings, why);
  return problems && status === 400
    ? problem(
        c,
        status,
        body.errorDescription,
        settings.problemDetails === 'coded' ? { errorCode: body.errorCode } : {},
      )
    : c.json(body, status);
}

/** Problem details (RFC 9457), which v2.3 names for one endpoint and does not show. */
function problem(c: Context, status: 400 | 401, detail: string, more: object = {}): Response {
  const title = { 400: 'Bad Request', 401: 'Unauthorized' }[status];
  const body = { type: 'about:blank', title, status, detail, ...more };
  return c.body(JSON.stringify(body), status, { 'content-type': PROBLEM_TYPE });
}

/** In an envelope or at the root. A file as it is. Nothing as a 204, or by its status alone. */
async function granted(c: Context, endpoint: Endpoint, answer: unknown): Promise<Response> {
  if (answer === null || answer === undefined) {
    if (endpoint.none === undefined) throw new Error(`${endpoint.path} has no answer`);
    return c.body(null, endpoint.bare ? (endpoint.status as 200) : 204);
  }
  if (endpoint.binary) {
    const { type, draw } = answer as FileToDraw;
    return c.body(await draw(), 200, { 'content-type': type });
  }
  return c.json(endpoint.envelope ? { data: answer } : (answer as object), endpoint.status as 200);
}
