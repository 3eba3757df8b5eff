import { z } from 'zod';
import { API, type ApiName } from '../contract/api.ts';
import { type Endpoint, NONE } from '../contract/endpoint.ts';
import { businessError, problemDetails } from '../contract/envelope.ts';
import { dateTime } from '../contract/fields.ts';
import { operationDetail } from '../contract/operations.ts';
import { previewResult } from '../contract/preview.ts';
import { operationResult } from '../contract/transfers.ts';

/** A schema as OpenAPI 3.0 writes it, as far as it is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
export type Schemas = Readonly<Record<string, Schema>>;

/** Shapes that many operations share, under names of their own. The others are named after their operation. */
const SHARED = {
  PreviewResult: previewResult,
  OperationResult: operationResult,
  OperationDetail: operationDetail,
  BusinessError: businessError,
  ProblemDetails: problemDetails,
} as const;

/** No amount, number or page of a wallet is near these: they only say that a number is a number. */
const BOUND_MAX = 1e9;

const NAMES = Object.keys(API) as ApiName[];

/** Every shape of the contract: requests as a partner may send them, answers as they are read. */
export function componentSchemas(): Schemas {
  const bodies = NAMES.filter((name) => API[name].body !== NONE && API[name].method !== 'GET');
  const answers = NAMES.filter((name) => !(API[name] as Endpoint).bare && !(API[name] as Endpoint).binary);
  return {
    ...converted('input', new Map(bodies.map((name) => [bodyName(name), API[name].body]))),
    ...converted(
      'output',
      new Map([
        ...Object.entries(SHARED),
        ...answers.map((name): [string, z.ZodType] => [answerName(name), API[name].data]),
      ]),
    ),
  };
}

/** A body as it is shown. The body of a GET has no place among the components, because OpenAPI has none for it. */
export function bodySchema(name: ApiName): Schema | undefined {
  const { body, method } = API[name];
  if (body === NONE) return undefined;
  return method === 'GET' ? schemaOf(body) : ref(bodyName(name));
}

/** A body that several operations take has the name of the first. */
export function bodyName(name: ApiName): string {
  return `${capital(NAMES.find((each) => API[each].body === API[name].body) ?? name)}Body`;
}

export function answerName(name: ApiName): string {
  const data: z.ZodType = API[name].data;
  const shared = Object.entries(SHARED).find(([, schema]) => schema === data);
  return shared?.[0] ?? `${capital(NAMES.find((each) => API[each].data === data) ?? name)}Answer`;
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A parameter's schema, on the spot. */
export function schemaOf(schema: z.ZodType): Schema {
  return converted('input', new Map([['it', schema]])).it ?? {};
}

/** Path parameters and query as one shape. */
export function parametersOf({ params, query }: Endpoint): Schema {
  const shape = { ...params.shape, ...query.shape } as Record<string, z.ZodType>;
  const fields = Object.entries(shape);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, schema]) => [name, schemaOf(schema)])),
    required: fields.flatMap(([name, schema]) => (schema.isOptional() ? [] : [name])),
  };
}

function converted(io: 'input' | 'output', named: ReadonlyMap<string, z.ZodType>): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => tidied(zodSchema, jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id, id: _, ...schema }]) => [id, schema as Schema]),
  );
}

type Json = Record<string, unknown>;

/** Removes zod's own remarks that would only puzzle a partner. */
function tidied(schema: z.core.$ZodType, json: Json): void {
  const { def } = schema._zod;
  if ((schema as z.ZodType) === dateTime) json.format = 'date-time';
  if (def.type === 'file') {
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, { type: 'string', format: 'binary' });
  }
  untangle(json);
  // A field that is read tolerantly has no documented default.
  if (def.type === 'catch') delete json.default;
  // Answers may grow.
  if (json.additionalProperties === false) json.additionalProperties = true;
  for (const bound of ['minimum', 'maximum']) {
    if (Math.abs(Number(json[bound])) > BOUND_MAX) delete json[bound];
  }
  const values = Array.isArray(json.enum) ? json.enum : [];
  if (json.type === 'number' && values.length > 0 && values.every(Number.isInteger)) json.type = 'integer';
  const properties = json.properties as Record<string, Json> | undefined;
  // A field that must not be sent is one that is not there.
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (property.not) delete properties?.[name];
  }
}

/** OpenAPI 3.0 says of each alternative that it may be null, and one that may be anything says nothing. */
function untangle(json: Json): void {
  if (!Array.isArray(json.anyOf)) return;
  const { nullable } = json;
  const choices = (json.anyOf as Json[])
    .filter((choice) => Object.keys(choice).length > 0)
    .map((choice) => ({ ...choice, ...(nullable === true && { nullable }) }));
  delete json.nullable;
  delete json.anyOf;
  Object.assign(json, choices.length === 1 ? choices[0] : { anyOf: choices });
}

function capital(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
