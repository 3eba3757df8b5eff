import type { Context } from 'hono';

/** A field of the form that was sent. Empty where it is missing or a file. */
export async function field(c: Context, name: string): Promise<string> {
  const value = (await c.req.parseBody())[name];
  return typeof value === 'string' ? value : '';
}
