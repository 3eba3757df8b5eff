import type { Schema, Schemas } from './schemas.ts';

/** One field of a shape as a line of a table. */
export interface Field {
  /** With the fields it is in: `collection[].amount`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Its meaning, with unit, format and source. */
  readonly means: string;
  /** Its other rules: a pattern, the possible values, a default, lengths. */
  readonly rules: string;
}

/** A shape as lines, from the outside in. No shape gives no lines. A shape that is no object is one line without a name. */
export function fieldsOf(schema: Schema | undefined, schemas: Schemas): readonly Field[] {
  if (!schema) return [];
  const { properties, items } = resolved(schema, schemas);
  if (!properties && !items) return [fieldOf('', schema, true, schemas)];
  return within('', schema, schemas);
}

function within(prefix: string, schema: Schema, schemas: Schemas): readonly Field[] {
  const { properties = {}, required = [], items } = resolved(schema, schemas);
  if (items) return within(`${prefix}[]`, items, schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const full = prefix ? `${prefix}.${name}` : name;
    return [fieldOf(full, property, required.includes(name), schemas), ...within(full, property, schemas)];
  });
}

function fieldOf(name: string, schema: Schema, isRequired: boolean, schemas: Schemas): Field {
  const it = resolved(schema, schemas);
  return { name, type: typeOf(it, schemas), isRequired, means: it.description ?? '', rules: rulesOf(it) };
}

function typeOf({ type, format, items, anyOf, nullable }: Schema, schemas: Schemas): string {
  const one = items
    ? `${typeOf(resolved(items, schemas), schemas)}[]`
    : (anyOf?.map((each) => typeOf(resolved(each, schemas), schemas)).join(' or ') ??
      format ??
      type ??
      'any');
  return nullable ? `${one} or null` : one;
}

function rulesOf(schema: Schema): string {
  const {
    enum: values,
    pattern,
    default: preset,
    minLength = 0,
    maxLength,
    'x-enum-varnames': names = [],
  } = schema;
  const { minimum, exclusiveMinimum, maximum } = schema;
  const rules = [
    values && `one of ${values.map((value, i) => named(value, names[i])).join(', ')}`,
    pattern && `\`${pattern}\``,
    minLength > 1 && `at least ${minLength} characters`,
    maxLength && `at most ${maxLength} characters`,
    minimum !== undefined && `${exclusiveMinimum ? 'above' : 'at least'} ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    preset !== undefined && `default \`${preset}\``,
  ];
  return rules.filter(Boolean).join('; ');
}

function named(value: unknown, name: string | undefined): string {
  return `\`${value}\`${name && name !== value ? ` ${name}` : ''}`;
}

/** A schema without its `$ref`: with all that it refers to. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const { allOf: [of] = [], $ref = of?.$ref, ...own } = schema;
  const name = $ref?.split('/').at(-1);
  return name ? { ...schemas[name], ...own } : schema;
}
