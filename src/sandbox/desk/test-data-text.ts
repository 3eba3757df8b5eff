import { API_HEADERS } from '../../wallet/contract/api.ts';
import { DOC_TYPES } from '../../wallet/contract/kyc.ts';
import { AGENT_CODES, PRINCIPAL_AGENT } from '../agents/agents.ts';
import { RESPONSE_CODES } from '../cards/test-cards.ts';
import { MODULES } from '../door/modules.ts';
import { TEST_DATA } from './test-data.ts';

const rows = (all: readonly { readonly value: string; readonly means: string }[]): string =>
  all.map(({ value, means }) => `| \`${value}\` | ${means} |`).join('\n');

/** `/llms/sandbox.md`: what a partner tries the API with. Nothing of it is in v2.3. @param origin where the sandbox is reached */
export function testDataText(origin: string, apiKey: string): string {
  const { customers, phones, contracts, ribs } = TEST_DATA;
  const post = (path: string, body: object, key = apiKey) =>
    `curl -X POST '${origin}${path}' -H '${API_HEADERS.key}: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `# The sandbox

Play money at ${origin}, with the key \`${apiKey}\`. Nothing on this page is in v2.3. Everything belongs to a key: wallets, clock,
faults, settings.

## Register a webhook

The Partner API has no call for it. In production you give the operator an https address and a secret. In the sandbox:

\`\`\`sh
${post('/sandbox/partner', { webhookUrl: 'http://127.0.0.1:9000/hooks', webhookKey: 'my-secret' })}
\`\`\`

Every event then comes to that address with \`X-Api-Key: my-secret\`. \`GET /sandbox/webhooks\` shows what was sent and answered.

## Customers

| phone | name | PIN | level | status | balance, MAD |
|---|---|---|---|---|---|
${customers.map((each) => `| \`${each.phone}\` | ${each.name}${each.walletType === 'C' ? ' (merchant)' : ''} | ${each.pin ?? 'none'} | ${each.level} | ${each.status} | ${each.balance} |`).join('\n')}

Make more: \`POST /sandbox/customers\` with \`{"balance": 250}\`. Read the SMS with a one-time code: \`GET /sandbox/sms?phone=\`.

## Agents

\`${PRINCIPAL_AGENT.code}\` is the principal agent, whose float pays. ${AGENT_CODES.slice(1)
    .map((code) => `\`${code}\``)
    .join(' and ')} are retail agents. In production the operator gives you your code.

${cardsText()}## Numbers to pay

| phone | what happens |
|---|---|
${rows(phones)}

## Bill contracts, for the first field of a form

| contract | what happens |
|---|---|
${rows(contracts)}

## RIBs

| RIB | what happens |
|---|---|
${rows(ribs)}

## Merchant documents

\`docType\`: ${Object.entries(DOC_TYPES)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ')}. v2.3 shows 1, 3 and 8 only; the others are this sandbox's.

${stateText(post)}`;
}

const OWN_KEY = 'my-tests';

function stateText(post: (path: string, body: object, key?: string) => string): string {
  const own = (path: string, body: object) => post(path, body, OWN_KEY);
  return `## Time, faults, state

Everything here belongs to a key, and only a reset turns its clock back. So begin with a key of your own.

\`\`\`sh
${post('/sandbox/partners', { apiKey: OWN_KEY })}
${own('/sandbox/clock', { advanceMs: 60_000 })}
${own('/sandbox/settings', { settleAfterMs: 0 })}
${own('/sandbox/faults', { name: 'answerLost', operation: 'executeTransfer', count: 1 })}
${own('/sandbox/modules', { [MODULES[0] ?? '']: false })}
${own('/sandbox/reset', {})}
\`\`\`

A reference for cash is executed by \`POST /api/network/operations/cashin\` (or \`cashout\`) with \`{"reference": …}\`, as a partner
does in the real sandbox.
`;
}

function cardsText(): string {
  const { cards, threeDsCode, wrongCvv } = TEST_DATA;
  return `## Cards

\`expiryDate\` is **YYMM**: \`3012\` is December 2030. The month must not be over. The 3D Secure code is \`${threeDsCode}\`. The CVV \`${wrongCvv}\`
is declined. Any other number that passes the Luhn check is accepted.

| pan | what happens |
|---|---|
${rows(cards)}

The browser comes back to \`acceptUrl\` or \`declineUrl\` with \`RESPONSE_CODE\` and \`REASON_CODE\`: ${Object.entries(
    RESPONSE_CODES,
  )
    .map(([reason, code]) => `${code} ${reason}`)
    .join(', ')}. Only 0 is a success. A browser can lie: believe the webhook or the operation.

`;
}
