import { html } from 'hono/html';
import { PRINCIPAL_AGENT } from './agents.ts';
import { BANK_MAGIC } from './bank-magic.ts';
import { BILL_MAGIC } from './bills/magic.ts';
import { TEST_CARDS, THREE_DS_CODE, WRONG_CVV } from './cards/test-cards.ts';
import { REJECTED_CIN } from './kyc/upgrades.ts';
import { MAGIC, type MagicName, magicMeans } from './magic.ts';
import { STATUS_MESSAGES } from './profiles.ts';
import { SEEDED } from './seed.ts';

/**
 * What somebody who opens the sandbox in a browser sees.
 * @param origin where they opened it
 */
export function indexPage(apiKey: string, origin: string) {
  const magic = Object.entries(MAGIC) as [MagicName, string][];
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wasl sandbox wallet</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem .3rem 0; }
  div { overflow-x: auto; }
</style>
<h1>Wasl sandbox wallet</h1>
<p>The Partner Wallet and Payments API v2.3 with play money: stateful, on a double-entry ledger. Every request carries
<code>Svc-Api-Key: ${apiKey}</code>.</p>
<pre>curl -H 'Svc-Api-Key: ${apiKey}' '${origin}/api/customers/info?phoneNumber=%2B212600000001'</pre>
<p>Every operation, with examples that ran: <a href="/reference">reference</a>. For tools:
<a href="/openapi.json">OpenAPI 3.0</a>, <a href="/collection.json">Postman collection</a>, <a href="/llms.txt">llms.txt</a>.</p>
<h2>Customers to begin with</h2>
<div><table>
<tr><th>Name<th>Number<th>PIN<th>Level<th>Status<th>Opening balance</tr>
${SEEDED.map(
  (who) => html`<tr><td>${who.firstName} ${who.lastName}<td>${who.phone}<td>${who.pin ?? '–'}<td>${who.level}
<td>${STATUS_MESSAGES[who.status]}<td>${(who.balance / 100).toFixed(2)}</tr>`,
)}
</table></div>
<p>Merchants have a QR code, and one for a single payment: ${SEEDED.filter(
    ({ walletType }) => walletType === 'C',
  ).map(
    ({ phone, firstName, lastName }) => html`<a href="/qr/0${phone.slice(4)}.svg">${firstName} ${lastName}</a>
(<a href="/qr/0${phone.slice(4)}.svg?amount=45.50">45.50</a>) `,
  )}. They are EMVCo codes of a network of the sandbox's own.</p>
<p>B2B top-ups debit the principal agent <code>${PRINCIPAL_AGENT.code}</code>; <code>RA-2001</code> and <code>RA-2002</code>
are retail agents. Who registers with a national ID number that begins with <code>${REJECTED_CIN}</code> is refused by the
identity provider.</p>
<h2>Numbers that make something happen</h2>
<p>Any other Moroccan mobile that is not a customer here is a wallet of another provider.</p>
<ul>${magic.map(([name, phone]) => html`<li><code>${phone}</code> ${magicMeans(name)}</li>`)}</ul>
<p>What the numbers from …0101 do can also be set for any request, see below.</p>
<h2>Contract numbers that make something happen</h2>
<p>For the first field of any bill form. The numbers from …0101 above do there what they do elsewhere.</p>
<ul>${Object.values(BILL_MAGIC).map(
    ({ contract, means }) => html`<li><code>${contract}</code> ${means}</li>`,
  )}</ul>
<h2>Cards that make something happen</h2>
<p>Any other number that passes the Luhn check is accepted, with a month to come and any CVV but <code>${WRONG_CVV}</code>. On the
3D Secure page the code is <code>${THREE_DS_CODE}</code>.</p>
<ul>${Object.values(TEST_CARDS).map(({ pan, means }) => html`<li><code>${pan}</code> ${means}</li>`)}</ul>
<p>POST /sandbox/cards/1/purchases <code>{"amount": 35.5, "channel": "POS"}</code> pays with the card that the first customer has
been issued; also <code>ATM</code>, <code>ONLINE</code>, <code>contactless</code>, <code>merchant</code>.</p>
<h2>RIBs that make something happen</h2>
<p>A bank transfer to any other RIB with a true key is settled; to that of a wallet here it arrives there.</p>
<ul>${Object.values(BANK_MAGIC).map(({ rib, means }) => html`<li><code>${rib}</code> ${means}</li>`)}</ul>
<h2>To look inside</h2>
<ul>
<li><a href="/sandbox/customers">GET /sandbox/customers</a>, <a href="/sandbox/sms">/sandbox/sms</a>,
<a href="/sandbox/ledger">/sandbox/ledger</a>, <a href="/sandbox/webhooks">/sandbox/webhooks</a>,
<a href="/sandbox/executions">/sandbox/executions</a>, <a href="/sandbox/faults">/sandbox/faults</a>,
<a href="/sandbox/modules">/sandbox/modules</a></li>
<li>POST /sandbox/faults <code>{"name": "answerLost", "count": 1}</code>; also <code>operation</code>,
<code>probability</code>, <code>delayMs</code>. DELETE /sandbox/faults</li>
<li>POST /sandbox/modules <code>{"telco": false}</code>; also <code>bills</code>, <code>vouchers</code></li>
<li>POST /sandbox/settings <code>{"billNetwork": "down"}</code>; <a href="/sandbox/settings">GET /sandbox/settings</a>
has the others</li>
<li>POST /sandbox/float <code>{"centimes": 0}</code>: the principal agent's test float, without which debits are refused</li>
<li>POST /sandbox/clock <code>{"advanceMs": 60000}</code>, POST /sandbox/reset</li>
</ul>
</html>`;
}
