import { z } from 'zod';

/** No parameters here. Also the shape of a part that an endpoint does not have. */
export const NONE = z.object({});

/**
 * One operation of the Partner API as data: the client sends by it, the sandbox serves by it, tests and documentation
 * read it. Shapes are those on the wire: names and cases as v2.3 writes them, amounts as decimals.
 */
export interface Endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With path parameters in braces, as v2.3 writes them: `/api/operations/{id}`. */
  readonly path: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** What the answer says, without its envelope. */
  readonly data: Data;
  /** The HTTP status of a success. */
  readonly status: 200 | 202 | 204;
  /** True where a success is wrapped as `{ "data": … }`: everywhere but `/api/bills/*`. */
  readonly envelope: boolean;
  /** What a 204 without a body stands for, where an operation may answer so instead. */
  readonly none?: z.input<Data>;
  /** True where a success is a file: `data` is then its type and bytes. */
  readonly binary?: boolean;
  /** What a key must be allowed to do. Only some are shown in v2.3 ("Authentication"); the others are marked. */
  readonly scope: string;
}

type Described<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  D extends z.ZodType,
> = Pick<Endpoint<P, Q, B, D>, 'method' | 'path' | 'data' | 'scope'> &
  Partial<
    Pick<Endpoint<P, Q, B, D>, 'params' | 'query' | 'body' | 'status' | 'envelope' | 'none' | 'binary'>
  >;

/** Describes an operation; parts left out are empty, the status is 200 and the answer is in an envelope. */
export function endpoint<
  D extends z.ZodType,
  P extends z.ZodObject = typeof NONE,
  Q extends z.ZodObject = typeof NONE,
  B extends z.ZodObject = typeof NONE,
>(described: Described<P, Q, B, D>): Endpoint<P, Q, B, D> {
  const empty = { params: NONE as unknown as P, query: NONE as unknown as Q, body: NONE as unknown as B };
  return { ...empty, status: 200, envelope: true, ...described };
}

/** What a caller gives: the parts an endpoint has, before defaults. */
export interface Request<E extends Endpoint> {
  readonly params?: z.input<E['params']>;
  readonly query?: z.input<E['query']>;
  readonly body?: z.input<E['body']>;
}

/** What a success says, without its envelope. */
export type Data<E extends Endpoint> = z.output<E['data']>;
