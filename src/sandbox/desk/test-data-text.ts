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
  const post = (path: string, body: object) =>
    `curl -X POST '${origin}${path}' -H '${API_HEADERS.key}: ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
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

function stateText(post: (path: string, body: object) => string): string {
  return `## Time, faults, state

\`\`\`sh
${post('/sandbox/clock', { advanceMs: 60_000 })}
${post('/sandbox/faults', { name: 'answerLost', operation: 'executeTransfer', count: 1 })}
${post('/sandbox/modules', { [MODULES[0] ?? '']: false })}
${post('/sandbox/reset', {})}
\`\`\`

A reference for cash is executed by \`POST /api/network/operations/cashin\` (or \`cashout\`), as a partner does in the real sandbox. A
second key, which shares nothing with this one: \`POST /sandbox/partners\`.
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
