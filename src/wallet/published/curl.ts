import { API_HEADERS } from '../contract/api.ts';
import { isMultipart, mediaType, type Recorded } from './record.ts';
import { fieldsOfForm } from './values.ts';

/** A request that ran, as a command that can be pasted into a shell. */
export function curl(
  { step, method, target, requestId, body }: Recorded,
  { origin, apiKey }: { origin: string; apiKey: string },
): string {
  const isForm = isMultipart(step);
  const headers = [
    `${API_HEADERS.key}: ${apiKey}`,
    `${API_HEADERS.requestId}: ${requestId}`,
    ...(body && !isForm ? [`Content-Type: ${mediaType(step)}`] : []),
  ];
  const form = isForm
    ? fieldsOfForm(step.body).map(([name, value]) =>
        typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.file};type=${value.type}`,
      )
    : [];
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${new URL(target, origin)}'`,
    ...headers.map((header) => `-H '${header}'`),
    ...form.map((field) => `-F '${field}'`),
    ...(body && !isForm ? [`-d '${body.replaceAll("'", "'\\''")}'`] : []),
  ].join(' \\\n  ');
}

/** An answer that came, as it is shown: its status, and its body where it is text. */
export function shown({ status, type, answer, bytes }: Recorded): string {
  if (answer !== undefined) return JSON.stringify(answer, undefined, 2);
  return bytes > 0 ? `(${type}, ${bytes} bytes)` : `(${status}, no body)`;
}
