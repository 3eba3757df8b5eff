import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { parseJson } from '../../http/json.ts';

/**
 * Reads an order from a body of JSON. One that makes no sense ends the request with 400. No body is an empty one, which says
 * enough where everything may be left out.
 */
export async function ordered<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await c.req.text();
  const order = schema.safeParse(text.trim() === '' ? {} : parseJson(text));
  if (order.success) return order.data;
  throw new HTTPException(400, { res: c.json({ message: z.prettifyError(order.error) }, 400) });
}

export function notFound(c: Context, what: string): Response {
  return c.json({ message: `There is no such ${what}` }, 404);
}
