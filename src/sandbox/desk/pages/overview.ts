import { html } from 'hono/html';
import { ledgerVerdict, operationsOf } from '../books.ts';
import { at, type Visit } from './frame.ts';
import { operationsTable } from './ledger.ts';
import { badge, code, type Html, live, panel } from './parts.ts';
import { requestsTable } from './requests.ts';

const NEWEST = 6;

/** What the sandbox is, and its present state. */
export function overview(visit: Visit): Html {
  const { deps, tenant, origin } = visit;
  const { db } = deps.core;
  const count = (table: string, where = '') =>
    db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE tenant = ? ${where}`, tenant.id)?.n ?? 0;
  const { balanced } = ledgerVerdict(deps.core);
  // Counting so many would hold up everybody else.
  const sql = `SELECT SUM(n) AS n FROM tallies WHERE side = 'tenant' AND owner = ?`;
  const done = db.get<{ n: number | null }>(sql, tenant.id)?.n ?? 0;
  const operations =
    done + count('operations INDEXED BY movingOperations', 'AND status <> settlesAs AND status = 1');
  const waiting = count('deliveries', `AND state = 'due'`);
  const tiles: readonly (readonly [path: string, value: string | number | Html, label: string])[] = [
    ['wallets', count('customers', 'AND status <> 0'), 'wallets'],
    ['ledger', operations, 'operations'],
    ['ledger', balanced ? badge('balanced', 'good') : badge('out of balance', 'bad'), 'ledger'],
    ['requests', deps.log.entries().length, 'requests in the log'],
    ['sms', count('messages'), 'SMS sent'],
    ['webhooks', waiting, 'webhooks waiting'],
  ];
  const first = `curl '${origin}/api/customers/info?phoneNumber=%2B212600000001' \\\n  -H 'Svc-Api-Key: ${tenant.apiKey}'`;

  return html`<p class="lead">The Partner Wallet and Payments API v2.3 with play money: every operation, stateful, on a
double-entry ledger. Every request carries <code>Svc-Api-Key: ${tenant.apiKey}</code>.</p>
${code('first', first)}
<p class="links"><a href="/reference">Reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/collection.json">Postman
collection</a> <a href="/llms.txt">llms.txt</a> <a href="${at(visit, 'test-data')}">Test data</a></p>
${live(
  'tiles',
  html`<ul class="tiles">${tiles.map(
    ([path, value, label]) =>
      html`<li><a href="${at(visit, path)}"><b>${value}</b><span>${label}</span></a></li>`,
  )}</ul>`,
)}
${live('newest', [
  panel('Newest requests', requestsTable(visit, NEWEST)),
  panel('Newest operations', operationsTable(visit, operationsOf(deps.core, tenant).slice(0, NEWEST))),
])}`;
}
