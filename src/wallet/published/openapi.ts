import { z } from 'zod';
import { API, API_HEADERS, type ApiName } from '../contract/api.ts';
import { type Endpoint, NONE } from '../contract/endpoint.ts';
import { PROBLEM_TYPE } from '../contract/envelope.ts';
import { DOCUMENTED_ERRORS, ERRORS } from '../contract/errors.ts';
import { ABOUT, examplesOf, OPERATIONS_SHOWN, type Published, VERSION } from './published.ts';
import type { Recorded } from './record.ts';
import { answerName, bodyName, parametersOf, ref, type Schema } from './schemas.ts';
import type { Section } from './section.ts';
import { WEBHOOK_HOOKS } from './webhooks.ts';

const JSON_TYPE = 'application/json';

/** The contract as an OpenAPI 3.0.3 document, with examples that really ran. */
export function openApi(published: Published) {
  const { sections, schemas, origin } = published;
  const operations = sections.flatMap((section) =>
    (Object.entries(section.operations) as [ApiName, string][]).map(
      ([name, summary]) => [name, operationOf(name, summary, section, examplesOf(name, published))] as const,
    ),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of operations) {
    const { method } = API[name];
    const path = onePath(API[name].path);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Partner Wallet and Payments API',
      version: VERSION,
      description: `${ABOUT}\n\n${OPERATIONS_SHOWN}\n\n${ERRORS_TABLE}`,
      contact: { name: 'The Wasl project' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: origin }],
    security: [{ apiKey: [] }],
    tags: sections.map(({ title, about }) => ({ name: title, description: about })),
    paths,
    'x-webhooks': WEBHOOK_HOOKS,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: API_HEADERS.key,
          description:
            'One key per environment. It carries scopes; `x-scope` says which an operation asks for.',
        },
      },
      parameters: {
        requestId: {
          in: 'header',
          name: API_HEADERS.requestId,
          description:
            'A unique id of the request for tracing, recommended format UUID v4. Echoed in the answer.',
          schema: { type: 'string', format: 'uuid' },
        },
      },
      headers: {
        requestId: { description: 'The id of the request, where it had one.', schema: { type: 'string' } },
      },
      responses: SHARED_RESPONSES,
      schemas,
    },
  };
}
const ERRORS_TABLE = [
  '## Business errors',
  '',
  'HTTP 400, or 422 where the state forbids the request, with `errorCode`. Codes from 90000 on are the sandbox’s own: v2.3 does not show all.',
  '',
  '| errorCode | HTTP | meaning |',
  '|---|---|---|',
  ...Object.values(ERRORS).map(
    (error) => `| ${error.code} | ${'status' in error ? error.status : 400} | ${error.means} |`,
  ),
].join('\n');

function json(schema: Schema, examples: object = {}) {
  return { [JSON_TYPE]: { schema, ...examples } };
}

const SHARED_RESPONSES = {
  BusinessError: {
    description: 'A business error (see the table of error codes).',
    content: json(ref('BusinessError'), {
      example: {
        errorCode: DOCUMENTED_ERRORS.missingParameters.code,
        errorDescription: DOCUMENTED_ERRORS.missingParameters.means,
      },
    }),
  },
  Problem: {
    description: 'A business error, as problem details (RFC 9457).',
    content: { [PROBLEM_TYPE]: { schema: ref('ProblemDetails') } },
  },
  Unauthorized: {
    description: 'The API key is missing or not authorized.',
    content: json(ref('PlainError')),
  },
  Forbidden: { description: 'The key lacks the scope of this operation.', content: json(ref('PlainError')) },
  NotFound: { description: 'The module is not enabled for this partner.', content: json(ref('PlainError')) },
  Unprocessable: {
    description: 'The request cannot be processed: the state forbids it.',
    content: json(ref('BusinessError')),
  },
};

function operationOf(name: ApiName, summary: string, section: Section, ran: readonly Recorded[]) {
  const endpoint: Endpoint = API[name];
  const response = (shared: keyof typeof SHARED_RESPONSES) => ({ $ref: `#/components/responses/${shared}` });
  return {
    operationId: name,
    tags: [section.title],
    summary: summary.replace(/\.$/, ''),
    description: `Scope \`${endpoint.scope}\`.`,
    'x-scope': endpoint.scope,
    parameters: [...parameters(name, ran), { $ref: '#/components/parameters/requestId' }],
    ...requestBody(name, endpoint, ran),
    responses: {
      ...success(name, endpoint, ran),
      400: response(endpoint.problems ? 'Problem' : 'BusinessError'),
      401: response(endpoint.problems ? 'Problem' : 'Unauthorized'),
      403: response('Forbidden'),
      404: response('NotFound'),
      422: response('Unprocessable'),
    },
  };
}

