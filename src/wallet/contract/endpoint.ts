import { z } from 'zod';

/** No parameters here. Also the shape of a part that an endpoint does not have. */
export const NONE = z.object({});

/**
 * For an endpoint whose success says nothing but its status (`status` 200 or 204): Partner API v2.3, "General model" 2
 * (agent card rename and delete) and "Agents" (retail update). Spread into its description: `...BARE`.
 */
export const BARE = { data: z.null(), none: null, bare: true } as const;

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
  /** Of a GET it is only documentation: every field is optional and the body is not read (open question 14). */
  readonly body: Body;
  /**
   * True where the body is a multipart form: files are `z.file()`, the others text, and what is in a list is written
   * `name[0].field`. Elsewhere the body is JSON.
   */
  readonly multipart?: boolean;
  /** True where field names of the body are matched without case, because v2.3 writes them in two ways. */
  readonly anyCase?: boolean;
  /** The content of the answer, without its envelope. */
  readonly data: Data;
  readonly status: 200 | 202 | 204;
  /** True where a success is wrapped as `{ "data": … }`: everywhere but `/api/bills/*`. */
  readonly envelope: boolean;
  /** The meaning of an answer without a body: a 204, where an operation may answer so instead. */
  readonly none?: z.input<Data>;
  /** True where a success never has a body (`BARE`). */
  readonly bare?: boolean;
  /** True where a success is a file: `data` is then its type and bytes. */
  readonly binary?: boolean;
  /** True where 400 and 401 come as problem details (RFC 9457) and not as v2.3 "Errors" 2 writes them. */
  readonly problems?: boolean;
  /** The scope that a key needs. Only some are shown in v2.3 ("Authentication"). The others are marked. */
  readonly scope: string;
}

type Described<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodObject,
  D extends z.ZodType,
> = Partial<Omit<Endpoint<P, Q, B, D>, 'method' | 'path' | 'scope'>> & { readonly data: D };

/** Describes an operation. Absent parts are empty, the status is 200 and the answer is in an envelope. */
export function endpoint<
  D extends z.ZodType,
  P extends z.ZodObject = typeof NONE,
  Q extends z.ZodObject = typeof NONE,
  B extends z.ZodObject = typeof NONE,
>(
  method: Endpoint['method'],
  path: string,
  scope: string,
  described: Described<P, Q, B, D>,
): Endpoint<P, Q, B, D> {
  const empty = { params: NONE as unknown as P, query: NONE as unknown as Q, body: NONE as unknown as B };
  return { ...empty, status: 200, envelope: true, method, path, scope, ...described };
}

/** The input of a caller: the parts an endpoint has, before defaults. */
export interface Request<E extends Endpoint> {
  readonly params?: z.input<E['params']>;
  readonly query?: z.input<E['query']>;
  readonly body?: z.input<E['body']>;
}

/** The content of a success, without its envelope. */
export type Data<E extends Endpoint> = z.output<E['data']>;
