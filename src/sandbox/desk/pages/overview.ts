import { html } from 'hono/html';
import { ledgerVerdict, operationsOf } from '../books.ts';
import { at, type Visit } from './frame.ts';
import { operationsTable } from './ledger.ts';
import { act, badge, code, type Html, live, panel } from './parts.ts';
import { requestsTable } from './requests.ts';

const NEWEST = 6;

/** Explains the sandbox, and shows its present state. */
export function overview(visit: Visit): Html {
  const { deps, tenant } = visit;
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

  return html`<p class="lead">The Partner Wallet and Payments API v2.3 with play money: every operation, stateful, on a
double-entry ledger. Every request carries <code>Svc-Api-Key: ${tenant.apiKey}</code>.</p>
${begins(visit)}
<p class="links"><a href="/reference">Reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/collection.json">Postman
collection</a> <a href="/llms.txt">llms.txt</a> <a href="${at(visit, 'test-data')}">Test data</a>
<a href="${at(visit, 'settings')}#partners">A second key</a></p>
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

/** The first minutes: a call, its events, a fault, a test. Each can be copied, or done by a button. */
function begins({ origin, tenant }: Visit): Html {
  const key = `\\\n  -H 'Svc-Api-Key: ${tenant.apiKey}' \\`;
  const body = (order: object) =>
    `-H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(order, null, 2)}'`;
  const order = {
    CustomerPhoneNumber: '+212600000001',
    RecipientPhoneNumber: '+212600000002',
    Amount: 50,
    Reason: 'test',
  };
  const fault = { name: 'answerLost', operation: 'executeTransfer', count: 1 };
  const steps: readonly (readonly [title: string, id: string, text: string, about: Html | string])[] = [
    [
      '1. Send money',
      'first',
      `curl '${origin}/api/operations/transfer' ${key}\n  ${body(order)}`,
      'From Fatima Zahra to Youssef. It is open at first, and settled a second later.',
    ],
    [
      '2. Get its webhook',
      'hook',
      `curl '${origin}/sandbox/partner' ${key}\n  ${body({ webhookUrl: 'http://127.0.0.1:9000/hooks', webhookKey: 'my-secret' })}`,
      'Events go to your address from now on. What you answered is under Webhooks.',
    ],
    [
      '3. Lose an answer',
      'fault',
      `curl '${origin}/sandbox/faults' ${key}\n  ${body(fault)}`,
      html`The next transfer is executed, and nobody hears of it. Does your code send it twice?</p><p class="acts">${act('Set it', 'POST /sandbox/faults', fault)}`,
    ],
    [
      '4. Test it in your CI',
      'ci',
      'npx wasl-sandbox -- npm test',
      'The package starts a sandbox of its own around your tests, with WALLET_URL and WALLET_API_KEY set.',
    ],
  ];
  return html`<ol class="begins">${steps.map(
    ([title, id, text, about]) =>
      html`<li><h2>${title}</h2>${code(id, text)}<p class="about">${about}</p></li>`,
  )}</ol>`;
}
