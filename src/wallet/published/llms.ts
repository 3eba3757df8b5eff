import { API, API_HEADERS, type ApiName } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { DOCUMENTED_ERRORS, ERRORS } from '../contract/errors.ts';
import { WEBHOOK_HEADERS } from '../contract/webhooks.ts';
import { answerText, curl } from './curl.ts';
import { type Field, fieldsOf } from './fields.ts';
import { ABOUT, examplesOf, OPERATIONS_SHOWN, type Published, VERSION } from './published.ts';
import type { Recorded } from './record.ts';
import { answerName, bodySchema, parametersOf, ref } from './schemas.ts';
import { CLOCK, type Section } from './section.ts';
import { EVENTS } from './webhooks.ts';

/** `llms.txt`: the whole API on one page, with a link for each section. */
export function llms({ sections }: Published): string {
  const lines = sections.map(
    ({ id, title, operations }) =>
      `- [${title}](/llms/${id}.md): ${Object.keys(operations)
        .map((name) => `\`${name}\``)
        .join(', ')}`,
  );
  return `# Partner Wallet and Payments API v${VERSION}

> ${ABOUT}

${OPERATIONS_SHOWN}

- Every request carries \`${API_HEADERS.key}\` (the partner's key; 401 without a valid one, 403 where it lacks a scope) and may carry \`${API_HEADERS.requestId}\` (a UUID of your own, echoed in the answer and given as \`CRequestId\` in webhooks).
- Bodies are JSON, but for one upload. Names are written exactly as shown: \`PhoneNumber\` here, \`phoneNumber\` there.
- A success is \`{ "data": … }\`, except \`/api/bills/*\`, which answers at the root, and a receipt, which is a file.
- A business error is HTTP 400 or 422 with \`{ "errorCode": …, "errorDescription": "…" }\`.
- Preview, then execute. An execution may still be open (status 1) when it is answered: the outcome comes by webhook, or is read by id (in the sandbox after some seconds). Never send an execution again because its answer was lost: look for it first.
- Statuses: 1 open, 2 completed, 3 failed, 4 cancelled. Directions: 1 credit, 2 debit.
- Dates are ISO 8601. Pages start at 1.

## Easy to get wrong

- **Webhooks** are registered by no call. You give the operator an https address and a secret, which comes back as \`${WEBHOOK_HEADERS.key}\`. In the sandbox \`POST /sandbox/partner\` does it ([how](/llms/sandbox.md)).
- **What ends a payment**: a transfer has \`transfer.received\`, for the sender too: find it by \`CRequestId\`. Top-ups, vouchers, chargebacks and refunds have no event: their answer is final. \`bank-transfer.completed\` also says that a bank rejected or returned it: read \`OperationStatus\`.
- **Cash by reference**: an execution by the network sends \`cashin.network.executed\` or \`cashout.network.executed\`. **An agent's execution (\`cashin/agent\`, \`cashout/agent\`) sends no webhook**: read the reference. A reference is valid for a limited time, which v2.3 does not state. In the sandbox it is 48 hours, and its status is 3 afterwards.
- **\`billnet/cashin/request\`** takes \`PhoneNumber\` for a customer, or \`Code\` for a principal agent: one of them, never both. \`bank-transfer\` takes \`CustomerPhoneNumber\` or \`AgentCode\` in the same way.
- **Agents' codes** are texts that the operator gives you. In the sandbox: \`PA-1001\` (principal), \`RA-2001\`, \`RA-2002\` (retail).
- **\`expiryDate\` is YYMM**: \`3012\` is December 2030. CVV has 3 digits. A test card: \`4242424242424242\`, declined: \`4000000000000002\`, 3D Secure code: \`123456\`. \`RESPONSE_CODE\` 0 is a success, anything else a failure (5 declined, 51 no money, 54 expired, 63 not authenticated). Never trust the browser's return alone.
- **\`docType\`**: 1 or 3 is the signatory's national ID or passport, 8 the commercial register certificate (issued under 90 days ago). v2.3 shows no other number. In the sandbox: 2 driving licence, 4 residence permit, 5 bank proof, 6 statutes, 7 minutes, 9 tax certificate, 10 professional card, 11 list of representatives. 1, 2 and 4 need \`docBack\`.
- **Required documents**: always the signatory's ID or passport and a bank proof (RIB certificate or void cheque). A legal entity adds statutes, commercial register and professional tax certificates, and minutes if the manager is not the sole signatory. A professional adds the auto-entrepreneur card or registration and the tax certificate. An association adds statutes, the list of representatives, and minutes if the representative is not named.
- **Bills**: a form's values go out as \`valChamp\` and come back as \`valeurChamp\`. \`codeRetour\` 908, 909 and 910 on confirm are no failure: wait for \`payment.confirmed\`, \`payment.cancelled\`, \`payment.refunded\` or \`payment.failed\`. \`bills/reference/status\` says EN_ATTENTE before the confirmation and 204 for no transaction.
- **A lost answer** (timeout, 5xx, broken connection) says nothing. Look for the operation by its time, amount and people, or wait for the event. Do not send it again.

## Sections

${lines.join('\n')}

## More

- [The sandbox](/llms/sandbox.md): customers, test cards and failure codes, magic numbers, agents, webhooks, the clock
- [Errors](/llms/errors.md): every code and what it means
- [Webhooks](/llms/webhooks.md): every event, its body, and how deliveries are retried
- [OpenAPI 3.0](/openapi.json): the same contract for machines
- [Postman collection](/collection.json): every operation, to be run from top to bottom
`;
}

