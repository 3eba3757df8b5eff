import { type Context, Hono, type MiddlewareHandler, type Next } from 'hono';
import type { CaseOwner } from '../conversation/cases/case.ts';
import type { Secrets } from '../conversation/secrets.ts';
import { AGENT_FILE_MAX_BYTES } from '../conversation/session/agent-file.ts';
import { bodyAtMost, uploadAtMost } from '../http/body-limit.ts';
import { readsByBoundary } from '../http/multipart.ts';
import { networks, senderOf } from '../http/network.ts';
import { OWN_FILES_ONLY, pageHeaders } from '../http/page-headers.ts';
import { thrown } from '../log/thrown.ts';
import type { Records } from '../records/records.ts';
import { StoreDown } from '../store/store.ts';
import { createAccess } from './access/access.ts';
import { accountRoutes } from './access/account-routes.ts';
import { type Accounts, createAccounts } from './access/accounts.ts';
import { createDemo, type Demo } from './access/demo.ts';
import { createDevices } from './access/device.ts';
import { type Guarded, guard, notThere } from './access/guard.ts';
import { meRoutes } from './access/me-routes.ts';
import { createOidc, type OidcConfig } from './access/oidc.ts';
import { refusals } from './access/refusals.ts';
import { may } from './access/roles.ts';
import { createSignIn } from './access/sign-in.ts';
import { noticePage } from './access/sign-in-pages.ts';
import { signInRoutes } from './access/sign-in-routes.ts';
import { createTries } from './access/tries.ts';
import { type Audit, createAudit } from './audit/audit.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import type { End } from './audit/deeds.ts';
import { AuditFull } from './audit/outbox.ts';
import { takingLog } from './audit/take.ts';
import { languageOf } from './language.ts';
import { NotThere } from './pages/answer.ts';
import type { PagesOptions } from './pages/options.ts';
import { endedBecause } from './pages/parts.ts';
import { type Pages, pages } from './pages/routes.ts';
import { type ConsoleKey, say } from './sentences.ts';
import { createSessionIds } from './session-id.ts';

const BODY_MAX_BYTES = 64 * 1024;
/** The path that takes an agent's file, beside the fields of its form. */
const FILE_PATH = /\/sessions\/[^/]+\/file$/;
const MULTIPART = /^\s*multipart\//i;

/** The customer's file is opened alone, whatever its type. */
const SENT_FILE_PATH = /\/sessions\/[^/]+\/files\/[^/]+$/;
const ITSELF_ONLY = { defaultSrc: ["'none'"], imgSrc: ["'self'"], frameAncestors: ["'none'"], sandbox: [] };

export interface SupportOptions
  extends Omit<
    PagesOptions,
    'secrets' | 'records' | 'audit' | 'isStillIn' | 'refusesApproval' | 'agents' | 'now'
  > {
  readonly secrets: Secrets;
  /** Served over https (by a proxy in front of us). */
  readonly secure: boolean;
  /** Our own proxies, which are believed about `X-Forwarded-For`. */
  readonly proxies: readonly string[];
  /** The public address of Wasl, for set-up links. Absent: the address that the browser uses. */
  readonly publicUrl?: string | undefined;
  readonly oidc?: OidcConfig | undefined;
  readonly agentsSeeAmounts?: boolean;
  /** With the sandbox there is a link that signs in as a demo admin ("no back door"). */
  readonly sandbox: boolean;
  /** The records, where the audit and figures are kept for years. */
  readonly records: PagesOptions['records'] & Pick<Records, 'audit'>;
  /** The days that the audit is kept. Absent: two years. */
  readonly auditKeptDays?: number;
  readonly now?: () => number;
}

export interface Support {
  readonly routes: Hono<Guarded>;
  /** Makes the path of a link that signs in once, as a demo admin. Only with the sandbox. */
  readonly demo: Demo | undefined;
  close(): Promise<void>;
}

