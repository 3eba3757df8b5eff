import { type Context, Hono } from 'hono';
import type { LineResult, Principal } from '../../conversation/desk/desk.ts';
import { toDecimal } from '../../wallet/money.ts';
import { BASE } from '../access/endpoints.ts';
import type { Guarded } from '../access/guard.ts';
import type { Line } from '../csv.ts';
import { stateName } from '../names.ts';
import { say } from '../sentences.ts';
import { answer, audited, found, viewOf } from './answer.ts';
import { ownerOf } from './case-acts.ts';
import type { Tools } from './options.ts';
import { accountOf, payoutPage, payoutsPage } from './payouts.ts';
import { saveTable } from './save.ts';

type Ctx = Context<Guarded>;
const HOME = `${BASE}/principal/payouts`;
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

async function list(tools: Tools, c: Ctx): Promise<Response> {
  return c.html(payoutsPage(await found(tools.desk.principal).files(), viewOf(tools, c)));
}

async function give(tools: Tools, c: Ctx): Promise<Response> {
  const principal = found(tools.desk.principal);
  const { file } = await c.req.parseBody();
  const given = found(file instanceof File ? file : undefined);
  const bytes = new Uint8Array(await given.arrayBuffer());
  const fileName = given.name.slice(-FILE_NAME_MAX);
  await audited(tools, c, 'givePayouts', { on: principal.code, what: fileName.slice(0, 64) });
  const outcome = await principal.giveFile(bytes, fileName, ownerOf(c.var.who));
  if (outcome.kind === 'given') return c.redirect(`${HOME}/${outcome.id}`, 303);
  if (outcome.kind === 'twice') return answer(c, 'twice', `${HOME}/${outcome.id}`);
  c.set('refusal', outcome.wrong[0]?.why ?? 'unreadable');
  return c.html(payoutsPage(await principal.files(), viewOf(tools, c), outcome.wrong), 400);
}

async function one(tools: Tools, c: Ctx, id: string): Promise<Response> {
  const principal = found(tools.desk.principal);
  const known = found(await principal.file(id));
  const account = await principal.account();
  const float = account.kind === 'ok' ? account.value.balance : undefined;
  return c.html(payoutPage(known, float, viewOf(tools, c)));
}

async function withdraw(tools: Tools, c: Ctx, id: string): Promise<Response> {
  const principal = found(tools.desk.principal);
  const { batch } = found(await principal.file(id));
  await audited(tools, c, 'withdrawPayouts', { on: principal.code, what: batch.fileName.slice(0, 64) });
  return answer(c, await principal.withdrawFile(id), `${HOME}/${id}`);
}

async function results(tools: Tools, c: Ctx, id: string): Promise<Response> {
  const principal = found(tools.desk.principal);
  const { batch } = found(await principal.file(id));
  const table = { name: `payouts-${id.slice(0, 8)}`, of: batch.fileName, on: principal.code };
  return saveTable(tools, c, table, resultLines(principal, id, c.var.language));
}

const RESULT_HEADINGS = [
  ...(['console.payoutLine', 'console.payoutAccount', 'console.personName', 'console.amount'] as const),
  ...(['console.reason', 'console.auditOutcome', 'console.payoutCode'] as const),
  ...(['console.operation', 'console.payment'] as const),
];

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
  const result = refused === undefined ? intent?.state : 'rejected';
  const [outcome, paid] = [result && stateName(result, language), toDecimal(amount)];
  return [
    line,
    accountOf(each),
    name,
    paid,
    reason,
    outcome,
    refused ?? code,
    intent?.operationId,
    intent?.id,
  ];
}
