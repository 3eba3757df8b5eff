import type { Context } from 'hono';
import { z } from 'zod';
import { parseJson } from '../../http/json.ts';
import { API_HEADERS } from '../../wallet/contract/api.ts';
import type { Core, Tenant } from '../core/core.ts';
import { allPartners, findPartner, partnerOfKey } from '../partners/partners.ts';

/**
 * The partner that a call of the desk is about: whose key it carries, or `?partner=` with an id, or else the first one.
 * Undefined where there is no such partner.
 */
export function whoseCall(core: Core, c: Context): Tenant | undefined {
  const key = c.req.header(API_HEADERS.key);
  if (key !== undefined) return partnerOfKey(core, key);
  const id = c.req.query('partner');
  return id === undefined ? allPartners(core)[0] : findPartner(core, Number(id) || 0);
}

/**
 * As `whoseCall`, of what can also be for every partner: `everybody` where the call names none, or says `?partner=all`.
 */
export function whoseOrAll(core: Core, c: Context): Tenant | typeof EVERYBODY | undefined {
  const named = c.req.header(API_HEADERS.key) ?? c.req.query('partner') ?? 'all';
  return named === 'all' ? EVERYBODY : whoseCall(core, c);
}
const EVERYBODY = { id: undefined };

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
