import { readFileSync } from 'node:fs';
import { CODE_VALUES, ERROR_CODES } from '../client/codes.ts';
import { LISTS } from '../client/exchange.ts';
import { RESOURCES } from '../client/resources.ts';
import { API, type ApiName } from '../contract/api.ts';
import { type Endpoint, NONE } from '../contract/endpoint.ts';
import {
  answerName,
  bodyName,
  capital,
  componentSchemas,
  parametersOf,
  type Schema,
  type Schemas,
} from './schemas.ts';
import { SECTIONS } from './sections.ts';
import { EVENTS } from './webhooks.ts';

/**
 * The types of the packed client: plain declarations, made from what is published of the contract. They name nothing of
 * this project, cost a compiler little, and say on hover what the reference says.
 */
const HEAD = readFileSync(new URL('public/client-head.d.ts', import.meta.url), 'utf8');

export function clientTypes(): string {
  const schemas = componentSchemas();
  const names = Object.keys(API) as ApiName[];
  const requests = new Set(names.filter((name) => API[name].body !== NONE).map(bodyName));
  const shapes = Object.entries(schemas).map(([name, schema]) => shapeOf(name, schema, requests.has(name)));
  return [
    HEAD,
    ...shapes,
    ...EVENTS.map(({ kind, means, schema }) => interfaceOf(eventName(kind), means, schema, false)),
    `/** Every event of v2.3, told apart by \`EventId\`. */\nexport type WebhookEvent =${EVENTS.map(({ kind }) => `\n  | ${eventName(kind)}`).join('')};`,
    ...names.map((name) => requestOf(name, schemas)),
    ...Object.entries(RESOURCES).map(([resource, methods]) => resourceOf(resource, methods, schemas)),
    client(),
    errors(),
  ].join('\n\n');
}

function shapeOf(name: string, schema: Schema, isRequest: boolean): string {
  if (CODE_VALUES[name]) return codeOf(name, schema);
  if (!schema.properties)
    return `${hover(schema.description)}export type ${name} = ${typeOf(schema, isRequest)};`;
  return interfaceOf(name, schema.description ?? `${spaced(name)}.`, schema, isRequest);
}

/** A code is a type, and an object with the names of its values. */
function codeOf(name: string, schema: Schema): string {
  const values = schema['x-enum-varnames']?.map(
    (each, i) => `  readonly ${each}: ${JSON.stringify(schema.enum?.[i])};`,
  );
  const text = hover(schema.description);
  return `${text}export declare const ${name}: {\n${values?.join('\n')}\n};\n${text}export type ${name} = (typeof ${name})[keyof typeof ${name}];`;
}

function interfaceOf(name: string, means: string, schema: Schema, isRequest: boolean): string {
  return `${hover(means)}export interface ${name} {\n${membersOf(schema, isRequest)}\n}`;
}

function membersOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  isRequest: boolean,
): string {
  const members = Object.entries(properties).map(([name, field]) => {
    const isNeeded = required.includes(name) && !(isRequest && field.default !== undefined);
    const type = `${typeOf(field, isRequest)}${isNeeded ? '' : ' | undefined'}`;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${hover(field.description, '  ')}  ${key}${isNeeded ? '' : '?'}: ${type};`;
  });
  const isOpen = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0;
  return [
    ...members,
    ...(isOpen ? ['  /** Further fields, as they came. */\n  [name: string]: unknown;'] : []),
  ].join('\n');
}

function typeOf(schema: Schema, isRequest: boolean): string {
  const { $ref = schema.allOf?.[0]?.$ref, nullable, enum: values, type, format, items, anyOf } = schema;
  const orNull = nullable && !values ? ' | null' : '';
  if ($ref && !values) return `${$ref.split('/').at(-1)}${orNull}`;
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map((each) => typeOf(each, isRequest)).join(' | ') + orNull;
  if (items) return `${isRequest ? 'readonly ' : ''}${wrapped(typeOf(items, isRequest))}[]${orNull}`;
  if (format === 'binary') return `Blob${orNull}`;
  if (type === 'object')
    return schema.properties ? `{\n${membersOf(schema, isRequest)}\n}${orNull}` : 'Record<string, unknown>';
  const plain: Readonly<Record<string, string>> = {
    integer: 'number',
    number: 'number',
    string: 'string',
    boolean: 'boolean',
  };
  return `${plain[type ?? ''] ?? 'unknown'}${orNull}`;
}

const wrapped = (type: string) => (type.includes(' ') ? `(${type})` : type);

/** All fields of a request: of its path, its query and its body. */
function requestOf(name: ApiName, schemas: Schemas): string {
  const { body, method }: Endpoint = API[name];
  const { properties = {}, required = [] } = parametersOf(name);
  const hasBody = body !== NONE && method !== 'GET';
  const of = hasBody ? schemas[bodyName(name)] : undefined;
  const type = `${capital(name)}Request`;
  if (Object.keys(properties).length === 0) return hasBody ? `export type ${type} = ${bodyName(name)};` : '';
  const inBoth = Object.keys(properties).filter((field) => of?.properties && field in of.properties);
  const mine = Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [inBoth.includes(field) ? 'owner' : field, schema]),
  );
  const needed = required.map((field) => (inBoth.includes(field) ? 'owner' : field));
  const also = hasBody ? ` extends ${bodyName(name)}` : '';
  const schema = { properties: mine, required: needed };
  return `/** The fields of \`${method} ${API[name].path}\`. */\nexport interface ${type}${also} {\n${membersOf(schema, true)}\n}`;
}

const SENTENCES = new Map(SECTIONS.flatMap(({ operations }) => Object.entries(operations)));

function resourceOf(resource: string, methods: Readonly<Record<string, ApiName>>, schemas: Schemas): string {
  const members = Object.entries(methods).map(([method, name]) => {
    const endpoint: Endpoint = API[name];
    const hasFields = endpoint.method !== 'GET' && endpoint.body !== NONE;
    const { properties = {}, required = [] } = parametersOf(name);
    const isAny = hasFields || Object.keys(properties).length > 0;
    const optional = required.length === 0 && (!hasFields || endpoint.body.safeParse({}).success) ? '?' : '';
    const fields = isAny ? `fields${optional}: ${capital(name)}Request` : 'fields?: Record<never, never>';
    const doc = `${SENTENCES.get(name)}\n\n\`${endpoint.method} ${endpoint.path}\``;
    return `${hover(doc, '  ')}  ${method}(${fields}, call?: CallOptions): ${answerOf(name, schemas)};`;
  });
  return `/** ${spaced(capital(resource))}. */\nexport interface ${capital(resource)} {\n${members.join('\n')}\n}`;
}

function answerOf(name: ApiName, schemas: Schemas): string {
  const endpoint: Endpoint = API[name];
  if (endpoint.bare) return 'Promise<Answer<null>>';
  if (endpoint.binary) return 'Promise<Answer<WalletFile>>';
  const item = entryOf(name, schemas);
  const value = `${answerName(name)}${endpoint.none === null ? ' | null' : ''}`;
  return item ? `Listing<${value}, ${item}>` : `Promise<Answer<${value}>>`;
}

/** The entry of a list, which can be read page by page. Undefined for any other answer. */
function entryOf(name: ApiName, schemas: Schemas): string | undefined {
  const { items, properties = {} } = schemas[answerName(name)] ?? {};
  const entry = items ?? LISTS.map((list) => properties[list]?.items).find(Boolean);
  return entry?.$ref?.split('/').at(-1);
}

function client(): string {
  const resources = Object.keys(RESOURCES).map((resource) => `  readonly ${resource}: ${capital(resource)};`);
  return `/** The whole Partner API by the things that it is about. */\nexport interface PartnerClient {\n${resources.join('\n')}\n  readonly webhooks: Webhooks;\n}\n`;
}

function errors(): string {
  const members = Object.entries(ERROR_CODES).map(
    ([name, { code, means, status = 400 }]) =>
      `${hover(`${means}. HTTP ${status}.`, '  ')}  readonly ${name}: { readonly code: '${code}'; readonly means: string };`,
  );
  return `/** Every error code by name, as the \`code\` of a refusal. */\nexport declare const ERRORS: {\n${members.join('\n')}\n};\n`;
}

const eventName = (kind: string) => `${kind.split(/[.-]/).map(capital).join('')}Event`;
const spaced = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');

function hover(text: string | undefined, indent = ''): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`).join('\n')}\n${indent} */\n`;
}