/** The support console, to be mounted at `/support`. */
export function createSupport(options: SupportOptions): Support {
  const { store, secrets, secure, sandbox, publicUrl, log, now = Date.now } = options;
  const accounts = createAccounts({ store, settings: options.records.settings, secrets, now });
  const access = createAccess({ store, accounts, secrets, now, secure, sandbox });
  const devices = createDevices(secrets, { secure });
  const audit = auditOf(options, now);
  const signIn = createSignIn({ accounts, access, tries: createTries(store, secrets, now), audit, now });
  const oidc =
    options.oidc && createOidc({ config: options.oidc, accounts, access, audit, secrets, secure, now });
  const demo = sandbox ? createDemo({ access, audit, now }) : undefined;
  const addressOf = addressIn(networks(options.proxies));

  const routes = new Hono<Guarded>();
  const [ofPages, ofFiles] = [headers(secure), pageHeaders(ITSELF_ONLY, { strictTransportSecurity: secure })];
  routes.use((c, next) => (SENT_FILE_PATH.test(c.req.path) ? ofFiles : ofPages)(c, next));
  routes.use((c, next) =>
    audit.during(
      () => ({ from: addressOf(c), ...sessionOf(c) }),
      next,
      () => endOf(c),
    ),
  );
  routes.use(refusals({ access, audit, log }));
  routes.use(takesBodies);
  routes.use(guard(access, audit));
  routes.use((c, next) => {
    c.set('acted', audit.lastAct);
    if (options.agentsSeeAmounts && c.var.who) c.set('who', { ...c.var.who, seesAmounts: true });
    return next();
  });
  routes.use('/sign-out', (c, next) => andLeaves(c, next, left));
  routes.onError((error, c) => answerTo(error, c, log));
  const parts = { signIn, accounts, access, devices, audit, oidc, demo, addressOf, log };
  routes.route('/', signInRoutes(parts)).route('/', meRoutes(parts));
  routes.route('/', accountRoutes({ accounts, audit, secure, publicUrl, now }));
  const sessionIds = createSessionIds(secrets);
  routes.route('/', auditRoutes({ audit, desk: options.desk, sessionIds, because: endedBecause }));
  const {
    routes: watching,
    left,
    close,
  } = pages({
    ...options,
    now,
    audit,
    isStillIn: access.isStillIn,
    refusesApproval: accounts.refusesApproval,
    agents: () => agentsIn(accounts),
  });
  routes.route('/', watching);
  // A page that waits for the records asks here, and not for itself: looking at the audit is an act.
  routes.get('/back', async (c) => {
    if (await options.records.isWell().catch(() => false)) c.header('HX-Refresh', 'true');
    return c.body(null, 204);
  });
  return { routes, demo, close };
}

const [FORM, FILE] = [bodyAtMost(BODY_MAX_BYTES), uploadAtMost(BODY_MAX_BYTES + AGENT_FILE_MAX_BYTES)];

/** Refuses what is too large. Files come with the fields of their form. */
const takesBodies: MiddlewareHandler<Guarded> = (c, next) => {
  const isFile = FILE_PATH.test(c.req.path);
  if (isFile || MULTIPART.test(c.req.header('content-type') ?? '')) readsByBoundary(c);
  return (isFile ? FILE : FORM)(c, next);
};

/** The network address that a request comes from. */
function addressIn(proxies: ReturnType<typeof networks>) {
  return (c: Parameters<typeof senderOf>[0]) => senderOf(c, proxies) || 'unknown';
}

/** Signs somebody out, after which no case is assigned to them. Where the store is away, they are forgotten in a minute. */
async function andLeaves(c: Context<Guarded>, next: Next, left: Pages['left']): Promise<void> {
  const { who } = c.var;
  await next();
  await left(who.id).catch(() => {});
}

