import type { Context } from 'hono';
import { z } from 'zod';
import type { Endpoint } from '../../wallet/contract/endpoint.ts';
import { type Refusal, refusal } from '../core/refusal.ts';
import type { Settings } from '../core/settings.ts';
import { inner, type RawRequest } from './parse.ts';

/**
 * Strict mode: what a lenient server overlooks is refused. A body must say that it is JSON (415), or a form where the document
 * wants one. `Host` must be the one that is set (421). A field or parameter that the document does not have is 90001.
 */
export function strictly(
  c: Context,
  { strict, host }: Settings,
  endpoint: Endpoint,
  raw: RawRequest,
): Response | Refusal | undefined {
  if (!strict) return undefined;
  if (host !== '' && c.req.header('host') !== host)
    return c.json({ message: `The Host must be ${host}` }, 421);
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  const wanted = endpoint.multipart ? 'multipart/form-data' : 'application/json';
  const hasBody = c.req.method !== 'GET' && Object.keys(raw.body ?? {}).length > 0;
  if (hasBody && type !== wanted) return c.json({ message: `The Content-Type must be ${wanted}` }, 415);
  const unknown = [
    ...[...raw.query.keys()].filter((name) => !(name in endpoint.query.shape)),
    ...unknownIn(endpoint.body, raw.body, endpoint.anyCase === true),
  ];
  if (unknown.length === 0) return undefined;
  return refusal('parameterInvalid', { detail: `${unknown.join(', ')}: v2.3 has no such name here` });
}

/** The names in a value that its schema does not have, with their places. */
function unknownIn(schema: unknown, value: unknown, anyCase: boolean, at = ''): readonly string[] {
  const kind = inner(schema);
  if (Array.isArray(value) && kind instanceof z.ZodArray)
    return value.flatMap((each, n) => unknownIn(kind.element, each, anyCase, `${at}[${n}]`));
  if (!(kind instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  const known = new Map(
    Object.entries(kind.shape).map(([name, field]) => [anyCase ? name.toLowerCase() : name, field]),
  );
  return Object.entries(value).flatMap(([name, each]) => {
    const field = known.get(anyCase ? name.toLowerCase() : name);
    const where = at === '' ? name : `${at}.${name}`;
    return field === undefined ? [where] : unknownIn(field, each, anyCase, where);
  });
}