/**
 * The path under which OpenAPI has an operation. It allows one spelling of each, while v2.3 writes `{beneficiaryId}` for a
 * change and `{Id}` for a deletion: the first counts. On the wire they are the same.
 */
function onePath(path: string): string {
  const shape = (of: string) => of.replace(/\{\w+\}/g, '{}');
  return Object.values(API).find((each) => shape(each.path) === shape(path))?.path ?? path;
}

function parameters(name: ApiName, ran: readonly Recorded[]) {
  const first = ran.find(({ step }) => 'call' in step && !step.refused);
  const { path, params }: Endpoint = API[name];
  const sent = new URL(first?.target ?? '/', 'http://example').searchParams;
  const { properties = {}, required: needed = [] } = parametersOf(name);
  const all = Object.entries(properties).map(([name, described]) => {
    const { description, ...schema } = described;
    const ref = schema.allOf?.[0] ?? schema;
    return { name, description, required: needed.includes(name), schema: ref };
  });
  const inPath = Object.keys(params.shape).length;
  return all.map(({ name, description, required, schema }, i) => {
    if (i < inPath) {
      const spelt = [...onePath(path).matchAll(/\{(\w+)\}/g)][i]?.[1];
      return { in: 'path', name: spelt, description, required: true, schema };
    }
    const example = sent.get(name);
    const isText = schema.type === 'string' && example !== null;
    return {
      in: 'query',
      name,
      description,
      ...(required && { required }),
      schema,
      ...(isText && { example }),
    };
  });
}

/** OpenAPI cannot say how a form writes the entries of a list. */
const FORM =
  'What is in a list is a field of its own: `kycDocuments[0].docType`, `kycDocuments[0].docFront`, `kycDocuments[1].docType` and so on.';

/** A body that an operation may have, but of a GET: there it is only documentation, and OpenAPI has no place for it. */
function requestBody(name: ApiName, { method, body, multipart }: Endpoint, ran: readonly Recorded[]) {
  if (body === NONE || method === 'GET') return {};
  const schema = ref(bodyName(name));
  const required = !body.safeParse({}).success;
  const examples = named(ran, ({ step, body: sent }) =>
    sent && !multipart && !('refused' in step) ? JSON.parse(sent) : undefined,
  );
  const content = multipart ? { 'multipart/form-data': { schema } } : json(schema, examples);
  const description = multipart && { description: FORM };
  return { requestBody: { ...description, ...(required && { required }), content } };
}

function success(name: ApiName, endpoint: Endpoint, ran: readonly Recorded[]) {
  const headers = { [API_HEADERS.requestId]: { $ref: '#/components/headers/requestId' } };
  const nothing = { description: 'Done; without a body.', headers };
  if (endpoint.bare) return { [endpoint.status]: nothing };
  if (endpoint.binary) {
    const content = { '*/*': { schema: { type: 'string', format: 'binary' } } };
    return { [endpoint.status]: { description: 'The file.', headers, content } };
  }
  const answer = ref(answerName(name));
  const schema = endpoint.envelope
    ? { type: 'object', required: ['data'], properties: { data: answer } }
    : withRefusal(answer, endpoint);
  const examples = named(ran, ({ step, answer: said }) => ('refused' in step ? undefined : said));
  return {
    [endpoint.status]: { description: 'Done.', headers, content: json(schema, examples) },
    ...(endpoint.none !== undefined &&
      endpoint.status !== 204 && { 204: { ...nothing, description: 'Nothing.' } }),
  };
}

/** The bill network refuses inside a 200, with less than a success has. */
function withRefusal(answer: Schema, { data }: Endpoint): Schema {
  const isOfNetwork = data instanceof z.ZodObject && 'codeRetour' in data.shape;
  return isOfNetwork ? { anyOf: [answer, ref('BillRefusal')] } : answer;
}

/** A sentence as a name: `moreThanTheWalletHolds`. */
function nameOf(sentence: string): string {
  const [first = '', ...others] = sentence.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [first, ...others.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join('');
}

/** Examples under the titles of their steps. Empty without examples. */
function named(ran: readonly Recorded[], pick: (each: Recorded) => unknown) {
  const found = ran.flatMap((each, i) => {
    const value = pick(each);
    const { title } = each.step;
    if (value === undefined) return [];
    const summary = title ?? (i === 0 ? 'An example' : `Another example, the ${i + 1}th`);
    return [[nameOf(summary), { summary, value }] as const];
  });
  return found.length > 0 ? { examples: Object.fromEntries(found) } : {};
}
