import type { Context } from 'hono';
import { z } from 'zod';
import { parseJson } from '../../http/json.ts';

/**
 * Reads an order from a body of JSON. Gives the 400 to one that makes no sense. No body is an empty one, which says enough
 * where everything may be left out.
 */
export async function ordered<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema> | Response> {
  const text = await c.req.text();
  const order = schema.safeParse(text.trim() === '' ? {} : parseJson(text));
  return order.success ? order.data : c.json({ message: z.prettifyError(order.error) }, 400);
}

export function notFound(c: Context, what: string): Response {
  return c.json({ message: `There is no such ${what}` }, 404);
}
