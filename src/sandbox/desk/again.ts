import { API_HEADERS } from '../../wallet/contract/api.ts';
import { MASK } from '../door/mask.ts';
import type { Logged } from '../door/request-log.ts';

/** True for a request that the log has kept whole: without a secret, a file, or a body that could not be read. */
export function canRepeat({ isForm, partner, path, query, body, method }: Logged): boolean {
  const isWhole = !JSON.stringify([path, query, body ?? null]).includes(MASK);
  return isWhole && partner !== null && !isForm && (method === 'GET' || body !== undefined);
}

/** The same request with the key of its partner. @param origin where the sandbox is reached */
export function repeated(
  { method, path, query, requestId, body }: Logged,
  apiKey: string,
  origin: string,
): Request {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  return new Request(`${origin}${path}?${search}`, {
    method,
    headers: {
      [API_HEADERS.key]: apiKey,
      'content-type': 'application/json',
      ...(requestId && { [API_HEADERS.requestId]: requestId }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
}
