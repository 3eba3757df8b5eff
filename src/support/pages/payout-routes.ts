import { type Context, Hono } from 'hono';
import type { LineResult, Principal } from '../../conversation/desk/desk.ts';
import { toDecimal } from '../../wallet/money.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Line } from '../csv.ts';
import { sightOf } from '../masks.ts';
import { stateName } from '../names.ts';
import { say } from '../sentences.ts';
import { answer, notFound } from './answer.ts';
import type { Tools } from './options.ts';
import { isSaid, type View } from './parts.ts';
import { accountOf, payoutPage, payoutsPage } from './payouts.ts';
import { saveTable } from './save.ts';

type Ctx = Context<Guarded>;
const FILE_NAME_MAX = 80;

/** Administrators upload files of payouts. Numbers that act for the principal agent release them in their chats. */
export function payoutRoutes(tools: Tools): Hono<Guarded> {
  const app = new Hono<Guarded>();
  app.get('/principal/payouts', (c) => list(tools, c));
  app.post('/principal/payouts', (c) => give(tools, c));
  app.get('/principal/payouts/:id', (c) => one(tools, c, c.req.param('id')));
  app.post('/principal/payouts/:id/withdraw', (c) => withdraw(tools, c, c.req.param('id')));
  app.get('/principal/payouts/:id/results.csv', (c) => results(tools, c, c.req.param('id')));
  return app;
}

function viewOf({ now }: Tools, c: Ctx): View {
  const { who, language } = c.var;
  return { who, language, now: now(), sight: sightOf(who) };
}

async function list(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  if (!principal) return notFound(c);
  const said = c.req.query('said');
  return c.html(payoutsPage(await principal.files(), viewOf(tools, c), [], isSaid(said) ? said : undefined));
}

async function give(tools: Tools, c: Ctx): Promise<Response> {
  const { principal } = tools.desk;
  const { file } = await c.req.parseBody();
  if (!principal || !(file instanceof File)) return notFound(c);
  const { id: who, name } = c.var.who;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const fileName = file.name.slice(-FILE_NAME_MAX);
  await tools.audit.append({ who, act: 'givePayouts', on: principal.code, what: fileName.slice(0, 64) });
  const outcome = await principal.giveFile(bytes, fileName, { id: who, name });
  if (outcome.kind === 'given') return c.redirect(`${BASE}/principal/payouts/${outcome.id}`, 303);
  if (outcome.kind === 'twice') return answer(c, 'twice', `${BASE}/principal/payouts/${outcome.id}`);
  c.set('refusal', outcome.wrong[0]?.why ?? 'unreadable');
  return c.html(payoutsPage(await principal.files(), viewOf(tools, c), outcome.wrong), 400);
}

async function one(tools: Tools, c: Ctx, id: string): Promise<Response> {
  const { principal } = tools.desk;
  const known = await principal?.file(id);
  if (!principal || !known) return notFound(c);
  const account = await principal.account();
  const said = c.req.query('said');
  const float = account.kind === 'ok' ? account.value.balance : undefined;
  return c.html(payoutPage(known, float, viewOf(tools, c), isSaid(said) ? said : undefined));
}

async function withdraw({ desk: { principal }, audit }: Tools, c: Ctx, id: string): Promise<Response> {
  const known = await principal?.file(id);
  if (!principal || !known) return notFound(c);
  await audit.append({
    who: c.var.who.id,
    act: 'withdrawPayouts',
    on: principal.code,
    what: known.batch.fileName.slice(0, 64),
  });
  return answer(c, await principal.withdrawFile(id), `${BASE}/principal/payouts/${id}`);
}

async function results(tools: Tools, c: Ctx, id: string): Promise<Response> {
  const { principal } = tools.desk;
  const known = await principal?.file(id);
  if (!principal || !known) return notFound(c);
  const table = { name: `payouts-${id.slice(0, 8)}`, of: known.batch.fileName, on: principal.code };
  return saveTable(tools, c, table, resultLines(principal, id, c.var.language));
}

const RESULT_HEADINGS = [
  'console.payoutLine',
  'console.payoutAccount',
  'console.personName',
  'console.amount',
  'console.reason',
  'console.auditOutcome',
  'console.payoutCode',
  'console.operation',
  'console.payment',
] as const;

async function* resultLines(
  principal: Principal,
  id: string,
  language: Ctx['var']['language'],
): AsyncGenerator<Line> {
  yield RESULT_HEADINGS.map((key) => say(language, key));
  for await (const each of principal.results(id)) yield cellsOf(each, language);
}

function cellsOf(each: LineResult, language: Ctx['var']['language']) {
  const { line, name, amount, reason, refused, code, intent } = each;
  const result =
    refused === undefined ? intent && stateName(intent.state, language) : stateName('rejected', language);
  return [
    line,
    accountOf(each),
    name,
    toDecimal(amount),
    reason,
    result,
    refused ?? code,
    intent?.operationId,
    intent?.id,
  ];
}
