import { z } from 'zod';
import { API, type ApiName } from '../contract/api.ts';
import { type Endpoint, NONE } from '../contract/endpoint.ts';
import { dateTime } from '../contract/fields.ts';
import { namesOf, shownOf } from '../contract/shown.ts';
import { described } from './described.ts';
import { CODES, SHAPES } from './shapes.ts';

interface Meaning {
  readonly description?: string;
  readonly 'x-enum-varnames'?: readonly string[];
  /** True for what v2.3 does not show. */
  readonly 'x-not-in-v2.3'?: boolean;
}

/** The limits of a value. */
interface Bounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
}

/** A schema as OpenAPI 3.0 writes it, as far as it is read here. */
export interface Schema extends Meaning, Bounds {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
}
export type Schemas = Readonly<Record<string, Schema>>;

/** No amount, number or page of a wallet is near these: they only say that a number is a number. */
const BOUND_MAX = 1e9;

const NAMES = Object.keys(API) as ApiName[];
const NAMED = new Map([...SHAPES, ...CODES].map(({ schema, name }) => [schema, name]));

/** Every shape of the contract as it is published: requests as a partner may send them, answers as v2.3 promises them. */
export function componentSchemas(): Schemas {
  const bodies = NAMES.filter((name) => API[name].body !== NONE && API[name].method !== 'GET');
  const answers = NAMES.filter((name) => !(API[name] as Endpoint).bare && !(API[name] as Endpoint).binary);
  const requests = new Map(bodies.map((name) => [bodyName(name), API[name].body]));
  const said = new Map(answers.map((name): [string, z.ZodType] => [answerName(name), answerOf(name)]));
  const all = { ...converted('output', said), ...converted('input', requests) };
  const used = usedIn(new Set([...requests.keys(), ...said.keys(), ...ALWAYS]), all);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, schema]) =>
      used.has(name) ? [[name, described(name, schema)]] : [],
    ),
  );
}
/** Shapes of errors and parameters. */
const ALWAYS = ['BillRefusal', 'BusinessError', 'PlainError', 'ProblemDetails', 'SortOrder'];

/** The shapes that these lead to. */
function usedIn(names: ReadonlySet<string>, schemas: Schemas): ReadonlySet<string> {
  const used = new Set<string>();
  const follow = (name: string) => {
    if (used.has(name)) return;
    used.add(name);
    for (const [, to = ''] of JSON.stringify(schemas[name] ?? {}).matchAll(/schemas\/(\w+)"/g)) follow(to);
  };
  names.forEach(follow);
  return used;
}

/** A body as it is shown. The body of a GET has no place among the components, because OpenAPI has none for it. */
export function bodySchema(name: ApiName): Schema | undefined {
  const { body, method } = API[name];
  if (body === NONE) return undefined;
  return method === 'GET' ? described(name, schemaOf(body)) : ref(bodyName(name));
}

/** A body that several operations take has a name of its own (`shapes.ts`). */
export function bodyName(name: ApiName): string {
  return NAMED.get(shownOf(API[name].body)) ?? `${capital(name)}Body`;
}

export function answerName(name: ApiName): string {
  return NAMED.get(answerOf(name)) ?? `${capital(name)}Answer`;
}

/** The content of an answer that has one. Null is an answer of its own: 204. */
function answerOf(name: ApiName): z.ZodType {
  const data = shownOf(API[name].data);
  return data instanceof z.ZodNullable ? (data.unwrap() as z.ZodType) : data;
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema that is no component, on the spot. */
export function schemaOf(schema: z.ZodType): Schema {
  return converted('input', new Map([['it', schema]])).it ?? {};
}

let parameters: Schemas | undefined;
/** Path parameters and query of an operation as one shape. */
export function parametersOf(name: ApiName): Schema {
  parameters ??= converted(
    'input',
    new Map(
      NAMES.map((each) => [
        each,
        z.object({ ...API[each].params.shape, ...API[each].query.shape } as z.ZodRawShape),
      ]),
    ),
  );
  return described(name, parameters[name] ?? {});
}

function converted(io: 'input' | 'output', named: ReadonlyMap<string, z.ZodType>): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of NAMED) registry.add(schema, { id });
  for (const [id, schema] of named) registry.add(shownOf(schema), { id });
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
  withNull(schema, json);
  // A field that is read tolerantly has no documented default.
  if (def.type === 'catch') delete json.default;
  // Answers may grow.
  if (json.additionalProperties === false) json.additionalProperties = true;
  for (const bound of ['minimum', 'maximum']) {
    if (Math.abs(Number(json[bound])) > BOUND_MAX) delete json[bound];
  }
  const values = Array.isArray(json.enum) ? json.enum : [];
  if (json.type === 'number' && values.length > 0 && values.every(Number.isInteger)) json.type = 'integer';
  const names = namesOf(schema);
  if (names) json['x-enum-varnames'] = Object.keys(names);
  const properties = json.properties as Record<string, Json> | undefined;
  // A field that must not be sent is one that is not there.
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (property.not) delete properties?.[name];
  }
}

/** The schema of a code that can be null: OpenAPI 3.0 wants the null among its values. */
function withNull(schema: z.core.$ZodType, json: Json): void {
  const inner = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
  if (json.nullable !== true || !namesOf(inner)) return;
  const values = Object.values(namesOf(inner) ?? {});
  delete json.$ref;
  Object.assign(json, {
    type: typeof values[0] === 'string' ? 'string' : 'integer',
    enum: [...values, null],
  });
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

export function capital(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