/** The page for a request that failed, or asked for what is not there. An agent who is signed in, or could not be looked up, need not sign in again. */
function answerTo(
  error: Error,
  c: Context<Guarded>,
  log: SupportOptions['log'],
): Response | Promise<Response> {
  if (error instanceof NotThere) return notThere(c);
  log.say('A page of the console failed', { method: c.req.method, ...thrown(error) });
  const who: Guarded['Variables']['who'] | undefined = c.var.who;
  const language = who?.language ?? languageOf(c);
  // An act is not done again by itself.
  const comesBack = isAway(error) && who !== undefined && c.req.method === 'GET';
  const [title, ...sentences] = noticeFor(error, comesBack).map((key) => say(language, key));
  const notice = { title: title ?? '', sentence: sentences.join(' '), who, isSignedIn: true, comesBack };
  return c.html(noticePage(language, notice), error instanceof StoreDown ? 503 : 500);
}

function noticeFor(error: Error, comesBack: boolean): readonly ConsoleKey[] {
  if (error instanceof AuditFull) return ['console.auditFull', 'console.auditFullHint'];
  if (!isAway(error)) return ['console.unavailable', 'console.unavailableHint'];
  const then = comesBack ? 'console.historyComesBack' : 'console.historyTryAgain';
  return ['console.historyAway', 'console.historyAwayHint', then];
}

/** By its name, as the audit has it (`endedBecause`): the console does not open the records itself. */
function isAway({ name }: Error): boolean {
  return name === 'RecordsDown';
}

function auditOf(options: SupportOptions, now: () => number): Audit {
  const { store, secrets, records, auditKeptDays: keptDays, log } = options;
  const onError = (error: unknown) => log.say('The end of an act is not in the audit', thrown(error));
  return createAudit(store, secrets, now, records.audit, { keptDays, onError, onTaking: takingLog(log) });
}

/** The agents who may work on cases, by the name that customers read. */
async function agentsIn(accounts: Pick<Accounts, 'all'>): Promise<readonly CaseOwner[]> {
  const all = (await accounts.all()).filter(({ role, disabled }) => may(role, 'workCases') && !disabled);
  return all.map(({ id, name }) => ({ id, name }));
}

/** Names a sign-in for the audit: so much of a digest tells two of one account apart. */
const SESSION_CHARACTERS = 12;

function sessionOf(c: Context<Guarded>): { readonly session?: string } {
  const who: Guarded['Variables']['who'] | undefined = c.var.who;
  return who ? { session: who.sessionId.slice(0, SESSION_CHARACTERS) } : {};
}

/** The end of a request, from its answer. The end of a file's request is known once the file has been sent. */
function endOf(c: Context<Guarded>): End | Promise<End> {
  const end = endNow(c);
  const { body, headers } = c.res;
  if (end.end !== 'done' || !body || !headers.has('content-disposition')) return end;
  const { promise, resolve } = Promise.withResolvers<End>();
  c.res = new Response(
    followed(body, (cut) => resolve(cut === undefined ? end : { end: 'failed', endWhy: cut })),
    c.res,
  );
  return promise;
}

/** The same bytes. Tells when they were all taken, or why they were not. */
function followed(
  body: ReadableStream<Uint8Array>,
  onEnd: (cut?: string) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        onEnd();
      } catch (error) {
        controller.error(error);
        onEnd(nameOf(error));
      }
    },
    cancel(reason) {
      onEnd('cutOff');
      return reader.cancel(reason);
    },
  });
}

function endNow(c: Context<Guarded>): End {
  const { status } = c.res;
  if (c.error && !(c.error instanceof NotThere)) return { end: 'failed', endWhy: nameOf(c.error) };
  if (c.var.refusal !== undefined) return { end: 'refused', endWhy: c.var.refusal };
  return status < 400 ? { end: 'done' } : { end: status < 500 ? 'refused' : 'failed', endWhy: `${status}` };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** Our own pages get the referrer of a request: without that, browsers do not name the origin of a form either. */
function headers(secure: boolean) {
  return pageHeaders(
    { ...OWN_FILES_ONLY, imgSrc: ["'self'", 'data:'] },
    { referrerPolicy: 'same-origin', strictTransportSecurity: secure },
  );
}
