import { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';

/** An answer as one step reads it: the fields that the step needs, and the others where the wallet wrote them well. */
type Needed<T, Name extends keyof T> = Pick<T, Name> & {
  readonly [Other in Exclude<keyof T, Name>]?: T[Other] | undefined;
};

/** How the client reads an answer that breaks the contract. The contract itself is published, and stays strict. */
export interface Tolerant {
  readonly tolerates?: z.ZodType;
}

type Tolerating<E extends Endpoint, D extends z.ZodType> = Omit<E, 'data'> & { readonly data: D } & Tolerant;

/** The rows of a list. Rows without a field that is needed are left out, as they came. */
interface Rows<Row> {
  readonly collection: readonly Row[];
  readonly count: number;
  readonly leftOut?: readonly unknown[];
}
type ListOf<Row extends z.ZodObject> = z.ZodObject<{ collection: z.ZodArray<Row>; count: z.ZodInt }>;
type RowOf<E extends { readonly data: ListOf<z.ZodObject> }> = E['data']['shape']['collection']['element'];

/** Reads an answer by `tolerates` where it is not as the contract says. */
export function tolerating<E extends Endpoint, D extends z.ZodType>(
  endpoint: E,
  tolerates: D,
): Tolerating<E, D> {
  return { ...endpoint, tolerates } as unknown as Tolerating<E, D>;
}

/** The object of the contract, of which only the named fields must be right. Any other may be missing or odd. */
export function needing<T extends z.ZodObject, Name extends keyof z.output<T> & string>(
  object: T,
  ...needs: readonly Name[]
): z.ZodType<Needed<z.output<T>, Name>> {
  const shape = Object.entries(object.shape as Record<string, z.ZodType>).map(([name, field]) => [
    name,
    needs.some((needed) => needed === name) ? field : field.optional().catch(undefined),
  ]);
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodType<Needed<z.output<T>, Name>>;
}

/** An endpoint that answers one object, of which a step needs the named fields. */
export function readingOf<
  T extends z.ZodObject,
  E extends Endpoint & { readonly data: T },
  Name extends keyof z.output<E['data']> & string,
>(endpoint: E, ...needs: readonly Name[]) {
  return tolerating(endpoint, needing<E['data'], Name>(endpoint.data, ...needs));
}

/**
 * An endpoint that answers a list. A row without one of the needed fields is left out, and costs no other.
 * @param odd `all`: the list is read even if every row is left out. A catalog is not empty then: nobody knows what is in it.
 */
export function rowsOf<
  E extends Endpoint & { readonly data: ListOf<z.ZodObject> },
  Name extends keyof z.output<E['data']>['collection'][number] & string,
>(endpoint: E, needs: readonly Name[], odd: 'some' | 'all' = 'some') {
  const row = needing<RowOf<E>, Name>(endpoint.data.shape.collection.element as RowOf<E>, ...needs);
  return tolerating(endpoint, listOf(row, odd));
}

/** The same for a list of these rows. */
export function listOf<T>(row: z.ZodType<T>, odd: 'some' | 'all' = 'some'): z.ZodType<Rows<T>> {
  const list = z
    // Without a known count, a reader of pages goes on to an empty one.
    .object({ collection: rows(row, odd), count: z.int().min(0).catch(Number.MAX_SAFE_INTEGER) })
    .transform(({ collection: { read, leftOut }, count }) => ({ collection: read, count, leftOut }));
  return list as unknown as z.ZodType<Rows<T>>;
}

export function readable<T>(row: z.ZodType<T>, odd: 'some' | 'all' = 'some'): z.ZodType<T[]> {
  return rows(row, odd).transform(({ read }) => read) as unknown as z.ZodType<T[]>;
}

/** The rows of an array that can be read, and the others as they came. */
export function rows<T>(row: z.ZodType<T>, odd: 'some' | 'all' = 'some') {
  const all = z.array(z.unknown()).transform((listed) => {
    const results = listed.map((each) => ({ each, ...row.safeParse(each) }));
    return {
      read: results.flatMap(({ success, data }) => (success ? [data as T] : [])),
      leftOut: results.flatMap(({ success, each }) => (success ? [] : [each])),
    };
  });
  return odd === 'all' ? all : all.refine(({ read, leftOut }) => read.length > 0 || leftOut.length === 0);
}
