import { z } from 'zod';

/**
 * One contract, two views. v2.3 promises a field, and a wallet may still leave it out. The reader does without such a
 * field. What is published shows it as v2.3 does, and tests hold the sandbox to that.
 */
const SHOWN = new WeakMap<z.core.$ZodType, z.ZodType>();
const VIEWS = new WeakMap<z.core.$ZodType, z.ZodType>();
/** The names of a code's values, in the order of v2.3. */
const NAMES = new WeakMap<z.core.$ZodType, Readonly<Record<string, string | number>>>();
const CODES = new WeakMap<object, z.ZodType>();

/** A field that is read by `reader`, and published as `shown`. */
export function reads<T extends z.ZodType>(reader: T, shown: z.ZodType): T {
  SHOWN.set(reader, shown);
  return reader;
}

/** A field that the reader does without. It is odd if it is there and wrong. */
export function ifAny<T extends z.ZodType>(shown: T): z.ZodOptional<z.ZodNullable<T>> {
  return reads(shown.nullish(), shown);
}

/** A field that the reader does without, even if it is wrong. */
export function anyhow<T extends z.ZodType>(shown: T): z.ZodCatch<z.ZodOptional<z.ZodNullable<T>>> {
  return reads(shown.nullish().catch(undefined), shown);
}

/** A code, as one of the values that v2.3 names. The same values are one schema, so that it has one name. */
export function codes<const V extends string | number>(named: Readonly<Record<string, V>>): z.ZodLiteral<V> {
  const code = (CODES.get(named) as z.ZodLiteral<V> | undefined) ?? z.literal(Object.values(named));
  CODES.set(named, code);
  NAMES.set(code, named);
  return code;
}

/** The names of a code's values. Undefined for a field that is no code. */
export function namesOf(schema: z.core.$ZodType): Readonly<Record<string, string | number>> | undefined {
  return NAMES.get(schema);
}

/** The same schema as it is published: everything that v2.3 promises, and nothing tolerated. */
export function shownOf(schema: z.core.$ZodType): z.ZodType {
  const known = VIEWS.get(schema);
  if (known) return known;
  const shown = SHOWN.get(schema);
  const view = shown ? shownOf(shown) : rebuilt(schema as z.ZodType);
  VIEWS.set(schema, view);
  return view;
}

function rebuilt(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    const shape = Object.fromEntries(fields.map(([name, field]) => [name, shownOf(field)]));
    return changed(
      schema,
      { shape },
      fields.some(([name, field]) => shape[name] !== field),
    );
  }
  if (schema instanceof z.ZodArray) {
    const element = shownOf(schema.element);
    return changed(schema, { element }, element !== schema.element);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const innerType = shownOf(schema.unwrap());
    return changed(schema, { innerType }, innerType !== schema.unwrap());
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const options = schema.options.map((option) => shownOf(option));
    return changed(
      schema,
      { options },
      options.some((option, i) => option !== schema.options[i]),
    );
  }
  return schema;
}

/** The schema with another part, and with its own checks. */
function changed(schema: z.ZodType, part: object, isChanged: boolean): z.ZodType {
  return isChanged ? schema.clone({ ...schema._zod.def, ...part } as never) : schema;
}
