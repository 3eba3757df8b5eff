import { API_HEADERS } from '../../wallet/contract/api.ts';
import { DOC_TYPES } from '../../wallet/contract/kyc.ts';
import { page } from '../../wallet/published/values.ts';
import { AGENT_CODES, PRINCIPAL_AGENT } from '../agents/agents.ts';
import { RESPONSE_CODES } from '../cards/test-cards.ts';
import { MODULES } from '../door/modules.ts';
import { TEST_DATA } from './test-data.ts';

const OWN_KEY = 'my-tests';

const rows = (all: readonly { readonly value: string; readonly means: string }[]): string =>
  all.map(({ value, means }) => `| \`${value}\` | ${means} |`).join('\n');
const listed = (all: readonly (readonly [string | number, string | number])[]): string =>
  all.map((each) => each.join(' ')).join(', ');

/** `/llms/sandbox.md`: what a partner tries the API with. Nothing of it is in v2.3. @param origin where the sandbox is reached */
export function testDataText(origin: string, apiKey: string): string {
  const { customers, phones, cards, contracts, ribs, threeDsCode, wrongCvv } = TEST_DATA;
  const post = (path: string, body: object, key = OWN_KEY) =>
    `curl -X POST '${origin}${path}' -H '${API_HEADERS.key}: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const webhook = { webhookUrl: 'http://127.0.0.1:9000/hooks', webhookKey: 'my-secret' };
  return page(new URL('test-data.md', import.meta.url), {
    ...{ origin, apiKey, threeDsCode, wrongCvv },
    ...{ cards: rows(cards), phones: rows(phones), contracts: rows(contracts), ribs: rows(ribs) },
    register: post('/sandbox/partner', webhook, apiKey),
    customers: customers
      .map(({ phone, name, walletType, pin, level, status, balance }) => {
        const who = `${name}${walletType === 'C' ? ' (merchant)' : ''}`;
        return `| \`${phone}\` | ${who} | ${pin ?? 'none'} | ${level} | ${status} | ${balance} |`;
      })
      .join('\n'),
    principalAgent: PRINCIPAL_AGENT.code,
    retailAgents: AGENT_CODES.slice(1)
      .map((code) => `\`${code}\``)
      .join(' and '),
    responseCodes: listed(Object.entries(RESPONSE_CODES).map(([reason, code]) => [code, reason])),
    docTypes: listed(Object.entries(DOC_TYPES).map(([name, number]) => [number, name])),
    ownKey: [
      post('/sandbox/partners', { apiKey: OWN_KEY }, apiKey),
      post('/sandbox/clock', { advanceMs: 60_000 }),
      post('/sandbox/settings', { settleAfterMs: 0 }),
      post('/sandbox/faults', { name: 'answerLost', operation: 'executeTransfer', count: 1 }),
      post('/sandbox/modules', { [MODULES[0] ?? '']: false }),
      post('/sandbox/reset', {}),
    ].join('\n'),
  });
}
