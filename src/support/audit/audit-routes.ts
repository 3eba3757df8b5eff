import { type Context, Hono } from 'hono';
import { ownAddress, ownWallet } from '../../conversation/channel.ts';
import type { Desk } from '../../conversation/desk/desk.ts';
import { type Msisdn, readPhone } from '../../wallet/phone.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import { download } from '../csv.ts';
import { maskPhones } from '../masks.ts';
import type { SessionIds } from '../session-id.ts';
import { dayBegins, dayEnds } from '../times.ts';
import type { Audit } from './audit.ts';
import { type Asked, auditPage, type Because } from './audit-page.ts';
import { type AuditFilter, ENDINGS } from './deeds.ts';
import { csvOf, jsonLinesOf } from './export.ts';

const ENTRIES_PER_PAGE = 50;
const ASKED_MAX_CHARACTERS = 120;
interface AuditRoutesOptions {
  readonly audit: Audit;
  readonly desk: Pick<Desk, 'person'>;
  readonly sessionIds: SessionIds;
  readonly because: Because;
}

type Ctx = Context<Guarded>;

/** The audit, for auditors and supervisors. To look at it is written down as well. */
export function auditRoutes(options: AuditRoutesOptions): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/audit', (c) => look(options, c));
  app.get('/audit/export', (c) => save(options, c));
  return app;
}

async function look(options: AuditRoutesOptions, c: Ctx): Promise<Response> {
  const { audit, sessionIds, because } = options;
  const { who } = c.var;
  const asked = askedIn(c);
  const isCheck = Boolean(c.req.query('check'));
  await audit.append({
    who: who.id,
    act: 'seeAudit',
    ...saidOf(options, asked),
    ...(isCheck && { what: 'check' }),
  });
  const page = await audit.page({ ...(await filterOf(options, c, asked)), limit: ENTRIES_PER_PAGE });
  const verdict = isCheck ? { verdict: await audit.verify(c.req.query('witness')?.trim() || undefined) } : {};
  const sessionPage = (address: Parameters<SessionIds['idOf']>[0]) =>
    `${BASE}/sessions/${sessionIds.idOf(address)}`;
  return c.html(auditPage({ who, asked, page, sessionPage, because, ...verdict }));
}

/** Numbers of customers are masked as on the page. Only `npm run support -- export-audit` gives them in clear. */
async function save(options: AuditRoutesOptions, c: Ctx): Promise<Response> {
  const { audit } = options;
  const asked = askedIn(c);
  const isCsv = c.req.query('as') !== 'jsonl';
  await audit.append({ who: c.var.who.id, act: 'exportAudit', ...saidOf(options, asked) });
  const entries = audit.all(await filterOf(options, c, asked));
  return isCsv
    ? download('audit.csv', 'text/csv', csvOf(entries, maskPhones, c.var.language))
    : download('audit.jsonl', 'application/jsonl', jsonLinesOf(entries, maskPhones));
}

function askedIn(c: Ctx): Asked {
  const names = ['by', 'act', 'on', 'about', 'end', 'from', 'to'] as const;
  const typed = names.map((name) => [name, (c.req.query(name) ?? '').trim().slice(0, ASKED_MAX_CHARACTERS)]);
  return Object.fromEntries(typed) as Asked;
}

/** A search of the audit for a customer is itself an entry about that customer. */
function saidOf(options: AuditRoutesOptions, { by, act, on, about, end, from, to }: Asked) {
  const wallet = walletIn(options, about);
  const why = Object.entries({ by, act, end, from, to, ...(!wallet && { about }) })
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  return { ...(on && { on }), ...(wallet && { about: wallet }), ...(why && { why }) };
}

/** The customer that is asked about: by their number, or by the name that URLs have for them. */
function walletIn({ sessionIds }: AuditRoutesOptions, about: string): Msisdn | undefined {
  const address = sessionIds.addressOf(about);
  return readPhone(about) ?? (address && ownWallet(address));
}

/** Everything that an entry about a customer may call them. */
async function namesOf(options: AuditRoutesOptions, about: string): Promise<readonly string[]> {
  const wallet = walletIn(options, about);
  if (!wallet) return [about];
  const sessions = (await options.desk.person(wallet))?.sessions ?? [];
  return [wallet, ownAddress(wallet), ...sessions.map(({ address }) => address)];
}

async function filterOf(options: AuditRoutesOptions, c: Ctx, asked: Asked): Promise<AuditFilter> {
  const { by: who, act, on, about, end, from, to } = asked;
  const names = about === '' ? undefined : await namesOf(options, about);
  const ending = ENDINGS.find((each) => each === end);
  const [begins, ends] = [dayBegins(from), dayEnds(to)];
  const before = Number(c.req.query('before'));
  return {
    ...(who && { who }),
    ...(act && { act }),
    ...(on && { on }),
    ...(names && { about: names }),
    ...(ending && { end: ending }),
    ...(begins !== undefined && { from: begins }),
    ...(ends !== undefined && { to: ends }),
    ...(Number.isSafeInteger(before) && before > 0 && { before }),
  };
}
