import { ANSWER_MEANINGS, MEANINGS, OWN_MEANINGS } from './meanings.ts';
import type { Schema } from './schemas.ts';
import { SECTIONS } from './sections.ts';
import { CODES, SHAPES } from './shapes.ts';

const SOURCES: ReadonlyMap<string, string | undefined> = new Map([
  ...[...SHAPES, ...CODES].map(({ name, from }) => [name, from] as const),
  ...SECTIONS.flatMap(({ title, operations }) =>
    Object.keys(operations).map((name) => [name, title] as const),
  ),
  ['WebhookEvent', 'Common properties'],
]);
const CODE_MEANINGS = new Map(CODES.map(({ name, means }) => [name, means]));
const INSENSITIVE = new Map(Object.entries(MEANINGS).map(([name, means]) => [name.toLowerCase(), means]));

/** A shape, or the parameters of an operation, with the meaning of each field: unit, format and source included. */
export function described(name: string, schema: Schema): Schema {
  const means = CODE_MEANINGS.get(name);
  if (means) return { ...schema, description: `${means}${valuesOf(schema)}${source(SOURCES.get(name))}` };
  const isShape = SOURCES.has(name);
  const from = SOURCES.get(name);
  const fields = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const own = OWN_MEANINGS[name]?.[field] ?? MEANINGS[field] ?? INSENSITIVE.get(field.toLowerCase());
    if (own === undefined) return [field, property] as const;
    const isInvented = own.startsWith('!') || (isShape && from === undefined);
    const text = `${own.replace(/^! /, '')}${formatOf(property, own)}${isInvented ? ' Not in v2.3.' : source(from)}`;
    return [field, withText(property, text, isInvented)] as const;
  });
  const answer = ANSWER_MEANINGS[name];
  return {
    ...schema,
    ...(answer && { description: answer.replace(/^! (.*)/, '$1 Not in v2.3.') }),
    ...(schema.properties && { properties: Object.fromEntries(fields) }),
  };
}

/** OpenAPI 3.0 reads nothing beside a `$ref`. */
function withText({ $ref, ...property }: Schema, description: string, isInvented: boolean): Schema {
  return {
    ...property,
    ...($ref && !property.enum && { allOf: [{ $ref }] }),
    description,
    ...(isInvented && { 'x-not-in-v2.3': true }),
  };
}

function source(from: string | undefined): string {
  return from ? ` (v2.3, “${from}”)` : '';
}

/** Unit and format, where the type does not say them by itself. */
function formatOf({ type, format, pattern, items }: Schema, means: string): string {
  if (items) return '';
  if (type === 'number') return means.includes('percent') ? '' : ' In dirhams (MAD), decimal.';
  if (format === 'date-time') return ' ISO 8601.';
  return (pattern && PATTERNS[pattern]) ?? '';
}
const PATTERNS: Readonly<Record<string, string>> = {
  '^\\+212\\d{9}$': ' Format +212*********.',
  '^\\d{24}$': ' 24 digits.',
  '^\\d{4}$': ' 4 digits.',
  '^\\d{3}$': ' 3 digits.',
  '^\\d{3}-\\d{3}$': ' Format xxx-xxx.',
};

function valuesOf(schema: Schema): string {
  const names = schema['x-enum-varnames'];
  if (!names) return schema.pattern ? ' Format YYMM.' : '';
  const values = schema.enum ?? [];
  return ` ${names.map((each, i) => (each === values[i] ? each : `${values[i]} ${each}`)).join(', ')}.`;
}