/** One section: each operation with its fields and with requests that really ran. */
export function sectionPage(section: Section, published: Published): string {
  const operations = (Object.entries(section.operations) as [ApiName, string][]).map(([name, summary]) =>
    operationText(name, summary, published),
  );
  const parts = [
    `# ${section.title}\n`,
    `${section.about}\n`,
    ...asidesOf(section, published),
    ...operations,
  ];
  return parts.join('\n');
}

/** The needs of the sandbox besides the API, each kind once: such as a phone or a payer. No example moves a clock. */
function asidesOf({ id }: Section, published: Published): readonly string[] {
  const asides = published.recorded.flatMap((each) =>
    each.section === id && 'aside' in each.step && each.step.target !== CLOCK
      ? [[each.step.aside, each] as const]
      : [],
  );
  return [...new Map(asides)].map(
    ([what, each]) => `In the sandbox: ${what}.\n\n${example(each, published)}`,
  );
}

function operationText(name: ApiName, summary: string, published: Published): string {
  const endpoint: Endpoint = API[name];
  const { schemas } = published;
  const inPath = (key: string) => (key in endpoint.params.shape ? ' (path)' : '');
  return [
    `## ${name}\n`,
    `\`${endpoint.method} ${endpoint.path}\` · ${summary} Scope \`${endpoint.scope}\`.\n`,
    table(
      'Parameters',
      fieldsOf(parametersOf(name), schemas).map((field) => ({
        ...field,
        name: `${field.name}${inPath(field.name)}`,
      })),
    ),
    table(endpoint.multipart ? 'Form' : 'Body', fieldsOf(bodySchema(name), schemas)),
    endpoint.bare || endpoint.binary
      ? `Answers ${endpoint.status} ${endpoint.bare ? 'without a body' : 'with the file'}.\n`
      : table(
          `Answer ${endpoint.status}${endpoint.envelope ? ', in `data`' : ', at the root'}`,
          fieldsOf(ref(answerName(name)), schemas),
        ),
    ...examplesOf(name, published).map((each) => example(each, published)),
  ]
    .filter(Boolean)
    .join('\n');
}

function example(recorded: Recorded, published: Published): string {
  const { status, step } = recorded;
  const title = step.title ? `${step.title}\n\n` : '';
  return `${title}\`\`\`sh\n${curl(recorded, published)}\n\`\`\`\n\n${status}:\n\n\`\`\`json\n${answerText(recorded)}\n\`\`\`\n`;
}

function table(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, isRequired, means, rules }) =>
      `| ${name ? `\`${name}\`` : '(the value itself)'} | ${type} | ${isRequired ? 'required' : ''} | ${[means, rules].filter(Boolean).join(' ').replaceAll('|', '\\|')} |`,
  );
  return `${title}:\n\n| field | type | | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Every error code there is. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([name, error]) => {
    const status = 'status' in error ? error.status : 400;
    const source = name in DOCUMENTED_ERRORS ? 'v2.3' : 'sandbox';
    return `| ${error.code} | ${status} | ${error.means} | ${source} |`;
  });
  return `# Errors

Business errors are HTTP 400, or 422 where the state forbids the request. v2.3 does not show all codes: those from 90000 on
are the sandbox's own, and production may use others. 401 is a key that is not authorized, 403 a missing scope, 404 a module
that is not enabled. An HTTP 5xx, a timeout or a broken connection says nothing about what happened.

| errorCode | HTTP | meaning | from |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** Every event, with a body that was really sent where the walk made one happen. */
export function webhooksPage({ events, schemas }: Published): string {
  const kinds = EVENTS.map(({ kind, means, schema }) => {
    const sent = events[kind]
      ? `Sent:\n\n\`\`\`json\n${JSON.stringify(events[kind], undefined, 2)}\n\`\`\`\n`
      : '';
    return `## ${kind}\n\n${means}\n\n${table('In `data`', fieldsOf(schema, schemas))}\n${sent}`;
  });
  return `# Webhooks

Nothing in the API registers an address: you give the operator an https address and a secret. In the sandbox: \`POST /sandbox/partner\`
with \`{"webhookUrl": "…", "webhookKey": "…"}\`. A webhook carries \`{ "data": { … } }\`.

The wallet posts JSON to the partner's https address, with \`${WEBHOOK_HEADERS.id}\` (new for every call) and
\`${WEBHOOK_HEADERS.key}\` (the partner's own secret: check it). Answer 200 with an empty body within 5 seconds, once the event
is saved; anything else is retried after 1, 5, 30 and 60 minutes, then every 6 hours up to 72 hours. \`WebhookId\` stays the
same on every retry of an event.

${kinds.join('\n')}`;
}
